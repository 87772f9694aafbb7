"""The places of documents that have words as evidence."""

from __future__ import annotations

from core.domain.documents import Document, Hit
from core.questions.mentioning.found import Mentioned, Occurrence

MOST_QUOTED = 12  # documents
_WHOLE = 1.0  # relevance of a place that has the words


def hits_of(found: Mentioned) -> list[Hit]:
    """The first place of each document that is quoted; none of those that lack the words."""
    return [
        hit_at(one.document, one.places[0]) for one in found.documents[:MOST_QUOTED] if one.places
    ]


def hit_at(document: Document, place: Occurrence) -> Hit:
    """A place of a document as a passage of the product that it tells of."""
    chunk = place.chunk
    return Hit(chunk, document.at(chunk.page, place.start), _WHOLE, _WHOLE, _WHOLE)
