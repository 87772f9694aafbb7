"""A query's words, and how many of them a passage has."""

from __future__ import annotations

import re
from functools import lru_cache

from core.text.function_words import FUNCTION_WORDS
from core.text.spelling.greek import spelt_out, written_forms
from core.text.stems import stem

_WORD = re.compile(r"[^\W_]+")
# They name no subject, but full text finds a leaflet's "must not be taken" by them.
_FORBIDDING = frozenset("must not no nicht darf".split())


def query_words(query: str, *, forbidding: bool = False) -> list[str]:
    """A query's words without function words; all its words when it has no others. Of Greek letters and their
    names both ("TNF-α", "TNF-alpha"), for passages may have either.

    Args:
        forbidding: keep those that forbid ("must not").
    """
    words = [form for word in _WORD.findall(query) for form in written_forms(word)]
    without = FUNCTION_WORDS - _FORBIDDING if forbidding else FUNCTION_WORDS
    return [word for word in words if word.casefold() not in without] or words


@lru_cache(maxsize=256)
def query_stems(query: str) -> frozenset[str]:
    """Stems of `query_words`."""
    return frozenset(stem(word) for word in query_words(query))


def coverage(stems: frozenset[str], text: str) -> float:
    """The share of `stems` that a text has, in [0, 1]; 0 for no stems."""
    if not stems:
        return 0.0
    words = set(_candidates(stems).findall(spelt_out(text.casefold())))
    present = {stem(word) for word in words}
    return len(stems & present) / len(stems)


@lru_cache(maxsize=256)
def _candidates(stems: frozenset[str]) -> re.Pattern[str]:
    """Words that may have one of the stems: they begin with the same two letters, but Porter2 makes
    "die" of "dying"; to stem every word of a passage would take longer than to find it."""
    beginnings = {re.escape(stem[:2]).replace("i", "[iy]") for stem in stems}
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(sorted(beginnings))})[^\W_]*")
