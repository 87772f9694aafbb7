"""Small random graphs for property tests, and plain views of them."""

from __future__ import annotations

import networkx as nx
from hypothesis import strategies as st

from core.domain.graph import Entity, Relationship

ENTITY_TYPES = ("Drug", "Disease", "Protein")
RELATIONSHIP_TYPES = ("ASSOCIATED_WITH", "RESEMBLES", "TREATS")
UNIT = st.floats(0, 1)

SmallGraph = tuple[list[Entity], list[Relationship]]


@st.composite
def graphs(draw: st.DrawFn, least: int = 1, most: int = 12, edges: int = 40) -> SmallGraph:
    """Entities "0", "1", ...; importance and names repeat; loops, parallel and two-way relationships;
    some relationships have properties."""
    size = draw(st.integers(least, most))
    importance = st.one_of(st.sampled_from((0.0, 0.5, 1.0)), UNIT)
    entities = [
        Entity(
            str(n),
            draw(st.sampled_from(ENTITY_TYPES)),
            f"name {n % 5}",
            importance=draw(importance),
        )
        for n in range(size)
    ]
    ends = st.integers(0, size - 1).map(str)
    keys = draw(
        st.lists(
            st.tuples(ends, st.sampled_from(RELATIONSHIP_TYPES), ends), max_size=edges, unique=True
        )
    )
    described = draw(st.booleans())
    return entities, [
        Relationship(*key, {"source": str(n)} if described and n % 2 else {})
        for n, key in enumerate(keys)
    ]


def positions(entities: list[Entity]) -> dict[str, int]:
    """Entity id -> its place in descending importance, ties by name and id."""
    ordered = sorted(entities, key=lambda one: (-one.importance, one.name, one.id))
    return {entity.id: place for place, entity in enumerate(ordered)}


def degrees(graph: SmallGraph) -> dict[str, int]:
    """Number of relationships of each entity, one with itself counted once."""
    entities, relationships = graph
    return {
        entity.id: sum(entity.id in (one.source, one.target) for one in relationships)
        for entity in entities
    }


def undirected(
    graph: SmallGraph, relationship_types: tuple[str, ...] = (), kept: set[str] | None = None
) -> nx.Graph:
    """The graph without directions, along relationships of the types among the kept entities."""
    entities, relationships = graph
    ids = {entity.id for entity in entities} if kept is None else kept
    plain = nx.Graph()
    plain.add_nodes_from(ids)
    plain.add_edges_from(
        (one.source, one.target)
        for one in relationships
        if one.source in ids
        and one.target in ids
        and (not relationship_types or one.type in relationship_types)
    )
    return plain


def some(values: tuple[str, ...]) -> st.SearchStrategy[tuple[str, ...]]:
    """A filter: none, or one or two of the values."""
    return st.lists(st.sampled_from(values), max_size=2, unique=True).map(tuple)
