"""What an import changes: entities and relationships before and after, counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.domain.graph import Entity
from core.graph.importing.builder import GraphBuilder
from core.graph.projection import Projection
from core.graph.store import Check, GraphStore, checked


@dataclass(frozen=True, slots=True)
class StoredGraph:
    """What was stored before: entities that the builder has too (known), has in other words (updated,
    among the known) and lacks (missing); and the number of relationships."""

    known: int = 0
    updated: int = 0
    missing: int = 0
    relationships: int = 0


def compare(builder: GraphBuilder, store: GraphStore, check: Check) -> StoredGraph:
    """Compare what was read with what is stored; degree and importance do not count.

    Args:
        check: called now and then; what it raises ends the comparison.
    """
    known = updated = missing = 0
    for stored in checked(store.all_entities(), check):
        new = builder.find(stored.id)
        if new is None:
            missing += 1
        else:
            known += 1
            updated += _content(new) != _content(stored)
    return StoredGraph(known, updated, missing, store.count_relationships())


def relationship_changes(before: Projection, after: Projection) -> tuple[int, int]:
    """How many relationships came, and how many went."""
    position = after.position
    places = np.array([position.get(one, -1) for one in before.ids], np.int64)
    code_of = {name: code for code, name in enumerate(after.relationship_types)}
    kinds = np.array([code_of.get(name, -1) for name in before.relationship_types], np.int64)
    new = _triples(after, np.arange(len(after.ids)), np.arange(len(code_of)))
    old = _triples(before, places, kinds)
    stayed = len(np.intersect1d(new, old, assume_unique=True))
    return len(new) - stayed, _count(before) - stayed


def _triples(
    graph: Projection, places: NDArray[np.int64], kinds: NDArray[np.int64]
) -> NDArray[np.int64]:
    """One number for each relationship whose ends and type have a number of their own."""
    outgoing = np.flatnonzero((graph.codes & 1) == 0)
    if not len(outgoing):
        return np.empty(0, np.int64)
    owners = np.repeat(places, graph.degrees)[outgoing]
    others = places[graph.neighbours[outgoing]]
    types = kinds[graph.codes[outgoing] >> 1]
    kept = (owners >= 0) & (others >= 0) & (types >= 0)
    # Positions have 23 bits and types 15 (see `GraphBuilder`): 61 in all.
    packed: NDArray[np.int64] = (owners[kept] << 23 | others[kept]) << 15 | types[kept]
    return packed


def _count(graph: Projection) -> int:
    return int(np.count_nonzero((graph.codes & 1) == 0))


def _content(entity: Entity) -> tuple[str, str, tuple[str, ...], dict[str, str]]:
    return entity.type, entity.name, entity.synonyms, dict(entity.properties)
