"""Which words are in everyday use, in British or American spelling; the list has American ones alone."""

from __future__ import annotations

from functools import lru_cache

from core.text.spelling.variants import american
from core.text.word_lists import word_frequencies

_PART = 6  # letters of the last part of a compound, at least
# Letters of a word in a compound, at least; the Dutch list has names.
_COMPOUNDING = {"de": 4, "nl": 5}
_JOINTS = ("s", "n", "en", "es", "e")  # between the words of a compound
_ENDINGS = ("e", "n", "en", "s", "es", "er", "ern")
_LONG = 8  # letters of a word that is still known with one wrong letter
_LETTERS = "abcdefghijklmnopqrstuvwxyzäöüß"


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


def is_compound(word: str, code: str) -> bool:
    """Whether a German or Dutch word is made of words in everyday use: "Laborwerte", "Dauertherapie"."""
    return code in _COMPOUNDING and _is_made_of_words(word.casefold(), code)


@lru_cache(maxsize=4_096)
def _is_made_of_words(folded: str, code: str) -> bool:
    usual, least = word_frequencies(code), _COMPOUNDING[code]

    def is_word(part: str, endings: tuple[str, ...]) -> bool:
        stems = (part, *(part.removesuffix(one) for one in endings if part.endswith(one)))
        return any(len(one) >= least and one in usual for one in stems)

    for place in range(least, len(folded) - least + 1):
        first, rest = folded[:place], folded[place:]
        if is_word(first, _JOINTS) and (is_word(rest, _ENDINGS) or _is_made_of_words(rest, code)):
            return True
    return False


def is_misspelt_everyday(word: str, code: str) -> bool:
    """Whether a long German or Dutch word is one in everyday use but for a letter that is missing, another or
    one too many; English questions are spelt right before."""
    folded = word.casefold()
    if code not in _COMPOUNDING or len(folded) < _LONG or not folded.isalpha():
        return False
    usual = word_frequencies(code)
    halves = [(folded[:place], folded[place:]) for place in range(len(folded) + 1)]
    return any(
        changed in usual
        for left, right in halves
        for changed in (
            left + right[1:],
            *(left + letter + right for letter in _LETTERS),
            *(left + letter + right[1:] for letter in _LETTERS if right),
        )
    )
