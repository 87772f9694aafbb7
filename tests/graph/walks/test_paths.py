"""Paths between two entities: which, in what order, in which words."""

from __future__ import annotations

from itertools import pairwise
from math import prod

import networkx as nx
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from core.domain.graph import Entity, FoundPaths, Relationship
from core.errors import InputError, NotFound
from core.graph.walks.paths import find_paths
from tests.graph.small_graphs import (
    ENTITY_TYPES,
    RELATIONSHIP_TYPES,
    SmallGraph,
    degrees,
    graphs,
    positions,
    some,
    undirected,
)
from tests.support.graphs import stored


def routes(found: FoundPaths) -> list[list[str]]:
    return [[entity.id for entity in path.entities] for path in found]


def true_routes(
    graph: SmallGraph,
    source: str,
    target: str,
    max_hops: int,
    relationship_types: tuple[str, ...] = (),
    entity_types: tuple[str, ...] = (),
) -> list[list[str]]:
    """All simple paths in the order that is promised."""
    entities, _ = graph
    kept = {one.id for one in entities if not entity_types or one.type in entity_types}
    plain = undirected(graph, relationship_types, kept | {source, target})
    place, degree = positions(entities), degrees(graph)
    busier = min((source, target), key=lambda one: (-degree[one], place[one]))

    def rank(route: list[str]) -> tuple[int, int, list[int]]:
        read = route if busier == source else route[::-1]
        return len(route), prod(degree[one] for one in route[1:-1]), [place[one] for one in read]

    return sorted(nx.all_simple_paths(plain, source, target, cutoff=max_hops), key=rank)


# Two common neighbours of the ends whose own neighbours lead only back.
DEAD_ENDS: SmallGraph = (
    [Entity(str(n), "Drug", "", importance=1 - n / 10) for n in range(8)],
    [
        Relationship(one, "TREATS", other)
        for one, other in ("02", "21", "03", "31", "24", "25", "36", "37", "47", "22")
    ],
)


@given(
    graphs(least=2, most=10, edges=30),
    st.integers(1, 4),
    st.integers(1, 30),
    some(RELATIONSHIP_TYPES),
    some(ENTITY_TYPES),
)
@example(DEAD_ENDS, 4, 30, (), ())
def test_paths_are_all_simple_paths_in_order(
    graph: SmallGraph,
    max_hops: int,
    limit: int,
    relationship_types: tuple[str, ...],
    entity_types: tuple[str, ...],
) -> None:
    _, relationships = graph
    found = find_paths(
        stored(*graph),
        "0",
        "1",
        max_hops=max_hops,
        limit=limit,
        relationship_types=relationship_types,
        entity_types=entity_types,
    )
    expected = true_routes(graph, "0", "1", max_hops, relationship_types, entity_types)
    assert routes(found) == expected[:limit]
    assert found.complete
    degree = degrees(graph)
    for path in found:
        ids = [entity.id for entity in path.entities]
        assert path.hops == len(ids) - 1 == len(path.words)
        between = prod(degree[one] for one in ids[1:-1])
        assert path.score == pytest.approx(between**-0.4)
        for pair, step in zip(pairwise(ids), path.steps, strict=True):
            linking = {
                one.key: dict(one.properties)
                for one in relationships
                if {one.source, one.target} == set(pair)
                and (not relationship_types or one.type in relationship_types)
            }
            assert {fact.key: dict(fact.properties) for fact in step} == linking
            assert len(step) == len(linking)


@given(graphs(least=2, most=10, edges=40), st.integers(1, 20))
def test_the_way_back_is_the_same_way(graph: SmallGraph, limit: int) -> None:
    there = find_paths(stored(*graph), "0", "1", limit=limit)
    back = find_paths(stored(*graph), "1", "0", limit=limit)
    assert routes(back) == [route[::-1] for route in routes(there)]


@given(st.integers(0, 10**6), st.integers(1, 40), st.integers(20, 60))
def test_paths_in_larger_graphs(seed: int, limit: int, links: int) -> None:
    """Graphs with hubs, in which most ways of four steps on which to go lead back."""
    plain = nx.barabasi_albert_graph(40, 2, seed=seed)
    rare = nx.gnm_random_graph(40, links, seed=seed)
    degree = dict(plain.degree)
    entities = [Entity(str(n), "Protein", f"{n}", importance=degree[n] / 100) for n in plain]
    relationships = [Relationship(str(a), "BINDS", str(b)) for a, b in plain.edges]
    relationships += [Relationship(str(a), "ASSOCIATED_WITH", str(b)) for a, b in rare.edges]
    assume(plain.degree(38) and plain.degree(39))
    found = find_paths(stored(entities, relationships), "38", "39", limit=limit)
    expected = true_routes((entities, relationships), "38", "39", 4)
    assert routes(found) == expected[:limit]


METFORMIN = Entity("D1", "Drug", "Metformin", importance=0.5)
DIABETES = Entity("X1", "Disease", "type 2 diabetes mellitus", importance=0.9)
GENE = Entity("P1", "Protein", "PRKAB1", importance=0.1)
INSULIN = Entity("D2", "Drug", "Insulin", importance=0.4)
ALONE = Entity("F1", "Phenotype", "nausea", importance=0.3)
ENTITIES = [METFORMIN, DIABETES, GENE, INSULIN, ALONE]
FACTS = [
    Relationship("D1", "TREATS", "X1", {"evidence": "label"}),
    Relationship("D1", "RESEMBLES", "X1"),
    Relationship("D1", "CONTRAINDICATED_IN", "X1"),
    Relationship("D1", "TARGETS", "P1"),
    Relationship("P1", "ASSOCIATED_WITH", "X1"),
    Relationship("D2", "TREATS", "X1"),
    Relationship("D1", "INTERACTS_WITH", "D2"),
    Relationship("D2", "INTERACTS_WITH", "D1"),
]


def test_paths_read_as_sentences() -> None:
    found = find_paths(stored(ENTITIES, FACTS), "D1", "X1")
    direct, through_gene, through_insulin = found
    assert direct.words == (
        "Metformin treats and is contraindicated in and resembles type 2 diabetes mellitus.",
    )
    assert [fact.type for fact in direct.facts] == ["TREATS", "CONTRAINDICATED_IN", "RESEMBLES"]
    assert direct.facts[0].properties == {"evidence": "label"}
    assert direct.score == 1.0
    assert through_gene.entities == (METFORMIN, GENE, DIABETES)
    assert through_gene.words == (
        "Metformin targets PRKAB1.",
        "PRKAB1 is associated with type 2 diabetes mellitus.",
    )
    assert through_insulin.words == (
        "Metformin interacts with Insulin.",
        "Insulin treats type 2 diabetes mellitus.",
    )
    assert len(through_insulin.steps[0]) == 2
    back = find_paths(stored(ENTITIES, FACTS), "X1", "D1")
    assert back[1].words == (
        "type 2 diabetes mellitus is associated with PRKAB1.",
        "PRKAB1 is targeted by Metformin.",
    )


def test_filters() -> None:
    graph = stored(ENTITIES, FACTS)
    treating = find_paths(graph, "D1", "D2", relationship_types=["TREATS"])
    assert routes(treating) == [["D1", "X1", "D2"]]
    assert [fact.type for fact in treating[0].facts] == ["TREATS", "TREATS"]
    by_proteins = find_paths(graph, "D1", "X1", entity_types=["Protein"])
    assert routes(by_proteins) == [["D1", "X1"], ["D1", "P1", "X1"]]


def test_entities_without_a_connection() -> None:
    found = find_paths(stored(ENTITIES, FACTS), "D1", "F1")
    assert not found
    assert found.complete


def test_no_more_than_four_hops_are_gone() -> None:
    chain = [Entity(str(n), "Protein", f"p{n}") for n in range(6)]
    links = [Relationship(str(n), "BINDS", str(n + 1)) for n in range(5)]
    graph = stored(chain, links)
    assert routes(find_paths(graph, "0", "4")) == [["0", "1", "2", "3", "4"]]
    assert not find_paths(graph, "0", "5")
    assert not find_paths(graph, "0", "4", max_hops=3)


def test_a_search_that_is_given_up_says_so() -> None:
    """More alternatives are asked for than are looked at; those given are the first ones."""
    between = [Entity(f"p{n:04}", "Protein", f"p{n:04}") for n in range(5000)]
    ends = [Entity("a", "Drug", "a", importance=1), Entity("b", "Drug", "b", importance=1)]
    links = [Relationship(end.id, "TARGETS", one.id) for one in between for end in ends]
    graph = stored([*ends, *between], links)
    found = find_paths(graph, "a", "b", limit=5000)
    assert not found.complete
    assert 100 < len(found) < 5000
    assert routes(found) == [["a", one.id, "b"] for one in between[: len(found)]]
    assert find_paths(graph, "a", "b", limit=100).complete


def test_ways_that_only_lead_back_do_not_use_up_the_search() -> None:
    """Both ends have one neighbour, whose thousands of others lead nowhere; a longer way is found."""
    leaves = [Entity(f"leaf {n}", "Protein", f"leaf {n}") for n in range(6000)]
    inner = [Entity(one, "Protein", one, importance=0.5) for one in ("hub", "x", "y", "z")]
    ends = [Entity("a", "Drug", "a", importance=1), Entity("b", "Drug", "b", importance=1)]
    links = [("a", "hub"), ("hub", "b"), ("a", "x"), ("x", "y"), ("y", "z"), ("z", "b")]
    links += [("hub", one.id) for one in leaves]
    links += [(end, f"leaf {n}") for n in range(20) for end in ("y", "z")]
    graph = stored([*ends, *inner, *leaves], [Relationship(a, "BINDS", b) for a, b in links])
    found = find_paths(graph, "a", "b", limit=500)
    assert routes(found)[:2] == [["a", "hub", "b"], ["a", "x", "y", "z", "b"]]
    assert len(found) > 2
    assert found.complete


@pytest.mark.parametrize(
    ("source", "target", "asked"),
    [
        ("D1", "X1", {"max_hops": 0}),
        ("D1", "X1", {"max_hops": 5}),
        ("D1", "X1", {"limit": 0}),
        ("D1", "D1", {}),
    ],
)
def test_impossible_questions(source: str, target: str, asked: dict[str, int]) -> None:
    with pytest.raises(InputError):
        find_paths(stored(ENTITIES, FACTS), source, target, **asked)


@pytest.mark.parametrize(("source", "target"), [("D1", "nobody"), ("nobody", "D1")])
def test_unknown_ends(source: str, target: str) -> None:
    with pytest.raises(NotFound, match="nobody"):
        find_paths(stored(ENTITIES, FACTS), source, target)
