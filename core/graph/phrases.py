"""Relationship types as verbs, so that a fact can be read as a sentence from either end."""

from __future__ import annotations

# type -> (read from source to target, read from target to source)
_PHRASES: dict[str, tuple[str, str]] = {
    "TREATS": ("treats", "is treated by"),
    "PALLIATES": ("relieves symptoms of", "has symptoms relieved by"),
    "CONTRAINDICATED_IN": ("is contraindicated in", "is a contraindication of"),
    "OFF_LABEL_USE": ("is used off-label for", "is treated off-label with"),
    "TARGETS": ("targets", "is targeted by"),
    "CAUSES_SIDE_EFFECT": ("can cause", "is a side effect of"),
    "INTERACTS_WITH": ("interacts with", "interacts with"),
    "ASSOCIATED_WITH": ("is associated with", "is associated with"),
    "RESEMBLES": ("resembles", "resembles"),
    "PARTICIPATES_IN": ("participates in", "involves"),
    "BINDS": ("binds to", "binds to"),
    "HAS_PHENOTYPE": ("has the symptom or sign", "is a symptom or sign of"),
    "DRUG_CLASS": ("belongs to the class", "includes the drug"),
    "ANATOMY_PROTEIN_PRESENT": ("expresses", "is expressed in"),
    "BIOPROCESS_PROTEIN": ("involves", "is involved in"),
    "CELLCOMP_PROTEIN": ("contains", "is found in"),
    "MOLFUNC_PROTEIN": ("is a function of", "has the function"),
}


def relationship_phrase(relationship_type: str, forward: bool) -> str:
    """The verb of a relationship type, read from its source (`forward`) or from its target.

    A type without a phrase of its own reads as its lower-cased words from both ends:
    ``EXPOSURE_DISEASE`` is ``exposure disease``.
    """
    phrases = _PHRASES.get(relationship_type)
    if phrases is None:
        return " ".join(relationship_type.replace("_", " ").lower().split())
    return phrases[0] if forward else phrases[1]
