"""How many of a query's words a passage has."""

from __future__ import annotations

import re
import threading
from functools import lru_cache

import snowballstemmer

# Words that say nothing about a passage's subject, English and German.
_FUNCTION_WORDS = frozenset(
    """a about after all also an and any are as at be been before but by can could did do does for
    from had has have how i if in into is it its may me must my no not of on or our shall should so
    such than that the their them then there these they this those to was we were what when where
    which who whom whose why will with would you your
    der die das ein eine einer und oder ist sind wann wie was welche darf nicht werden wird bei mit
    von für zu im in den dem des""".split()
)
_WORD = re.compile(r"[^\W_]+")
_stemmer = snowballstemmer.stemmer("english")
_lock = threading.Lock()  # the stemmer keeps state between calls


def query_stems(query: str) -> frozenset[str]:
    """Stems of a query's words without function words; of all its words when it has no others."""
    words = {word.casefold() for word in _WORD.findall(query)}
    return frozenset(_stem(word) for word in words - _FUNCTION_WORDS or words)


def coverage(stems: frozenset[str], text: str) -> float:
    """The share of `stems` that a text has, in [0, 1]; 0 for no stems."""
    if not stems:
        return 0.0
    present = {_stem(word.casefold()) for word in _WORD.findall(text)}
    return len(stems & present) / len(stems)


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    with _lock:
        stemmed: str = _stemmer.stemWord(word)
    return stemmed
