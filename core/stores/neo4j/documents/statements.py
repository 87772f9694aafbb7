"""How the registry is read from Neo4j.

`IS NOT NULL` lets the planner use a constraint's index over two properties. While a new graph is being
written a chunk may be tied to an entity of both; the larger count is read, never their sum.
"""

from __future__ import annotations

from core.stores.library.reading import Statements
from core.stores.library.rows import CHUNK, DOCUMENT
from core.stores.neo4j.documents.schema import TEXT_INDEX

_DOCUMENT = ", ".join(f"d.`{name}` AS `{name}`" for name in DOCUMENT)
_CHUNK = ", ".join(f"c.`{name}` AS `{name}`" for name in CHUNK)
_NEWEST_FIRST = f"RETURN {_DOCUMENT} ORDER BY d.created_at DESC, d.id"
_NAMED = "MATCH (d:Document {index: $name}) WHERE d.sha256 IS NOT NULL"
_OF_INDEX = "MATCH (c:Chunk {index: $name})"
_OF_DOCUMENT = "MATCH (c:Chunk {document_id: $id}) WHERE c.position IS NOT NULL"
_PAGES = "MATCH (p:Page {document_id: $id}) WHERE p.number IS NOT NULL"
_PAGE = "RETURN p.number AS number, p.text AS text"
_OF_SOME = "UNWIND $ids AS id MATCH (c:Chunk {document_id: id})"
_MENTIONED_IN_SOME = (
    f"{_OF_SOME}-[m:MENTIONS]->(e) WHERE c.position IS NOT NULL "
    "WITH id, c, e.id AS entity, max(m.count) AS count"
)
_READY_CHUNKS = (
    "MATCH (d:Document {state: 'ready'}) WHERE $index IS NULL OR d.index = $index "
    "MATCH (d)-[:HAS_CHUNK]->(c:Chunk)"
)
# The procedure yields nodes in descending score, so that it ends with the last one wanted; of each it
# is asked here whether it may be shown.
_MATCHES = (
    f"CALL db.index.fulltext.queryNodes('{TEXT_INDEX}', $match) YIELD node AS c, score "
    "WHERE c.index IN $indexes AND ($sections = [] OR c.section IN $sections) "
    "AND ($documents IS NULL OR c.document_id IN $documents) "
    "AND EXISTS { (c)<-[:HAS_CHUNK]-(:Document {state: 'ready'}) }"
)
BEST = (
    f"{_MATCHES} WITH c, score LIMIT $considered MATCH (d:Document)-[:HAS_CHUNK]->(c) "
    "RETURN c.id AS id, score ORDER BY score DESC, d.created_at, d.id, c.position LIMIT $limit"
)

COUNT_MATCHES = f"{_MATCHES} RETURN count(c) AS chunks"

STATEMENTS = Statements(
    indexes="MATCH (i:Index) WHERE $all OR NOT i.deleting WITH i ORDER BY i.name RETURN i.name AS name, "
    "i.profile AS profile, i.model AS model, i.dimension AS dimension, "
    "i.created_at AS created_at, i.generation AS generation, i.deleting AS deleting",
    present_name="MATCH (i:Index) WHERE $name IN i.earlier AND NOT i.deleting RETURN i.name AS name",
    count_index=f"{_NAMED} AND d.state = 'ready' RETURN count(d) AS documents, "
    "sum(d.pages) AS pages, sum(d.chunks) AS chunks, sum(d.bytes) AS bytes",
    documents="MATCH (d:Document) WHERE ($index IS NULL OR d.index = $index) "
    f"AND ($all OR d.state = 'ready') {_NEWEST_FIRST}",
    unfinished="MATCH (d:Document) WHERE d.state IN ['ingesting', 'deleting'] "
    f"AND ($index IS NULL OR d.index = $index) {_NEWEST_FIRST}",
    named="MATCH (d:Document {index: $index, file: $file}) WHERE d.state <> 'deleting' "
    f"{_NEWEST_FIRST}",
    document=f"MATCH (d:Document {{id: $id}}) RETURN {_DOCUMENT}",
    by_hash=f"MATCH (d:Document {{index: $index, sha256: $sha256}}) RETURN {_DOCUMENT}",
    ready="UNWIND $ids AS wanted MATCH (d:Document {id: wanted}) WHERE d.state = 'ready' "
    f"RETURN {_DOCUMENT}",
    hashes="MATCH (d:Document {index: $index}) WHERE d.sha256 IS NOT NULL "
    "RETURN d.sha256 AS sha256",
    pages=f"{_PAGES} {_PAGE} ORDER BY p.number",
    page=f"MATCH (p:Page {{document_id: $id, number: $number}}) {_PAGE}",
    chunks=f"{_OF_DOCUMENT} RETURN {_CHUNK} ORDER BY c.position",
    ready_chunks=f"{_READY_CHUNKS} RETURN {_CHUNK} ORDER BY d.created_at, d.id, c.position",
    chunks_by_id=f"UNWIND $ids AS wanted MATCH (c:Chunk {{id: wanted}}) RETURN {_CHUNK}",
    chunk_ids=f"{_READY_CHUNKS} RETURN c.id AS id, d.id AS document_id",
    count_chunks="MATCH (d:Document) WHERE d.index IN $indexes AND d.sha256 IS NOT NULL "
    "AND d.state = 'ready' RETURN sum(d.chunks) AS chunks",
    mentions_of_chunks="UNWIND $ids AS id MATCH (c:Chunk {id: id})-[m:MENTIONS]->(e) "
    "RETURN c.id AS chunk, e.id AS entity, max(m.count) AS count",
    mentions_of_document="MATCH (c:Chunk {document_id: $id})-[m:MENTIONS]->(e) "
    "WHERE c.position IS NOT NULL WITH c, e.id AS entity, max(m.count) AS count "
    "RETURN entity, sum(count) AS count ORDER BY count DESC, entity LIMIT $limit",
    sections=f"{_OF_SOME} WHERE c.position IS NOT NULL "
    "RETURN c.section AS section, count(DISTINCT id) AS documents",
    most_mentioned=f"{_MENTIONED_IN_SOME} RETURN entity, sum(count) AS count, "
    "count(DISTINCT id) AS documents ORDER BY count DESC, entity LIMIT $limit",
    count_mentions=f"{_MENTIONED_IN_SOME} RETURN id AS document, sum(count) AS count",
    documents_mentioning="CALL () { "
    "MATCH (e:Entity {id: $id}) WHERE e.generation IS NOT NULL RETURN e "
    "UNION ALL MATCH (e:MissingEntity {id: $id}) RETURN e } "
    "MATCH (e)<-[m:MENTIONS]-(c:Chunk)<-[:HAS_CHUNK]-(d:Document {state: 'ready'}) "
    "WITH d, c, max(m.count) AS count WITH d, sum(count) AS mentioned "
    f"RETURN {_DOCUMENT}, mentioned ORDER BY mentioned DESC, d.file, d.id LIMIT $limit",
    count_document="RETURN COUNT { MATCH (d:Document {id: $id}) } AS documents, "
    f"COUNT {{ {_PAGES} }} AS pages, COUNT {{ {_OF_DOCUMENT} }} AS chunks, "
    f"COUNT {{ {_OF_DOCUMENT} AND c.words IS NOT NULL }} AS text, "
    f"COUNT {{ {_OF_DOCUMENT} MATCH (c)-[:MENTIONS]->(e) RETURN DISTINCT c.id, e.id }} AS mentions",
    count_rows=f"RETURN COUNT {{ {_NAMED} }} AS documents, "
    f"COUNT {{ {_NAMED} MATCH (d)-[:HAS_PAGE]->(p) RETURN p }} AS pages, "
    f"COUNT {{ {_OF_INDEX} }} AS chunks, "
    f"COUNT {{ {_OF_INDEX} WHERE c.words IS NOT NULL }} AS text, "
    f"COUNT {{ {_OF_INDEX}-[:MENTIONS]->(e) RETURN DISTINCT c.id, e.id }} AS mentions",
)
