"""Indexes, documents and chunks as rows of plain values and back; a row's keys are the fields' names.

Times are ISO 8601 text in UTC, with microseconds so that they sort; metadata and products are JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import UTC, datetime
from typing import Any

from core.domain.documents import Chunk, Document, DocumentState, Index, Kind, Product, Profile

DOCUMENT = tuple(field.name for field in fields(Document))
CHUNK = tuple(field.name for field in fields(Chunk))
INDEX = tuple(field.name for field in fields(Index))
# Of nodes that were written before there was the property.
_ABSENT = {"orders": -1, "corrections": 0, "products": "[]"}

Row = dict[str, Any]


def now() -> str:
    """The present moment as it is kept."""
    return written(datetime.now(UTC))


def written(moment: datetime) -> str:
    """A moment as it is kept."""
    return moment.isoformat(timespec="microseconds")


def document_row(document: Document) -> Row:
    """A document's fields."""
    return {
        **{name: getattr(document, name) for name in DOCUMENT},
        "state": document.state.value,
        "kind": document.kind.value,
        "metadata": json.dumps(dict(document.metadata), ensure_ascii=False),
        "created_at": written(document.created_at),
        "products": products_written(document),
    }


def products_written(document: Document) -> str:
    """A document's products as they are kept."""
    return json.dumps([asdict(one) for one in document.products], ensure_ascii=False)


def read_document(row: Mapping[str, Any]) -> Document:
    """The document that `document_row` wrote; what else is in the row is passed over."""
    known = {name: row[name] for name in DOCUMENT}
    known["state"] = DocumentState(row["state"])
    known["kind"] = Kind(row["kind"])
    known["metadata"] = {} if row["metadata"] == "{}" else json.loads(row["metadata"])
    known["created_at"] = datetime.fromisoformat(row["created_at"])
    for name, before in _ABSENT.items():
        if known[name] is None:
            known[name] = before
    # Most have none, and a search reads scores of documents.
    told = () if known["products"] == "[]" else json.loads(known["products"])
    known["products"] = tuple(Product(**one) for one in told)
    return Document(**known)


def chunk_row(index: str, chunk: Chunk) -> Row:
    """A chunk's fields, and the index that its document is in."""
    return {**{name: getattr(chunk, name) for name in CHUNK}, "index": index}


def read_chunk(row: Mapping[str, Any]) -> Chunk:
    """The chunk that `chunk_row` wrote."""
    return Chunk(**{name: row[name] for name in CHUNK})


def index_row(index: Index) -> Row:
    """An index's fields."""
    return {
        **{name: getattr(index, name) for name in INDEX},
        "profile": str(index.profile),
        "created_at": written(index.created_at),
    }


def read_index(row: Mapping[str, Any]) -> Index:
    """The index that `index_row` wrote."""
    known = {name: row[name] for name in INDEX}
    known["profile"] = Profile(row["profile"])
    known["created_at"] = datetime.fromisoformat(row["created_at"])
    known["deleting"] = bool(row["deleting"])
    return Index(**known)
