"""Documents, indexes and what became of files as plain JSON values: what `--json` and the API print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from core.documents.library.indexes import IndexDescription, total
from core.domain.documents import DeletionReceipt, Document, Hit, IngestResult, SearchResult


def search_to_public(query: str, result: SearchResult) -> dict[str, Any]:
    """The hits of a search, best first."""
    return {
        "query": query,
        "hits": [_hit(hit) for hit in result.hits],
        "mode": result.mode,
        "elapsed_ms": round(result.elapsed_ms, 1),
        "searched": result.searched,
        "reranker": result.reranker,
        "notice": result.notice,
    }


def _hit(hit: Hit) -> dict[str, Any]:
    return {
        "file": hit.document.file,
        "page": hit.chunk.page,
        "section": hit.chunk.section,
        "heading": hit.chunk.heading,
        "text": hit.chunk.text,
        "score": round(hit.score, 4),
        "similarity": round(hit.similarity, 4),
        "copies": hit.copies,
        "document_id": hit.document.id,
        "chunk_id": hit.chunk.id,
        "start": hit.chunk.start,
        "end": hit.chunk.end,
    }


def document_to_public(document: Document) -> dict[str, Any]:
    """Every field of a registry row; the time in ISO 8601."""
    return {**asdict(document), "created_at": document.created_at.isoformat()}


def result_to_public(result: IngestResult) -> dict[str, Any]:
    """What became of a file, without its place on this machine's disk."""
    return {name: value for name, value in asdict(result).items() if name != "source"}


def index_to_public(description: IndexDescription) -> dict[str, Any]:
    """An index with its counts; `vectors` is None when the vector store cannot tell."""
    index = description.index
    return {
        "name": index.name,
        "profile": index.profile,
        "model": index.model,
        "dimension": index.dimension,
        "created_at": index.created_at.isoformat(),
        **asdict(description.counts),
        "vectors": description.vectors,
        "needs_embedding": description.needs_embedding,
    }


def receipts_to_public(receipts: Sequence[DeletionReceipt]) -> dict[str, Any]:
    """The sum of deletions (the receipt itself when there is one), and each of them."""
    whole = receipts[0] if len(receipts) == 1 else total(receipts)
    return {**asdict(whole), "receipts": [asdict(receipt) for receipt in receipts]}
