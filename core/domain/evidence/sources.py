"""What an answer rests on, each source once: places of documents, relationships, entities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal

from core.domain.answers import Answer, DocumentCitation, GraphCitation

_LEFT_OUT = " … "


@dataclass(frozen=True, slots=True)
class RankedSource:
    """One source of an answer (KG-9, KG-27, KG-30).

    Attributes:
        kind: a place of a document, a relationship of the graph, or an entity.
        type: ``Document``, the relationship's type, or the entity's.
        name: the file, the relationship with its ends, or the entity's name.
        id: of the document or the entity; of a relationship both ends' with its type between them.
        relevance: in [0, 1]; of a place that of the most relevant passage on it.
        excerpt: text that the answer was made from.
        citations: the numbers that stand for it in the answer, ascending; none for an entity.
        page: of a document, from 1; 0 without pages.
        section, heading: of a document, as the citation has them.
        properties: what the graph says of a relationship or an entity.
    """

    kind: Literal["document", "relationship", "entity"]
    type: str
    name: str
    id: str
    relevance: float
    excerpt: str
    citations: tuple[int, ...] = ()
    page: int = 0
    section: str = ""
    heading: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)


def answer_sources(answer: Answer) -> tuple[RankedSource, ...]:
    """All sources of an answer, the most relevant first (KG-29); those of one relevance in the order in
    which the answer has them."""
    found = chain(_places(answer), _relationships(answer), _entities(answer))
    return tuple(sorted(found, key=lambda one: -one.relevance))


def _places(answer: Answer) -> Iterator[RankedSource]:
    places: dict[tuple[object, ...], list[DocumentCitation]] = {}
    for one in answer.citations:
        if isinstance(one, DocumentCitation):
            key = (one.document_id, one.page, one.section, one.heading)
            places.setdefault(key, []).append(one)
    for passages in places.values():
        first = passages[0]
        yield RankedSource(
            kind="document",
            type="Document",
            name=first.file,
            id=first.document_id,
            relevance=max(one.relevance for one in passages),
            excerpt=_LEFT_OUT.join(dict.fromkeys(one.quote for one in passages if one.quote)),
            citations=tuple(sorted(one.n for one in passages)),
            page=first.page,
            section=first.section,
            heading=first.heading,
        )


def _relationships(answer: Answer) -> Iterator[RankedSource]:
    for one in answer.citations:
        if isinstance(one, GraphCitation):
            said = f"{one.source} {one.relationship.replace('_', ' ').lower()} {one.target}"
            yield RankedSource(
                kind="relationship",
                type=one.relationship,
                name=said,
                id=f"{one.source_id} {one.relationship} {one.target_id}",
                relevance=one.relevance,
                excerpt=said,
                citations=(one.n,),
                properties=one.properties,
            )


def _entities(answer: Answer) -> Iterator[RankedSource]:
    known = dict.fromkeys(one.id for one in answer.entities)
    for one in answer.entities:
        if one.id in known:
            del known[one.id]
            yield RankedSource(
                kind="entity",
                type=one.type,
                name=one.name,
                id=one.id,
                relevance=one.relevance,
                excerpt=one.excerpt,
                properties=one.properties,
            )
