"""Nodes of the registry: their constraints and indexes, and the words that full text reads.

(:Document {index})-[:IN_INDEX]->(:Index), (:Document)-[:HAS_PAGE]->(:Page),
(:Document)-[:HAS_CHUNK]->(:Chunk)-[:MENTIONS {count}]->(:Entity).
"""

from __future__ import annotations

import re
import unicodedata

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
LONG_SECONDS = 60.0  # for a statement about a whole document or index

_WORD = re.compile(r"[^\W_]+")


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
