"""Names by their words: which names begin with, contain or are what was typed; all arrays, little memory.

Names are numbered in the order in which they come, so that a lower number is a more important entity's.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

_LAST_CHARACTER = "\U0010ffff"  # sorts behind every continuation of a beginning
_MOST_LOOKED_AT = 3_000  # names whose whole text is read for one query
_NAMES_EACH = 40  # of one entity, more than nearly all have

Numbers = NDArray[np.int32]


class NameIndex:
    """Keys of names, with whose they are; safe to share between threads.

    Args:
        keys: as `core.domain.names.name_key` makes them.
        owners: of each key the place of its entity in the order of importance; ascending.
    """

    def __init__(self, keys: Sequence[str], owners: Sequence[int]) -> None:
        encoded = [key.encode() for key in keys]
        ends = np.cumsum([len(one) for one in encoded], dtype=np.int64)
        self._ends = np.concatenate(([0], ends)).astype(np.int64)
        self._text = b"".join(encoded)
        self._owners = np.array(owners, np.int32)
        hashes = np.fromiter((hash(key) for key in keys), np.int64, len(keys))
        self._by_hash = np.argsort(hashes, kind="stable").astype(np.int32)
        self._hashes = hashes[self._by_hash]
        known: dict[str, int] = {}
        words, numbers, firsts = array("i"), array("i"), array("i")
        for number, key in enumerate(keys):
            ids = [known.setdefault(word, len(known)) for word in dict.fromkeys(key.split())]
            words.extend(ids)
            numbers.extend([number] * len(ids))
            firsts.append(ids[0])
        self.words = sorted(known)
        self.letters = np.fromiter(map(letter_mask, self.words), np.int64, len(self.words))
        ranks = np.empty(len(known), np.int32)
        ranks[[known[word] for word in self.words]] = np.arange(len(known), dtype=np.int32)
        self._anywhere = _Lists(ranks[words], np.array(numbers, np.int32), len(known))
        self._first = _Lists(ranks[firsts], np.arange(len(keys), dtype=np.int32), len(known))
        self._all_words = "\n".join(["", *self.words, ""])
        self._word_starts = np.cumsum([1, *(len(word) + 1 for word in self.words)])

    def called(self, key: str) -> list[int]:
        """Places of entities that are called so."""
        code = hash(key)
        low = int(np.searchsorted(self._hashes, code, "left"))
        high = int(np.searchsorted(self._hashes, code, "right"))
        same = [one for one in self._by_hash[low:high].tolist() if self._key(one) == key.encode()]
        return self._places(np.array(same, np.int32), None)

    def beginning(self, key: str, limit: int) -> list[int]:
        """The first places of entities with a name that begins so."""
        words = key.split()
        if len(words) == 1 and key == words[0]:
            return self._places(self._first.between(*self._range(key)), limit)
        begins, wanted = self._first.between(*self._range(words[0])), key.encode()
        return self._read(begins, lambda text: text.startswith(wanted), limit)

    def with_words(self, key: str, limit: int, *, whole: bool = False) -> list[int]:
        """The first places of entities with a name in which words begin with all words of the key.

        Args:
            whole: the words are these, and do not only begin so.
        """
        words = dict.fromkeys(key.split())
        if whole:
            rarest = min(map(self._named, words), key=len)
            inside = [b" " + word.encode() + b" " for word in words]
            return self._read(
                rarest, lambda text: all(w in b" " + text + b" " for w in inside), limit
            )
        found = {word: self._anywhere.between(*self._range(word)) for word in words}
        fewest = min(found, key=lambda word: len(found[word]))
        if len(found) == 1:
            return self._places(found[fewest], limit)
        others = [b" " + word.encode() for word in words if word != fewest]
        return self._read(
            found[fewest], lambda text: all(one in b" " + text for one in others), limit
        )

    def containing(self, part: str, limit: int) -> list[int]:
        """The first places of entities with a name in a word of which the part stands."""
        if not part or " " in part:
            return []
        numbers = [
            self._anywhere.between(one, one + 1) for one in dict.fromkeys(self._words_with(part))
        ]
        return self._places(np.concatenate([np.array([], np.int32), *numbers]), limit)

    def begins_a_word(self, word: str) -> bool:
        low, high = self._range(word)
        return low < high

    def beginning_alike(self, word: str) -> slice:
        """Where in `words` those stand that have the same first letter."""
        return slice(*self._range(word[:1]))

    def _named(self, word: str) -> Numbers:
        """The names that have a word."""
        place = bisect_left(self.words, word)
        known = place < len(self.words) and self.words[place] == word
        return self._anywhere.between(place, place + known)

    def _range(self, beginning: str) -> tuple[int, int]:
        low = bisect_left(self.words, beginning)
        return low, bisect_left(self.words, beginning + _LAST_CHARACTER, low)

    def _words_with(self, part: str) -> Iterator[int]:
        at = self._all_words.find(part)
        for _ in range(_MOST_LOOKED_AT):
            if at < 0:
                return
            yield int(np.searchsorted(self._word_starts, at, "right")) - 1
            at = self._all_words.find(part, at + 1)

    def _key(self, number: int) -> bytes:
        return self._text[self._ends[number] : self._ends[number + 1]]

    def _read(self, numbers: Numbers, holds: Callable[[bytes], bool], limit: int) -> list[int]:
        """The first places of the owners of the keys whose text is as `holds` says."""
        found: dict[int, None] = {}
        for number in _lowest(numbers, _MOST_LOOKED_AT).tolist():
            if holds(self._key(number)):
                found[int(self._owners[number])] = None
                if len(found) == limit:
                    break
        return list(found)

    def _places(self, numbers: Numbers, limit: int | None) -> list[int]:
        """The first places of the owners of keys, in order; all of them without a limit."""
        if limit is not None and len(numbers) > limit * _NAMES_EACH:
            first = np.unique(self._owners[_lowest(numbers, limit * _NAMES_EACH)])
            if len(first) >= limit:
                return [int(one) for one in first[:limit]]
        return [int(one) for one in np.unique(self._owners[numbers])[:limit]]


class _Lists:
    """Lists of numbers, one after the other in one array.

    Args:
        ranks: which list each number is in; of `numbers`, ascending in every list.
        count: of the lists.
    """

    def __init__(self, ranks: Numbers, numbers: Numbers, count: int) -> None:
        self._all = numbers[np.argsort(ranks, kind="stable")]
        self._ends = np.concatenate(([0], np.cumsum(np.bincount(ranks, minlength=count))))

    def between(self, first: int, after: int) -> Numbers:
        """What the lists from `first` on hold, before `after`."""
        return self._all[self._ends[first] : self._ends[after]]


def letter_mask(word: str) -> int:
    """The letters of a word, as bits."""
    mask = 0
    for letter in word:
        mask |= 1 << (ord(letter) % 62)
    return mask


def _lowest(numbers: Numbers, count: int) -> Numbers:
    """The lowest numbers, in order."""
    if len(numbers) > count:
        numbers = np.partition(numbers, count)[:count]
    return np.sort(numbers)
