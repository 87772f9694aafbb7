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

import numpy as np

from core.stores.sqlite.words.written import Vocabulary

# A place: the row within its part, whether it is in the text or in the words in front of it, and the how
# many-th word it is there.
ROW_BITS, PLACE_BITS = 12, 20
PART = 1 << ROW_BITS  # rows
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


def places_of(texts: Iterable[tuple[int, str, str]]) -> dict[int, bytes]:
    """Key of a word, ascending -> where it stands, ascending, 32 bits each.

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
    firsts = np.flatnonzero(np.diff(keys, prepend=-1))
    ends = pairwise([*firsts.tolist(), len(keys)])
    return {
        key: sorted_places[start:end].tobytes()
        for key, (start, end) in zip(keys[firsts].tolist(), ends, strict=True)
    }


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
