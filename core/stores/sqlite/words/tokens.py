"""How a text is taken apart into words: FTS5's tokenizer, run in memory."""

from __future__ import annotations

import sqlite3
import threading
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate, groupby, pairwise
from operator import itemgetter

# A place: the row within its part, whether it is in the text or in the words in front of it, and the how
# many-th word it is there.
ROW_BITS, PLACE_BITS = 12, 20
PART = 1 << ROW_BITS  # rows
_IN_TEXT = 1 << (PLACE_BITS - 1)
_LAST = _IN_TEXT - 1  # words after it all stand there
_HASH_BYTES = 6
_PLACE_BYTES = 4

_SCHEMA = """
CREATE VIRTUAL TABLE taken USING fts5 (
    context, text, content = '', columnsize = 0, tokenize = 'porter unicode61'
);
CREATE VIRTUAL TABLE words USING fts5vocab ('taken', 'instance');
"""
_PLACES = (
    f"SELECT term, ((doc - 1) << {PLACE_BITS}) | ((col = 'text') * {_IN_TEXT}) "
    f'| min("offset", {_LAST}) FROM words'
)
_ORDERED = 'SELECT term, doc FROM words ORDER BY doc, "offset"'
_own = threading.local()


def places_of(texts: Iterable[tuple[int, str, str]]) -> dict[int, bytes]:
    """Key of a word -> where it stands, ascending, 32 bits each.

    Args:
        texts: row within its part, words in front, text; each row once.
    """
    with _taken("INSERT INTO taken (rowid, context, text) VALUES (? + 1, ?, ?)", texts) as words:
        found = words.execute(_PLACES).fetchall()
    # Word after word, each in the order of rows and of where it stands there.
    places = array("I", map(itemgetter(1), found)).tobytes()
    counts = Counter(map(itemgetter(0), found))
    ends = accumulate((_PLACE_BYTES * count for count in counts.values()), initial=0)
    return {
        key_of(word): places[start:end]
        for word, (start, end) in zip(counts, pairwise(ends), strict=True)
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
