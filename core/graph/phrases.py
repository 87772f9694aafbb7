"""Relationship types as verbs, so that a fact can be read as a sentence from either end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# type -> (read from source to target, read from target to source). The order says which of several
# relationships between two entities tells most: what is done with a medicine and what it does come
# before what is known of the body, particular statements before general ones.
_PHRASES: dict[str, tuple[str, str]] = {
    "TREATS": ("treats", "is treated by"),
    "CONTRAINDICATED_IN": ("is contraindicated in", "is a contraindication of"),
    "PALLIATES": ("relieves symptoms of", "has symptoms relieved by"),
    "OFF_LABEL_USE": ("is used off-label for", "is treated off-label with"),
    "CAUSES_SIDE_EFFECT": ("can cause", "is a side effect of"),
    "TARGETS": ("targets", "is targeted by"),
    "HAS_ENZYME": ("has the enzyme", "is an enzyme of"),
    "HAS_TRANSPORTER": ("has the transporter", "is a transporter of"),
    "HAS_CARRIER": ("has the carrier", "is a carrier of"),
    "INTERACTS_WITH": ("interacts with", "interacts with"),
    "DRUG_CLASS": ("belongs to the class", "includes the drug"),
    "HAS_PHENOTYPE": ("has the symptom or sign", "is a symptom or sign of"),
    "LACKS_PHENOTYPE": ("does not have the symptom or sign", "is not a symptom or sign of"),
    "ASSOCIATED_WITH": ("is associated with", "is associated with"),
    "UPREGULATES": ("upregulates", "is upregulated by"),
    "DOWNREGULATES": ("downregulates", "is downregulated by"),
    "REGULATES": ("regulates", "is regulated by"),
    "PARTICIPATES_IN": ("participates in", "involves"),
    "BINDS": ("binds to", "binds to"),
    "COVARIES_WITH": ("varies in evolution with", "varies in evolution with"),
    "BIOPROCESS_PROTEIN": ("involves", "is involved in"),
    "MOLFUNC_PROTEIN": ("is a function of", "has the function"),
    "CELLCOMP_PROTEIN": ("contains", "is found in"),
    "LOCALIZES_TO": ("is located in", "is the site of"),
    "LINKED_TO": ("is linked to", "is linked to"),
    "DRUG_PROTEIN": ("is linked to", "is linked to"),
    "ANATOMY_PROTEIN_PRESENT": ("expresses", "is expressed in"),
    "ANATOMY_PROTEIN_ABSENT": ("does not express", "is not expressed in"),
    "RESEMBLES": ("resembles", "resembles"),
    # Both directions are in PrimeKG's file, and which end is the parent is not.
    "IS_PARENT_OR_CHILD_OF": (
        "is a broader or narrower term than",
        "is a broader or narrower term than",
    ),
    "RELATED_TO": ("is related to", "is related to"),
}
_RANKS = {name: rank for rank, name in enumerate(_PHRASES)}


def relationship_phrase(relationship_type: str, forward: bool) -> str:
    """The verb of a relationship type, read from its source (`forward`) or from its target.

    A type without a phrase of its own reads as its lower-cased words from both ends:
    ``GENE_FAMILY`` is ``gene family``.
    """
    phrases = _PHRASES.get(relationship_type)
    if phrases is None:
        return " ".join(relationship_type.replace("_", " ").lower().split())
    return phrases[0] if forward else phrases[1]


def telling_ranks(relationship_types: Sequence[str]) -> NDArray[np.int64]:
    """How much each type tells, shape (types,): the lower the more, those without a phrase alike."""
    return np.array([_RANKS.get(name, len(_RANKS)) for name in relationship_types], np.int64)
