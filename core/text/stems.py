"""Content words of a text, and the stems that join the forms of a word."""

from __future__ import annotations

import re
import threading
from functools import cache, lru_cache
from typing import Any

import snowballstemmer

from core.text.function_words import (
    FUNCTION_WORDS,
    FUNCTION_WORDS_OF,
    OF_QUESTIONS,
    OF_QUESTIONS_IN,
)
from core.text.spelling.greek import spelt_out

_LEFT_OUT = FUNCTION_WORDS | OF_QUESTIONS
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_lock = threading.Lock()  # a stemmer keeps state between calls


@lru_cache(maxsize=50_000)
def stem(word: str, language: str = "english") -> str:
    """The stem of a case-folded word by Snowball's algorithm for a language (Porter2 for English), its Greek
    letters by their names ("TIF1γ", "TIF1gamma").

    Raises:
        KeyError: there is none for the language.
    """
    with _lock:
        stemmed: str = _stemmer(language).stemWord(spelt_out(word.casefold()))
    return stemmed


@cache
def _stemmer(language: str) -> Any:
    return snowballstemmer.stemmer(language)


def stems(text: str) -> set[str]:
    """Stems of all words of a text."""
    return set(_stems_of(text))


@lru_cache(maxsize=2_000)  # an answer asks for those of the same passages a dozen times
def _stems_of(text: str) -> frozenset[str]:
    found: set[str] = set()
    for match in _WORD.finditer(text):
        word = match.group()
        found.add(stem(word))
        if "-" in word:
            found.update(stem(part) for part in word.split("-") if part)
    return frozenset(found)


def content_words(text: str) -> list[str]:
    """Case-folded words that carry meaning, in order, without repetition."""
    words = (match.group().casefold() for match in _WORD.finditer(text))
    return list(dict.fromkeys(word for word in words if word not in _LEFT_OUT and len(word) > 1))


def asked_words(text: str, code: str) -> list[str]:
    """The same of a question, without what names nothing in its language: "hoe" and "voor" are rare in a
    library of English and German documents.

    Args:
        code: of the language.
    """
    little = FUNCTION_WORDS_OF.get(code, frozenset()) | OF_QUESTIONS_IN.get(code, frozenset())
    return [word for word in content_words(text) if word not in little]
