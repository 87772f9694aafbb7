"""(:Chunk)-[:MENTIONS {count}]->(:Entity) is written, whichever graph is present.

A mention of an entity that the present graph does not have is kept all the same, at a
(:MissingEntity {id}) of that chunk's own, as the embedded store keeps it: the next linking decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

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


def replace_mentions(neo4j: Neo4j, mentions: Mentions) -> None:
    """Set the mentions of all chunks anew; chunks that are gone are passed over.

    One transaction for each batch of chunks: a whole library in one would need the server's memory for
    all of it. Each chunk has its old mentions or its new ones, never a mixture.
    """
    others = [row["id"] for row in neo4j.stream(_MENTIONING_CHUNKS) if row["id"] not in mentions]
    for ids in _parts([*mentions, *others]):
        new = {chunk: mentions[chunk] for chunk in ids if chunk in mentions}
        neo4j.write_all([(_REMOVE, {"ids": ids}), *mention_statements(new)], seconds=_BATCH_SECONDS)


def _parts(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), _CHUNKS_AT_ONCE):
        yield ids[start : start + _CHUNKS_AT_ONCE]
