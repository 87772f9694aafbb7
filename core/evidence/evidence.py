"""Evidence for an answer, and the book that gives citations their numbers.

The code numbers citations, never a model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.domain.answers import Citation, DocumentCitation, GraphCitation
from core.domain.documents import Hit
from core.domain.graph import Entity, Fact, Subgraph
from core.domain.vectors import Vector
from core.questions.clauses import Clause


@dataclass(frozen=True, slots=True)
class FactGroup:
    """Facts of one type around one entity, told in one sentence.

    Attributes:
        forward: whether the subject is the facts' source.
        total: how many there are; `facts` may hold fewer.
        counted: all of them were asked for, so that their number is told.
        shared: entities that meet several conditions at once ("interacts with warfarin and treats
            asthma"); `facts` are then those of all conditions.
        conditions: in words, of the shared entities.
    """

    subject: Entity
    type: str
    forward: bool
    facts: tuple[Fact, ...]
    total: int
    counted: bool = False
    shared: tuple[Entity, ...] = ()
    conditions: tuple[str, ...] = ()

    def neighbour(self, fact: Fact) -> Entity:
        return fact.target if self.forward else fact.source


@dataclass(frozen=True, slots=True)
class ClauseEvidence:
    """What was found for one clause: passages best first, fact groups, the clause's vector.

    Attributes:
        similar: entities whose text resembles the clause, id -> cosine similarity.
    """

    clause: Clause
    vector: Vector
    hits: tuple[Hit, ...]
    groups: tuple[FactGroup, ...] = ()
    similar: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an answer may be made from.

    Attributes:
        graph_missing: the graph could not be reached; there are passages only.
        exact: all relationships of a kind are asked for, and `clauses` hold them.
    """

    question: str
    clauses: tuple[ClauseEvidence, ...]
    subgraph: Subgraph = field(default_factory=Subgraph)
    graph_missing: bool = False
    exact: bool = False


class CitationBook:
    """Numbers citations from 1 in the order they are first asked for; the same evidence, one number."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[object, ...], int] = {}
        self._citations: list[Citation] = []

    def passage(self, hit: Hit, start: int, end: int, quote: str) -> int:
        """The number of ``page_text[start:end]``, which is `quote`, on the hit's page."""
        key = ("document", hit.chunk.document_id, hit.chunk.page, start, end)
        if key not in self._numbers:
            self._numbers[key] = len(self._citations) + 1
            self._citations.append(document_citation(self._numbers[key], hit, start, end, quote))
        return self._numbers[key]

    def chunk(self, hit: Hit) -> int:
        """The number of a hit's whole chunk."""
        chunk = hit.chunk
        return self.passage(hit, chunk.start, chunk.end, chunk.text)

    def fact(self, fact: Fact, relevance: float) -> int:
        """The number of a relationship."""
        key = ("graph", *fact.key)
        if key not in self._numbers:
            self._numbers[key] = len(self._citations) + 1
            self._citations.append(
                GraphCitation(
                    n=self._numbers[key],
                    source_id=fact.source.id,
                    source=fact.source.name,
                    source_type=fact.source.type,
                    relationship=fact.type,
                    target_id=fact.target.id,
                    target=fact.target.name,
                    target_type=fact.target.type,
                    relevance=round(relevance, 4),
                    properties=dict(fact.properties),
                )
            )
        return self._numbers[key]

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(self._citations)


def document_citation(n: int, hit: Hit, start: int, end: int, quote: str) -> DocumentCitation:
    """A citation of ``page_text[start:end]``, which is `quote`, on the hit's page."""
    chunk, document = hit.chunk, hit.document
    return DocumentCitation(
        n=n,
        document_id=document.id,
        chunk_id=chunk.id,
        file=document.file,
        page=chunk.page,
        section=chunk.section,
        heading=chunk.heading,
        quote=quote,
        start=start,
        end=end,
        relevance=round(hit.score, 4),
    )
