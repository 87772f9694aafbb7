"""Fragments that say which time something comes ("and the second time?") or how severe it is ("and mild?"), in
the place of what the question before says of that."""

from __future__ import annotations

import re

from core.questions.following.phrases import (
    DETERMINERS,
    GRAMMAR,
    PREPOSITIONS,
    replaced,
    without_opener,
)
from core.questions.leaflets.lexicon import lexicon_of

_RANK = rf"(?P<rank>{'|'.join(GRAMMAR['ranks'])})"
_COMES = rf"(?:{'|'.join(GRAMMAR['ranked'])})"
_SAID = re.compile(rf"{_RANK}(?:\s+{_COMES})?", re.IGNORECASE)
_BEFORE = re.compile(rf"(?<!\w){_RANK}(?=\s+(?:[^\W\d_]+\s+\d\s+)?{_COMES}(?!\w))", re.IGNORECASE)
_BEFORE_RANKS = PREPOSITIONS | DETERMINERS | frozenset(GRAMMAR["contracted"].split())


def with_rank(question: str, before: str) -> str:
    """The question before with another rank in the place of the only one that it has, where a fragment says
    nothing else; "" for any other."""
    words = without_opener(question).strip(" ?.!").split()
    while words and words[0].casefold() in _BEFORE_RANKS:
        words = words[1:]
    said = _SAID.fullmatch(" ".join(words))
    places = list(_BEFORE.finditer(before))
    if said is None or len(places) != 1:
        return ""
    return replaced(before, [(places[0].span("rank"), said["rank"])])


def with_degree(question: str, before: str) -> str:
    """The question before with another degree ("and mild?") in the place of the only one that it has."""
    said = without_opener(question).strip(" ?.!")
    first, _, rest = said.partition(" ")
    said = rest if first.casefold() in PREPOSITIONS else said  # "und bei leichter?"
    words = lexicon_of(before)
    degrees = "|".join(
        word for key in words.keys("degrees") for word in words.words("degrees", key)
    )
    if not re.fullmatch(degrees, said, re.IGNORECASE):
        return ""
    places = list(re.finditer(rf"(?<!\w)(?:{degrees})(?!\w)", before, re.IGNORECASE))
    return replaced(before, [(places[0].span(), said)]) if len(places) == 1 else ""
