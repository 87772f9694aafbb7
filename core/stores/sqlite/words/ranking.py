"""Passages that have a question's words, ranked by BM25 as FTS5 counts it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from math import log
from typing import Any

import numpy as np
import numpy.typing as npt

from core.stores.sqlite.words.places import KEY_BITS
from core.stores.sqlite.words.tokens import (
    COUNT_BITS,
    MOST_COUNTED,
    PART,
    PLACE_BITS,
    ROW_BITS,
)

_K1, _B = 1.2, 0.75
_LEAST_IDF = 1e-6  # of a word that half of the passages have: it finds, but does not rank
_COMMON = 16  # a word is common that one in so many passages has
_ROUNDING = 1e-5
_OF_WORD = (
    "SELECT part, {} FROM text_parts CROSS JOIN text_places "
    f"ON text_places.key = (part << {KEY_BITS} | ?) ORDER BY part"
)

Rows = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float32]
_Numbers = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class WordQuery:
    """What passages are asked for: any of `words`, and all of `required`, each the keys of one word or of
    several that stand together."""

    words: tuple[tuple[int, ...], ...]
    required: tuple[tuple[int, ...], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.words)


@dataclass(frozen=True, slots=True)
class Ranked:
    """Passages that were found: their rows, ascending, with their scores."""

    rows: Rows
    scores: Scores

    def best(self, count: int) -> tuple[Rows, Scores]:
        """The first `count` in descending score, equal ones in the order of their rows."""
        rows, scores = self.rows, self.scores
        if count < len(rows):
            least = np.partition(scores, len(scores) - count)[len(scores) - count]
            rows, scores = rows[scores >= least], scores[scores >= least]
        order = np.argsort(-scores, kind="stable")[:count]
        return rows[order], scores[order]


def rank(
    connection: sqlite3.Connection,
    asked: WordQuery,
    among: Iterable[int] | None = None,
    wanted: int | None = None,
) -> Ranked:
    """The passages that have what is asked for.

    The word that most passages have comes last: where it cannot lift any other passage among the `wanted`
    best, it is looked up for those only that it can.

    Args:
        connection: in one transaction, so that what is read belongs together.
        among: the rows that may be found; None for all.
        wanted: so many of the best are sure to be there; None for all that are found.
    """
    table = _Table(connection)
    required = [table.find(phrase) for phrase in asked.required]
    narrow = [phrase.slots for phrase in required]
    if among is not None:
        narrow.append(table.slots(among))
    few = reduce(partial(np.intersect1d, assume_unique=True), narrow) if narrow else None
    scores = np.zeros(len(table.lengths), dtype=np.float32)
    words = sorted(map(table.find, asked.words), key=lambda word: len(word.slots))
    for word in words:
        if word is words[-1] and few is None and wanted:
            few = _within_reach(scores, wanted, word)
        table.add(scores, word, few)
    found = np.flatnonzero(scores > 0) if few is None else few[scores[few] > 0]
    for phrase in required:
        table.add(scores, phrase, found)
    return Ranked(table.rows(found), scores[found])


def _within_reach(scores: Scores, wanted: int, word: _Found) -> _Numbers | None:
    """Slots that the last word may put among the best; None where this may be any, or is as soon done."""
    if len(word.slots) < len(scores) // _COMMON:
        return None
    known = np.flatnonzero(scores > 0)
    if len(known) < wanted:
        return None
    reached = np.partition(scores[known], len(known) - wanted)[len(known) - wanted]
    least = reached * (1 - _ROUNDING) - word.most
    return known[scores[known] >= least] if least > 0 else None


@dataclass(frozen=True, slots=True)
class _Found:
    """The passages that have a phrase: their slots, ascending; how often each has it; and its weight."""

    slots: _Numbers
    often: _Numbers
    idf: float

    @property
    def most(self) -> float:
        """What it is worth at most."""
        return self.idf * (_K1 + 1)


class _Table:
    """The indexed passages side by side, part after part: a passage's place there is its slot."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        rows = connection.execute(
            "SELECT part, passages, words, lengths FROM text_parts ORDER BY part"
        ).fetchall()
        self._parts = np.array([row[0] for row in rows], dtype=np.int64)
        self._passages = sum(row[1] for row in rows)
        self._mean = max(1, sum(row[2] for row in rows)) / max(1, self._passages)
        # One more than the words that a passage has.
        self.lengths = np.frombuffer(b"".join(row[3] for row in rows), dtype=np.uint16)

    def find(self, phrase: Sequence[int]) -> _Found:
        """Where words stand one after the other."""
        if len(phrase) == 1:
            slots, often = self._counted(phrase[0])
        else:
            slots, often = np.unique(self._together(phrase) >> PLACE_BITS, return_counts=True)
        idf = log((self._passages - len(slots) + 0.5) / (len(slots) + 0.5))
        return _Found(slots, often, idf if idf > 0 else _LEAST_IDF)

    def add(self, scores: Scores, found: _Found, few: _Numbers | None) -> None:
        """Add what a phrase is worth in the passages that have it, or in a few of these."""
        slots, counts = found.slots, found.often.astype(np.float32)
        if few is not None:
            at = np.searchsorted(slots, few.astype(slots.dtype))
            has = at < len(slots)
            has[has] = slots[at[has]] == few[has]
            slots, counts = few[has], counts[at[has]]
        worth = self.lengths[slots].astype(np.float32)
        worth *= _K1 * _B / self._mean
        worth += _K1 * (1 - _B - _B / self._mean)
        worth += counts
        np.divide(counts, worth, out=worth)
        worth *= found.most
        scores[slots] += worth

    def slots(self, rows: Iterable[int]) -> _Numbers:
        """Of rows that are indexed; others are left out."""
        each = np.unique(np.fromiter(rows, dtype=np.int64))
        numbers = np.searchsorted(self._parts, each >> ROW_BITS)
        known = numbers < len(self._parts)
        known[known] = self._parts[numbers[known]] == each[known] >> ROW_BITS
        slots: _Numbers = (numbers[known] << ROW_BITS) | (each[known] & (PART - 1))
        return slots

    def rows(self, slots: _Numbers) -> Rows:
        rows: Rows = (self._parts[slots >> ROW_BITS] << ROW_BITS) | (slots & (PART - 1))
        return rows

    def _counted(self, key: int) -> tuple[_Numbers, _Numbers]:
        """Slots of the passages that have a word, and how often each has it."""
        slots, counts = self._kept(key, "counts", np.uint16)
        slots += counts >> COUNT_BITS
        often = counts & MOST_COUNTED
        if (often == MOST_COUNTED).any():
            starts = np.flatnonzero(np.diff(slots.astype(np.int64), prepend=-1))
            slots, often = slots[starts], np.add.reduceat(often.astype(np.uint32), starts)
        return slots, often

    def _places(self, key: int) -> tuple[_Numbers, _Numbers]:
        """First slot of the part, and place in it, of every occurrence of a word."""
        return self._kept(key, "places", np.uint32)

    def _kept(
        self, key: int, column: str, kind: type[np.uint16 | np.uint32]
    ) -> tuple[_Numbers, _Numbers]:
        """What is kept of a word in all parts, and the first slot of each one's part."""
        rows = self._connection.execute(_OF_WORD.format(column), (key,)).fetchall()
        numbers = np.searchsorted(self._parts, [row[0] for row in rows]).astype(np.uint32)
        kept = np.frombuffer(b"".join(row[1] for row in rows), dtype=kind)
        sizes = [len(row[1]) // kept.itemsize for row in rows]
        return np.repeat(numbers << ROW_BITS, sizes), kept

    def _together(self, phrase: Sequence[int]) -> _Numbers:
        """Where a phrase begins: slots and places, as one number each."""
        found: _Numbers | None = None
        for number, key in enumerate(phrase):
            slots, places = self._places(key)
            begins = (slots.astype(np.int64) << PLACE_BITS) + places - number
            if found is None:
                found = begins
            elif len(begins):
                at = np.minimum(np.searchsorted(begins, found), len(begins) - 1)
                found = found[begins[at] == found]
            else:
                found = begins
        return np.zeros(0, dtype=np.int64) if found is None else found
