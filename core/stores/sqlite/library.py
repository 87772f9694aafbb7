"""Registry, pages, chunks, full text and mentions in SQLite: `core.documents.store.library.LibraryStore`."""

from __future__ import annotations

import json
import sqlite3
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
from core.stores.library.rows import Row, document_row
from core.stores.sqlite.consistency import find_problems, index_pending, repair, text_agrees
from core.stores.sqlite.database import Database, insert
from core.stores.sqlite.full_text import read_query
from core.stores.sqlite.indexes import SqliteIndexes, give_chunks, mention_rows, remove_chunks
from core.stores.sqlite.statements import COUNT_FOUND, FOUND
from core.stores.sqlite.words.ranking import Ranked, WordQuery, rank

_SPARE = 20  # matches that are looked at beyond those wanted, since some are not in scope,
_MORE = 16  # and how many times as many when these are not enough
_OF_DOCUMENTS = "SELECT row FROM chunks WHERE document_id IN (SELECT value FROM json_each(:ids))"
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

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        index_pending(database)

    # -- a document's way in and out ---------------------------------------------------------------

    def begin_documents(self, documents: Sequence[Document]) -> None:
        with self._database.write() as connection:
            _begin(connection, documents)

    def finish_documents(self, fillings: Sequence[Filling]) -> None:
        with self._database.write() as connection:
            _finish(connection, fillings)

    def restore_document(self, filling: Filling) -> None:
        with self._database.write() as connection:
            if self.document(filling.document.id) is None:
                _begin(connection, [filling.document])
                _finish(connection, [filling])

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
            give_chunks(connection, document.index, {document.id: chunks})
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
            give_chunks(connection, document.index, {document.id: recut})
            insert(connection, "mentions", mention_rows(mentions))

    def mark_deleting(self, document_ids: Sequence[str]) -> None:
        with self._database.write() as connection:
            _mark_deleting(connection, document_ids)

    def remove_document(self, document_id: str) -> dict[str, int]:
        with self._database.write() as connection:
            (counts,) = self._rows(self.statements.count_document, id=document_id)
            remove_chunks(connection, [document_id])
            connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))
        return counts

    def purge(self) -> None:
        # What was deleted is overwritten with zeros; the log still has it until it is emptied.
        self._database.checkpoint()

    def replace_mentions(self, mentions: Mapping[str, Mapping[str, int]]) -> None:
        with self._database.write() as connection:
            connection.execute("DELETE FROM mentions")
            # A chunk may have gone since its text was read.
            known = {row["id"] for row in connection.execute("SELECT id FROM chunks")}
            kept = {key: mentions[key] for key in mentions if key in known}
            insert(connection, "mentions", mention_rows(kept))

    # -- full text ---------------------------------------------------------------------------------

    def _match(self, query: str, phrases: Sequence[str]) -> WordQuery:
        return read_query(query, phrases)

    def _best(self, scope: Mapping[str, Any], limit: int) -> list[Row]:
        with self._database.snapshot():
            considered = limit + _SPARE
            while True:
                rows, scores = self._rank(scope, considered).best(considered)
                found = self._rows(FOUND, rows=rows.tolist(), **_without_match(scope))
                ids = {row["row"]: row["id"] for row in found}
                kept = [
                    {"id": ids[row], "score": score}
                    for row, score in zip(rows.tolist(), scores.tolist(), strict=True)
                    if row in ids
                ][:limit]
                if len(kept) == limit or len(rows) < considered:
                    return kept
                considered *= _MORE

    def _count_matches(self, scope: Mapping[str, Any]) -> int:
        with self._database.snapshot():
            rows = self._rank(scope).rows.tolist()
            (counted,) = self._rows(COUNT_FOUND, rows=rows, **_without_match(scope))
        return int(counted["chunks"])

    def _rank(self, scope: Mapping[str, Any], wanted: int | None = None) -> Ranked:
        among = None
        if scope["documents"] is not None:
            among = [row["row"] for row in self._rows(_OF_DOCUMENTS, ids=scope["documents"])]
        return rank(self._database.connection, scope["match"], among, wanted)

    # -- consistency -------------------------------------------------------------------------------

    def count_text_rows(self) -> int:
        (row,) = self._rows("SELECT coalesce(sum(passages), 0) AS texts FROM text_parts")
        return int(row["texts"])

    def problems(self) -> list[tuple[str, str, int]]:
        with self._database.write() as connection:
            found = find_problems(connection)
        return found if text_agrees(self._database) else [*found, ("full_text", "", 1)]

    def repair_text(self) -> None:
        repair(self._database)


def _begin(connection: sqlite3.Connection, documents: Sequence[Document]) -> None:
    rows = [
        {**document_row(document), "state": DocumentState.INGESTING.value} for document in documents
    ]
    with _registering():
        insert(connection, "documents", rows)


def _finish(connection: sqlite3.Connection, fillings: Sequence[Filling]) -> None:
    of_index: dict[str, dict[str, Sequence[Chunk]]] = {}
    for filling in fillings:
        document, chunks = filling.document, filling.chunks
        row = {**document_row(document), "chunks": len(chunks)}
        if connection.execute(_FINISH, row).rowcount != 1:
            raise document_gone()
        pages = [
            {"document_id": document.id, "number": page.number, "text": page.text}
            for page in filling.pages
        ]
        insert(connection, "pages", pages)
        of_index.setdefault(document.index, {})[document.id] = chunks
    # Together, since each time the words that most passages have are written anew.
    for index, given in of_index.items():
        give_chunks(connection, index, given)
    for filling in fillings:
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


def _without_match(scope: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in scope.items() if name != "match"}


def _mark_deleting(connection: sqlite3.Connection, document_ids: Sequence[str]) -> None:
    connection.execute(
        "UPDATE documents SET state = ? WHERE id IN (SELECT value FROM json_each(?))",
        (DocumentState.DELETING, json.dumps(list(document_ids))),
    )
