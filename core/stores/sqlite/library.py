"""Registry, pages, chunks, full text and mentions in SQLite: `core.documents.store.library.LibraryStore`."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from core.domain.documents import Chunk, Document, DocumentState, Filling
from core.errors import Conflict
from core.stores.library.refusals import (
    bytes_there,
    document_gone,
    document_left,
    in_work,
    index_gone,
    title_changed,
)
from core.stores.library.rows import Row, chunk_row, document_row
from core.stores.sqlite.consistency import find_problems, repair
from core.stores.sqlite.database import insert
from core.stores.sqlite.full_text import match_expression
from core.stores.sqlite.indexes import SqliteIndexes, give_chunks, mention_rows
from core.stores.sqlite.statements import BEST

_SPARE = 200  # matches that are ranked beyond those wanted, since some are not in scope
_FINISH = (
    "UPDATE documents SET state = 'ready', title = :title, pages = :pages, chunks = :chunks, "
    "metadata = :metadata, blank_pages = :blank_pages, ocr_pages = :ocr_pages, "
    "orders = :orders, products = :products "
    "WHERE id = :id AND state = 'ingesting'"
)
# A correction follows the one that it was made from.
_RETITLE = (
    "UPDATE documents SET title = :title, chunks = :chunks, corrections = :corrections, "
    "products = :products "
    "WHERE id = :id AND state = 'ready' AND corrections = :corrections - 1"
)

_MOVE = (
    'UPDATE documents SET "index" = :index, file = :file, chunks = :chunks '
    "WHERE id = :id AND state = 'ready'"
)
_MOVE_CHUNKS = 'UPDATE chunks SET "index" = :index WHERE document_id = :id'


class SqliteLibrary(SqliteIndexes):
    """The documents' side of the embedded store."""

    # -- a document's way in and out ---------------------------------------------------------------

    def begin_documents(self, documents: Sequence[Document]) -> None:
        with self._database.write() as connection:
            _begin(connection, documents)

    def finish_documents(self, fillings: Sequence[Filling]) -> None:
        with self._database.write() as connection:
            for filling in fillings:
                _finish(connection, filling)

    def restore_document(self, filling: Filling) -> None:
        with self._database.write() as connection:
            if self.document(filling.document.id) is None:
                _begin(connection, [filling.document])
                _finish(connection, filling)

    def retitle_document(
        self,
        document: Document,
        chunks: Sequence[Chunk],
        mentions: Mapping[str, Mapping[str, int]],
    ) -> None:
        row = {**document_row(document), "chunks": len(chunks)}
        with self._database.write() as connection:
            if connection.execute(_RETITLE, row).rowcount != 1:
                now = self.document(document.id)
                raise title_changed(now.title if now and now.state is DocumentState.READY else None)
            give_chunks(connection, document.index, document.id, chunks)
            insert(connection, "mentions", mention_rows(mentions))

    def move_document(
        self,
        document: Document,
        recut: Sequence[Chunk] | None,
        mentions: Mapping[str, Mapping[str, int]],
    ) -> None:
        row = document_row(document)
        if recut is not None:
            row["chunks"] = len(recut)
        with self._database.write() as connection:
            with _registering(bytes_there):
                moved = connection.execute(_MOVE, row).rowcount
            if moved != 1:
                raise document_left()
            if recut is None:
                connection.execute(_MOVE_CHUNKS, row)
                return
            give_chunks(connection, document.index, document.id, recut)
            insert(connection, "mentions", mention_rows(mentions))

    def mark_deleting(self, document_ids: Sequence[str]) -> None:
        with self._database.write() as connection:
            _mark_deleting(connection, document_ids)

    def remove_document(self, document_id: str) -> dict[str, int]:
        with self._database.write() as connection:
            (counts,) = self._rows(self.statements.count_document, id=document_id)
            # Chunks first and by name: the triggers that clean the full text fire on explicit deletes.
            connection.execute("DELETE FROM chunks WHERE document_id = ?", (document_id,))
            connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))
        return counts

    def purge(self) -> None:
        with self._database.write() as connection:
            # Merged into one segment, the full text forgets the words of chunks that are gone.
            connection.execute("INSERT INTO chunks_text (chunks_text) VALUES ('optimize')")
        self._database.checkpoint()

    def replace_mentions(self, mentions: Mapping[str, Mapping[str, int]]) -> None:
        with self._database.write() as connection:
            connection.execute("DELETE FROM mentions")
            # A chunk may have gone since its text was read.
            known = {row["id"] for row in connection.execute("SELECT id FROM chunks")}
            kept = {key: mentions[key] for key in mentions if key in known}
            insert(connection, "mentions", mention_rows(kept))

    # -- full text ---------------------------------------------------------------------------------

    def _match(self, query: str, phrases: Sequence[str]) -> str:
        return match_expression(query, phrases)

    def _best(self, scope: Mapping[str, Any], limit: int) -> list[Row]:
        kept: list[Row] = []
        for considered in (limit + _SPARE, sys.maxsize):
            best = self._rows(BEST, considered=considered, **scope)
            kept = [row for row in best if row["in_scope"]][:limit]
            # What was not considered is no better than the last one that was, but may be as good.
            if len(best) < considered or (
                len(kept) == limit and kept[-1]["score"] > best[-1]["score"]
            ):
                break
        return kept

    # -- consistency -------------------------------------------------------------------------------

    def count_text_rows(self) -> int:
        (row,) = self._rows("SELECT count(*) AS texts FROM chunks_text_docsize")
        return int(row["texts"])

    def problems(self) -> list[tuple[str, str, int]]:
        with self._database.write() as connection:
            return find_problems(connection)

    def repair_text(self) -> None:
        with self._database.write() as connection:
            repair(connection)


def _begin(connection: sqlite3.Connection, documents: Sequence[Document]) -> None:
    rows = [
        {**document_row(document), "state": DocumentState.INGESTING.value} for document in documents
    ]
    with _registering():
        insert(connection, "documents", rows)


def _finish(connection: sqlite3.Connection, filling: Filling) -> None:
    document, chunks = filling.document, filling.chunks
    row = {**document_row(document), "chunks": len(chunks)}
    if connection.execute(_FINISH, row).rowcount != 1:
        raise document_gone()
    pages = [
        {"document_id": document.id, "number": page.number, "text": page.text}
        for page in filling.pages
    ]
    insert(connection, "pages", pages)
    # Triggers bring chunks into the full text.
    insert(connection, "chunks", [chunk_row(document.index, chunk) for chunk in chunks])
    insert(connection, "mentions", mention_rows(filling.mentions))
    _mark_deleting(connection, filling.replaces)


@contextmanager
def _registering(taken: Callable[[], Conflict] = in_work) -> Iterator[None]:
    """Refusals of the registry in words; `taken`: the index has a document of the same bytes."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
            raise index_gone() from error
        if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_UNIQUE:
            raise
        raise taken() from error


def _mark_deleting(connection: sqlite3.Connection, document_ids: Sequence[str]) -> None:
    connection.execute(
        "UPDATE documents SET state = ? WHERE id IN (SELECT value FROM json_each(?))",
        (DocumentState.DELETING, json.dumps(list(document_ids))),
    )
