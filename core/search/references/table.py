"""Hits as CSV: a row for each passage, in UTF-8 with the mark that spreadsheets look for."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from core.domain.documents import Document, Hit
from core.search.references.records import Reference, references
from core.text.tables.csv_file import csv_file

_COLUMNS = (
    *("rank", "score", "title", "authors", "year", "file", "index", "page", "section", "heading"),
    *("text", "url", "doi", "pmid", "document_id"),
)


def to_csv(hits: Iterable[Hit], text_of: Callable[[Document], str]) -> bytes:
    """The table; a cell that a spreadsheet would take for a formula begins with an apostrophe."""
    listed = list(hits)
    known: dict[str, Reference] = {}
    for hit in listed:
        if hit.document.id not in known:
            (known[hit.document.id],) = references([hit], text_of)
    rows = (_row(rank, hit, known[hit.document.id]) for rank, hit in enumerate(listed, 1))
    return csv_file(_COLUMNS, rows)


def _row(rank: int, hit: Hit, reference: Reference) -> tuple[object, ...]:
    return (
        rank,
        round(hit.score, 4),
        reference.title,
        "; ".join(reference.authors),
        reference.year,
        hit.document.file,
        hit.document.index,
        hit.chunk.page or "",
        hit.chunk.section,
        hit.chunk.heading,
        " ".join(hit.chunk.text.split()),
        reference.url,
        reference.doi,
        reference.pmid,
        hit.document.id,
    )
