"""Whatever graph goes into a store comes out of it; networkx says what is right."""

from __future__ import annotations

from collections import Counter

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from core.domain.graph import Entity, Relationship
from core.graph.importing.builder import GraphBuilder
from core.graph.knowledge import KnowledgeGraph
from core.graph.store import GraphStore
from tests.contract.known_graph import (
    keys,
)

TEXT = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), min_size=1, max_size=6
)
PROPERTIES = st.dictionaries(TEXT, TEXT, max_size=2)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Entity], list[Relationship]]:
    ids = draw(st.lists(TEXT, min_size=1, max_size=5, unique=True))
    kind = st.sampled_from(["Drug", "Disease", "A b`c"])
    entities = [
        Entity(
            one, draw(kind), draw(TEXT), tuple(draw(st.lists(TEXT, max_size=2))), draw(PROPERTIES)
        )
        for one in ids
    ]
    end, types = st.sampled_from(ids), st.sampled_from(["TREATS", "CAUSES", "`x` \\u0060"])
    return entities, draw(
        st.lists(st.builds(Relationship, end, types, end, PROPERTIES), max_size=14)
    )


def reference(entities: list[Entity], relationships: list[Relationship]) -> nx.MultiDiGraph:
    """The graph in which of equal relationships the first stays."""
    plain = nx.MultiDiGraph()
    plain.add_nodes_from(entity.id for entity in entities)
    for one in relationships:
        if not plain.has_edge(one.source, one.target, one.type):
            plain.add_edge(one.source, one.target, one.type, properties=dict(one.properties))
    return plain


def edges_at(plain: nx.MultiDiGraph, entity_id: str) -> set[tuple[str, str, str]]:
    found = [*plain.out_edges(entity_id, keys=True), *plain.in_edges(entity_id, keys=True)]
    return {(source, kind, target) for source, target, kind in found}


def other_end(key: tuple[str, str, str], entity_id: str) -> str:
    return key[2] if key[0] == entity_id else key[0]


@given(graph=graphs(), chosen=st.data())
def test_what_goes_in_comes_out(
    graph_store: GraphStore, graph: tuple[list[Entity], list[Relationship]], chosen: st.DataObject
) -> None:
    """Builder, store and KnowledgeGraph together answer as a plain graph library does."""
    entities, relationships = graph
    plain = reference(entities, relationships)
    builder = GraphBuilder()
    numbers = {entity.id: builder.entity(entity) for entity in entities}
    for one in relationships:
        builder.relationship(numbers[one.source], one.type, numbers[one.target], one.properties)
    graph_store.replace(builder.build())
    read = KnowledgeGraph(graph_store)

    stored = {entity.id: entity for entity in graph_store.all_entities()}
    assert {one.id: (one.type, one.name, one.synonyms, one.properties) for one in entities} == {
        one.id: (one.type, one.name, one.synonyms, one.properties) for one in stored.values()
    }
    assert read.entities(stored) == stored
    assert read.counts_by_type() == Counter(one.type for one in entities)
    assert read.count_relationships() == plain.number_of_edges()
    assert {one.key: dict(one.properties) for one in graph_store.all_relationships()} == {
        (source, kind, target): data["properties"]
        for source, target, kind, data in plain.edges(keys=True, data=True)
    }
    everything = read.neighbours(list(stored), per_entity=100)
    assert len(everything) == plain.number_of_edges() == len(set(keys(everything)))
    for fact in everything:
        assert (
            fact.properties == plain.edges[fact.source.id, fact.target.id, fact.type]["properties"]
        )
    assert {one.id: one.degree for one in stored.values()} == {
        one: len(edges_at(plain, one)) for one in stored
    }
    check_one(read, plain, chosen.draw(st.sampled_from(list(stored.values()))), list(stored))
    ids = chosen.draw(st.lists(st.sampled_from(sorted(stored)), max_size=5))
    between = read.facts_between(ids)
    assert len(between) == len(set(keys(between)))
    assert set(keys(between)) == {
        (source, kind, target) for source, target, kind in plain.subgraph(ids).edges(keys=True)
    }


def check_one(
    read: KnowledgeGraph, plain: nx.MultiDiGraph, entity: Entity, by_importance: list[str]
) -> None:
    """An entity's names, facts, counts and caps are those of the plain graph."""
    for name in (entity.id, entity.name, *entity.synonyms):
        assert (entity in read.entities_named(name)) is bool(name.strip())
    edges = edges_at(plain, entity.id)
    counts = Counter(kind for _, kind, _ in edges)
    assert read.relationship_counts(entity.id) == counts
    facts = read.neighbours([entity.id], per_entity=100)
    assert len(facts) == len(edges) and set(keys(facts)) == edges
    others = [by_importance.index(other_end(fact.key, entity.id)) for fact in facts]
    assert others == sorted(others)
    assert read.neighbours([entity.id], per_entity=2) == facts[:2]
    for kind in list(counts)[:1]:
        assert read.facts(entity.id, kind) == [fact for fact in facts if fact.type == kind]
