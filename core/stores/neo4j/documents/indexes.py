"""Named indexes in Neo4j: the part of `core.documents.store.library.LibraryStore` that is about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.domain.documents import Chunk, Index, IndexCounts
from core.errors import Conflict, NotFound, StoreError
from core.stores.neo4j.connection import Neo4j, Row, Statement
from core.stores.neo4j.documents import library_rows as stored
from core.stores.neo4j.documents.library_rows import index_row, read_index, write_seconds
from core.stores.neo4j.documents.mentions import Mentions, mention_statements, written
from core.stores.neo4j.schema import Schema

_DOCUMENTS_AT_ONCE = 200

_COUNT_READY = (
    "MATCH (d:Document {index: $name}) WHERE d.sha256 IS NOT NULL AND d.state = 'ready' "
    "RETURN count(d) AS documents, sum(d.pages) AS pages, sum(d.chunks) AS chunks, "
    "sum(d.bytes) AS bytes"
)
_COUNT_ROWS = (
    "RETURN COUNT { MATCH (d:Document {index: $name}) WHERE d.sha256 IS NOT NULL } AS documents, "
    "COUNT { MATCH (d:Document {index: $name})-[:HAS_PAGE]->() WHERE d.sha256 IS NOT NULL } "
    "AS pages, "
    "COUNT { MATCH (c:Chunk {index: $name}) } AS chunks, "
    "COUNT { MATCH (c:Chunk {index: $name}) WHERE c.words IS NOT NULL } AS text, "
    "COUNT { MATCH (c:Chunk {index: $name})-[:MENTIONS]->(e) RETURN DISTINCT c.id, e.id } "
    "AS mentions"
)
LOCK_INDEX = "MATCH (i:Index {name: $name}) SET i.changed_at = $moment RETURN count(i) AS found"
_MARK = (
    "MATCH (i:Index {name: $name}) SET i.deleting = true "
    "WITH i MATCH (d:Document)-[:IN_INDEX]->(i) SET d.state = 'deleting'"
)
_SOME_DOCUMENTS = (
    "MATCH (d:Document {index: $name}) WHERE d.sha256 IS NOT NULL RETURN d.id AS id LIMIT $limit"
)
# What hangs on no document any more goes with the index.
_REMOVE_LOOSE = "MATCH (c:Chunk {index: $name}) DETACH DELETE c"
_REMOVE = "MATCH (i:Index {name: $name}) WHERE NOT EXISTS { (i)<-[:IN_INDEX]-() } DELETE i"
_SWAP = (
    "MATCH (i:Index {name: $name}) "
    "SET i.model = $model, i.dimension = $dimension, i.generation = $generation"
)
_SET_COUNT = "UNWIND $rows AS row MATCH (d:Document {id: row.id}) SET d.chunks = row.chunks"


class Neo4jIndexes:
    """Indexes and what belongs to a whole index."""

    def __init__(self, neo4j: Neo4j) -> None:
        self._schema = Schema(neo4j, stored.SCHEMA)

    @property
    def _neo4j(self) -> Neo4j:
        return self._schema.ensure()

    def create_index(self, index: Index) -> None:
        from neo4j.exceptions import ConstraintError

        try:
            self._neo4j.write("CREATE (i:Index) SET i = $row", {"row": index_row(index)})
        except ConstraintError as error:
            raise Conflict(
                f"There is an index “{index.name}” already.",
                advice="Choose another name.",
                code="INDEX_EXISTS",
            ) from error

    def index(self, name: str) -> Index | None:
        return next((index for index in self.indexes() if index.name == name), None)

    def indexes(self, *, include_deleting: bool = False) -> list[Index]:
        found = self._neo4j.read(
            "MATCH (i:Index) WHERE $all OR NOT i.deleting RETURN i {.*} AS one ORDER BY i.name",
            {"all": include_deleting},
        )
        return [read_index(row["one"]) for row in found]

    def count_index(self, name: str) -> IndexCounts:
        (row,) = self._neo4j.read(_COUNT_READY, {"name": name})
        return IndexCounts(**row)

    def mark_index_deleting(self, name: str) -> None:
        named = {"name": name, "moment": stored.moment()}
        self._neo4j.write_all([(LOCK_INDEX, named), (_MARK, named)], seconds=stored.LONG_SECONDS)

    def remove_index(self, name: str) -> dict[str, int]:
        # Marked first and then removed in parts: one transaction would need the server's memory for
        # all texts of the index. Nothing of it answers meanwhile, and what a crash interrupts is
        # found by its mark and taken up again.
        self.mark_index_deleting(name)
        counts = self._count_rows(name)
        while ids := self._some_documents(name):
            self._neo4j.write_all(stored.remove_statements(ids), seconds=stored.LONG_SECONDS)
        named = {"name": name, "moment": stored.moment()}
        self._neo4j.write_all(
            [(LOCK_INDEX, named), (_REMOVE_LOOSE, named), (_REMOVE, named)],
            seconds=stored.LONG_SECONDS,
        )
        return counts

    def _some_documents(self, name: str) -> list[str]:
        wanted = {"name": name, "limit": _DOCUMENTS_AT_ONCE}
        return [row["id"] for row in self._neo4j.read(_SOME_DOCUMENTS, wanted)]

    def _count_rows(self, name: str) -> dict[str, int]:
        (row,) = self._neo4j.read(_COUNT_ROWS, {"name": name}, seconds=stored.LONG_SECONDS)
        return row

    def count_index_rows(self, name: str) -> int:
        (row,) = self._neo4j.read(
            "MATCH (i:Index {name: $name}) RETURN count(i) AS found", {"name": name}
        )
        return int(row["found"]) + sum(self._count_rows(name).values())

    def swap_index(
        self,
        index: Index,
        recut: Mapping[str, Sequence[Chunk]],
        mentions: Mapping[str, Mapping[str, int]],
    ) -> None:
        ids = sorted(recut)
        new = {
            "name": index.name,
            "model": index.model,
            "dimension": index.dimension,
            "generation": index.generation,
        }
        counts = [{"id": key, "chunks": len(chunks)} for key, chunks in recut.items()]
        at = stored.moment()
        statements: list[Statement] = [
            (LOCK_INDEX, {"name": index.name, "moment": at}),
            (_SWAP, new),
            (stored.LOCK_DOCUMENTS, {"ids": ids, "moment": at}),
            (stored.REMOVE_CHUNKS, {"ids": ids}),
        ]
        for chunks in recut.values():
            statements += stored.add_chunk_statements(index.name, chunks)
        statements += [(_SET_COUNT, {"rows": counts}), *mention_statements(mentions)]
        seconds = write_seconds(sum(len(chunks) for chunks in recut.values()))
        self._neo4j.write_all(
            statements, lambda found: _all_written(found, mentions), seconds=seconds
        )


def _all_written(results: Sequence[Sequence[Row]], mentions: Mentions) -> None:
    """Refuse to keep a part of the mentions."""
    if written(results) != sum(len(counts) for counts in mentions.values()):
        raise StoreError(
            "An entity is mentioned in a chunk that does not exist.",
            advice="Check the library, then try again.",
            code="INCONSISTENT",
        )


def index_gone() -> NotFound:
    """What a document is told whose index was removed."""
    return NotFound(
        "The index was removed meanwhile.",
        advice="Choose another index.",
        code="INDEX_NOT_FOUND",
    )
