"""Statements of the transactions that change the registry in Neo4j.

A transaction locks the documents or the index it is about before it reads their state, so that two
writers follow one another as they do in the embedded store.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from core.domain.documents import Chunk, Document, DocumentState, Filling
from core.stores.library.rows import Row, chunk_row, document_row, now, products_written
from core.stores.neo4j.connection import Statement
from core.stores.neo4j.documents.mentions import mention_statements
from core.stores.neo4j.documents.schema import chunk_words

# A document in the transaction that makes it ready; no other transaction ever sees this state.
_FILLING = "filling"
_ROWS_AT_ONCE = 500  # chunks are a kilobyte or two each
_ORDINARY_ROWS = 200
_SECONDS_PER_ROW = 0.01
_STAYS = ("index", "file", "sha256", "bytes", "created_at", "kind")  # as a document was begun

_LOCK_INDEX = "MATCH (i:Index {name: $name}) SET i.changed_at = $moment RETURN count(i) AS found"
# What follows in the transaction reads what nobody else can change any more.
_LOCK_DOCUMENTS = "UNWIND $ids AS id MATCH (d:Document {id: id}) SET d.changed_at = $moment"
_MARK_DELETING = "UNWIND $ids AS id MATCH (d:Document {id: id}) SET d.state = 'deleting'"
_BEGIN_FILLING = (
    "UNWIND $rows AS row MATCH (d:Document {id: row.id}) WHERE d.state = 'ingesting' SET d += row "
    "RETURN count(d) AS changed"
)
_END_FILLING = "UNWIND $ids AS id MATCH (d:Document {id: id}) SET d.state = 'ready'"
_TITLE = "MATCH (d:Document {id: $id}) WHERE d.state = 'ready' RETURN d.title AS title"
# A correction follows the one that it was made from.
_RETITLE = (
    "MATCH (d:Document {id: $id}) "
    "WHERE d.state = 'ready' AND coalesce(d.corrections, 0) = $corrections - 1 "
    "SET d.title = $title, d.corrections = $corrections, d.chunks = $chunks, "
    "d.products = $products "
    "RETURN count(d) AS changed"
)
_MOVE = (
    "MATCH (d:Document {id: $id})-[r:IN_INDEX]->() WHERE d.state = 'ready' "
    "MATCH (i:Index {name: $index}) DELETE r CREATE (d)-[:IN_INDEX]->(i) "
    "SET d.index = $index, d.file = $file, d.chunks = $chunks RETURN count(d) AS changed"
)
_MOVE_CHUNKS = "MATCH (:Document {id: $id})-[:HAS_CHUNK]->(c:Chunk) SET c.index = $index"
_ADD_PAGES = (
    "UNWIND $rows AS row MATCH (d:Document {id: row.document_id}) WHERE d.state = 'filling' "
    "CREATE (d)-[:HAS_PAGE]->(p:Page) SET p = row"
)
_ADD_CHUNKS = (
    "UNWIND $rows AS row MATCH (d:Document {id: row.document_id}) WHERE d.state = $state "
    "CREATE (d)-[:HAS_CHUNK]->(c:Chunk) SET c = row"
)
# An answer that cites the document keeps its citation, by id and file name.
_KEEP_CITATIONS = (
    "UNWIND $ids AS id MATCH (d:Document {id: id})<-[:CITES]-(a:Answer) "
    "MERGE (c:CitedDocument {id: id}) ON CREATE SET c.file = d.file MERGE (a)-[:CITES]->(c)"
)
_REMOVE_CHUNKS = (
    "UNWIND $ids AS id MATCH (c:Chunk {document_id: id}) WHERE c.position IS NOT NULL "
    "OPTIONAL MATCH (c)-[:MENTIONS]->(m:MissingEntity) DETACH DELETE m, c"
)
_REMOVE_PAGES = (
    "UNWIND $ids AS id MATCH (p:Page {document_id: id}) WHERE p.number IS NOT NULL DETACH DELETE p"
)
_REMOVE_DOCUMENTS = "UNWIND $ids AS id MATCH (d:Document {id: id}) DETACH DELETE d"


def write_seconds(statements: Sequence[Statement]) -> float | None:
    """How long a write may take by its rows; None for the usual limit."""
    rows = sum(len(parameters.get("rows", ())) for _, parameters in statements)
    return None if rows <= _ORDINARY_ROWS else 5.0 + _SECONDS_PER_ROW * rows


def lock_index(name: str) -> Statement:
    """Let no other transaction change an index or its documents; tells whether it is there (``found``)."""
    return _LOCK_INDEX, {"name": name, "moment": now()}


def lock_documents(ids: Sequence[str]) -> Statement:
    """Let no other transaction change documents; in order, so that two never wait for each other."""
    return _LOCK_DOCUMENTS, {"ids": sorted(set(ids)), "moment": now()}


def mark_statements(ids: Sequence[str]) -> list[Statement]:
    """Statements that let no search see documents any more."""
    return [lock_documents(ids), (_MARK_DELETING, {"ids": list(ids)})]


def fill_statements(fillings: Sequence[Filling]) -> list[Statement]:
    """Statements that make documents ready; the second tells how many were ``ingesting``."""
    ids = [filling.document.id for filling in fillings]
    pages = [
        {"document_id": filling.document.id, "number": page.number, "text": page.text}
        for filling in fillings
        for page in filling.pages
    ]
    replaced = [key for filling in fillings for key in filling.replaces]
    statements: list[Statement] = [
        lock_documents([*ids, *replaced]),
        (_BEGIN_FILLING, {"rows": [_filled(filling) for filling in fillings]}),
        *((_ADD_PAGES, {"rows": part}) for part in _batches(pages)),
    ]
    for filling in fillings:
        statements += _add_chunks(filling.document.index, filling.chunks, _FILLING)
        statements += mention_statements(filling.mentions)
    return [*statements, (_END_FILLING, {"ids": ids}), (_MARK_DELETING, {"ids": replaced})]


def _filled(filling: Filling) -> Row:
    row = document_row(filling.document)
    new = {name: value for name, value in row.items() if name not in _STAYS}
    return {**new, "chunks": len(filling.chunks), "state": _FILLING}


def cut_statements(index: str, recut: Sequence[tuple[str, Sequence[Chunk]]]) -> list[Statement]:
    """Statements that give ready documents other chunks."""
    ids = [document_id for document_id, _ in recut]
    statements = [lock_documents(ids), (_REMOVE_CHUNKS, {"ids": ids})]
    for _, chunks in recut:
        statements += _add_chunks(index, chunks, DocumentState.READY.value)
    return statements


def move_statements(document: Document, recut: Sequence[Chunk] | None) -> list[Statement]:
    """Statements that let a ready document be in another index; the second tells whether that is there
    (``found``), the third whether the document was moved (``changed``)."""
    moved = {
        "id": document.id,
        "index": document.index,
        "file": document.file,
        "chunks": document.chunks if recut is None else len(recut),
    }
    chunks = (
        [(_MOVE_CHUNKS, {"id": document.id, "index": document.index})]
        if recut is None
        else cut_statements(document.index, [(document.id, recut)])[1:]
    )
    return [lock_documents([document.id]), lock_index(document.index), (_MOVE, moved), *chunks]


def retitle_statements(document: Document, chunks: Sequence[Chunk]) -> list[Statement]:
    """Statements that give a ready document another title and chunks; the second tells the ``title``
    that it has, the third whether this one may follow (``changed``)."""
    changed = {
        "id": document.id,
        "title": document.title,
        "corrections": document.corrections,
        "products": products_written(document),
        "chunks": len(chunks),
    }
    lock, *cut = cut_statements(document.index, [(document.id, chunks)])
    return [lock, (_TITLE, {"id": document.id}), (_RETITLE, changed), *cut]


def remove_statements(ids: Sequence[str]) -> list[Statement]:
    """Statements that remove documents with all that hangs on them."""
    removals = (_KEEP_CITATIONS, _REMOVE_CHUNKS, _REMOVE_PAGES, _REMOVE_DOCUMENTS)
    return [lock_documents(ids), *((statement, {"ids": list(ids)}) for statement in removals)]


def _add_chunks(index: str, chunks: Sequence[Chunk], state: str) -> Iterator[Statement]:
    rows = [
        {**chunk_row(index, chunk), "words": chunk_words(chunk.context, chunk.text)}
        for chunk in chunks
    ]
    return ((_ADD_CHUNKS, {"rows": part, "state": state}) for part in _batches(rows))


def _batches(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        yield rows[start : start + _ROWS_AT_ONCE]
