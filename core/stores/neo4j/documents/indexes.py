"""Named indexes in Neo4j: how they come, change and go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.domain.documents import Chunk, Index
from core.errors import StoreError
from core.stores.library.reading import LibraryReader
from core.stores.library.refusals import index_exists, index_gone
from core.stores.library.rows import Row, index_row
from core.stores.neo4j.connection import Neo4j
from core.stores.neo4j.documents.mentions import Mentions, mention_statements, written
from core.stores.neo4j.documents.schema import LONG_SECONDS, SCHEMA
from core.stores.neo4j.documents.statements import STATEMENTS
from core.stores.neo4j.documents.writes import (
    cut_statements,
    lock_index,
    remove_statements,
    write_seconds,
)
from core.stores.neo4j.schema import Schema

_DOCUMENTS_AT_ONCE = 200

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
_FORGET_NAME = (
    "MATCH (i:Index) WHERE $name IN i.earlier SET i.earlier = [one IN i.earlier WHERE one <> $name]"
)
_RENAME = (
    "MATCH (i:Index {name: $before}) SET i.name = $name, i.generation = $generation, "
    "i.earlier = coalesce(i.earlier, []) + $before "
    "WITH i OPTIONAL MATCH (d:Document)-[:IN_INDEX]->(i) SET d.index = $name "
    "WITH d OPTIONAL MATCH (d)-[:HAS_CHUNK]->(c:Chunk) SET c.index = $name"
)
_SET_COUNT = "UNWIND $rows AS row MATCH (d:Document {id: row.id}) SET d.chunks = row.chunks"


class Neo4jIndexes(LibraryReader):
    """A registry as it is read, and what changes a whole index."""

    statements = STATEMENTS

    def __init__(self, neo4j: Neo4j) -> None:
        self._schema = Schema(neo4j, SCHEMA)

    @property
    def _neo4j(self) -> Neo4j:
        return self._schema.ensure()

    def _rows(self, statement: str, /, **parameters: object) -> list[Row]:
        return self._neo4j.read(statement, parameters)

    def _stream(self, statement: str, /, **parameters: object) -> Iterator[Row]:
        return self._neo4j.stream(statement, parameters)

    def _count_rows(self, name: str) -> dict[str, int]:
        (row,) = self._neo4j.read(STATEMENTS.count_rows, {"name": name}, seconds=LONG_SECONDS)
        return row

    def create_index(self, index: Index) -> None:
        from neo4j.exceptions import ConstraintError

        try:
            self._neo4j.write("CREATE (i:Index) SET i = $row", {"row": index_row(index)})
        except ConstraintError as error:
            raise index_exists(index.name) from error

    def mark_index_deleting(self, name: str) -> None:
        self._neo4j.write_all([lock_index(name), (_MARK, {"name": name})], seconds=LONG_SECONDS)

    def remove_index(self, name: str) -> dict[str, int]:
        # Marked first and then removed in parts: one transaction would need the server's memory for
        # all texts of the index. Nothing of it answers meanwhile, and what a crash interrupts is
        # found by its mark and taken up again.
        self.mark_index_deleting(name)
        counts = self._count_rows(name)
        while found := self._rows(_SOME_DOCUMENTS, name=name, limit=_DOCUMENTS_AT_ONCE):
            ids = [row["id"] for row in found]
            self._neo4j.write_all(remove_statements(ids), seconds=LONG_SECONDS)
        named = {"name": name}
        self._neo4j.write_all(
            [lock_index(name), (_REMOVE_LOOSE, named), (_REMOVE, named)], seconds=LONG_SECONDS
        )
        return counts

    def rename_index(self, name: str, index: Index) -> None:
        from neo4j.exceptions import ConstraintError

        def check(results: Sequence[Sequence[Row]]) -> None:
            if not results[0][0]["found"]:
                raise index_gone()

        row = {"before": name, "name": index.name, "generation": index.generation}
        try:
            self._neo4j.write_all(
                # The old name may have been another one's before this one was made.
                [
                    lock_index(name),
                    (_FORGET_NAME, row),
                    (_FORGET_NAME, {"name": name}),
                    (_RENAME, row),
                ],
                check,
                seconds=LONG_SECONDS,
            )
        except ConstraintError as error:
            raise index_exists(index.name) from error

    def swap_index(
        self,
        index: Index,
        recut: Mapping[str, Sequence[Chunk]],
        mentions: Mapping[str, Mapping[str, int]],
    ) -> None:
        counts = [{"id": key, "chunks": len(chunks)} for key, chunks in recut.items()]
        statements = [
            lock_index(index.name),
            (_SWAP, index_row(index)),
            *cut_statements(index.name, list(recut.items())),
            (_SET_COUNT, {"rows": counts}),
            *mention_statements(mentions),
        ]
        self._neo4j.write_all(
            statements,
            lambda found: all_written(found, mentions),
            seconds=write_seconds(statements),
        )


def all_written(results: Sequence[Sequence[Row]], mentions: Mentions) -> None:
    """Refuse to keep a part of the mentions."""
    if written(results) != sum(len(counts) for counts in mentions.values()):
        raise StoreError(
            "An entity is mentioned in a chunk that does not exist.",
            advice="Check the library, then try again.",
            code="INCONSISTENT",
        )
