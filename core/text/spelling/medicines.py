"""Names of medicines that are known, whatever the library and the graph hold.

medicines.txt has the names of one word that DrugBank's open vocabulary (CC0), MedlinePlus, the NHS and MeSH
know, those of one substance on a line; train/medicine_names.py makes it. A word of it is spelt right: it is
never read as another medicine's name, and a misspelt one may be meant for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from unicodedata import combining, normalize

from core.resources import read_text
from core.text.word_lists import word_frequencies

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")


def substances(word: str) -> frozenset[int]:
    """Numbers of the substances that a word in lower case is a name of, with or without its accents
    ("nitrofurantoïne"); none for any other word."""
    return known_medicines().get(_listed(word), frozenset())


def of_the_same(word: str) -> tuple[str, ...]:
    """The other names of the one substance that a word in lower case is a name of; none where it is a name of
    several, and no name that is one of several."""
    if len(own := substances(word)) != 1:
        return ()
    return tuple(
        name
        for number in own
        for name in _lines()[number]
        if name != word and substances(name) == own
    )


@lru_cache(maxsize=10_000)
def is_medicine(word: str) -> bool:
    """Whether a word in lower case is one medicine's name.

    The list has classes too, in singular and plural ("antibiotic"), and some everyday plurals.
    """
    known, word = known_medicines(), _listed(word)
    if word not in known or f"{word}s" in known:
        return False
    return not word.endswith("s") or (word[:-1] not in known and word not in word_frequencies("en"))


def _listed(word: str) -> str:
    """A word as the list may have it: without accents where it does not have it with them."""
    if word.isascii() or word in known_medicines():
        return word
    return "".join(sign for sign in normalize("NFKD", word) if not combining(sign))


def substances_in(text: str) -> frozenset[int]:
    """The medicines that a text names, by what they contain; of those that the list of all names has."""
    words = (word for word in _WORD.findall(text.casefold()) if is_medicine(word))
    return frozenset[int]().union(*map(substances, words))


@cache
def known_medicines() -> Mapping[str, frozenset[int]]:
    """Each name with the numbers of its substances."""
    found: dict[str, frozenset[int]] = {}
    for number, names in enumerate(_lines()):
        for name in names:
            found[name] = found.get(name, frozenset()) | {number}
    return found


@cache
def _lines() -> Sequence[Sequence[str]]:
    return [line.split() for line in read_text(__file__, "medicines.txt").splitlines()]


@cache
def names_of_length(length: int) -> Sequence[str]:
    """The names with so many letters."""
    return tuple(name for name in known_medicines() if len(name) == length)
