"""Which indexes, documents and sections a search may answer from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.documents.library.shelves import searched_in
from core.documents.store.library import SearchStore
from core.domain.documents import Chunk, Document, DocumentState, Index
from core.errors import NotFound
from core.search.options import SearchOptions

# Where metadata tell when a document was written: the year of an abstract, a PDF's creation date.
_OWN_DATE = ("year", "date", "created", "creationdate")
_DATE = re.compile(r"(?:D:)?\s*([12]\d{3})(?:-?(\d\d)(?:-?(\d\d))?)?")


@dataclass(frozen=True, slots=True)
class Scope:
    """What is searched; `documents` is None when every ready document of the indexes is.

    Attributes:
        chunks: how many chunks are in scope (of all sections).
    """

    indexes: tuple[Index, ...]
    documents: frozenset[str] | None
    sections: tuple[str, ...]
    chunks: int

    def has(self, chunk: Chunk, document: Document) -> bool:
        """Whether a chunk of a document is in scope, its index aside."""
        return (self.documents is None or document.id in self.documents) and (
            not self.sections or chunk.section in self.sections
        )


def resolve_scope(store: SearchStore, options: SearchOptions) -> Scope:
    """The scope that options describe; conditions are joined by "and".

    Raises:
        NotFound: an index (``INDEX_NOT_FOUND``) or a document (``DOCUMENT_NOT_FOUND``) that is not there.
    """
    indexes = _indexes(store, options)
    names = [index.name for index in indexes]
    if not (options.documents or options.since or options.until):
        return Scope(tuple(indexes), None, options.sections, store.count_chunks(names))
    if options.documents:
        asked = [_document(store, key) for key in dict.fromkeys(options.documents)]
        found = [document for document in asked if document.index in names]
    else:
        found = [document for name in names for document in store.documents(name)]
    kept = [document for document in found if _dated(document, options.since, options.until)]
    holding = {document.index for document in kept}
    return Scope(
        tuple(index for index in indexes if index.name in holding),
        frozenset(document.id for document in kept),
        options.sections,
        sum(document.chunks for document in kept),
    )


def document_dates(document: Document) -> tuple[date, date]:
    """First and last day that a document may be of.

    Its own date where its metadata have one: the year of an abstract (January 1 to December 31), the
    creation date of a PDF. Otherwise the day on which it was added (UTC).
    """
    for name in _OWN_DATE:
        found = _DATE.match(document.metadata.get(name, ""))
        days = _days(*found.groups()) if found else None
        if days:
            return days
    added = document.created_at.date()
    return added, added


def _days(year: str, month: str | None, day: str | None) -> tuple[date, date] | None:
    try:
        if month and day:
            exact = date(int(year), int(month), int(day))
            return exact, exact
        return date(int(year), 1, 1), date(int(year), 12, 31)
    except ValueError:
        return None


def _dated(document: Document, since: date | None, until: date | None) -> bool:
    first, last = document_dates(document)
    return (since is None or last >= since) and (until is None or first <= until)


def _document(store: SearchStore, document_id: str) -> Document:
    found = store.document(document_id)
    if found is None or found.state is not DocumentState.READY:
        raise NotFound(
            f"There is no document “{document_id[:80]}”.",
            advice="The ids are listed with the documents.",
            code="DOCUMENT_NOT_FOUND",
        )
    return found


def present_names(store: SearchStore, names: Sequence[str]) -> tuple[str, ...]:
    """Names of indexes, those of renamed ones as they are now; one that was never there stays as it is."""
    known = {index.name for index in store.indexes()}
    return tuple(one if one in known else store.present_name(one) or one for one in names)


def _indexes(store: SearchStore, options: SearchOptions) -> list[Index]:
    """Those that are named; where none is, those that are searched, or that hold the documents named."""
    known = {index.name: index for index in store.indexes()}
    names = present_names(store, options.indexes)
    for name in names:
        if name not in known:
            raise NotFound(
                f"There is no index “{name}”.",
                advice=f"Existing ones: {', '.join(known) or 'none yet'}.",
                code="INDEX_NOT_FOUND",
            )
    if not names:
        # One that has come since is not asked: it was not there when the question was.
        searched = (name for name in searched_in(store) if name in known)
        names = tuple(known) if options.documents else tuple(searched)
    return [known[name] for name in dict.fromkeys(names)]
