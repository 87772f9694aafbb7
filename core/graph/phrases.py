"""Relationship types as verbs, so that a fact can be read as a sentence from either end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.resources import read_table

# In the order of phrases.toml: the more telling type first.
_PHRASES: dict[str, list[str]] = read_table(__file__, "phrases.toml")
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
