"""The knowledge graph over a store: each answer equals that of a plain walk over all relationships."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.graph import Entity, Fact, Relationship
from core.graph.importing.builder import GraphBuilder
from core.graph.knowledge import KnowledgeGraph
from tests.graph.small_graphs import (
    ENTITY_TYPES,
    RELATIONSHIP_TYPES,
    SmallGraph,
    graphs,
    positions,
    some,
)
from tests.support.graphs import MemoryGraph, graph_data, stored

IDS = st.integers(0, 13).map(str)  # some of them unknown


def as_given(facts: list[Fact]) -> list[Relationship]:
    return [Relationship(*fact.key, dict(fact.properties)) for fact in facts]


def order_of(graph: SmallGraph, one: Relationship, seen_from: str) -> tuple[int, int, bool]:
    """Most important neighbour first, then by type, then those that lead away."""
    place = positions(graph[0])
    far = one.target if one.source == seen_from else one.source
    return place[far], RELATIONSHIP_TYPES.index(one.type), one.source != seen_from


@given(
    graphs(),
    st.lists(IDS, max_size=5),
    st.integers(1, 6),
    some(RELATIONSHIP_TYPES),
    some(ENTITY_TYPES),
)
def test_neighbours(
    graph: SmallGraph,
    ids: list[str],
    per_entity: int,
    relationship_types: tuple[str, ...],
    entity_types: tuple[str, ...],
) -> None:
    entities, relationships = graph
    types = {entity.id: entity.type for entity in entities}
    expected: list[Relationship] = []
    for entity_id in ids:
        own = [
            one
            for one in relationships
            if entity_id in (one.source, one.target)
            and (not relationship_types or one.type in relationship_types)
            and (
                not entity_types
                or types[one.target if one.source == entity_id else one.source] in entity_types
            )
        ]
        own.sort(key=lambda one: order_of(graph, one, entity_id))
        expected += [one for one in own[:per_entity] if one not in expected]
    found = stored(*graph).neighbours(ids, per_entity, relationship_types, entity_types)
    assert as_given(found) == expected
    by_id = {entity.id: entity for entity in entities}
    assert all(by_id[fact.source.id] == fact.source for fact in found)


@given(
    graphs(),
    IDS,
    st.sampled_from([*RELATIONSHIP_TYPES, "UNKNOWN"]),
    st.one_of(st.none(), st.integers(0, 6)),
)
def test_facts(graph: SmallGraph, entity_id: str, kind: str, limit: int | None) -> None:
    expected = [
        one for one in graph[1] if one.type == kind and entity_id in (one.source, one.target)
    ]
    expected.sort(key=lambda one: order_of(graph, one, entity_id))
    assert as_given(stored(*graph).facts(entity_id, kind, limit)) == expected[:limit]


@given(graphs(), st.lists(IDS, max_size=8), st.one_of(st.none(), st.integers(0, 10)))
def test_facts_between(graph: SmallGraph, ids: list[str], limit: int | None) -> None:
    place = positions(graph[0])

    def order(one: Relationship) -> tuple[int, int, int, int]:
        ends = sorted((place[one.source], place[one.target]))
        return ends[0], ends[1], place[one.source], RELATIONSHIP_TYPES.index(one.type)

    expected = sorted((one for one in graph[1] if {one.source, one.target} <= set(ids)), key=order)
    knowledge = stored(*graph)
    assert as_given(knowledge.facts_between(ids, limit)) == expected[:limit]


@given(graphs(), IDS)
def test_relationship_counts(graph: SmallGraph, entity_id: str) -> None:
    own = [one.type for one in graph[1] if entity_id in (one.source, one.target)]
    expected = sorted(Counter(own).items(), key=lambda item: (-item[1], item[0]))
    assert list(stored(*graph).relationship_counts(entity_id).items()) == expected


@given(graphs())
def test_what_the_builder_makes_is_walked_alike(graph: SmallGraph) -> None:
    """Built with computed degree and importance: the same facts, and degrees that count them."""
    entities, relationships = graph
    builder = GraphBuilder()
    numbers = {entity.id: builder.entity(entity) for entity in entities}
    for one in relationships:
        builder.relationship(numbers[one.source], one.type, numbers[one.target], one.properties)
    store = MemoryGraph()
    store.replace(builder.build())
    knowledge = KnowledgeGraph(store)
    found = knowledge.facts_between([entity.id for entity in entities])
    assert sorted(as_given(found), key=lambda one: one.key) == sorted(
        relationships, key=lambda one: one.key
    )
    for entity in store.all_entities():
        assert entity.degree == sum(knowledge.relationship_counts(entity.id).values())


def test_a_new_generation_is_seen_at_once() -> None:
    store = MemoryGraph()
    knowledge = KnowledgeGraph(store)
    assert knowledge.version() == 0
    assert knowledge.neighbours(["D1"], 5) == []
    drug, disease = Entity("D1", "Drug", "Metformin"), Entity("X1", "Disease", "diabetes")
    store.replace(graph_data([drug, disease], [Relationship("D1", "TREATS", "X1")]))
    assert [fact.type for fact in knowledge.neighbours(["D1"], 5)] == ["TREATS"]
    store.replace(graph_data([drug, disease], [Relationship("D1", "RESEMBLES", "X1")]))
    assert [fact.type for fact in knowledge.neighbours(["D1"], 5)] == ["RESEMBLES"]
    store.replace(graph_data([drug], []))
    assert knowledge.neighbours(["D1"], 5) == []


@pytest.mark.parametrize("limit", [0, -1])
def test_no_facts_asked_for(limit: int) -> None:
    ends = [Entity("D1", "Drug", "Metformin"), Entity("X1", "Disease", "diabetes")]
    knowledge = stored(ends, [Relationship("D1", "TREATS", "X1")])
    assert knowledge.facts("D1", "TREATS", limit) == []
    assert knowledge.facts_between(["D1", "X1"], limit) == []


@given(graphs(), graphs())
def test_a_fingerprint_tells_graphs_apart(one: SmallGraph, other: SmallGraph) -> None:
    first, again, second = (stored(*graph).fingerprint() for graph in (one, one, other))
    assert first == again
    assert (first.entities, first.relationships) == (len(one[0]), len(one[1]))
    parts = [({e.id for e in entities}, {r.key for r in rows}) for entities, rows in (one, other)]
    assert parts[0] == parts[1] or first.sha256 != second.sha256
