"""(:Chunk)-[:MENTIONS {count}]->(:Entity): written and read, whichever graph is present.

A mention of an entity that the present graph does not have is kept all the same, at a
(:MissingEntity {id}) of that chunk's own, as the embedded store keeps it: the next linking decides.
While a new graph is being written a chunk may be tied to an entity of both; the larger count is read,
never their sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from core.domain.documents import Document
from core.stores.neo4j.connection import Neo4j, Row, Statement

Mentions = Mapping[str, Mapping[str, int]]

_ROWS_AT_ONCE = 5_000
_CHUNKS_AT_ONCE = 1_000
_BATCH_SECONDS = 60.0

_ADD = (
    "UNWIND $rows AS row MATCH (c:Chunk {id: row.chunk}) "
    "OPTIONAL MATCH (g:GraphState {name: 'graph'}) "
    "OPTIONAL MATCH (known:Entity {id: row.entity, generation: g.version}) "
    "FOREACH (e IN CASE WHEN known IS NULL THEN [] ELSE [known] END | "
    "CREATE (c)-[:MENTIONS {count: row.count}]->(e)) "
    "FOREACH (id IN CASE WHEN known IS NULL THEN [row.entity] ELSE [] END | "
    "CREATE (c)-[:MENTIONS {count: row.count}]->(:MissingEntity {id: id})) "
    "RETURN count(c) AS written"
)
_REMOVE = (
    "UNWIND $ids AS id MATCH (c:Chunk {id: id})-[m:MENTIONS]->(e) DELETE m "
    "WITH e WHERE e:MissingEntity DETACH DELETE e"
)
_OF_CHUNKS = (
    "UNWIND $ids AS id MATCH (c:Chunk {id: id})-[m:MENTIONS]->(e) "
    "RETURN c.id AS chunk, e.id AS entity, max(m.count) AS count"
)
_OF_DOCUMENT = (
    "MATCH (c:Chunk {document_id: $id})-[m:MENTIONS]->(e) WHERE c.position IS NOT NULL "
    "WITH c, e.id AS entity, max(m.count) AS count "
    "RETURN entity, sum(count) AS count ORDER BY count DESC, entity LIMIT $limit"
)
_DOCUMENTS = (
    "CALL () { MATCH (e:Entity {id: $id}) WHERE e.generation IS NOT NULL RETURN e "
    "UNION ALL MATCH (e:MissingEntity {id: $id}) RETURN e } "
    "MATCH (e)<-[m:MENTIONS]-(c:Chunk)<-[:HAS_CHUNK]-(d:Document {state: 'ready'}) "
    "WITH d, c, max(m.count) AS count WITH d, sum(count) AS mentioned "
    "RETURN d {.*} AS document, mentioned ORDER BY mentioned DESC, d.file, d.id LIMIT $limit"
)
_MENTIONING_CHUNKS = "MATCH (c:Chunk) WHERE EXISTS { (c)-[:MENTIONS]->() } RETURN c.id AS id"


def mention_statements(mentions: Mentions) -> list[Statement]:
    """Statements that write mentions; each tells how many chunks it found as ``written``."""
    rows = [
        {"chunk": chunk, "entity": entity, "count": count}
        for chunk, counts in mentions.items()
        for entity, count in counts.items()
    ]
    parts = (rows[at : at + _ROWS_AT_ONCE] for at in range(0, len(rows), _ROWS_AT_ONCE))
    return [(_ADD, {"rows": part}) for part in parts]


def written(results: Sequence[Sequence[Row]]) -> int:
    """How many mentions the statements of `mention_statements` wrote, others' results aside."""
    return sum(rows[0]["written"] for rows in results if rows and "written" in rows[0])


class Neo4jMentions:
    """The mentions' side of the registry in Neo4j.

    Args:
        connection: hands out the server with the schema in place.
        read_document: a document from its properties.
    """

    def __init__(
        self, connection: Callable[[], Neo4j], read_document: Callable[[Row], Document]
    ) -> None:
        self._connection = connection
        self._read_document = read_document

    def of_chunks(self, chunk_ids: Sequence[str]) -> dict[str, dict[str, int]]:
        """Chunk id -> entity id -> number of mentions."""
        found: dict[str, dict[str, int]] = {}
        for row in self._connection().read(_OF_CHUNKS, {"ids": list(chunk_ids)}):
            found.setdefault(row["chunk"], {})[row["entity"]] = row["count"]
        return found

    def of_document(self, document_id: str, limit: int) -> dict[str, int]:
        """Entity id -> number of mentions in a document, most first."""
        rows = self._connection().read(_OF_DOCUMENT, {"id": document_id, "limit": limit})
        return {row["entity"]: row["count"] for row in rows}

    def documents(self, entity_id: str, limit: int) -> list[tuple[Document, int]]:
        """Ready documents that mention an entity, most mentions first."""
        rows = self._connection().read(_DOCUMENTS, {"id": entity_id, "limit": limit})
        return [(self._read_document(row["document"]), row["mentioned"]) for row in rows]

    def replace(self, mentions: Mentions) -> None:
        """Set the mentions of all chunks anew; chunks that are gone are passed over.

        One transaction for each batch of chunks: a whole library in one would need the server's
        memory for all of it. Each chunk has its old mentions or its new ones, never a mixture.
        """
        connection = self._connection()
        others = [
            row["id"] for row in connection.stream(_MENTIONING_CHUNKS) if row["id"] not in mentions
        ]
        for ids in _parts([*mentions, *others]):
            new = {chunk: mentions[chunk] for chunk in ids if chunk in mentions}
            connection.write_all(
                [(_REMOVE, {"ids": ids}), *mention_statements(new)], seconds=_BATCH_SECONDS
            )


def _parts(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), _CHUNKS_AT_ONCE):
        yield ids[start : start + _CHUNKS_AT_ONCE]
