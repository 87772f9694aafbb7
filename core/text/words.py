"""Content words of a text, stemmed, and how much of a question a text covers."""

from __future__ import annotations

import re
import threading
from functools import lru_cache

import snowballstemmer

from core.text.function_words import FUNCTION_WORDS

# More words of questions that name nothing. Medical words are never in here.
_STOP = FUNCTION_WORDS | frozenset(
    """again am because being between both cannot doing done during each either else ever every
    get give given having he her hers him his itself just know let like list many might more
    most much need nor off once one only other out over own per please same she show some tell
    through too under until up upon us use used uses using very whether while without
    compare compared comparison difference differences""".split()
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
