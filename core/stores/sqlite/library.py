"""Registry, pages, chunks, full text and mentions in SQLite: `core.documents.store.library.LibraryStore`."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime

from core.domain.documents import Chunk, Document, DocumentState, Filling, Kind, Page
from core.errors import Conflict, NotFound
from core.stores.sqlite.consistency import find_problems, repair
from core.stores.sqlite.full_text import match_expression
from core.stores.sqlite.indexes import SqliteIndexes, insert_chunks, insert_mentions

_READY = "documents.state = 'ready'"
_SPARE = 200  # matches that are ranked beyond those wanted, since some are not in scope


class SqliteLibrary(SqliteIndexes):
    """The documents' side of the embedded store."""

    # -- a document's way in and out ---------------------------------------------------------------

    def begin_documents(self, documents: Sequence[Document]) -> None:
        with self._database.write() as connection:
            self._begin(connection, documents)

    @staticmethod
    def _begin(connection: sqlite3.Connection, documents: Sequence[Document]) -> None:
        with _registering():
            connection.executemany(
                "INSERT INTO documents (id, index_name, file, title, sha256, bytes, pages, chunks, "
                "state, metadata, created_at, kind, blank_pages, ocr_pages) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
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
                        _metadata(document),
                        document.created_at.isoformat(timespec="microseconds"),
                        document.kind,
                        document.blank_pages,
                        document.ocr_pages,
                    )
                    for document in documents
                ],
            )

    def finish_documents(self, fillings: Sequence[Filling]) -> None:
        with self._database.write() as connection:
            for filling in fillings:
                self._finish(connection, filling)

    def restore_document(self, filling: Filling) -> None:
        document = filling.document
        with self._database.write() as connection:
            known = connection.execute("SELECT 1 FROM documents WHERE id = ?", (document.id,))
            if known.fetchone() is None:
                self._begin(connection, [document])
                self._finish(connection, filling)

    @staticmethod
    def _finish(connection: sqlite3.Connection, filling: Filling) -> None:
        document = filling.document
        changed = connection.execute(
            "UPDATE documents SET state = ?, title = ?, pages = ?, chunks = ?, metadata = ?, "
            "blank_pages = ?, ocr_pages = ? WHERE id = ? AND state = ?",
            (
                DocumentState.READY,
                document.title,
                document.pages,
                len(filling.chunks),
                _metadata(document),
                document.blank_pages,
                document.ocr_pages,
                document.id,
                DocumentState.INGESTING,
            ),
        ).rowcount
        if changed != 1:
            raise NotFound(
                "The document was removed while it was being added.",
                advice="Add it again if you need it.",
                code="DOCUMENT_NOT_FOUND",
            )
        connection.executemany(
            "INSERT INTO pages (document_id, number, text) VALUES (?, ?, ?)",
            [(document.id, page.number, page.text) for page in filling.pages],
        )
        insert_chunks(connection, document.index, filling.chunks)
        insert_mentions(connection, filling.mentions)
        _mark_deleting(connection, filling.replaces)

    def mark_deleting(self, document_ids: Sequence[str]) -> None:
        with self._database.write() as connection:
            _mark_deleting(connection, document_ids)

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
            "text": "SELECT count(*) FROM chunks_text_docsize "
            "WHERE id IN (SELECT row FROM chunks WHERE document_id = ?)",
            # Mentions are keyed by chunk id, and a chunk id is "<document id>:<position>".
            "mentions": "SELECT count(*) FROM mentions WHERE chunk_id >= ?1 || ':' "
            "AND chunk_id < ?1 || ';'",
        }
        return {
            kind: connection.execute(query, (document_id,)).fetchone()[0]
            for kind, query in queries.items()
        }

    def purge(self) -> None:
        with self._database.write() as connection:
            # Merged into one segment, the full text forgets the words of chunks that are gone.
            connection.execute("INSERT INTO chunks_text (chunks_text) VALUES ('optimize')")
        self._database.checkpoint()

    def count_document_rows(self, document_id: str) -> int:
        return sum(self._count(self._database.connection, document_id).values())

    # -- reading -----------------------------------------------------------------------------------

    def document(self, document_id: str) -> Document | None:
        row = self._database.connection.execute(
            "SELECT * FROM documents WHERE id = ?", (document_id,)
        ).fetchone()
        return _document(row) if row else None

    def present(self, document_ids: Iterable[str]) -> set[str]:
        rows = self._database.connection.execute(
            "SELECT documents.id FROM json_each(?) AS wanted "
            f"JOIN documents ON documents.id = wanted.value WHERE {_READY}",
            (json.dumps(list(document_ids)),),
        )
        return {row["id"] for row in rows}

    def document_by_hash(self, index: str, sha256: str) -> Document | None:
        row = self._database.connection.execute(
            "SELECT * FROM documents WHERE index_name = ? AND sha256 = ?", (index, sha256)
        ).fetchone()
        return _document(row) if row else None

    def hashes(self, index: str) -> set[str]:
        rows = self._database.connection.execute(
            "SELECT sha256 FROM documents WHERE index_name = ?", (index,)
        )
        return {row["sha256"] for row in rows}

    def documents_named(self, index: str, file: str) -> list[Document]:
        rows = self._database.connection.execute(
            "SELECT * FROM documents WHERE index_name = ? AND file = ? AND state <> 'deleting' "
            "ORDER BY created_at DESC",
            (index, file),
        )
        return [_document(row) for row in rows]

    def documents(
        self, index: str | None = None, *, include_unfinished: bool = False
    ) -> list[Document]:
        rows = self._database.connection.execute(
            "SELECT * FROM documents WHERE (?1 IS NULL OR index_name = ?1) "
            "AND (?2 OR state = 'ready') ORDER BY created_at DESC, id",
            (index, include_unfinished),
        )
        return [_document(row) for row in rows]

    def unfinished(self, index: str | None = None) -> list[Document]:
        rows = self._database.connection.execute(
            "SELECT * FROM documents WHERE state <> 'ready' AND (?1 IS NULL OR index_name = ?1) "
            "ORDER BY created_at DESC, id",
            (index,),
        )
        return [_document(row) for row in rows]

    def has_documents(self) -> bool:
        found = self._database.connection.execute(
            "SELECT 1 FROM documents WHERE state = 'ready' LIMIT 1"
        )
        return found.fetchone() is not None

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

    def all_chunks(self, index: str | None = None) -> Iterable[Chunk]:
        for row in self._database.connection.execute(
            "SELECT chunks.* FROM chunks JOIN documents ON documents.id = chunks.document_id "
            f"WHERE {_READY} AND (?1 IS NULL OR chunks.index_name = ?1) ORDER BY chunks.row",
            (index,),
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
        self,
        query: str,
        indexes: Sequence[str],
        limit: int,
        sections: Sequence[str] = (),
        documents: Collection[str] | None = None,
        phrases: Sequence[str] = (),
    ) -> list[tuple[str, float]]:
        match = match_expression(query, phrases)
        if not match or not indexes:
            return []
        kept: list[tuple[str, float]] = []
        for considered in (limit + _SPARE, sys.maxsize):
            # Ranked before anything else is read of them: of thousands of matches few are wanted.
            best = self._database.connection.execute(
                "WITH best AS MATERIALIZED (SELECT rowid AS row, -rank AS score FROM chunks_text "
                "WHERE chunks_text MATCH ?1 ORDER BY rank LIMIT ?5) "
                "SELECT best.row, best.score, chunks.id, documents.id IS NOT NULL AS in_scope "
                "FROM best JOIN chunks ON chunks.row = best.row "
                f"LEFT JOIN documents ON documents.id = chunks.document_id AND {_READY} "
                "AND chunks.index_name IN (SELECT value FROM json_each(?2)) "
                "AND (?3 = '[]' OR chunks.section IN (SELECT value FROM json_each(?3))) "
                "AND (?4 IS NULL OR chunks.document_id IN (SELECT value FROM json_each(?4))) "
                "ORDER BY best.score DESC, best.row",
                (
                    match,
                    json.dumps(list(indexes)),
                    json.dumps(list(sections)),
                    None if documents is None else json.dumps(sorted(documents)),
                    considered,
                ),
            ).fetchall()
            kept = [(row["id"], row["score"]) for row in best if row["in_scope"]][:limit]
            # What was not considered is no better than the last one that was, but may be as good.
            if len(best) < considered or (len(kept) == limit and kept[-1][1] > best[-1]["score"]):
                break
        return kept

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
            "JOIN documents ON documents.id = chunks.document_id "
            f"WHERE chunks_text MATCH ? AND {_READY} "
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

    def mentions_of_document(self, document_id: str, limit: int = 100) -> dict[str, int]:
        rows = self._database.connection.execute(
            "SELECT mentions.entity_id, sum(mentions.count) AS mentioned FROM chunks "
            "JOIN mentions ON mentions.chunk_id = chunks.id WHERE chunks.document_id = ? "
            "GROUP BY mentions.entity_id ORDER BY mentioned DESC, mentions.entity_id LIMIT ?",
            (document_id, limit),
        )
        return {row["entity_id"]: row["mentioned"] for row in rows}

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
            # A chunk may have gone since its text was read.
            known = {row["id"] for row in connection.execute("SELECT id FROM chunks")}
            insert_mentions(connection, {key: mentions[key] for key in mentions if key in known})

    # -- consistency -------------------------------------------------------------------------------

    def chunk_ids(self, index: str) -> dict[str, str]:
        rows = self._database.connection.execute(
            "SELECT chunks.id, chunks.document_id FROM chunks "
            "JOIN documents ON documents.id = chunks.document_id "
            f"WHERE {_READY} AND chunks.index_name = ?",
            (index,),
        )
        return {row["id"]: row["document_id"] for row in rows}

    def count_text_rows(self) -> int:
        row = self._database.connection.execute("SELECT count(*) FROM chunks_text_docsize")
        return int(row.fetchone()[0])

    def problems(self) -> list[tuple[str, str, int]]:
        with self._database.write() as connection:
            return find_problems(connection)

    def repair_text(self) -> None:
        with self._database.write() as connection:
            repair(connection)


@contextmanager
def _registering() -> Iterator[None]:
    try:
        yield
    except sqlite3.IntegrityError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
            raise NotFound(
                "The index was removed meanwhile.",
                advice="Choose another index.",
                code="INDEX_NOT_FOUND",
            ) from error
        if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_UNIQUE:
            raise
        raise Conflict(
            "The same bytes are being worked on already.",
            advice="Wait until that has finished.",
            code="IN_WORK",
        ) from error


def _mark_deleting(connection: sqlite3.Connection, document_ids: Sequence[str]) -> None:
    connection.execute(
        "UPDATE documents SET state = ? WHERE id IN (SELECT value FROM json_each(?))",
        (DocumentState.DELETING, json.dumps(list(document_ids))),
    )


def _metadata(document: Document) -> str:
    return json.dumps(dict(document.metadata), ensure_ascii=False)


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
        kind=Kind(row["kind"]),
        blank_pages=row["blank_pages"],
        ocr_pages=row["ocr_pages"],
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
