"""How indexes, documents, pages and chunks are written as nodes and read back.

(:Document {index})-[:IN_INDEX]->(:Index), (:Document)-[:HAS_PAGE]->(:Page),
(:Document)-[:HAS_CHUNK]->(:Chunk)-[:MENTIONS {count}]->(:Entity). Times are ISO 8601 text in UTC, as in
the embedded store; metadata is JSON.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from core.domain.documents import (
    Chunk,
    Document,
    DocumentState,
    Filling,
    Index,
    Kind,
    Page,
    Profile,
)
from core.stores.neo4j.connection import Row, Statement
from core.stores.neo4j.documents.mentions import mention_statements
from core.stores.neo4j.schema import ENTITIES, lookup, unique

TEXT_INDEX = "chunk_words"
CREATE_TEXT_INDEX = (
    f"CREATE FULLTEXT INDEX {TEXT_INDEX} IF NOT EXISTS FOR (n:Chunk) ON EACH [n.words] "
    "OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}"
)
SCHEMA = (
    unique("index_name", "Index", "name"),
    unique("document_id", "Document", "id"),
    unique("document_bytes", "Document", "index", "sha256"),
    lookup("document_file", "Document", "index", "file"),
    lookup("document_state", "Document", "state"),
    unique("page_number", "Page", "document_id", "number"),
    unique("chunk_id", "Chunk", "id"),
    unique("chunk_position", "Chunk", "document_id", "position"),
    *ENTITIES,
    lookup("missing_entity_id", "MissingEntity", "id"),
    CREATE_TEXT_INDEX,
    # A full-text index that is still being filled cannot be asked; a call may take five seconds.
    f"CALL db.awaitIndex('{TEXT_INDEX}', 4)",
)

# A document in the transaction that makes it ready; no other transaction ever sees this state.
_FILLING = "filling"
LONG_SECONDS = 60.0  # a whole document or index
_ROWS_AT_ONCE = 500  # chunks are a kilobyte or two each
_ORDINARY_ROWS = 200
_SECONDS_PER_ROW = 0.01
_WORD = re.compile(r"[^\W_]+")

LOCK_DOCUMENTS = (
    # What follows in the transaction reads what nobody else can change any more.
    "UNWIND $ids AS id MATCH (d:Document {id: id}) SET d.changed_at = $moment"
)
MARK_DELETING = "UNWIND $ids AS id MATCH (d:Document {id: id}) SET d.state = 'deleting'"
_BEGIN_FILLING = (
    "UNWIND $rows AS row MATCH (d:Document {id: row.id}) WHERE d.state = 'ingesting' SET d += row "
    "RETURN count(d) AS changed"
)
_END_FILLING = "UNWIND $ids AS id MATCH (d:Document {id: id}) SET d.state = 'ready'"
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
REMOVE_CHUNKS = (
    "UNWIND $ids AS id MATCH (c:Chunk {document_id: id}) WHERE c.position IS NOT NULL "
    "OPTIONAL MATCH (c)-[:MENTIONS]->(m:MissingEntity) DETACH DELETE m, c"
)
_REMOVE_PAGES = (
    "UNWIND $ids AS id MATCH (p:Page {document_id: id}) WHERE p.number IS NOT NULL DETACH DELETE p"
)
_REMOVE_DOCUMENTS = "UNWIND $ids AS id MATCH (d:Document {id: id}) DETACH DELETE d"

CHUNK = (
    "c {.id, .document_id, .position, .page, .section, .heading, .start, .`end`, .text, .context} "
    "AS chunk"
)


def moment() -> str:
    """The present moment as an ISO 8601 string in UTC, microseconds included so that rows sort."""
    return written_moment(datetime.now(UTC))


def written_moment(at: datetime) -> str:
    """A moment as it is kept."""
    return at.isoformat(timespec="microseconds")


def write_seconds(rows: int) -> float | None:
    """How long a write of so many rows may take; None for the usual limit."""
    return None if rows <= _ORDINARY_ROWS else 5.0 + _SECONDS_PER_ROW * rows


def words(text: str) -> list[str]:
    """Words as full text sees them: letters and digits, without accents.

    Lucene's tokenizer is given these words only. It would take "tablets.Do" or "warfarin_x" for one
    word, which the embedded store's full text does not.
    """
    plain = unicodedata.normalize("NFKD", text)
    return _WORD.findall("".join(c for c in plain if not unicodedata.combining(c)))


def chunk_words(context: str, text: str) -> str:
    """The property of a chunk that the full-text index reads."""
    return " ".join(words(f"{context}\n{text}"))


# -- statements of a transaction -------------------------------------------------------------------


def batches(rows: Sequence[Any], size: int = _ROWS_AT_ONCE) -> Iterator[Sequence[Any]]:
    """Rows in parts that a statement takes."""
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


def fill_statements(fillings: Sequence[Filling]) -> list[Statement]:
    """Statements that make documents ready; the second tells how many were ``ingesting``."""
    ids = [filling.document.id for filling in fillings]
    documents = [_filled(filling) for filling in fillings]
    pages = [
        {"document_id": filling.document.id, "number": page.number, "text": page.text}
        for filling in fillings
        for page in filling.pages
    ]
    replaced = [key for filling in fillings for key in filling.replaces]
    statements: list[Statement] = [
        (LOCK_DOCUMENTS, {"ids": sorted({*ids, *replaced}), "moment": moment()}),
        (_BEGIN_FILLING, {"rows": documents}),
    ]
    statements += [(_ADD_PAGES, {"rows": part}) for part in batches(pages)]
    for filling in fillings:
        statements += add_chunk_statements(filling.document.index, filling.chunks, _FILLING)
        statements += mention_statements(filling.mentions)
    statements.append((_END_FILLING, {"ids": ids}))
    statements.append((MARK_DELETING, {"ids": replaced}))
    return statements


def add_chunk_statements(
    index: str, chunks: Sequence[Chunk], state: str = DocumentState.READY
) -> list[Statement]:
    """Statements that add chunks to documents in a state."""
    rows = [_chunk_row(index, chunk) for chunk in chunks]
    return [(_ADD_CHUNKS, {"rows": part, "state": str(state)}) for part in batches(rows)]


def remove_statements(ids: Sequence[str]) -> list[Statement]:
    """Statements that remove documents with all that hangs on them."""
    return [
        (LOCK_DOCUMENTS, {"ids": sorted(ids), "moment": moment()}),
        *(
            (statement, {"ids": list(ids)})
            for statement in (_KEEP_CITATIONS, REMOVE_CHUNKS, _REMOVE_PAGES, _REMOVE_DOCUMENTS)
        ),
    ]


def _filled(filling: Filling) -> Row:
    row = document_row(filling.document)
    # What a document was begun with stays.
    for begun in ("index", "file", "sha256", "bytes", "created_at", "kind"):
        del row[begun]
    return {**row, "chunks": len(filling.chunks), "state": _FILLING}


# -- nodes as dataclasses and back -----------------------------------------------------------------


def document_row(document: Document) -> Row:
    """A document's properties."""
    return {
        "id": document.id,
        "index": document.index,
        "file": document.file,
        "title": document.title,
        "sha256": document.sha256,
        "bytes": document.bytes,
        "pages": document.pages,
        "chunks": document.chunks,
        "state": document.state.value,
        "metadata": json.dumps(dict(document.metadata), ensure_ascii=False),
        "created_at": written_moment(document.created_at),
        "kind": document.kind.value,
        "blank_pages": document.blank_pages,
        "ocr_pages": document.ocr_pages,
    }


def read_document(row: Mapping[str, Any]) -> Document:
    """The document that `document_row` wrote."""
    return Document(
        id=row["id"],
        index=row["index"],
        file=row["file"],
        title=row["title"],
        sha256=row["sha256"],
        bytes=row["bytes"],
        pages=row["pages"],
        chunks=row["chunks"],
        state=DocumentState(row["state"]),
        created_at=datetime.fromisoformat(row["created_at"]),
        metadata=json.loads(row["metadata"]),
        kind=Kind(row["kind"]),
        blank_pages=row["blank_pages"],
        ocr_pages=row["ocr_pages"],
    )


def _chunk_row(index: str, chunk: Chunk) -> Row:
    return {
        "id": chunk.id,
        "document_id": chunk.document_id,
        "index": index,
        "position": chunk.position,
        "page": chunk.page,
        "section": chunk.section,
        "heading": chunk.heading,
        "start": chunk.start,
        "end": chunk.end,
        "text": chunk.text,
        "context": chunk.context,
        "words": chunk_words(chunk.context, chunk.text),
    }


def read_chunk(row: Mapping[str, Any]) -> Chunk:
    """A chunk from the columns of `CHUNK`."""
    return Chunk(**row)


def read_page(row: Mapping[str, Any]) -> Page:
    """A page from its number and text."""
    return Page(row["number"], row["text"])


def index_row(index: Index) -> Row:
    """An index's properties."""
    return {
        "name": index.name,
        "profile": index.profile.value,
        "model": index.model,
        "dimension": index.dimension,
        "created_at": index.created_at.isoformat(),
        "generation": index.generation,
        "deleting": index.deleting,
    }


def read_index(row: Mapping[str, Any]) -> Index:
    """The index that `index_row` wrote."""
    return Index(
        row["name"],
        Profile(row["profile"]),
        row["model"],
        row["dimension"],
        datetime.fromisoformat(row["created_at"]),
        row["generation"],
        row["deleting"],
    )
