"""What is read becomes the graph in its stored form."""

from __future__ import annotations

import json
from pathlib import Path

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.graph import Entity
from core.domain.graph_data import GraphData
from core.errors import Cancelled
from core.graph.importing.builder import GraphBuilder
from core.graph.importing.centrality import importance
from core.graph.importing.changes import compare, relationship_changes
from core.graph.projection import Projection
from tests.graph.graph_files import open_store
from tests.support.graphs import MemoryGraph, graph_data

KINDS = ("TREATS", "BINDS", "RESEMBLES")


def entity(number: int, **values: str) -> Entity:
    return Entity(f"E{number}", "Drug", f"name {number}", properties=values)


def built(entities: int, relationships: list[tuple[int, str, int]]) -> GraphData:
    builder = GraphBuilder()
    for number in range(entities):
        builder.entity(entity(number))
    for source, kind, target in relationships:
        builder.relationship(source, kind, target)
    return builder.build()


GRAPHS = st.integers(1, 9).flatmap(
    lambda size: st.tuples(
        st.just(size),
        st.lists(
            st.tuples(st.integers(0, size - 1), st.sampled_from(KINDS), st.integers(0, size - 1)),
            max_size=25,
        ),
    )
)


def test_of_an_entity_the_first_stays() -> None:
    builder = GraphBuilder()
    assert builder.entity(entity(1, state="solid")) == 0
    assert builder.entity(entity(2)) == 1
    assert builder.entity(entity(1, state="liquid")) == 0
    assert (builder.number("E2"), builder.number("E3"), builder.find("E3")) == (1, None, None)
    assert builder.find("E1") == entity(1, state="solid")
    assert builder.counts() == (2, 0)
    assert {one.id: one.properties for one in builder.build().entities} == {
        "E1": {"state": "solid"},
        "E2": {},
    }


def test_of_a_relationship_the_first_stays_and_repetitions_are_told() -> None:
    builder = GraphBuilder()
    for number in range(3):
        builder.entity(entity(number))
    builder.relationship(0, "TREATS", 1, {"evidence": "first"}, line=2)
    builder.relationship(0, "TREATS", 1, {"evidence": "second"}, line=3)
    builder.relationship(1, "TREATS", 0, {"evidence": "the other way"}, line=4)
    builder.relationship(0, "BINDS", 1, line=5)
    builder.relationship(0, "BINDS", 1)  # without a line: nothing to tell
    builder.relationship(2, "BINDS", 2, line=7)
    builder.relationship(0, "TREATS", 1, line=8)
    assert builder.counts() == (3, 4)
    told: list[tuple[int, str, str, str]] = []
    graph = builder.build(lambda *repeat: told.append(repeat))
    assert told == [(3, "E0", "TREATS", "E1"), (8, "E0", "TREATS", "E1")]
    assert {one.key: one.properties for one in graph.relationships()} == {
        ("E0", "TREATS", "E1"): {"evidence": "first"},
        ("E1", "TREATS", "E0"): {"evidence": "the other way"},
        ("E0", "BINDS", "E1"): {},
        ("E2", "BINDS", "E2"): {},
    }
    assert Projection.from_bytes(graph.projection).described == {"TREATS"}


@given(GRAPHS)
def test_a_built_graph_is_what_was_added(graph: tuple[int, list[tuple[int, str, int]]]) -> None:
    size, added = graph
    data = built(size, added)
    keys = {(f"E{source}", kind, f"E{target}") for source, kind, target in added}
    assert {one.key for one in data.relationships()} == keys
    assert data.relationship_count == len(keys)
    assert data.relationship_types == tuple(sorted({kind for _, kind, _ in added}))
    rows = list(zip(data.sources.tolist(), data.targets.tolist(), data.types.tolist(), strict=True))
    assert rows == sorted(set(rows))
    order = [(-one.importance, one.name, one.id) for one in data.entities]
    assert order == sorted(order)
    for one in data.entities:
        assert one.degree == sum(one.id in (source, target) for source, _, target in keys)
    projection = Projection.from_bytes(data.projection)
    assert projection.ids == tuple(one.id for one in data.entities)
    assert projection.importance.tolist() == [one.importance for one in data.entities]
    assert projection.degrees.tolist() == [one.degree for one in data.entities]
    assert max(one.importance for one in data.entities) == 1
    expected = importance(size, data.sources, data.targets)
    assert expected.tolist() == pytest.approx([one.importance for one in data.entities])


@given(GRAPHS)
def test_importance_is_page_rank(case: tuple[int, list[tuple[int, str, int]]]) -> None:
    """As another library computes it, over the same simple graph."""
    size, relationships = case
    graph = networkx.Graph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from((one, other) for one, _, other in relationships if one != other)
    ranks = networkx.pagerank(graph, alpha=0.85, tol=1e-12, max_iter=1000)
    ends = np.array([(one, other) for one, _, other in relationships], np.int32).reshape(-1, 2)
    found = importance(size, ends[:, 0], ends[:, 1])
    assert found == pytest.approx([ranks[n] / max(ranks.values()) for n in range(size)], abs=1e-9)


@given(GRAPHS, GRAPHS)
def test_changes_of_relationships_are_differences_of_sets(
    one: tuple[int, list[tuple[int, str, int]]], other: tuple[int, list[tuple[int, str, int]]]
) -> None:
    before, after = built(*one), built(*other)
    old = {relationship.key for relationship in before.relationships()}
    new = {relationship.key for relationship in after.relationships()}
    assert relationship_changes(
        Projection.from_bytes(before.projection), Projection.from_bytes(after.projection)
    ) == (len(new - old), len(old - new))


def test_a_stored_graph_joins_what_was_read(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    old = GraphBuilder()
    for number in range(3):
        old.entity(entity(number, state="old"))
    old.relationship(0, "TREATS", 1, {"evidence": "old"})
    old.relationship(1, "BINDS", 2, {"evidence": "old"})
    store.replace(old.build())

    new = GraphBuilder()
    new.entity(entity(3))
    new.entity(entity(1, state="new"))
    new.entity(entity(0, state="old"))
    new.relationship(2, "TREATS", 1, {"evidence": "new"})
    found = compare(new, store, lambda: None)
    assert (found.known, found.updated, found.missing, found.relationships) == (2, 1, 1, 2)
    new.add_stored(store)
    graph = new.build()
    assert {one.id: dict(one.properties) for one in graph.entities} == {
        "E0": {"state": "old"},
        "E1": {"state": "new"},
        "E2": {"state": "old"},
        "E3": {},
    }
    assert {one.key: one.properties for one in graph.relationships()} == {
        ("E0", "TREATS", "E1"): {"evidence": "new"},
        ("E1", "BINDS", "E2"): {"evidence": "old"},
    }


def test_joining_can_be_stopped(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.replace(built(2, [(0, "TREATS", 1)]))

    def stop() -> None:
        raise Cancelled("The import was stopped.")

    with pytest.raises(Cancelled):
        GraphBuilder().add_stored(store, stop)


def test_an_empty_graph_is_a_graph() -> None:
    data = GraphBuilder().build()
    assert (list(data.entities), data.relationship_count, data.relationship_types) == ([], 0, ())
    assert Projection.from_bytes(data.projection).ids == ()


def test_property_values_are_kept_once() -> None:
    builder = GraphBuilder()
    for number in range(100):
        builder.entity(entity(number))
    for number in range(1, 100):
        builder.relationship(0, "TREATS", number, {"source": 'a "quoted" ümlaut'})
    data = builder.build()
    assert [json.loads(text) for text in data.property_values] == [{"source": 'a "quoted" ümlaut'}]
    assert all(one.properties == {"source": 'a "quoted" ümlaut'} for one in data.relationships())


def test_what_a_file_does_not_say_stays_as_it_is_stored() -> None:
    stored = MemoryGraph()
    stored.replace(
        graph_data(
            [
                Entity(
                    "D1", "Drug", "Metformin", ("Glucophage",), {"indication": "diabetes", "x": "1"}
                )
            ],
            [],
        )
    )
    builder = GraphBuilder()
    builder.entity(Entity("D1", "Drug", "metformin", ("Metformine",), {"x": "2"}))
    builder.add_stored(stored)
    (entity,) = builder.build().entities
    assert entity.name == "metformin"
    assert entity.synonyms == ("Metformine", "Glucophage")
    assert entity.properties == {"indication": "diabetes", "x": "2"}
