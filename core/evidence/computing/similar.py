"""What is similar to a named entity: by the vectors of descriptions, with what both share as the reason;
by what they share alone where there are no vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.domain.plans import AnswerList, Member, Named, Plan, Selection
from core.evidence.computing.member_reader import MemberReader, Told
from core.graph.knowledge import Triple
from core.graph.sets import Members, members, neighbours

# (ids of an entity, types) -> (entity id, cosine similarity), best first; none where it has no vector.
Likeness: TypeAlias = Callable[[Sequence[str], Sequence[str]], Sequence[tuple[str, float]]]
_MOST = 12
_BY_DESCRIPTION = "by its description"


@dataclass(frozen=True, slots=True)
class _Shared:
    """What one entity shares with all others.

    Attributes:
        start: positions of the entity and its namesakes.
        own: its neighbours, shape (n,).
        common: how many of them each entity is linked to as well, shape (n,).
        scores: the same, the rarer the more (Adamic and Adar 2003, "Friends and neighbors on the Web",
            Social Networks 25), shape (n,).
    """

    start: Sequence[int]
    own: Members
    common: NDArray[np.int64]
    scores: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Similar:
    """Finds what a plan asks for.

    Args:
        like: entities by their vectors.
    """

    plan: Plan
    reader: MemberReader
    like: Likeness

    def told(self) -> tuple[list[Told], list[AnswerList]]:
        """A sentence and a list for each name."""
        told: list[Told] = []
        lists: list[AnswerList] = []
        for subject in self.plan.subjects:
            wanted = self.plan.sets[0] if self.plan.sets else Selection((subject.type,))
            by_vectors = self._by_vectors(subject, wanted)
            shared = self._shared(subject)
            places = by_vectors or self._by_shared(shared, wanted)
            found = [
                Member(
                    one.id,
                    one.type,
                    one.name,
                    tuple(self.reader.keys(self._bridge(shared, place))),
                    int(shared.common[place]),
                    "" if shared.common[place] else _BY_DESCRIPTION,
                )
                for place, one in self.reader.entities(places)
            ]
            what = self.reader.wording.several(wanted)
            lists.append(
                self.reader.listed(f"{what[:1].upper()}{what[1:]} like {subject.name}", found)
            )
            text = _sentence(subject.name, what, found, bool(by_vectors))
            told.append(Told(text, self.reader.facts(found)))
        return told, lists

    def _by_vectors(self, subject: Named, wanted: Selection) -> list[int]:
        """Positions of those whose descriptions are most like the subject's, best first."""
        graph = self.reader.projection
        allowed = members(wanted, graph)
        allowed[self.reader.places(subject)] = False
        ids = [one for one, _ in self.like(subject.ids, wanted.types) if one in graph.position]
        return [place for one in ids if allowed[place := graph.position[one]]][:_MOST]

    def _by_shared(self, shared: _Shared, wanted: Selection) -> list[int]:
        scores = np.where(members(wanted, self.reader.projection), shared.scores, 0.0)
        best = np.argsort(-scores, kind="stable")[:_MOST].tolist()
        return [place for place in best if scores[place]]

    def _shared(self, subject: Named) -> _Shared:
        graph = self.reader.projection
        start = self.reader.places(subject)
        own = neighbours(np.array(start, int), graph.relationship_types, None, graph)
        own[start] = False
        scores = np.zeros(len(graph.ids))
        common = np.zeros(len(graph.ids), int)
        for place in np.flatnonzero(own).tolist():
            others = np.unique(graph.neighbours[graph.half_edges(place)])
            scores[others] += 1.0 / np.log1p(len(others))
            common[others] += 1
        scores[start] = 0.0
        return _Shared(start, own, common, scores)

    def _bridge(self, shared: _Shared, place: int) -> list[Triple]:
        """One thing that both are linked to, as the two relationships that do."""
        graph = self.reader.projection
        edges = graph.half_edges(place)
        first = np.flatnonzero(shared.own[graph.neighbours[edges]])[:1] + edges.start
        found = [graph.triple(place, edge) for edge in first.tolist()]
        for edge in first.tolist():
            found += self.reader.links(int(graph.neighbours[edge]), [shared.start])
        return found


def _sentence(name: str, what: str, found: Sequence[Member], by_vectors: bool) -> str:
    if not found:
        return f"The graph has no {what} that share anything with {name}."
    told = ", ".join(f"{one.name} ({one.count or one.reason})" for one in found)
    if by_vectors:
        return (
            f"By their descriptions these {what} are most like {name}, in brackets how much each shares "
            f"with it in the graph: {told}."
        )
    return (
        f"By what they share with {name} in the graph, in brackets how much, these are the most similar "
        f"{what}: {told}."
    )
