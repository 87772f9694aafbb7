"""Registry, pages, chunks, full text and mentions in SQLite; implements `core.documents.store.LibraryStore`."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime

from core.domain.documents import Chunk, Document, DocumentState, Index, Page, Profile
from core.errors import Conflict
from core.stores.sqlite.database import Database

_READY = "documents.state = 'ready'"
# A full-text query is a list of words joined by OR; more than this only slows bm25 down.
_MOST_QUERY_WORDS = 64


class SqliteLibrary:
    """The documents' side of the embedded store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- indexes ---------------------------------------------------------------------------------

    def create_index(self, index: Index) -> None:
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO indexes (name, profile, model, dimension, created_at) "
                "VALUES (?, ?, ?, ?, ?)",
                (
                    index.name,
                    index.profile,
                    index.model,
                    index.dimension,
                    index.created_at.isoformat(),
                ),
            )

    def index(self, name: str) -> Index | None:
        return next((index for index in self.indexes() if index.name == name), None)

    def indexes(self) -> list[Index]:
        rows = self._database.connection.execute("SELECT * FROM indexes ORDER BY name")
        return [
            Index(
                row["name"],
                Profile(row["profile"]),
                row["model"],
                row["dimension"],
                datetime.fromisoformat(row["created_at"]),
            )
            for row in rows
        ]

    # -- a document's way in and out ---------------------------------------------------------------

    def begin_document(self, document: Document) -> None:
        with self._database.write() as connection, _unique_bytes():
            connection.execute(
                "INSERT INTO documents (id, index_name, file, title, sha256, bytes, pages, chunks, "
                "state, metadata, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    document.id,
                    document.index,
                    document.file,
                    document.title,
                    document.sha256,
                    document.bytes,
                    document.pages,
                    document.chunks,
                    DocumentState.INGESTING,
                    json.dumps(dict(document.metadata), ensure_ascii=False),
                    document.created_at.isoformat(timespec="microseconds"),
                ),
            )

    def finish_document(
        self,
        document: Document,
        pages: Sequence[Page],
        chunks: Sequence[Chunk],
        mentions: Mapping[str, Mapping[str, int]],
    ) -> None:
        with self._database.write() as connection:
            connection.executemany(
                "INSERT INTO pages (document_id, number, text) VALUES (?, ?, ?)",
                [(document.id, page.number, page.text) for page in pages],
            )
            connection.executemany(
                "INSERT INTO chunks (id, document_id, index_name, position, page, section, heading, "
                "start, end, context, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        chunk.id,
                        chunk.document_id,
                        document.index,
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
            _insert_mentions(connection, mentions)
            connection.execute(
                "UPDATE documents SET state = ?, title = ?, pages = ?, chunks = ?, metadata = ? "
                "WHERE id = ?",
                (
                    DocumentState.READY,
                    document.title,
                    len(pages),
                    len(chunks),
                    json.dumps(dict(document.metadata), ensure_ascii=False),
                    document.id,
                ),
            )

    def mark_deleting(self, document_id: str) -> None:
        with self._database.write() as connection:
            connection.execute(
                "UPDATE documents SET state = ? WHERE id = ?", (DocumentState.DELETING, document_id)
            )

    def remove_document(self, document_id: str) -> dict[str, int]:
        with self._database.write() as connection:
            counts = self._count(connection, document_id)
            # Chunks first and by name: the triggers that clean the full text fire on explicit deletes.
            connection.execute("DELETE FROM chunks WHERE document_id = ?", (document_id,))
            connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))
        return counts

    @staticmethod
    def _count(connection: sqlite3.Connection, document_id: str) -> dict[str, int]:
        queries = {
            "documents": "SELECT count(*) FROM documents WHERE id = ?",
            "pages": "SELECT count(*) FROM pages WHERE document_id = ?",
            "chunks": "SELECT count(*) FROM chunks WHERE document_id = ?",
            # Mentions are keyed by chunk id, and a chunk id is "<document id>:<position>".
            "mentions": "SELECT count(*) FROM mentions WHERE chunk_id >= ?1 || ':' "
            "AND chunk_id < ?1 || ';'",
        }
        return {
            kind: connection.execute(query, (document_id,)).fetchone()[0]
            for kind, query in queries.items()
        }

    def count_document_rows(self, document_id: str) -> int:
        return sum(self._count(self._database.connection, document_id).values())

    # -- reading -----------------------------------------------------------------------------------

    def document(self, document_id: str) -> Document | None:
        row = self._database.connection.execute(
            "SELECT * FROM documents WHERE id = ?", (document_id,)
        ).fetchone()
        return _document(row) if row else None

    def document_by_hash(self, index: str, sha256: str) -> Document | None:
        row = self._database.connection.execute(
            "SELECT * FROM documents WHERE index_name = ? AND sha256 = ?", (index, sha256)
        ).fetchone()
        return _document(row) if row else None

    def documents(
        self, index: str | None = None, *, include_unfinished: bool = False
    ) -> list[Document]:
        rows = self._database.connection.execute(
            "SELECT * FROM documents WHERE (?1 IS NULL OR index_name = ?1) "
            "AND (?2 OR state = 'ready') ORDER BY created_at DESC, id",
            (index, include_unfinished),
        )
        return [_document(row) for row in rows]

    def page(self, document_id: str, number: int) -> Page | None:
        row = self._database.connection.execute(
            "SELECT number, text FROM pages WHERE document_id = ? AND number = ?",
            (document_id, number),
        ).fetchone()
        return Page(row["number"], row["text"]) if row else None

    def pages(self, document_id: str) -> list[Page]:
        rows = self._database.connection.execute(
            "SELECT number, text FROM pages WHERE document_id = ? ORDER BY number", (document_id,)
        )
        return [Page(row["number"], row["text"]) for row in rows]

    def document_chunks(self, document_id: str) -> list[Chunk]:
        rows = self._database.connection.execute(
            "SELECT * FROM chunks WHERE document_id = ? ORDER BY position", (document_id,)
        )
        return [_chunk(row) for row in rows]

    def all_chunks(self) -> Iterable[Chunk]:
        for row in self._database.connection.execute(
            "SELECT chunks.* FROM chunks JOIN documents ON documents.id = chunks.document_id "
            f"WHERE {_READY} ORDER BY chunks.row"
        ):
            yield _chunk(row)

    def chunks_by_id(self, ids: Iterable[str]) -> dict[str, tuple[Chunk, Document]]:
        rows = self._database.connection.execute(
            "SELECT chunks.* FROM json_each(?) AS wanted "
            "JOIN chunks ON chunks.id = wanted.value "
            f"JOIN documents ON documents.id = chunks.document_id WHERE {_READY}",
            (json.dumps(list(ids)),),
        ).fetchall()
        documents: dict[str, Document] = {}
        for document_id in {row["document_id"] for row in rows}:
            document = self.document(document_id)
            if document is not None:
                documents[document_id] = document
        return {
            row["id"]: (_chunk(row), documents[row["document_id"]])
            for row in rows
            if row["document_id"] in documents
        }

    def search_text(
        self, query: str, indexes: Sequence[str], limit: int
    ) -> list[tuple[str, float]]:
        words = re.findall(r"\w+", query)[:_MOST_QUERY_WORDS]
        if not words or not indexes:
            return []
        # Quoted words: nothing a person types is read as full-text syntax.
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
        rows = self._database.connection.execute(
            "SELECT chunks.id, -bm25(chunks_text) AS score FROM chunks_text "
            "JOIN chunks ON chunks.row = chunks_text.rowid "
            "JOIN documents ON documents.id = chunks.document_id "
            f"WHERE chunks_text MATCH ? AND {_READY} "
            "AND chunks.index_name IN (SELECT value FROM json_each(?)) "
            "ORDER BY score DESC, chunks.row LIMIT ?",
            (match, json.dumps(list(indexes)), limit),
        )
        return [(row["id"], row["score"]) for row in rows]

    def count_chunks(self, indexes: Sequence[str]) -> int:
        count: int = self._database.connection.execute(
            "SELECT coalesce(sum(chunks), 0) FROM documents "
            f"WHERE {_READY} AND index_name IN (SELECT value FROM json_each(?))",
            (json.dumps(list(indexes)),),
        ).fetchone()[0]
        return count

    def chunks_with_word(self, word: str, indexes: Sequence[str]) -> int:
        letters = "".join(re.findall(r"\w+", word))
        if not letters:
            return 0
        count: int = self._database.connection.execute(
            "SELECT count(*) FROM chunks_text JOIN chunks ON chunks.row = chunks_text.rowid "
            "WHERE chunks_text MATCH ? "
            "AND chunks.index_name IN (SELECT value FROM json_each(?))",
            (f'"{letters}"', json.dumps(list(indexes))),
        ).fetchone()[0]
        return count

    # -- mentions ----------------------------------------------------------------------------------

    def mentions_of_chunks(self, chunk_ids: Sequence[str]) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        for row in self._database.connection.execute(
            "SELECT mentions.* FROM json_each(?) AS wanted "
            "JOIN mentions ON mentions.chunk_id = wanted.value",
            (json.dumps(list(chunk_ids)),),
        ):
            found.setdefault(row["chunk_id"], {})[row["entity_id"]] = row["count"]
        return found

    def documents_mentioning(self, entity_id: str, limit: int = 50) -> list[tuple[Document, int]]:
        rows = self._database.connection.execute(
            "SELECT documents.*, sum(mentions.count) AS mentioned FROM mentions "
            "JOIN chunks ON chunks.id = mentions.chunk_id "
            "JOIN documents ON documents.id = chunks.document_id "
            f"WHERE mentions.entity_id = ? AND {_READY} "
            "GROUP BY documents.id ORDER BY mentioned DESC, documents.file LIMIT ?",
            (entity_id, limit),
        )
        return [(_document(row), row["mentioned"]) for row in rows]

    def replace_mentions(self, mentions: Mapping[str, Mapping[str, int]]) -> None:
        with self._database.write() as connection:
            connection.execute("DELETE FROM mentions")
            _insert_mentions(connection, mentions)


@contextmanager
def _unique_bytes() -> Iterator[None]:
    try:
        yield
    except sqlite3.IntegrityError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_UNIQUE:
            raise
        raise Conflict(
            "The same bytes are being worked on already.",
            advice="Wait until that has finished.",
        ) from error


def _insert_mentions(
    connection: sqlite3.Connection, mentions: Mapping[str, Mapping[str, int]]
) -> None:
    connection.executemany(
        "INSERT INTO mentions (chunk_id, entity_id, count) VALUES (?, ?, ?)",
        [
            (chunk_id, entity_id, count)
            for chunk_id, counts in mentions.items()
            for entity_id, count in counts.items()
        ],
    )


def _document(row: sqlite3.Row) -> Document:
    return Document(
        id=row["id"],
        index=row["index_name"],
        file=row["file"],
        title=row["title"],
        sha256=row["sha256"],
        bytes=row["bytes"],
        pages=row["pages"],
        chunks=row["chunks"],
        state=DocumentState(row["state"]),
        created_at=datetime.fromisoformat(row["created_at"]),
        metadata=json.loads(row["metadata"]),
    )


def _chunk(row: sqlite3.Row) -> Chunk:
    return Chunk(
        id=row["id"],
        document_id=row["document_id"],
        position=row["position"],
        page=row["page"],
        section=row["section"],
        heading=row["heading"],
        start=row["start"],
        end=row["end"],
        text=row["text"],
        context=row["context"],
    )
