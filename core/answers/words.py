"""Content words of a text, stemmed, and how much of a question a text covers."""

from __future__ import annotations

import re
import threading
from functools import lru_cache

import snowballstemmer

# Function words of questions. Medical words are never in here.
_STOP = frozenset(
    """a about after again all also am an and any are as at be because been before being between both
    but by can cannot could did do does doing done during each either else ever every for from get
    give given has have having he her hers him his how i if in into is it its itself just know let
    like list many may me might more most much must my need no nor not of off on once one only or
    other our out over own per please same shall she should show so some such tell than that the
    their them then there these they this those through to too under until up upon us use used uses
    using very was we were what when where whether which while who whom whose why will with without
    would you your
    der die das ein eine einer und oder ist sind wann wie was welche darf nicht werden wird bei mit
    von für zu im in den dem des""".split()
)
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_stemmer = snowballstemmer.stemmer("english")
_lock = threading.Lock()  # the stemmer keeps state between calls


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The Porter2 stem of a case-folded word."""
    with _lock:
        stemmed: str = _stemmer.stemWord(word.casefold())
    return stemmed


def stems(text: str) -> set[str]:
    """Stems of all words of a text."""
    found: set[str] = set()
    for match in _WORD.finditer(text):
        word = match.group()
        found.add(stem(word))
        if "-" in word:
            found.update(stem(part) for part in word.split("-") if part)
    return found


def content_words(text: str) -> list[str]:
    """Case-folded words that carry meaning, in order, without repetition."""
    words = (match.group().casefold() for match in _WORD.finditer(text))
    return list(dict.fromkeys(word for word in words if word not in _STOP and len(word) > 1))


_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*")


def numbers(text: str) -> set[str]:
    """Numbers of a text in one spelling: ``1,000`` and ``1000`` are equal, ``2,5`` reads 2.5."""
    found = set()
    for match in _NUMBER.finditer(text):
        value = match.group()
        grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", value)
        value = value.replace(",", "") if grouped else value.replace(",", ".")
        found.add(value.rstrip("0").rstrip(".") if "." in value else value)
    return found
