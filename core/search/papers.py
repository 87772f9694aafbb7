"""Hits grouped by the document they stand in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.domain.documents import Document, Hit, SearchResult
from core.domain.vectors import Vector
from core.search.options import MAX_K, SearchOptions, check
from core.search.retriever import Retriever

_PER_PAPER = 3  # passages shown of one paper; an abstract has two or three


@dataclass(frozen=True, slots=True)
class Paper:
    """A document with the passages of it that were found, best first; at least one."""

    hits: tuple[Hit, ...]

    @property
    def document(self) -> Document:
        return self.hits[0].document

    @property
    def score(self) -> float:
        """The score of its best passage."""
        return self.hits[0].score


def group_by_paper(hits: Iterable[Hit], k: int) -> tuple[Paper, ...]:
    """At most `k` papers in the order of their best hits."""
    found: dict[str, list[Hit]] = {}
    for hit in hits:
        found.setdefault(hit.document.id, []).append(hit)
    return tuple(Paper(tuple(group[:_PER_PAPER])) for group in list(found.values())[:k])


def search_papers(
    retriever: Retriever, query: str, options: SearchOptions, vector: Vector | None = None
) -> tuple[SearchResult, tuple[Paper, ...]]:
    """At most `options.k` papers in descending score, and the search that found them; its hits are
    exactly the papers' passages.

    Looks at so many passages that k papers are found where there are k.

    Raises:
        As `Retriever.search`.
    """
    check(query, options)
    wanted = min(MAX_K, _PER_PAPER * options.k)
    while True:
        result = retriever.search(query, replace(options, k=wanted), vector)
        papers = group_by_paper(result.hits, options.k)
        if len(papers) == options.k or len(result.hits) < wanted or wanted == MAX_K:
            shown = {hit.chunk.id for paper in papers for hit in paper.hits}
            hits = tuple(hit for hit in result.hits if hit.chunk.id in shown)
            return replace(result, hits=hits), papers
        wanted = min(MAX_K, 2 * wanted)
