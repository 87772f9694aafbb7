"""Hits as CSV: a row for each passage, in UTF-8 with the mark that spreadsheets look for."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping

from core.domain.documents import Document, Hit
from core.search.references.records import Reference, references

_COLUMNS = (
    *("rank", "score", "title", "authors", "year", "file", "index", "page", "section", "heading"),
    *("text", "url", "doi", "pmid", "document_id"),
)
_FORMULA = "=+-@\t\r\n"  # what a spreadsheet would calculate, or take for the next cell


def to_csv(hits: Iterable[Hit], text_of: Callable[[Document], str]) -> bytes:
    """The table; a cell that a spreadsheet would take for a formula begins with an apostrophe."""
    listed = list(hits)
    known: dict[str, Reference] = {}
    for hit in listed:
        if hit.document.id not in known:
            (known[hit.document.id],) = references([hit], text_of)
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, _COLUMNS)
    writer.writeheader()
    for rank, hit in enumerate(listed, 1):
        writer.writerow(_row(rank, hit, known[hit.document.id]))
    return file.getvalue().encode("utf-8-sig")


def _row(rank: int, hit: Hit, reference: Reference) -> Mapping[str, object]:
    return {
        "rank": rank,
        "score": round(hit.score, 4),
        "title": _safe(reference.title),
        "authors": _safe("; ".join(reference.authors)),
        "year": reference.year,
        "file": _safe(hit.document.file),
        "index": hit.document.index,
        "page": hit.chunk.page or "",
        "section": hit.chunk.section,
        "heading": _safe(hit.chunk.heading),
        "text": _safe(" ".join(hit.chunk.text.split())),
        "url": reference.url,
        "doi": reference.doi,
        "pmid": reference.pmid,
        "document_id": hit.document.id,
    }


def _safe(text: str) -> str:
    return f"'{text}" if text[:1] in _FORMULA and text else text
