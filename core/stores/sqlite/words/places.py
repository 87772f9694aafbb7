"""Where words stand, kept beside the chunks in the transaction that changes these."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import numpy as np
import numpy.typing as npt

from core.stores.sqlite.words.tokens import (
    COUNT_BITS,
    PART,
    PLACE_BITS,
    ROW_BITS,
    Postings,
    places_of,
)

Text = tuple[int, str, str]  # row, words in front, text

KEY_BITS = 48  # of a word; the part is above them
MOST_WORDS = (1 << 16) - 2  # of a passage, that its length says
_TEXTS_OF = "SELECT row, context, text FROM chunks WHERE {} ORDER BY row"
_APPEND = (
    "INSERT INTO text_places (key, counts, places) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE "
    "SET counts = CAST(counts || excluded.counts AS BLOB), "
    "places = CAST(places || excluded.places AS BLOB)"
)
_KEEP_PART = (
    "INSERT INTO text_parts (part, passages, words, lengths) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (part) DO UPDATE SET passages = excluded.passages, words = excluded.words, "
    "lengths = excluded.lengths"
)

Lengths = npt.NDArray[np.uint16]  # of a part: words of each row and 1; 0 where there is no passage


def texts_where(connection: sqlite3.Connection, condition: str, *values: object) -> Iterator[Text]:
    """Chunks as they are indexed, in the order of their rows."""
    return map(tuple, connection.execute(_TEXTS_OF.format(condition), values))


def add(connection: sqlite3.Connection, texts: Iterable[Text]) -> None:
    """Index chunks whose rows come after all that are indexed in their parts, in ascending order."""
    for part, few in _by_part(texts):
        found = places_of(few)
        rows = [(_at(part, key), *stands) for key, stands in sorted(found.items())]
        connection.executemany(_APPEND, rows)
        lengths = lengths_of(connection, part)
        rows_there, words = _counted(few, found)
        lengths[rows_there] = words
        _keep(connection, part, lengths)


def remove(connection: sqlite3.Connection, texts: Iterable[Text]) -> None:
    """Take chunks out again, given with the texts that they were indexed with."""
    for part, few in _by_part(texts):
        gone = np.zeros(PART, dtype=bool)
        gone[[row for row, _, _ in few]] = True
        emptied, kept = [], []
        for key in sorted(_at(part, key) for key in places_of(few)):
            row = connection.execute(
                "SELECT counts, places FROM text_places WHERE key = ?", (key,)
            ).fetchone()
            if row is None:
                continue
            counts, places = np.frombuffer(row[0], np.uint16), np.frombuffer(row[1], np.uint32)
            left = places[~gone[places >> PLACE_BITS]]
            if len(left):
                counted = counts[~gone[counts >> COUNT_BITS]]
                kept.append((counted.tobytes(), left.tobytes(), key))
            else:
                emptied.append((key,))
        connection.executemany("DELETE FROM text_places WHERE key = ?", emptied)
        connection.executemany("UPDATE text_places SET counts = ?, places = ? WHERE key = ?", kept)
        lengths = lengths_of(connection, part)
        lengths[gone] = 0
        _keep(connection, part, lengths)


def rebuild(connection: sqlite3.Connection, part: int) -> None:
    """Make a part anew from its chunks."""
    first, end = part << ROW_BITS, (part + 1) << ROW_BITS
    connection.execute(
        "DELETE FROM text_places WHERE key >= ? AND key < ?", (_at(part, 0), _at(part + 1, 0))
    )
    connection.execute("DELETE FROM text_parts WHERE part = ?", (part,))
    add(connection, texts_where(connection, "row >= ? AND row < ?", first, end))


def agrees(connection: sqlite3.Connection, part: int) -> bool:
    """Whether a part says what its chunks do."""
    first, end = part << ROW_BITS, (part + 1) << ROW_BITS
    texts = [
        (row - first, context, text)
        for row, context, text in texts_where(connection, "row >= ? AND row < ?", first, end)
    ]
    found = places_of(texts)
    said = {_at(part, key): stands for key, stands in found.items()}
    kept = connection.execute(
        "SELECT key, counts, places FROM text_places WHERE key >= ? AND key < ?",
        (_at(part, 0), _at(part + 1, 0)),
    )
    lengths = np.zeros(PART, np.uint16)
    rows, words = _counted(texts, found)
    lengths[rows] = words
    there = {row[0]: Postings(row[1], row[2]) for row in kept}
    return said == there and bool((lengths == lengths_of(connection, part)).all())


def parts(connection: sqlite3.Connection) -> list[int]:
    """Every part that has chunks or an index, ascending."""
    rows = connection.execute(
        f"SELECT part FROM text_parts UNION SELECT DISTINCT row >> {ROW_BITS} FROM chunks "
        f"UNION SELECT DISTINCT key >> {KEY_BITS} FROM text_places"
    )
    return [row[0] for row in rows]


def lengths_of(connection: sqlite3.Connection, part: int) -> Lengths:
    row = connection.execute("SELECT lengths FROM text_parts WHERE part = ?", (part,)).fetchone()
    return np.frombuffer(row[0], dtype=np.uint16).copy() if row else np.zeros(PART, np.uint16)


def _keep(connection: sqlite3.Connection, part: int, lengths: Lengths) -> None:
    passages = int(np.count_nonzero(lengths))
    if passages:
        words = int(lengths.sum(dtype=np.int64)) - passages
        connection.execute(_KEEP_PART, (part, passages, words, lengths.tobytes()))
    else:
        connection.execute("DELETE FROM text_parts WHERE part = ?", (part,))


def _by_part(texts: Iterable[Text]) -> Iterator[tuple[int, list[Text]]]:
    """Texts with their rows within the part."""
    for part, group in groupby(texts, key=lambda one: one[0] >> ROW_BITS):
        yield part, [(row & (PART - 1), context, text) for row, context, text in group]


def _counted(
    texts: Sequence[Text], found: Mapping[int, Postings]
) -> tuple[list[int], npt.NDArray[np.int64]]:
    """Rows of a part, and the words of each and 1."""
    rows = [row for row, _, _ in texts]
    whole = np.frombuffer(b"".join(one.places for one in found.values()), dtype=np.uint32)
    words = np.bincount(whole >> PLACE_BITS, minlength=PART)[rows]
    return rows, 1 + np.minimum(words, MOST_WORDS)


def _at(part: int, key: int) -> int:
    return part << KEY_BITS | key
