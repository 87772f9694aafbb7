"""What proves that an entity is a member of a computed set: relationships of the graph."""

from __future__ import annotations

import numpy as np

from core.domain.plans import Condition, Selection
from core.graph.knowledge import Triple
from core.graph.projection import Projection
from core.graph.sets import Members, members


class Proofs:
    """The relationships that put entities into a selection: of each condition one, along its chain.

    Args:
        graph: the selection is one of its entities.
    """

    def __init__(self, selection: Selection, graph: Projection) -> None:
        self._graph = graph
        self._conditions = [
            [self._prepared(one) for one in alternatives if not one.negated]
            for alternatives in selection.conditions
        ]

    def _prepared(self, condition: Condition) -> tuple[Condition, Members, Proofs | None]:
        of = condition.of
        if isinstance(of, Selection):
            return condition, members(of, self._graph), Proofs(of, self._graph)
        ends = np.zeros(len(self._graph.ids), bool)
        ends[[self._graph.position[one] for one in of.ids if one in self._graph.position]] = True
        return condition, ends, None

    def of(self, place: int) -> list[Triple]:
        """For the entity at a position, which is a member."""
        graph = self._graph
        edges = graph.half_edges(place)
        found: list[Triple] = []
        for alternatives in self._conditions:
            for condition, ends, within in alternatives:
                mask = graph.relationship_mask(condition.relationships)
                wanted = ends[graph.neighbours[edges]]
                if mask is not None:
                    wanted = wanted & mask[graph.codes[edges]]
                if condition.forward is not None:
                    wanted = wanted & (graph.codes[edges] % 2 == int(not condition.forward))
                first = np.flatnonzero(wanted)[:1] + edges.start
                for edge in first.tolist():
                    found.append(graph.triple(place, edge))
                    if within is not None:
                        found += within.of(int(graph.neighbours[edge]))
        return found
