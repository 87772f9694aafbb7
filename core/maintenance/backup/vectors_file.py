"""Vectors of chunks and entities in one SQLite file, as a backup keeps them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

import numpy as np

from core.domain.vectors import EntityVector, Vector

_TABLES = """
CREATE TABLE collections (name TEXT PRIMARY KEY, model TEXT NOT NULL, dimension INTEGER NOT NULL) STRICT;
CREATE TABLE chunks (collection TEXT NOT NULL, id TEXT NOT NULL, vector BLOB NOT NULL,
    PRIMARY KEY (collection, id)) STRICT;
CREATE TABLE entities (id TEXT PRIMARY KEY, type TEXT NOT NULL, hash TEXT NOT NULL, vector BLOB NOT NULL)
    STRICT;
"""
_PAGE = 1_000  # vectors read at a time


class VectorsFile:
    """Opened, or made where it is not there."""

    def __init__(self, path: Path) -> None:
        new = not path.exists()
        self._connection = sqlite3.connect(path, isolation_level=None)
        if new:
            self._connection.executescript(f"PRAGMA synchronous = OFF; {_TABLES}")

    def close(self) -> None:
        self._connection.close()

    def add_collection(self, name: str, model: str, dimension: int) -> None:
        self._connection.execute(
            "INSERT INTO collections VALUES (?, ?, ?)", (name, model, dimension)
        )

    def add_chunks(self, collection: str, vectors: Mapping[str, Vector]) -> None:
        rows = ((collection, one, vector.tobytes()) for one, vector in vectors.items())
        self._write("INSERT INTO chunks VALUES (?, ?, ?)", rows)

    def add_entities(self, vectors: Iterable[EntityVector]) -> None:
        rows = ((one.entity_id, one.type, one.text_hash, one.vector.tobytes()) for one in vectors)
        self._write("INSERT OR REPLACE INTO entities VALUES (?, ?, ?, ?)", rows)

    def _write(self, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
        self._connection.execute("BEGIN")
        self._connection.executemany(statement, rows)
        self._connection.execute("COMMIT")

    def collections(self) -> list[tuple[str, str, int]]:
        """Name, model and dimension of each."""
        return self._connection.execute("SELECT name, model, dimension FROM collections").fetchall()

    def counts(self) -> tuple[int, int]:
        """How many vectors of chunks and of entities there are."""
        query = "SELECT (SELECT count(*) FROM chunks), (SELECT count(*) FROM entities)"
        chunks, entities = self._connection.execute(query).fetchone()
        return int(chunks), int(entities)

    def chunks(self, collection: str) -> Iterator[dict[str, Vector]]:
        """Chunk id -> vector, some at a time."""
        query = "SELECT id, vector FROM chunks WHERE collection = ? ORDER BY id"
        with closing(self._connection.execute(query, (collection,))) as rows:
            while page := rows.fetchmany(_PAGE):
                yield {one: np.frombuffer(blob, np.float32) for one, blob in page}

    def entities(self) -> Iterator[list[EntityVector]]:
        with closing(self._connection.execute("SELECT * FROM entities ORDER BY id")) as rows:
            while page := rows.fetchmany(_PAGE):
                yield [
                    EntityVector(one, kind, text_hash, np.frombuffer(blob, np.float32))
                    for one, kind, text_hash, blob in page
                ]
