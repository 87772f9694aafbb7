"""Registry, pages, chunks, full text and mentions in Neo4j: `core.documents.store.library.LibraryStore`.

A write locks the documents or the index it is about before it reads their state, so that two writers
follow one another as they do in the embedded store.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from core.domain.documents import Chunk, Document, DocumentState, Filling, Page
from core.errors import Conflict, NotFound
from core.stores.neo4j.connection import Neo4j, Row, Statement
from core.stores.neo4j.documents import library_rows as stored
from core.stores.neo4j.documents.consistency import count_text_rows, find_problems, repair
from core.stores.neo4j.documents.full_text import match_expression
from core.stores.neo4j.documents.indexes import LOCK_INDEX, Neo4jIndexes, index_gone
from core.stores.neo4j.documents.library_rows import CHUNK, read_chunk, read_document, read_page
from core.stores.neo4j.documents.mentions import Neo4jMentions

# Equal scores come in no order of their own: so many more are looked at, so that the oldest win.
_SPARE = 50

_BEGIN = (
    "UNWIND $rows AS row MATCH (i:Index {name: row.index}) "
    "CREATE (d:Document)-[:IN_INDEX]->(i) SET d = row RETURN count(d) AS begun"
)
_KNOWN = "UNWIND $ids AS id MATCH (d:Document {id: id}) RETURN count(d) AS known"
# Answers that were brought over before the document cite it itself from now on.
_TAKE_CITATIONS = (
    "MATCH (c:CitedDocument {id: $id})<-[:CITES]-(a:Answer) MATCH (d:Document {id: $id}) "
    "MERGE (a)-[:CITES]->(d) DETACH DELETE c"
)
_COUNT = (
    "RETURN COUNT { MATCH (d:Document {id: $id}) } AS documents, "
    "COUNT { MATCH (p:Page {document_id: $id}) WHERE p.number IS NOT NULL } AS pages, "
    "COUNT { MATCH (c:Chunk {document_id: $id}) WHERE c.position IS NOT NULL } AS chunks, "
    "COUNT { MATCH (c:Chunk {document_id: $id}) WHERE c.position IS NOT NULL "
    "AND c.words IS NOT NULL } AS text, "
    "COUNT { MATCH (c:Chunk {document_id: $id})-[:MENTIONS]->(e) WHERE c.position IS NOT NULL "
    "RETURN DISTINCT c.id, e.id } AS mentions"
)
_READY_CHUNKS = (
    "MATCH (d:Document {state: 'ready'}) WHERE $index IS NULL OR d.index = $index "
    "MATCH (d)-[:HAS_CHUNK]->(c:Chunk) "
)
# The procedure yields nodes in descending score, so that it ends with the last one wanted; of each it
# is asked here whether it may be shown.
_SEARCH = (
    "CALL db.index.fulltext.queryNodes($text_index, $match) YIELD node AS c, score "
    "WHERE c.index IN $indexes AND ($sections = [] OR c.section IN $sections) "
    "AND ($documents IS NULL OR c.document_id IN $documents) "
    "AND EXISTS { (c)<-[:HAS_CHUNK]-(:Document {state: 'ready'}) } "
)
_BEST = (
    "WITH c, score LIMIT $considered MATCH (d:Document)-[:HAS_CHUNK]->(c) "
    "RETURN c.id AS id, score ORDER BY score DESC, d.created_at, d.id, c.position LIMIT $limit"
)


class Neo4jLibrary(Neo4jIndexes):
    """The documents' side of a registry that lives on a server."""

    def __init__(self, neo4j: Neo4j) -> None:
        super().__init__(neo4j)
        self._mentions = Neo4jMentions(lambda: self._neo4j, read_document)

    # -- a document's way in and out ---------------------------------------------------------------

    def begin_documents(self, documents: Sequence[Document]) -> None:
        self._begin(documents, [])

    def _begin(self, documents: Sequence[Document], then: Sequence[Statement]) -> None:
        from neo4j.exceptions import ConstraintError

        rows = [
            {**stored.document_row(one), "state": DocumentState.INGESTING.value}
            for one in documents
        ]
        at = stored.moment()
        names = sorted({document.index for document in documents})
        statements: list[Statement] = [
            *((LOCK_INDEX, {"name": name, "moment": at}) for name in names),
            (_BEGIN, {"rows": rows}),
            *then,
        ]

        def check(results: list[list[Row]]) -> None:
            if results[len(names)][0]["begun"] != len(rows):
                raise index_gone()

        seconds = stored.write_seconds(len(rows) + sum(_size(one) for one in then))
        try:
            self._neo4j.write_all(statements, check, seconds=seconds)
        except ConstraintError as error:
            raise Conflict(
                "The same bytes are being worked on already.",
                advice="Wait until that has finished.",
                code="IN_WORK",
            ) from error

    def finish_documents(self, fillings: Sequence[Filling]) -> None:
        statements = stored.fill_statements(fillings)

        def check(results: list[list[Row]]) -> None:
            if results[1][0]["changed"] != len(fillings):
                raise NotFound(
                    "The document was removed while it was being added.",
                    advice="Add it again if you need it.",
                    code="DOCUMENT_NOT_FOUND",
                )

        seconds = stored.write_seconds(sum(_size(one) for one in statements))
        self._neo4j.write_all(statements, check, seconds=seconds)

    def restore_document(self, filling: Filling) -> None:
        document = filling.document
        if self._neo4j.read(_KNOWN, {"ids": [document.id]})[0]["known"]:
            return
        then = [*stored.fill_statements([filling]), (_TAKE_CITATIONS, {"id": document.id})]
        self._begin([document], then)

    def mark_deleting(self, document_ids: Sequence[str]) -> None:
        ids = sorted(document_ids)
        self._neo4j.write_all(
            [
                (stored.LOCK_DOCUMENTS, {"ids": ids, "moment": stored.moment()}),
                (stored.MARK_DELETING, {"ids": ids}),
            ],
            seconds=stored.write_seconds(len(ids)),
        )

    def remove_document(self, document_id: str) -> dict[str, int]:
        lock, *removals = stored.remove_statements([document_id])
        results = self._neo4j.write_all(
            [lock, (_COUNT, {"id": document_id}), *removals], seconds=stored.LONG_SECONDS
        )
        return results[1][0]

    def purge(self) -> None:
        """Nothing: the server writes its own files over in its own time, and offers no command to
        hurry it. What was removed is out of every index with the transaction that removed it."""

    def count_document_rows(self, document_id: str) -> int:
        return sum(self._neo4j.read(_COUNT, {"id": document_id})[0].values())

    # -- reading -----------------------------------------------------------------------------------

    def _documents(self, match: str, **parameters: object) -> list[Document]:
        """Documents of a pattern that binds ``d``, newest first."""
        query = f"{match} RETURN d {{.*}} AS document ORDER BY d.created_at DESC, d.id"
        return [read_document(row["document"]) for row in self._neo4j.stream(query, parameters)]

    def document(self, document_id: str) -> Document | None:
        rows = self._neo4j.read(
            "MATCH (d:Document {id: $id}) RETURN d {.*} AS document", {"id": document_id}
        )
        return read_document(rows[0]["document"]) if rows else None

    def present(self, document_ids: Iterable[str]) -> set[str]:
        rows = self._neo4j.read(
            "UNWIND $ids AS id MATCH (d:Document {id: id}) WHERE d.state = 'ready' RETURN d.id AS id",
            {"ids": list(document_ids)},
        )
        return {row["id"] for row in rows}

    def document_by_hash(self, index: str, sha256: str) -> Document | None:
        rows = self._neo4j.read(
            "MATCH (d:Document {index: $index, sha256: $sha256}) RETURN d {.*} AS document",
            {"index": index, "sha256": sha256},
        )
        return read_document(rows[0]["document"]) if rows else None

    def hashes(self, index: str) -> set[str]:
        rows = self._neo4j.stream(
            "MATCH (d:Document {index: $index}) WHERE d.sha256 IS NOT NULL RETURN d.sha256 AS hash",
            {"index": index},
        )
        return {row["hash"] for row in rows}

    def documents_named(self, index: str, file: str) -> list[Document]:
        return self._documents(
            "MATCH (d:Document {index: $index, file: $file}) WHERE d.state <> 'deleting'",
            index=index,
            file=file,
        )

    def documents(
        self, index: str | None = None, *, include_unfinished: bool = False
    ) -> list[Document]:
        return self._documents(
            "MATCH (d:Document) WHERE ($index IS NULL OR d.index = $index) "
            "AND ($all OR d.state = 'ready')",
            index=index,
            all=include_unfinished,
        )

    def unfinished(self, index: str | None = None) -> list[Document]:
        return self._documents(
            "MATCH (d:Document) WHERE d.state IN ['ingesting', 'deleting'] "
            "AND ($index IS NULL OR d.index = $index)",
            index=index,
        )

    def has_documents(self) -> bool:
        query = "MATCH (d:Document {state: 'ready'}) RETURN 1 AS one LIMIT 1"
        return bool(self._neo4j.read(query))

    def page(self, document_id: str, number: int) -> Page | None:
        rows = self._neo4j.read(
            "MATCH (p:Page {document_id: $id, number: $number}) RETURN p {.number, .text} AS page",
            {"id": document_id, "number": number},
        )
        return read_page(rows[0]["page"]) if rows else None

    def pages(self, document_id: str) -> list[Page]:
        rows = self._neo4j.stream(
            "MATCH (p:Page {document_id: $id}) WHERE p.number IS NOT NULL "
            "RETURN p {.number, .text} AS page ORDER BY p.number",
            {"id": document_id},
        )
        return [read_page(row["page"]) for row in rows]

    def document_chunks(self, document_id: str) -> list[Chunk]:
        rows = self._neo4j.stream(
            "MATCH (c:Chunk {document_id: $id}) WHERE c.position IS NOT NULL "
            f"RETURN {CHUNK} ORDER BY c.position",
            {"id": document_id},
        )
        return [read_chunk(row["chunk"]) for row in rows]

    def all_chunks(self, index: str | None = None) -> Iterable[Chunk]:
        query = f"{_READY_CHUNKS} RETURN {CHUNK} ORDER BY d.created_at, d.id, c.position"
        for row in self._neo4j.stream(query, {"index": index}):
            yield read_chunk(row["chunk"])

    def chunks_by_id(self, ids: Iterable[str]) -> dict[str, tuple[Chunk, Document]]:
        rows = self._neo4j.read(
            "UNWIND $ids AS id MATCH (c:Chunk {id: id})<-[:HAS_CHUNK]-(d:Document) "
            f"WHERE d.state = 'ready' RETURN {CHUNK}, d {{.*}} AS document",
            {"ids": list(ids)},
        )
        return {
            row["chunk"]["id"]: (read_chunk(row["chunk"]), read_document(row["document"]))
            for row in rows
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
        wanted = {"limit": limit, "considered": limit + _SPARE}
        found = self._neo4j.read(
            _SEARCH + _BEST, {**_text(match, indexes, sections, documents), **wanted}
        )
        return [(row["id"], row["score"]) for row in found]

    def count_chunks(self, indexes: Sequence[str]) -> int:
        (row,) = self._neo4j.read(
            "MATCH (d:Document) WHERE d.index IN $indexes AND d.sha256 IS NOT NULL "
            "AND d.state = 'ready' RETURN sum(d.chunks) AS chunks",
            {"indexes": list(indexes)},
        )
        return int(row["chunks"])

    def chunks_with_word(self, word: str, indexes: Sequence[str]) -> int:
        parts = stored.words("".join(re.findall(r"\w+", word)))
        if not parts:
            return 0
        (row,) = self._neo4j.read(
            _SEARCH + "RETURN count(c) AS chunks", _text(f'"{" ".join(parts)}"', indexes, ())
        )
        return int(row["chunks"])

    # -- mentions ----------------------------------------------------------------------------------

    def mentions_of_chunks(self, chunk_ids: Sequence[str]) -> dict[str, dict[str, int]]:
        return self._mentions.of_chunks(chunk_ids)

    def mentions_of_document(self, document_id: str, limit: int = 100) -> dict[str, int]:
        return self._mentions.of_document(document_id, limit)

    def documents_mentioning(self, entity_id: str, limit: int = 50) -> list[tuple[Document, int]]:
        return self._mentions.documents(entity_id, limit)

    def replace_mentions(self, mentions: Mapping[str, Mapping[str, int]]) -> None:
        self._mentions.replace(mentions)

    # -- consistency -------------------------------------------------------------------------------

    def chunk_ids(self, index: str) -> dict[str, str]:
        rows = self._neo4j.stream(
            f"{_READY_CHUNKS} RETURN c.id AS id, d.id AS document", {"index": index}
        )
        return {row["id"]: row["document"] for row in rows}

    def count_text_rows(self) -> int:
        return count_text_rows(self._neo4j)

    def problems(self) -> list[tuple[str, str, int]]:
        return find_problems(self._neo4j)

    def repair_text(self) -> None:
        repair(self._neo4j)


def _size(statement: Statement) -> int:
    return len(statement[1].get("rows", ()))


def _text(
    match: str,
    indexes: Sequence[str],
    sections: Sequence[str],
    documents: Collection[str] | None = None,
) -> dict[str, object]:
    return {
        "text_index": stored.TEXT_INDEX,
        "match": match,
        "indexes": list(indexes),
        "sections": list(sections),
        "documents": None if documents is None else sorted(documents),
    }
