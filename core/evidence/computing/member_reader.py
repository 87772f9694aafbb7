"""Members of computed sets as they are told and listed, with the relationships that prove each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.graph import Entity, Fact
from core.domain.plans import AnswerList, Member, Named, Selection
from core.evidence.proofs import Proofs
from core.graph.knowledge import KnowledgeGraph, Triple
from core.graph.projection import Projection
from core.questions.wording import Wording

TOLD = 12  # names in a sentence


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence with the facts that it rests on."""

    text: str
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class MemberReader:
    """Reads what a set has from one graph.

    Args:
        projection: of `graph`, at one moment; positions are its own.
    """

    graph: KnowledgeGraph
    projection: Projection
    wording: Wording

    def members(
        self, places: Sequence[int], *selections: Selection, numbers: Sequence[int] = ()
    ) -> list[Member]:
        """The entities at positions as members of the selections, with what proves them.

        Args:
            numbers: what each was ranked by.
        """
        proofs = [Proofs(one, self.projection) for one in selections]
        counted = dict(zip(places, numbers, strict=True)) if numbers else {}
        return [
            Member(
                one.id,
                one.type,
                one.name,
                tuple(self.keys(triple for proof in proofs for triple in proof.of(place))),
                int(counted.get(place, 0)),
            )
            for place, one in self.entities(places)
        ]

    def listed(self, title: str, found: Sequence[Member]) -> AnswerList:
        """Members as a list, with the names of all that they are linked to."""
        position = self.projection.position
        own = {one.id for one in found}
        ends = dict.fromkeys(
            end
            for one in found
            for source, _, target in one.relationships
            for end in (source, target)
        )
        others = self.graph.entities_of(
            self.projection, [position[end] for end in ends if end not in own]
        )
        names = {end: entity.name for end, entity in others.items()}
        return AnswerList(title, tuple(found), names)

    def entities(self, places: Sequence[int]) -> list[tuple[int, Entity]]:
        """Positions with their entities; those that an import removed in this moment are left out."""
        graph = self.projection
        known = self.graph.entities_of(graph, places)
        return [(place, known[graph.ids[place]]) for place in places if graph.ids[place] in known]

    def keys(self, triples: Iterable[Triple]) -> list[tuple[str, str, str]]:
        """Triples of positions as (source id, type, target id), each once."""
        graph = self.projection
        return [
            (graph.ids[source], graph.relationship_types[kind], graph.ids[target])
            for source, kind, target in dict.fromkeys(triples)
        ]

    def places(self, named: Named) -> list[int]:
        """The positions of what is named."""
        position = self.projection.position
        return [position[one] for one in named.ids if one in position]

    def links(self, place: int, ends: Sequence[Sequence[int]]) -> list[Triple]:
        """One relationship between a position and each of several ends, where there is one.

        Args:
            ends: positions of one entity and its namesakes each.
        """
        found: list[Triple] = []
        graph = self.projection
        for one in ends:
            edges = graph.half_edges(place)
            hits = np.flatnonzero(np.isin(graph.neighbours[edges], one))[:1] + edges.start
            found.extend(graph.triple(place, edge) for edge in hits.tolist())
        return found

    def facts(self, shown: Sequence[Member]) -> tuple[Fact, ...]:
        """The facts that prove members."""
        return self.proven([key for one in shown for key in one.relationships])

    def proven(self, keys: Iterable[tuple[str, str, str]]) -> tuple[Fact, ...]:
        """Relationships as facts, each once."""
        graph = self.projection
        kinds = {name: place for place, name in enumerate(graph.relationship_types)}
        triples = dict.fromkeys(
            (graph.position[source], kinds[kind], graph.position[target])
            for source, kind, target in keys
        )
        return tuple(self.graph.facts_of(graph, list(triples)))


def names(shown: Sequence[Member], total: int) -> str:
    """Names as a list in words, with how many more there are."""
    told = [one.name for one in shown]
    if total > len(told):
        return f"{', '.join(told)} and {total - len(told):,} more"
    return " and ".join(filter(None, (", ".join(told[:-1]), told[-1])))
