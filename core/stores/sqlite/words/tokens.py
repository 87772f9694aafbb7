"""How a text is taken apart into words: FTS5's tokenizer, run in memory."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.stores.sqlite.words.written import Vocabulary

# A place: the row within its part, whether it is in the text or in the words in front of it, and the how
# many-th word it is there.
ROW_BITS, PLACE_BITS = 12, 20
PART = 1 << ROW_BITS  # rows
# How often a word is in a passage: the row within its part, and the number; what is more than this holds
# comes in further counts of the same row.
COUNT_BITS = 4
MOST_COUNTED = (1 << COUNT_BITS) - 1
_IN_TEXT = 1 << (PLACE_BITS - 1)
_LAST = _IN_TEXT - 1  # words after it all stand there
_HASH_BYTES = 6

_SCHEMA = """
CREATE VIRTUAL TABLE taken USING fts5 (
    context, text, content = '', columnsize = 0, tokenize = 'porter unicode61'
);
CREATE VIRTUAL TABLE words USING fts5vocab ('taken', 'instance');
"""
_ORDERED = 'SELECT term, doc FROM words ORDER BY doc, "offset"'
_own = threading.local()


class Postings(NamedTuple):
    """A word in a part: how often it is in each passage, 16 bits each; where, 32 bits each; both ascending."""

    counts: bytes
    places: bytes


def places_of(texts: Iterable[tuple[int, str, str]]) -> dict[int, Postings]:
    """Key of a word, ascending -> where it stands.

    Args:
        texts: row within its part, words in front, text; each row once, ascending.
    """
    fields = [
        (row << PLACE_BITS | column, text)
        for row, *both in texts
        for column, text in zip((0, _IN_TEXT), both, strict=True)
    ]
    keys, counts = _vocabulary.keys([text for _, text in fields])
    begins = np.array([begin for begin, _ in fields], dtype=np.int64)
    offsets = np.arange(len(keys)) - np.repeat(np.cumsum(counts) - counts, counts)
    places = np.repeat(begins, counts) + np.minimum(offsets, _LAST)
    order = np.argsort(keys, kind="stable")
    keys, sorted_places = keys[order], places[order].astype(np.uint32)
    new = np.diff(keys, prepend=-1) != 0
    firsts = np.flatnonzero(new)
    counted, counted_from = _counted(new, sorted_places >> PLACE_BITS)
    counted_of = _cut(counted, counted_from)
    stands = _cut(sorted_places, firsts)
    return dict(zip(keys[firsts].tolist(), map(Postings, counted_of, stands), strict=True))


def _cut(numbers: npt.NDArray[Any], starts: npt.NDArray[np.int64]) -> Iterator[bytes]:
    """Numbers as bytes, in pieces that begin at `starts`."""
    whole, size = numbers.tobytes(), numbers.itemsize
    ends = pairwise([*(starts * size).tolist(), len(whole)])
    return (whole[start:end] for start, end in ends)


def _counted(
    new: npt.NDArray[np.bool_], rows: npt.NDArray[Any]
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.int64]]:
    """How often words are in rows, as it is kept, and where each word's counts begin.

    Args:
        new: of each occurrence, whether it is the first one of its word.
        rows: of each occurrence.
    """
    begins = np.flatnonzero(new | (np.diff(rows.astype(np.int64), prepend=-1) != 0))
    often = np.diff(begins, append=len(rows))
    needed = (often + MOST_COUNTED - 1) // MOST_COUNTED
    ends = np.cumsum(needed)
    numbers = np.full(int(needed.sum()), MOST_COUNTED)
    numbers[ends - 1] = often - MOST_COUNTED * (needed - 1)
    counted = np.repeat(rows[begins].astype(np.int64) << COUNT_BITS, needed) | numbers
    return counted.astype(np.uint16), (ends - needed)[new[begins]]


@lru_cache(maxsize=1024)
def keys_of(phrases: tuple[str, ...]) -> list[tuple[int, ...]]:
    """The keys of each phrase's words in their order; phrases without a word are left out."""
    rows = enumerate(phrases, start=1)
    with _taken("INSERT INTO taken (rowid, text) VALUES (?, ?)", rows) as words:
        found = words.execute(_ORDERED).fetchall()
    return [
        tuple(key_of(word) for word, _ in group) for _, group in groupby(found, key=itemgetter(1))
    ]


@lru_cache(maxsize=1 << 16)
def key_of(word: str) -> int:
    """A number of 48 bits: the word itself is in no table, and so in no file."""
    return int.from_bytes(blake2b(word.encode(errors="replace"), digest_size=_HASH_BYTES).digest())


def _parted(texts: Sequence[str]) -> list[list[int]]:
    """The keys of the words of each text, as FTS5 parts them."""
    found: list[list[int]] = [[] for _ in texts]
    with _taken("INSERT INTO taken (rowid, text) VALUES (?, ?)", enumerate(texts)) as words:
        for word, number in words.execute(_ORDERED):
            found[number].append(key_of(word))
    return found


@contextmanager
def _taken(statement: str, rows: Iterable[Sequence[object]]) -> Iterator[sqlite3.Connection]:
    """The tokenizer with some texts in it; nothing of them stays."""
    connection = _connection()
    connection.execute("BEGIN")
    try:
        connection.executemany(statement, rows)
        yield connection
    finally:
        connection.execute("ROLLBACK")


def _connection() -> sqlite3.Connection:
    """The calling thread's tokenizer."""
    connection: sqlite3.Connection | None = getattr(_own, "connection", None)
    if connection is None:
        connection = _own.connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.executescript(_SCHEMA)
    return connection


_vocabulary = Vocabulary(_parted)
