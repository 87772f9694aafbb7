"""Relationship types as verbs, so that a fact can be read as a sentence from either end."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.resources import read_table

# In the order of phrases.toml: the more telling type first.
_PHRASES: dict[str, list[str]] = read_table(__file__, "phrases.toml")
_NOT_SAID = "not said in the graph to"
_INFINITIVES = {"is": "be", "does": "do"}
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


def known_type(written: str) -> str:
    """The relationship type with a phrase of its own that is written so but for capitals, blanks and signs
    ("interacts with": ``INTERACTS_WITH``); any other as it is written."""
    name = "_".join(re.findall(r"[^\W_]+", written)).upper()
    return name if name in _PHRASES else written


def telling_ranks(relationship_types: Sequence[str]) -> NDArray[np.int64]:
    """How much each type tells, shape (types,): the lower the more, those without a phrase alike."""
    return np.array([_RANKS.get(name, len(_RANKS)) for name in relationship_types], np.int64)


def relationship_said(
    relationship_type: str, forward: bool, *, plural: bool = False, negated: bool = False
) -> str:
    """The verb of a type said of one member of a set or of several, or denied: "treats", "treat",
    "is not said in the graph to treat". A graph that lacks a relationship does not deny it."""
    first, _, rest = relationship_phrase(relationship_type, forward).partition(" ")
    tail = f" {rest}" if rest else ""
    if negated:
        bare = "" if first == "can" else f" {_INFINITIVES.get(first) or _base(first)}"
        return f"{'are' if plural else 'is'} {_NOT_SAID}{bare}{tail}"
    if first == "can":
        return f"can{tail}"
    if first == "is":
        return f"{'are' if plural else 'is'}{tail}"
    if first == "does":
        return f"{'do' if plural else 'does'}{tail}"
    return f"{_base(first) if plural else first}{tail}"


def _base(verb: str) -> str:
    """A verb without the ending of the third person."""
    if verb == "has":
        return "have"
    if verb.endswith("sses"):
        return verb[:-2]
    return verb[:-3] + "y" if verb.endswith("ies") else verb.removesuffix("s")
