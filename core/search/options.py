"""What a search is asked: mode, scope and size, checked before anything is opened."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from core.errors import InputError

MODES = ("hybrid", "semantic", "lexical", "exact")
MAX_K = 100


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Scope and size of a search.

    Attributes:
        indexes: names; empty means all.
        k: hits returned, 1 to 100.
        candidates: taken from each of dense and lexical search before fusion.
        mode: ``hybrid``, ``semantic`` (embedding similarity alone), ``lexical`` (BM25 alone) or
            ``exact`` (passages that have the query, or its quoted phrases, word for word).
        sections: standard section codes (``contraindications``, ...); empty means all text.
        documents: ids of documents; empty means all.
        since, until: first and last day of the documents, both included (see
            `core.search.scope.document_dates` for what a document's day is).
        quotes: phrases in quotation marks must stand in a passage, in hybrid and lexical mode.
        diverse: passages of the same words only once, and in hybrid mode passages that differ from
            one another (maximal marginal relevance) rather than the k best.
        rerank: in hybrid mode, order by the reranker, where one is set.
    """

    indexes: tuple[str, ...] = ()
    k: int = 5
    candidates: int = 20
    mode: str = "hybrid"
    sections: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    quotes: bool = True
    diverse: bool = False
    rerank: bool = True


def read_day(text: str) -> date | None:
    """A day as ``YYYY-MM-DD``; None for an empty text.

    Raises:
        InputError: it is no such day (``INVALID_DATE``).
    """
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(
            f"“{text[:40]}” is no date.", advice="Write it as 2024-12-31.", code="INVALID_DATE"
        ) from None


def check(query: str, options: SearchOptions) -> None:
    """Refuse what cannot be searched.

    Raises:
        InputError: empty query (``EMPTY_QUERY``), broken characters (``INVALID_TEXT``), k out of range
            (``INVALID_K``), unknown mode (``INVALID_MODE``), days in the wrong order
            (``INVALID_DATE``).
    """
    if not query.strip():
        raise InputError("The query is empty.", advice="Type what to look for.", code="EMPTY_QUERY")
    if any("\ud800" <= character <= "\udfff" for character in query):
        raise InputError(
            "The query has characters that are no text.",
            advice="Type it again.",
            code="INVALID_TEXT",
        )
    if not 1 <= options.k <= MAX_K:
        raise InputError(f"k must be between 1 and {MAX_K}.", code="INVALID_K")
    if options.mode not in MODES:
        raise InputError(f"The mode must be one of {', '.join(MODES)}.", code="INVALID_MODE")
    if options.since and options.until and options.since > options.until:
        raise InputError(
            "The first day is after the last day.",
            advice="Exchange the two dates.",
            code="INVALID_DATE",
        )
