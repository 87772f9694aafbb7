"""Passages that have a question's words, ranked by BM25 as FTS5 counts it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
import numpy.typing as npt

from core.stores.sqlite.words.places import KEY_BITS
from core.stores.sqlite.words.tokens import PART, PLACE_BITS, ROW_BITS

_K1, _B = 1.2, 0.75
_LEAST_IDF = 1e-6  # of a word that half of the passages have: it finds, but does not rank
_PLACES = (
    "SELECT part, places FROM text_parts CROSS JOIN text_places "
    f"ON text_places.key = (part << {KEY_BITS} | ?) ORDER BY part"
)

Rows = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]
_Numbers = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Asked:
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
    connection: sqlite3.Connection, asked: Asked, among: Iterable[int] | None = None
) -> Ranked:
    """Every passage that has what is asked for.

    Args:
        connection: in one transaction, so that what is read belongs together.
        among: the rows that may be found; None for all.
    """
    table = _Table(connection)
    scores = np.zeros(len(table.lengths))
    for phrase in asked.words:
        table.add(scores, *table.find(phrase))
    found = np.flatnonzero(scores)
    for phrase in asked.required:
        having, counts = table.find(phrase)
        table.add(scores, having, counts)
        found = np.intersect1d(found, having, assume_unique=True)
    if among is not None:
        found = np.intersect1d(found, table.slots(among), assume_unique=True)
    return Ranked(table.rows(found), scores[found])


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

    def find(self, phrase: Sequence[int]) -> tuple[_Numbers, _Numbers]:
        """Slots of the passages that have the words one after the other, ascending, and how often."""
        if len(phrase) == 1:
            slots, places = self._places(phrase[0])
            slots += places >> PLACE_BITS
        else:
            slots = self._together(phrase) >> PLACE_BITS
        first = np.ones(len(slots), dtype=bool)
        np.not_equal(slots[1:], slots[:-1], out=first[1:])
        starts = np.flatnonzero(first)
        return slots[starts], np.diff(starts, append=len(slots))

    def add(self, scores: Scores, slots: _Numbers, counts: _Numbers) -> None:
        """Add what a phrase in these passages is worth."""
        idf = log((self._passages - len(slots) + 0.5) / (len(slots) + 0.5))
        idf = idf if idf > 0 else _LEAST_IDF
        shares = (self.lengths[slots] - 1.0) / self._mean
        scores[slots] += idf * counts * (_K1 + 1) / (counts + _K1 * (1 - _B + _B * shares))

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

    def _places(self, key: int) -> tuple[_Numbers, _Numbers]:
        """First slot of the part, and place in it, of every occurrence of a word."""
        rows = self._connection.execute(_PLACES, (key,)).fetchall()
        numbers = np.searchsorted(self._parts, [row[0] for row in rows]) << ROW_BITS
        sizes = [len(row[1]) // 4 for row in rows]
        places = np.frombuffer(b"".join(row[1] for row in rows), dtype=np.uint32)
        return np.repeat(numbers, sizes), places

    def _together(self, phrase: Sequence[int]) -> _Numbers:
        """Where a phrase begins: slots and places, as one number each."""
        found: _Numbers | None = None
        for number, key in enumerate(phrase):
            slots, places = self._places(key)
            begins = (slots << PLACE_BITS) + places - number
            if found is None:
                found = begins
            elif len(begins):
                at = np.minimum(np.searchsorted(begins, found), len(begins) - 1)
                found = found[begins[at] == found]
            else:
                found = begins
        return np.zeros(0, dtype=np.int64) if found is None else found
