"""The knowledge graph as everything above sees it: a store's entities, walked over in memory."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.domain.graph import Entity, Fact
from core.domain.provenance.trace import GraphVersion
from core.graph.half_edges import spans
from core.graph.projection import Projection
from core.graph.store import GraphStore

_REMEMBERED = 5_000  # entities; some 10 MB with their texts
_DESCRIBED = 20_000  # relationships whose properties are remembered; some 10 MB
_AT_ONCE = 32  # entities whose relationships are looked through together
Triple = tuple[int, int, int]  # source position, relationship type, target position
Key = tuple[str, str, str]  # source id, relationship type, target id


_UNDESCRIBED: Mapping[str, str] = {}


class KnowledgeGraph:
    """Reads a graph store; safe to share between threads.

    The projection is loaded once for each version of the graph. Every method raises StoreError when
    the store cannot be read.
    """

    def __init__(self, store: GraphStore) -> None:
        self.store = store
        self._lock = threading.Lock()
        self._projection: tuple[int, Projection] | None = None
        self._fingerprint = GraphVersion(0, 0, 0, "")  # of the projection
        self._read: tuple[Projection | None, dict[str, Entity]] = (None, {})
        self._described: tuple[Projection | None, dict[Key, Mapping[str, str]]] = (None, {})

    def projection(self) -> Projection:
        """The connections of the graph as it is now."""
        version = self.store.version()
        with self._lock:
            if self._projection is None or self._projection[0] != version:
                kept = self.store.projection()
                graph = Projection.from_bytes(kept)
                relationships = int(np.count_nonzero((graph.codes & 1) == 0))  # one source each
                digest = hashlib.sha256(kept).hexdigest()
                self._fingerprint = GraphVersion(version, len(graph.ids), relationships, digest)
                self._projection = version, graph
            return self._projection[1]

    def fingerprint(self) -> GraphVersion:
        """The graph as it is now, in numbers; its hash is that of all connections."""
        self.projection()
        with self._lock:
            return self._fingerprint

    def entities_of(self, graph: Projection, places: Iterable[int]) -> dict[str, Entity]:
        """Entities at positions, by id; those that an import removed in this moment are left out.

        The last some thousand are remembered for as long as the projection is the present one: a
        server takes tens of milliseconds for a hundred of them, and hubs come in every expansion.
        """
        ids = dict.fromkeys(graph.ids[place] for place in places)
        of, known = self._read
        if of is not graph:
            known = {}
        missing = [entity_id for entity_id in ids if entity_id not in known]
        if missing:
            # A new dict each time: other threads may be reading the one before.
            kept = known if len(known) < _REMEMBERED else {}
            found = self.store.entities(missing)
            self._read = graph, {**kept, **found}
            known = {**known, **found}
        return {entity_id: known[entity_id] for entity_id in ids if entity_id in known}

    # -- entities ----------------------------------------------------------------------------------

    def entity(self, entity_id: str) -> Entity | None:
        return self.store.entities([entity_id]).get(entity_id)

    def entities(self, ids: Iterable[str]) -> dict[str, Entity]:
        """The known ones among the ids, in the order asked."""
        return self.store.entities(ids)

    def entities_named(self, name: str) -> list[Entity]:
        """Entities with exactly this name, synonym or id in any case, most important first."""
        return self.store.entities_named(name)

    def search_entities(
        self, query: str, types: Sequence[str] = (), limit: int = 20
    ) -> list[Entity]:
        """Entities whose name, synonym or id contains the query: exact, then prefix, then the rest."""
        return self.store.search_entities(query, types, limit)

    def counts_by_type(self) -> dict[str, int]:
        """Entity type -> number of entities, the most frequent first."""
        return self.store.counts_by_type()

    def count_relationships(self) -> int:
        return self.store.count_relationships()

    def version(self) -> int:
        """A number that grows with every import."""
        return self.store.version()

    # -- relationships -----------------------------------------------------------------------------

    def neighbours(
        self,
        entity_ids: Sequence[str],
        per_entity: int,
        relationship_types: Sequence[str] = (),
        neighbour_types: Sequence[str] = (),
    ) -> list[Fact]:
        """The facts of each entity with its most important neighbours, at most `per_entity` each;
        each fact once, in the order of the ids and of their neighbours' importance."""
        graph = self.projection()
        wanted = graph.relationship_mask(relationship_types), graph.entity_mask(neighbour_types)
        triples: dict[Triple, None] = {}
        for entity_id in dict.fromkeys(entity_ids):
            place = graph.position.get(entity_id)
            if place is not None:
                edges = top_edges(graph, place, per_entity, *wanted)
                triples.update(dict.fromkeys(graph.triple(place, edge) for edge in edges))
        return self.facts_of(graph, list(triples))

    def facts(self, entity_id: str, relationship_type: str, limit: int | None = None) -> list[Fact]:
        """All facts of one type in which the entity is either end, most important neighbour first."""
        graph = self.projection()
        place = graph.position.get(entity_id)
        if place is None or relationship_type not in graph.relationship_types:
            return []
        mask = graph.relationship_mask([relationship_type])
        count = int(graph.degrees[place]) if limit is None else max(limit, 0)
        edges = top_edges(graph, place, count, mask, None)
        return self.facts_of(graph, [graph.triple(place, edge) for edge in edges])

    def facts_between(self, entity_ids: Sequence[str], limit: int | None = None) -> list[Fact]:
        """Facts whose both ends are among the ids: those between the most important ends first, ties
        by source, type and target of the projection's order; at most `limit`."""
        graph = self.projection()
        places = {graph.position[one] for one in entity_ids if one in graph.position}
        return self.facts_of(graph, triples_between(graph, places, limit))

    def relationship_counts(self, entity_id: str) -> dict[str, int]:
        """Relationship type -> number of the entity's relationships, the most frequent first."""
        graph = self.projection()
        place = graph.position.get(entity_id)
        if place is None:
            return {}
        counts = np.bincount(
            graph.codes[graph.half_edges(place)] >> 1, minlength=len(graph.relationship_types)
        )
        found = {
            name: int(count)
            for name, count in zip(graph.relationship_types, counts, strict=True)
            if count
        }
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))

    def facts_of(
        self,
        graph: Projection,
        triples: Sequence[Triple],
        known: Mapping[str, Entity] | None = None,
    ) -> list[Fact]:
        """Triples of positions as facts with their entities and properties, in the same order.

        Entities that an import removed in this moment are left out.

        Args:
            known: entities by id that were read before, with all ends of the triples.
        """
        if known is None:
            places = dict.fromkeys(end for source, _, target in triples for end in (source, target))
            known = self.entities_of(graph, places)
        keys = [
            (graph.ids[source], graph.relationship_types[kind], graph.ids[target])
            for source, kind, target in triples
        ]
        properties = self._properties_of(graph, [key for key in keys if key[1] in graph.described])
        return [
            Fact(known[source], kind, known[target], properties.get((source, kind, target), {}))
            for source, kind, target in keys
            if source in known and target in known
        ]

    def _properties_of(
        self, graph: Projection, keys: Sequence[Key]
    ) -> Mapping[Key, Mapping[str, str]]:
        """Properties of relationships, of those at least that have some; remembered as entities are."""
        of, known = self._described
        if of is not graph:
            known = {}
        missing = [key for key in keys if key not in known]
        if missing:
            found = self.store.relationship_properties(missing)
            new = {key: found.get(key, _UNDESCRIBED) for key in missing}
            if len(new) < _DESCRIBED:
                kept = known if len(known) < _DESCRIBED else {}
                self._described = graph, {**kept, **new}
            known = {**known, **new}
        return known


def top_edges(
    graph: Projection,
    place: int,
    count: int,
    relationship_mask: np.ndarray | None,
    entity_mask: np.ndarray | None,
) -> list[int]:
    """The first `count` half-edges of an entity that pass the masks, most important neighbour first."""
    edges = graph.half_edges(place)
    if relationship_mask is None and entity_mask is None:
        return list(range(edges.start, min(edges.stop, edges.start + count)))
    passed = np.ones(edges.stop - edges.start, dtype=bool)
    if relationship_mask is not None:
        passed &= relationship_mask[graph.codes[edges]]
    if entity_mask is not None:
        passed &= entity_mask[graph.entity_codes[graph.neighbours[edges]]]
    found: list[int] = (np.flatnonzero(passed)[:count] + edges.start).tolist()
    return found


def triples_between(
    graph: Projection,
    places: Collection[int],
    limit: int | None = None,
    relationship_mask: NDArray[np.bool_] | None = None,
) -> list[Triple]:
    """The first `limit` relationships with both ends among the positions, the most important ends
    first; `relationship_mask` as `Projection.relationship_mask` makes it."""
    member = np.zeros(len(graph.ids), bool)
    member[list(places)] = True
    inner = np.flatnonzero(member)
    found: list[Triple] = []
    for start in range(0, len(inner), _AT_ONCE):
        found += _triples_from(graph, inner[start : start + _AT_ONCE], member, relationship_mask)
        if limit is not None and len(found) >= limit:
            return found[: max(limit, 0)]
    return found


def _triples_from(
    graph: Projection,
    places: NDArray[np.int64],
    member: NDArray[np.bool_],
    relationship_mask: NDArray[np.bool_] | None,
) -> list[Triple]:
    """The relationships between each position and the members from it on, in the order of the positions;
    of one by neighbour, then by source, then by type."""
    starts, ends = graph.offsets[places], graph.offsets[places + 1]
    edges = spans(starts, ends)
    owners = np.repeat(places, ends - starts)
    # Each pair is met at both ends; the end that comes first in the order counts it.
    inside = member[graph.neighbours[edges]] & (graph.neighbours[edges] >= owners)
    if relationship_mask is not None:
        inside &= relationship_mask[graph.codes[edges]]
    owners, edges = owners[inside], edges[inside]
    codes, others = graph.codes[edges].astype(np.int64), graph.neighbours[edges].astype(np.int64)
    back = codes & 1  # an even code says that the owner is the source
    order = np.lexsort((codes, back, others, owners))
    sources, targets = np.where(back, others, owners), np.where(back, owners, others)
    columns = (sources[order].tolist(), (codes[order] >> 1).tolist(), targets[order].tolist())
    return list(zip(*columns, strict=True))
