"""Words as they are written, with the keys that FTS5's tokenizer gave them: most words of a text were met
before, and it is asked for the others only."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

Parted = Callable[[Sequence[str]], Sequence[Sequence[int]]]

_WORD = re.compile(r"[0-9A-Za-z\x80-\U0010ffff]+")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_MOST_KEPT = 1 << 18  # words, some ten MB


class Vocabulary:
    """The keys of words, asked for once.

    What parts a text into words is settled sign by sign, by asking too: between two letters a sign parts
    them, or does not. A text with a sign that is neither, such as an accent of its own, is parted whole.

    Args:
        parted: the keys of the words of each text, in order.
    """

    def __init__(self, parted: Parted) -> None:
        self._parted = parted
        self._keys: dict[str, int] = {}
        self._signs: dict[str, str] = {}  # a sign beyond ASCII -> what stands for it, "" for none

    def keys(self, texts: Sequence[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The keys of all words of the texts, one text after the other, and how many each has."""
        self._learn_signs({sign for text in texts for sign in _BEYOND_ASCII.findall(text)})
        words = [self._words(text) for text in texts]
        whole = [number for number, own in enumerate(words) if own is None]
        parted = dict(zip(whole, self._parted([texts[number] for number in whole]), strict=True))
        known = self._known(words)
        keys, counts = array("q"), []
        for number, own in enumerate(words):
            found = parted[number] if own is None else map(known.__getitem__, own)
            before = len(keys)
            keys.extend(found)
            counts.append(len(keys) - before)
        return np.array(keys, dtype=np.int64), np.array(counts, dtype=np.int64)

    def _words(self, text: str) -> list[str] | None:
        """None where the text has to be parted whole."""
        if text.isascii():
            return _WORD.findall(text.lower())
        for sign in set(_BEYOND_ASCII.findall(text)):
            stands = self._signs[sign]
            if not stands:
                return None
            if stands != sign:
                text = text.replace(sign, stands)
        return _WORD.findall(text)

    def _known(self, words: Iterable[Sequence[str] | None]) -> dict[str, int]:
        met = set[str]().union(*filter(None, words))
        if len(self._keys) > _MOST_KEPT:
            self._keys = {}
        kept = self._keys
        new = sorted(word for word in met if word not in kept)
        for word, (key,) in zip(new, self._parted(new), strict=True):
            kept[word] = key
        return kept

    def _learn_signs(self, signs: set[str]) -> None:
        new = sorted(signs - self._signs.keys())
        asked = [text for sign in new for text in (sign, f"a{sign}a")]
        counts = [len(found) for found in self._parted(asked)]
        for sign, alone, between in zip(new, counts[::2], counts[1::2], strict=True):
            self._signs[sign] = {(0, 2): " ", (1, 1): sign}.get((alone, between), "")
