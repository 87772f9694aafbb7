"""Sets of entities computed from a plan: complete, on the graph's connections in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.domain.plans import Condition, Named, Rank, Selection
from core.graph.projection import Projection

Members: TypeAlias = NDArray[np.bool_]  # (n,) by position: whether an entity is in a set
_FEW = 256  # members up to which their own connections are walked, not all


def members(selection: Selection, graph: Projection) -> Members:
    """Which entities a selection has, shape (n,)."""
    found = of_types(selection.types, graph)
    for alternatives in selection.conditions:
        met = np.zeros(len(graph.ids), bool)
        for condition in alternatives:
            one = reached(condition, graph)
            met |= ~one if condition.negated else one
        found &= met
    return found


def of_types(types: Sequence[str], graph: Projection) -> Members:
    """Which entities are of one of the types, shape (n,)."""
    mask = graph.entity_mask(types)
    if mask is None:
        return np.ones(len(graph.ids), bool)
    found: Members = mask[graph.entity_codes]
    return found


def reached(condition: Condition, graph: Projection) -> Members:
    """Which entities have one of a condition's relationships with its other end, shape (n,)."""
    if isinstance(condition.of, Named):
        ends = np.array(
            [graph.position[one] for one in condition.of.ids if one in graph.position], int
        )
    else:
        ends = np.flatnonzero(members(condition.of, graph))
    return neighbours(ends, condition.relationships, condition.forward, graph)


def neighbours(
    ends: NDArray[np.int64], relationships: Sequence[str], forward: bool | None, graph: Projection
) -> Members:
    """Which entities are linked to one at the positions `ends`, shape (n,).

    Args:
        forward: whether they must be the source; None for either.
    """
    wanted = _codes(relationships, forward, graph)
    found = np.zeros(len(graph.ids), bool)
    if len(ends) <= _FEW:
        for end in ends.tolist():
            edges = graph.half_edges(end)
            found[graph.neighbours[edges][wanted[graph.codes[edges]]]] = True
        return found
    member = np.zeros(len(graph.ids), bool)
    member[ends] = True
    chosen = np.repeat(member, graph.degrees) & wanted[graph.codes]
    found[graph.neighbours[chosen]] = True
    return found


def counts(rank: Rank, places: NDArray[np.int64], graph: Projection) -> NDArray[np.int64]:
    """How many entities of a rank's types each entity at `places` reaches, shape (places,)."""
    wanted = _codes(rank.relationships, None, graph)
    types = of_types(rank.types, graph)
    found = []
    for place in places.tolist():
        edges = graph.half_edges(place)
        others = graph.neighbours[edges][wanted[graph.codes[edges]]]
        found.append(len(np.unique(others[types[others]])))
    return np.array(found, np.int64)


def _codes(
    relationships: Sequence[str], forward: bool | None, graph: Projection
) -> NDArray[np.bool_]:
    """Which codes of half-edges, seen from the known end, belong to the relationships."""
    mask = graph.relationship_mask(relationships)
    wanted = np.ones(2 * len(graph.relationship_types), bool) if mask is None else mask
    if forward is not None:
        # An odd code says that the end it is seen from is the target.
        wanted = wanted & (np.arange(len(wanted)) % 2 == int(forward))
    return wanted
