"""Named indexes in SQLite: how they come, change and go."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence

from core.domain.documents import Chunk, DocumentState, Index
from core.stores.library.reading import LibraryReader
from core.stores.library.refusals import index_exists, index_gone
from core.stores.library.rows import Row, chunk_row, index_row
from core.stores.sqlite.database import Database, insert
from core.stores.sqlite.statements import STATEMENTS
from core.stores.sqlite.words import places

_OF_DOCUMENTS = "document_id IN (SELECT value FROM json_each(?))"


class SqliteIndexes(LibraryReader):
    """A registry as it is read, and what changes a whole index."""

    statements = STATEMENTS

    def __init__(self, database: Database) -> None:
        self._database = database

    def _rows(self, statement: str, /, **parameters: object) -> Sequence[Row]:
        return list(self._stream(statement, **parameters))

    def _stream(self, statement: str, /, **parameters: object) -> Iterator[Row]:
        values = {
            name: json.dumps(value) if isinstance(value, list) else value
            for name, value in parameters.items()
        }
        return map(dict, self._database.connection.execute(statement, values))

    def create_index(self, index: Index) -> None:
        with self._database.write() as connection:
            try:
                insert(connection, "indexes", [index_row(index)])
            except sqlite3.IntegrityError as error:
                raise index_exists(index.name) from error

    def mark_index_deleting(self, name: str) -> None:
        with self._database.write() as connection:
            connection.execute("UPDATE indexes SET deleting = 1 WHERE name = ?", (name,))
            connection.execute(
                'UPDATE documents SET state = ? WHERE "index" = ?', (DocumentState.DELETING, name)
            )

    def remove_index(self, name: str) -> dict[str, int]:
        with self._database.write() as connection:
            counts = self._count_rows(name)
            of_index = connection.execute('SELECT id FROM documents WHERE "index" = ?', (name,))
            remove_chunks(connection, [row["id"] for row in of_index])
            connection.execute('DELETE FROM documents WHERE "index" = ?', (name,))
            connection.execute("DELETE FROM indexes WHERE name = ?", (name,))
            connection.execute("DELETE FROM index_names WHERE name = ?", (name,))
        return counts

    def rename_index(self, name: str, index: Index) -> None:
        with self._database.write() as connection:
            if self.index(name) is None:
                raise index_gone()
            try:
                insert(connection, "indexes", [index_row(index)])
            except sqlite3.IntegrityError as error:
                raise index_exists(index.name) from error
            for table in ("documents", "chunks"):
                connection.execute(
                    f'UPDATE {table} SET "index" = ? WHERE "index" = ?', (index.name, name)
                )
            connection.execute("DELETE FROM indexes WHERE name = ?", (name,))
            # The old name may have been another one's before this one was made.
            for one in (index.name, name):
                connection.execute("DELETE FROM index_names WHERE earlier = ?", (one,))
            connection.execute("UPDATE index_names SET name = ? WHERE name = ?", (index.name, name))
            insert(connection, "index_names", [{"earlier": name, "name": index.name}])

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
            give_chunks(connection, index.name, recut)
            for document_id, chunks in recut.items():
                connection.execute(
                    "UPDATE documents SET chunks = ? WHERE id = ?", (len(chunks), document_id)
                )
            insert(connection, "mentions", mention_rows(mentions))


def give_chunks(
    connection: sqlite3.Connection, index: str, given: Mapping[str, Sequence[Chunk]]
) -> None:
    """Let documents have these chunks, and no others; and the full text their words."""
    remove_chunks(connection, list(given))
    for chunks in given.values():
        insert(connection, "chunks", [chunk_row(index, chunk) for chunk in chunks])
    places.add(connection, places.texts_where(connection, _OF_DOCUMENTS, json.dumps(list(given))))


def remove_chunks(connection: sqlite3.Connection, document_ids: Sequence[str]) -> None:
    """Delete the chunks of documents, and their words from the full text."""
    ids = json.dumps(list(document_ids))
    places.remove(connection, places.texts_where(connection, _OF_DOCUMENTS, ids))
    connection.execute(f"DELETE FROM chunks WHERE {_OF_DOCUMENTS}", (ids,))


def mention_rows(mentions: Mapping[str, Mapping[str, int]]) -> list[Row]:
    """Mentions: chunk id -> entity id -> count."""
    return [
        {"chunk_id": chunk, "entity_id": entity, "count": count}
        for chunk, counts in mentions.items()
        for entity, count in counts.items()
    ]
