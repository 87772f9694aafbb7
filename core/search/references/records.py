"""Documents that a search found, as what a list of references has of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from core.domain.documents import Document, Hit, Kind
from core.search.references.links import arxiv_id, doi, links, pmid
from core.search.scope import document_dates


@dataclass(frozen=True, slots=True)
class Reference:
    """A document as a reference.

    Attributes:
        year: "" where the document does not say it itself.
        url: of those that can exist the first; "" for none.
        pages: on which something was found, in order; none for text without pages.
        abstract: of a paper; "" for any other document.
    """

    key: str
    title: str
    authors: tuple[str, ...]
    year: str
    file: str
    url: str = ""
    arxiv: str = ""
    doi: str = ""
    pmid: str = ""
    pages: tuple[int, ...] = ()
    abstract: str = ""
    is_paper: bool = False


def references(hits: Iterable[Hit], text_of: Callable[[Document], str]) -> list[Reference]:
    """A reference for each document of hits, in their order.

    Args:
        text_of: the text of an abstract.
    """
    documents: dict[str, Document] = {}
    titles: dict[
        str, dict[str, None]
    ] = {}  # of a file with several products those that are told of
    pages: dict[str, set[int]] = {}
    for hit in hits:
        documents.setdefault(hit.document.id, hit.document)
        titles.setdefault(hit.document.id, {})[hit.document.title] = None
        pages.setdefault(hit.document.id, set()).add(hit.chunk.page)
    return [
        _reference(document, "; ".join(titles[key]), tuple(sorted(pages[key] - {0})), text_of)
        for key, document in documents.items()
    ]


def _reference(
    document: Document, title: str, pages: tuple[int, ...], text_of: Callable[[Document], str]
) -> Reference:
    known = {name.casefold(): value for name, value in document.metadata.items()}
    is_paper = document.kind is Kind.ABSTRACT
    authors = known.get("authors") or known.get("author", "")
    addresses = links(document.metadata)
    paper = arxiv_id(known.get("url", ""))
    return Reference(
        key=_key(document),
        title=title,
        authors=tuple(filter(None, (name.strip() for name in authors.split(", ")))),
        year=_year(document),
        file=document.file,
        url=addresses[0][1] if addresses else "",
        arxiv=paper,
        doi=doi(known.get("doi", "")),
        pmid=pmid(known.get("pmid", "")),
        pages=pages,
        abstract=" ".join(text_of(document).split()) if is_paper else "",
        is_paper=is_paper,
    )


def _year(document: Document) -> str:
    """The year that the document itself is of; the day on which it was added says nothing of that."""
    first, last = document_dates(document)
    added = document.created_at.date()
    return "" if (first, last) == (added, added) else f"{first.year}"


def _key(document: Document) -> str:
    """ASCII letters, digits and hyphens of the file's name, and the beginning of the document's id, so that
    no two are alike."""
    stem = "".join(c if c.isascii() and c.isalnum() else "-" for c in document.file)
    return "-".join([*filter(None, stem.split("-")), document.id[:8]])
