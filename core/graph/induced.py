"""A part of the graph: some of its entities, and the relationships among them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from core.domain.graph import Entity
from core.domain.provenance.trace import GraphVersion
from core.graph.knowledge import KnowledgeGraph
from core.graph.projection import Projection


class InducedGraph(KnowledgeGraph):
    """A graph as if it had these entities alone; ids that it does not know are passed over.

    What is walked over or computed in it, and the entities of a name, are of the part; an entity that is asked
    for by its id is read whatever it is.
    """

    def __init__(self, whole: KnowledgeGraph, entity_ids: Iterable[str]) -> None:
        super().__init__(whole.store)
        self._whole = whole
        self._ids = frozenset(entity_ids)
        self._part: tuple[Projection, Projection] | None = None

    def projection(self) -> Projection:
        """The connections among the entities; types are numbered as in the whole graph."""
        whole = self._whole.projection()
        if self._part is None or self._part[0] is not whole:
            places = [whole.position[one] for one in self._ids if one in whole.position]
            self._part = whole, induced(whole, np.array(sorted(places), np.int64))
        return self._part[1]

    def fingerprint(self) -> GraphVersion:
        """Of the whole graph."""
        return self._whole.fingerprint()

    def entities_named(self, name: str) -> list[Entity]:
        """Entities of the part with exactly this name, synonym or id in any case, most important first."""
        return [one for one in super().entities_named(name) if one.id in self._ids]


def induced(graph: Projection, places: NDArray[np.int64]) -> Projection:
    """The projection of some entities and of the relationships among them.

    Args:
        places: positions, ascending, shape (m,); the m entities stand in this order.
    """
    new = np.full(len(graph.ids), -1, np.int32)
    new[places] = np.arange(len(places), dtype=np.int32)
    neighbours, codes, counts = [], [], [0]
    for place in places.tolist():
        edges = graph.half_edges(place)
        ends = new[graph.neighbours[edges]]
        inside = ends >= 0
        neighbours.append(ends[inside])
        codes.append(graph.codes[edges][inside])
        counts.append(int(inside.sum()))
    return Projection(
        ids=tuple(graph.ids[place] for place in places.tolist()),
        entity_types=graph.entity_types,
        entity_codes=graph.entity_codes[places],
        relationship_types=graph.relationship_types,
        described=graph.described,
        importance=graph.importance[places],
        offsets=np.cumsum(counts).astype(np.int64),
        neighbours=np.concatenate([np.empty(0, np.int32), *neighbours]),
        codes=np.concatenate([np.empty(0, np.uint16), *codes]),
    )
