"""Which words a language has in everyday use."""

from __future__ import annotations

import gzip
import json
import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import accumulate
from math import log10

_LETTERS = re.compile(r"[^\W\d_]+")
_BILLION = 1_000_000_000
_IN_USE = frozenset({"", "en"})  # nearly every question asks for these words, and many of them


@cache
def word_frequencies(code: str) -> Mapping[str, int]:
    """Words of a language (as `core.text.language` codes it; English for an empty code), lower case, and
    how often each stands in the list's source."""
    # What its own class does besides, for corrections, takes longer than reading a leaflet.
    packed = files("spellchecker").joinpath("resources", f"{code or 'en'}.json.gz").read_bytes()
    text = gzip.decompress(packed).decode("utf-8")
    listed: dict[str, int] = json.loads(text)
    if text != text.lower():
        listed = _folded(listed)
    return listed if code in _IN_USE else _Sorted(listed)


def commonness(text: str, code: str) -> float:
    """How common the words of a text are in a language: the sum of the decimal logarithms of how often each
    stands in a billion words; 0 where none is listed."""
    listed = word_frequencies(code)
    words = (listed.get(word.lower(), 0) for word in _LETTERS.findall(text))
    return sum(log10(1 + count / _total(code) * _BILLION) for count in words)


@cache
def _total(code: str) -> int:
    listed = word_frequencies(code)
    return listed.total() if isinstance(listed, _Sorted) else sum(listed.values())


def _folded(listed: Mapping[str, int]) -> dict[str, int]:
    found: dict[str, int] = {}
    for word, count in listed.items():
        found[word.lower()] = found.get(word.lower(), 0) + count
    return found


class _Sorted(Mapping[str, int]):
    """Words with numbers in a tenth of a dictionary's memory, looked up in some microseconds: of five languages
    that a few questions ask for, dictionaries take 100 MB.

    Args:
        words: numbers in [0, 2**32).
    """

    def __init__(self, words: Mapping[str, int]) -> None:
        ordered = sorted((word.encode(), number) for word, number in words.items())
        self._text = b"".join(word for word, _ in ordered)
        self._ends = array("I", accumulate((len(word) for word, _ in ordered), initial=0))
        self._numbers = array("I", (number for _, number in ordered))

    def __getitem__(self, word: str) -> int:
        wanted = word.encode("utf-8", "surrogatepass")
        place = bisect_left(range(len(self)), wanted, key=self._word)
        if place == len(self) or self._word(place) != wanted:
            raise KeyError(word)
        return self._numbers[place]

    def __iter__(self) -> Iterator[str]:
        return (self._word(place).decode() for place in range(len(self)))

    def __len__(self) -> int:
        return len(self._numbers)

    def total(self) -> int:
        """The sum of all numbers, without a look-up of each, which takes seconds."""
        return sum(self._numbers)

    def _word(self, place: int) -> bytes:
        return self._text[self._ends[place] : self._ends[place + 1]]
