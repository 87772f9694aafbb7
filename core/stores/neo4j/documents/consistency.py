"""Whether registry, chunks and full text agree in Neo4j, and how they are made to."""

from __future__ import annotations

from core.stores.neo4j.connection import Neo4j
from core.stores.neo4j.documents.schema import (
    CREATE_TEXT_INDEX,
    LONG_SECONDS,
    TEXT_INDEX,
    chunk_words,
)

_AT_ONCE = 500

_COUNTS_DIFFER = (
    "MATCH (d:Document {state: 'ready'}) WITH d, COUNT { (d)-[:HAS_CHUNK]->(:Chunk) } AS has "
    "WHERE has <> d.chunks RETURN d.id AS id, abs(has - d.chunks) AS difference ORDER BY id"
)
# Nodes written by hand, or whose document was removed by hand.
_LOOSE = "MATCH (n:{label}) WHERE NOT EXISTS {{ (n)<-[:{kind}]-(:Document) }} "
_LOOSE_CHUNKS = _LOOSE.format(label="Chunk", kind="HAS_CHUNK")
_LOOSE_PAGES = _LOOSE.format(label="Page", kind="HAS_PAGE")
_TEXTS = "MATCH (c:Chunk) RETURN c.id AS id, c.context AS context, c.text AS text, c.words AS words"
_SET_WORDS = "UNWIND $rows AS row MATCH (c:Chunk {id: row.id}) SET c.words = row.words"
_SET_COUNTS = (
    "MATCH (d:Document {state: 'ready'}) "
    "WITH d, COUNT { (d)-[:HAS_CHUNK]->(:Chunk) } AS has WHERE has <> d.chunks SET d.chunks = has"
)


def find_problems(neo4j: Neo4j) -> list[tuple[str, str, int]]:
    """(kind, document id or "", count) of every disagreement within the store.

    The server guards its own files; what can disagree is the number of chunks that a document
    reports, chunks or pages that hang on no document, and the words that full text reads.
    """
    found = [
        ("chunk_count", row["id"], row["difference"])
        for row in neo4j.read(_COUNTS_DIFFER, seconds=LONG_SECONDS)
    ]
    loose = sum(
        neo4j.read(f"{match} RETURN count(n) AS loose", seconds=LONG_SECONDS)[0]["loose"]
        for match in (_LOOSE_CHUNKS, _LOOSE_PAGES)
    )
    if loose:
        found.append(("chunk_count", "", loose))
    unlike = len(_wrong_words(neo4j)) + (0 if _text_index_serves(neo4j) else 1)
    if unlike:
        found.append(("full_text", "", unlike))
    return found


def count_text_rows(neo4j: Neo4j) -> int:
    """Chunks that the full-text index itself holds."""
    (row,) = neo4j.read(
        "CALL db.index.fulltext.queryNodes($index, '*:*') YIELD node RETURN count(node) AS rows",
        {"index": TEXT_INDEX},
        seconds=LONG_SECONDS,
    )
    return int(row["rows"])


def repair(neo4j: Neo4j) -> None:
    """Give chunks the words they lack, make a broken full-text index anew, remove what hangs on no
    document, and let each document report the chunks it has."""
    for match in (_LOOSE_CHUNKS, _LOOSE_PAGES):
        neo4j.write(f"{match} DETACH DELETE n", seconds=LONG_SECONDS)
    wrong = _wrong_words(neo4j)
    for start in range(0, len(wrong), _AT_ONCE):
        neo4j.write(_SET_WORDS, {"rows": wrong[start : start + _AT_ONCE]}, seconds=LONG_SECONDS)
    if not _text_index_serves(neo4j):
        neo4j.run(f"DROP INDEX {TEXT_INDEX} IF EXISTS")
        neo4j.run(CREATE_TEXT_INDEX)
        neo4j.run("CALL db.awaitIndex($index, 50)", {"index": TEXT_INDEX}, seconds=LONG_SECONDS)
    neo4j.write(_SET_COUNTS, seconds=LONG_SECONDS)


def _wrong_words(neo4j: Neo4j) -> list[dict[str, str]]:
    """Ids of chunks whose words are not those of their text, with the right ones."""
    return [
        {"id": row["id"], "words": right}
        for row in neo4j.stream(_TEXTS)
        if (right := chunk_words(row["context"], row["text"])) != row["words"]
    ]


def _text_index_serves(neo4j: Neo4j) -> bool:
    """Whether the full-text index is there, answers, and holds every chunk."""
    states = neo4j.read(
        "SHOW FULLTEXT INDEXES YIELD name, state WHERE name = $index RETURN state",
        {"index": TEXT_INDEX},
    )
    if [row["state"] for row in states] != ["ONLINE"]:
        return False
    (row,) = neo4j.read("MATCH (c:Chunk) RETURN count(c) AS chunks")
    return count_text_rows(neo4j) == int(row["chunks"])
