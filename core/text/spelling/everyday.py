"""Which words are in everyday use, in British or American spelling; the list has American ones alone."""

from __future__ import annotations

from core.text.spelling.variants import american
from core.text.word_lists import word_frequencies

_PART = 6  # letters of the last part of a compound, at least


def is_everyday(word: str, code: str) -> bool:
    """Whether a word is in everyday use in a language; English ones, and each part of one with hyphens, in
    British or American spelling."""
    if code != "en":
        return word.casefold() in word_frequencies(code)
    return all(english_frequency(part) > 0 for part in word.split("-") if part.isalpha())


def ends_everyday(word: str, code: str) -> bool:
    """Whether a word, or the last part of it, is in everyday use in a language: "Filmtabletten"."""
    usual, folded = word_frequencies(code), word.casefold()
    return any(folded[start:] in usual for start in range(max(1, len(folded) - _PART + 1)))


def english_frequency(word: str) -> int:
    """How often a word stands in the list's source, as it is spelt or as Americans spell it; 0 where neither
    does."""
    listed = word_frequencies("en")
    folded = word.casefold()
    return listed.get(folded, 0) or max(listed.get(one, 0) for one in american(folded))
