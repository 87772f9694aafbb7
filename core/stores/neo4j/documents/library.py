"""Registry, pages, chunks, full text and mentions in Neo4j: `core.documents.store.library.LibraryStore`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.domain.documents import Chunk, Document, DocumentState, Filling
from core.stores.library.refusals import (
    bytes_there,
    document_gone,
    document_left,
    in_work,
    index_gone,
    title_changed,
)
from core.stores.library.rows import Row, document_row
from core.stores.neo4j.connection import Statement
from core.stores.neo4j.documents.consistency import count_text_rows, find_problems, repair
from core.stores.neo4j.documents.full_text import match_expression
from core.stores.neo4j.documents.indexes import Neo4jIndexes, all_written
from core.stores.neo4j.documents.mentions import mention_statements, replace_mentions
from core.stores.neo4j.documents.schema import LONG_SECONDS
from core.stores.neo4j.documents.statements import BEST, COUNT_MATCHES
from core.stores.neo4j.documents.writes import (
    fill_statements,
    lock_index,
    mark_statements,
    move_statements,
    remove_statements,
    retitle_statements,
    write_seconds,
)

# Equal scores come in no order of their own: so many more are looked at, so that the oldest win.
_SPARE = 50

_BEGIN = (
    "UNWIND $rows AS row MATCH (i:Index {name: row.index}) "
    "CREATE (d:Document)-[:IN_INDEX]->(i) SET d = row RETURN count(d) AS begun"
)
# Answers that were brought over before the document cite it itself from now on.
_TAKE_CITATIONS = (
    "MATCH (c:CitedDocument {id: $id})<-[:CITES]-(a:Answer) MATCH (d:Document {id: $id}) "
    "MERGE (a)-[:CITES]->(d) DETACH DELETE c"
)


class Neo4jLibrary(Neo4jIndexes):
    """The documents' side of a registry that lives on a server."""

    # -- a document's way in and out ---------------------------------------------------------------

    def begin_documents(self, documents: Sequence[Document]) -> None:
        self._begin(documents, [])

    def _begin(self, documents: Sequence[Document], then: Sequence[Statement]) -> None:
        from neo4j.exceptions import ConstraintError

        rows = [{**document_row(one), "state": DocumentState.INGESTING.value} for one in documents]
        locks = [lock_index(name) for name in sorted({document.index for document in documents})]
        statements: list[Statement] = [*locks, (_BEGIN, {"rows": rows}), *then]

        def check(results: list[list[Row]]) -> None:
            if results[len(locks)][0]["begun"] != len(rows):
                raise index_gone()

        try:
            self._neo4j.write_all(statements, check, seconds=write_seconds(statements))
        except ConstraintError as error:
            raise in_work() from error

    def finish_documents(self, fillings: Sequence[Filling]) -> None:
        statements = fill_statements(fillings)

        def check(results: list[list[Row]]) -> None:
            if results[1][0]["changed"] != len(fillings):
                raise document_gone()

        self._neo4j.write_all(statements, check, seconds=write_seconds(statements))

    def restore_document(self, filling: Filling) -> None:
        document = filling.document
        if self.document(document.id) is None:
            then = [*fill_statements([filling]), (_TAKE_CITATIONS, {"id": document.id})]
            self._begin([document], then)

    def retitle_document(
        self,
        document: Document,
        chunks: Sequence[Chunk],
        mentions: Mapping[str, Mapping[str, int]],
    ) -> None:
        statements = [
            *retitle_statements(document, chunks),
            *mention_statements(mentions),
        ]

        def check(results: list[list[Row]]) -> None:
            now, changed = results[1], results[2]
            if changed[0]["changed"] != 1:
                raise title_changed(now[0]["title"] if now else None)
            all_written(results, mentions)

        self._neo4j.write_all(statements, check, seconds=write_seconds(statements))

    def move_document(
        self,
        document: Document,
        recut: Sequence[Chunk] | None,
        mentions: Mapping[str, Mapping[str, int]],
    ) -> None:
        from neo4j.exceptions import ConstraintError

        statements = [*move_statements(document, recut), *mention_statements(mentions)]

        def check(results: list[list[Row]]) -> None:
            if not results[1][0]["found"]:
                raise index_gone()
            if results[2][0]["changed"] != 1:
                raise document_left()
            all_written(results, mentions)

        try:
            self._neo4j.write_all(statements, check, seconds=write_seconds(statements))
        except ConstraintError as error:
            raise bytes_there() from error

    def mark_deleting(self, document_ids: Sequence[str]) -> None:
        self._neo4j.write_all(mark_statements(document_ids), seconds=LONG_SECONDS)

    def remove_document(self, document_id: str) -> dict[str, int]:
        lock, *removals = remove_statements([document_id])
        count = self.statements.count_document, {"id": document_id}
        results = self._neo4j.write_all([lock, count, *removals], seconds=LONG_SECONDS)
        return results[1][0]

    def purge(self) -> None:
        """Nothing: the server writes its own files over in its own time, and offers no command to
        hurry it. What was removed is out of every index with the transaction that removed it."""

    def replace_mentions(self, mentions: Mapping[str, Mapping[str, int]]) -> None:
        replace_mentions(self._neo4j, mentions)

    # -- full text ---------------------------------------------------------------------------------

    def _match(self, query: str, phrases: Sequence[str]) -> str:
        return match_expression(query, phrases)

    def _best(self, scope: Mapping[str, Any], limit: int) -> list[Row]:
        return self._rows(BEST, limit=limit, considered=limit + _SPARE, **scope)

    def _count_matches(self, scope: Mapping[str, Any]) -> int:
        (row,) = self._rows(COUNT_MATCHES, **scope)
        return int(row["chunks"])

    # -- consistency -------------------------------------------------------------------------------

    def count_text_rows(self) -> int:
        return count_text_rows(self._neo4j)

    def problems(self) -> list[tuple[str, str, int]]:
        return find_problems(self._neo4j)

    def repair_text(self) -> None:
        repair(self._neo4j)
