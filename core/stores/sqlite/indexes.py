"""Named indexes in SQLite: the part of `core.documents.store.library.LibraryStore` that is about them."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime

from core.domain.documents import Chunk, DocumentState, Index, IndexCounts, Profile
from core.errors import Conflict
from core.stores.sqlite.database import Database

_OF_INDEX = "IN (SELECT id FROM documents WHERE index_name = ?)"


class SqliteIndexes:
    """Indexes and what belongs to a whole index."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create_index(self, index: Index) -> None:
        with self._database.write() as connection:
            try:
                connection.execute(
                    "INSERT INTO indexes (name, profile, model, dimension, created_at, generation, "
                    "deleting) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (
                        index.name,
                        index.profile,
                        index.model,
                        index.dimension,
                        index.created_at.isoformat(),
                        index.generation,
                        index.deleting,
                    ),
                )
            except sqlite3.IntegrityError as error:
                raise Conflict(
                    f"There is an index “{index.name}” already.",
                    advice="Choose another name.",
                    code="INDEX_EXISTS",
                ) from error

    def index(self, name: str) -> Index | None:
        return next((index for index in self.indexes() if index.name == name), None)

    def indexes(self, *, include_deleting: bool = False) -> list[Index]:
        rows = self._database.connection.execute(
            "SELECT * FROM indexes WHERE ? OR NOT deleting ORDER BY name", (include_deleting,)
        )
        return [
            Index(
                row["name"],
                Profile(row["profile"]),
                row["model"],
                row["dimension"],
                datetime.fromisoformat(row["created_at"]),
                row["generation"],
                bool(row["deleting"]),
            )
            for row in rows
        ]

    def count_index(self, name: str) -> IndexCounts:
        row = self._database.connection.execute(
            "SELECT count(*), coalesce(sum(pages), 0), coalesce(sum(chunks), 0), "
            "coalesce(sum(bytes), 0) FROM documents WHERE state = 'ready' AND index_name = ?",
            (name,),
        ).fetchone()
        return IndexCounts(*row)

    def mark_index_deleting(self, name: str) -> None:
        with self._database.write() as connection:
            connection.execute("UPDATE indexes SET deleting = 1 WHERE name = ?", (name,))
            connection.execute(
                "UPDATE documents SET state = ? WHERE index_name = ?",
                (DocumentState.DELETING, name),
            )

    def remove_index(self, name: str) -> dict[str, int]:
        with self._database.write() as connection:
            counts = _count(connection, name)
            # Chunks by name: the triggers that clean the full text fire on explicit deletes only.
            connection.execute(f"DELETE FROM chunks WHERE document_id {_OF_INDEX}", (name,))
            connection.execute("DELETE FROM documents WHERE index_name = ?", (name,))
            connection.execute("DELETE FROM indexes WHERE name = ?", (name,))
        return counts

    def count_index_rows(self, name: str) -> int:
        connection = self._database.connection
        found: int = connection.execute(
            "SELECT count(*) FROM indexes WHERE name = ?", (name,)
        ).fetchone()[0]
        return found + sum(_count(connection, name).values())

    def swap_index(
        self,
        index: Index,
        recut: Mapping[str, Sequence[Chunk]],
        mentions: Mapping[str, Mapping[str, int]],
    ) -> None:
        with self._database.write() as connection:
            connection.execute(
                "UPDATE indexes SET model = ?, dimension = ?, generation = ? WHERE name = ?",
                (index.model, index.dimension, index.generation, index.name),
            )
            for document_id, chunks in recut.items():
                connection.execute("DELETE FROM chunks WHERE document_id = ?", (document_id,))
                insert_chunks(connection, index.name, chunks)
                connection.execute(
                    "UPDATE documents SET chunks = ? WHERE id = ?", (len(chunks), document_id)
                )
            insert_mentions(connection, mentions)


def insert_chunks(connection: sqlite3.Connection, index: str, chunks: Sequence[Chunk]) -> None:
    """Write chunks; triggers bring them into the full text."""
    connection.executemany(
        "INSERT INTO chunks (id, document_id, index_name, position, page, section, heading, "
        "start, end, context, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                chunk.id,
                chunk.document_id,
                index,
                chunk.position,
                chunk.page,
                chunk.section,
                chunk.heading,
                chunk.start,
                chunk.end,
                chunk.context,
                chunk.text,
            )
            for chunk in chunks
        ],
    )


def insert_mentions(
    connection: sqlite3.Connection, mentions: Mapping[str, Mapping[str, int]]
) -> None:
    """Write mentions: chunk id -> entity id -> count."""
    connection.executemany(
        "INSERT INTO mentions (chunk_id, entity_id, count) VALUES (?, ?, ?)",
        [
            (chunk_id, entity_id, count)
            for chunk_id, counts in mentions.items()
            for entity_id, count in counts.items()
        ],
    )


def _count(connection: sqlite3.Connection, name: str) -> dict[str, int]:
    queries = {
        "documents": "SELECT count(*) FROM documents WHERE index_name = ?",
        "pages": f"SELECT count(*) FROM pages WHERE document_id {_OF_INDEX}",
        "chunks": "SELECT count(*) FROM chunks WHERE index_name = ?",
        "text": "SELECT count(*) FROM chunks_text_docsize "
        "WHERE id IN (SELECT row FROM chunks WHERE index_name = ?)",
        "mentions": "SELECT count(*) FROM mentions "
        "WHERE chunk_id IN (SELECT id FROM chunks WHERE index_name = ?)",
    }
    return {
        kind: connection.execute(query, (name,)).fetchone()[0] for kind, query in queries.items()
    }
