"""Expansion: how far, how many, in what order and why."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.graph import NAMED_IN_QUESTION, Entity, Relationship, Subgraph
from core.errors import InputError
from core.graph.walks.expand import composite_relevance, expand
from tests.graph.small_graphs import (
    ENTITY_TYPES,
    RELATIONSHIP_TYPES,
    UNIT,
    SmallGraph,
    graphs,
    positions,
    some,
    undirected,
)
from tests.support.graphs import stored

HIGH = st.floats(0.001, 1)
PART = st.floats(0, 0.999)


def distances(plain: nx.Graph, seeds: set[str]) -> dict[str, int]:
    """Distance of each entity from the nearest seed."""
    return nx.multi_source_dijkstra_path_length(plain, seeds) if seeds else {}


def hops_of(found: Subgraph) -> dict[str, int]:
    return {ranked.entity.id: ranked.hops for ranked in found.entities}


@pytest.mark.req("KG-23", "KG-24")
@given(graphs(), st.data(), st.integers(0, 2), some(ENTITY_TYPES), some(RELATIONSHIP_TYPES))
def test_every_entity_up_to_the_hops_and_none_beyond(
    graph: SmallGraph,
    data: st.DataObject,
    hops: int,
    entity_types: tuple[str, ...],
    relationship_types: tuple[str, ...],
) -> None:
    entities, relationships = graph
    seeds = data.draw(st.dictionaries(st.sampled_from([e.id for e in entities]), UNIT))
    found = expand(
        stored(*graph),
        seeds,
        {},
        hops=hops,
        per_entity=1000,
        entity_types=entity_types,
        relationship_types=relationship_types,
    )
    allowed = {one.id for one in entities if not entity_types or one.type in entity_types}
    plain = undirected(graph, relationship_types, allowed | set(seeds))
    true = distances(plain, set(seeds))
    assert hops_of(found) == {key: distance for key, distance in true.items() if distance <= hops}
    kept = set(found.entity_ids)
    expected = {
        one.key: dict(one.properties)
        for one in relationships
        if {one.source, one.target} <= kept
        and (not relationship_types or one.type in relationship_types)
    }
    assert {fact.key: dict(fact.properties) for fact in found.facts} == expected
    assert len(found.facts) == len(expected)


@pytest.mark.req("KG-24")
@given(
    graphs(),
    st.data(),
    st.integers(1, 3),
    st.integers(1, 8),
    st.integers(1, 12),
    some(ENTITY_TYPES),
    some(RELATIONSHIP_TYPES),
)
def test_caps_leave_a_connected_ranking(
    graph: SmallGraph,
    data: st.DataObject,
    per_entity: int,
    limit: int,
    most_facts: int,
    entity_types: tuple[str, ...],
    relationship_types: tuple[str, ...],
) -> None:
    entities, _ = graph
    ids = st.sampled_from([entity.id for entity in entities])
    seeds = data.draw(st.dictionaries(ids, UNIT, min_size=1))

    def expanded(seeds: dict[str, float]) -> Subgraph:
        return expand(
            stored(*graph),
            seeds,
            {},
            per_entity=per_entity,
            limit=limit,
            most_facts=most_facts,
            entity_types=entity_types,
            relationship_types=relationship_types,
        )

    found = expanded(seeds)
    assert expanded(dict(reversed(seeds.items()))) == found
    assert min(limit, len(seeds)) <= len(found.entities) <= limit
    place = positions(entities)
    order = [(-one.relevance, one.hops, place[one.entity.id]) for one in found.entities]
    assert order == sorted(order)

    allowed = {one.id for one in entities if not entity_types or one.type in entity_types}
    true = distances(undirected(graph, relationship_types, allowed | set(seeds)), set(seeds))
    assert all(hops == true[key] <= 2 for key, hops in hops_of(found).items())

    # The facts that come first connect every kept entity to a seed.
    tree = [ranked.entity.id for ranked in found.entities if ranked.hops]
    assert len(found.facts) <= max(most_facts, len(tree))
    assert len({fact.key for fact in found.facts}) == len(found.facts)
    connected = nx.Graph((fact.source.id, fact.target.id) for fact in found.facts[: len(tree)])
    connected.add_nodes_from(found.entity_ids)
    reachable = distances(connected, set(seeds) & set(found.entity_ids))
    assert reachable == hops_of(found)

    for ranked in found.entities:
        entity = ranked.entity
        assert 0 <= ranked.relevance <= 1
        if ranked.hops == 0:
            assert ranked.relevance == composite_relevance(seeds[entity.id], entity.importance)
            assert ranked.reason == NAMED_IN_QUESTION


@given(graphs(), st.data())
def test_relevance_is_the_formula_over_halved_similarity(
    graph: SmallGraph, data: st.DataObject
) -> None:
    entities, _ = graph
    seeds = data.draw(st.dictionaries(st.sampled_from([e.id for e in entities]), UNIT))
    found = expand(stored(*graph), seeds, {}, per_entity=1000)
    plain = undirected(graph)
    true = distances(plain, set(seeds))
    similarity = dict(seeds)
    for key in sorted((key for key, hops in true.items() if 0 < hops <= 2), key=true.__getitem__):
        nearer = [one for one in plain[key] if true[one] == true[key] - 1]
        similarity[key] = max(similarity[one] for one in nearer) / 2
    for ranked in found.entities:
        one = ranked.entity
        assert ranked.relevance == composite_relevance(similarity[one.id], one.importance)


@given(graphs(), st.integers(1, 4), st.sampled_from(RELATIONSHIP_TYPES))
def test_the_most_important_of_the_followed_neighbours_are_taken(
    graph: SmallGraph, per_entity: int, relationship_type: str
) -> None:
    entities, relationships = graph
    found = expand(
        stored(*graph),
        {"0": 1.0},
        {},
        hops=1,
        per_entity=per_entity,
        relationship_types=[relationship_type],
    )
    place = positions(entities)
    ends = [
        one.target if one.source == "0" else one.source
        for one in relationships
        if one.type == relationship_type and "0" in (one.source, one.target)
    ]
    taken = sorted(ends, key=place.__getitem__)[:per_entity]
    assert set(found.entity_ids) == {"0", *taken}


def test_a_filter_finds_what_stands_far_down_a_long_list() -> None:
    """More than a thousand more important neighbours do not pass; the two that do are found."""
    many = [Entity(f"P{n}", "Protein", f"p {n}", importance=0.5) for n in range(1200)]
    drugs = [Entity(f"D{n}", "Drug", f"d {n}", importance=0.1) for n in range(3)]
    hub = Entity("hub", "Disease", "hub", importance=1.0)
    facts = [Relationship(one.id, "ASSOCIATED_WITH", "hub") for one in many + drugs]
    facts += [Relationship("D2", "TREATS", "hub")]
    graph = stored([hub, *many, *drugs], facts)
    found = expand(graph, {"hub": 1.0}, {}, hops=1, per_entity=2, entity_types=["Drug"])
    assert found.entity_ids == ("hub", "D0", "D1")
    found = expand(graph, {"hub": 1.0}, {}, hops=1, per_entity=2, relationship_types=["TREATS"])
    assert found.entity_ids == ("hub", "D2")


@pytest.mark.req("KG-25")
@given(HIGH, PART, HIGH, PART)
def test_similarity_and_centrality_together_beat_either_alone(
    high_similarity: float, similarity_part: float, high_centrality: float, centrality_part: float
) -> None:
    """Three seeds: strong in both, strong in similarity only, strong in centrality only."""
    entities = [
        Entity("both", "Drug", "b", importance=high_centrality),
        Entity("similar", "Drug", "a", importance=high_centrality * centrality_part),
        Entity("central", "Drug", "a", importance=high_centrality),
    ]
    seeds = {
        "both": high_similarity,
        "similar": high_similarity,
        "central": high_similarity * similarity_part,
    }
    found = expand(stored(entities, []), seeds, {})
    assert found.entities[0].entity.id == "both"
    assert all(one.relevance < found.entities[0].relevance for one in found.entities[1:])


@given(UNIT, UNIT)
def test_relevance_stays_in_its_range(similarity: float, importance: float) -> None:
    found = composite_relevance(similarity, importance)
    assert 0 <= found <= 1
    assert found == pytest.approx(similarity * (0.6 + 0.4 * importance**0.25))


METFORMIN = Entity("D1", "Drug", "Metformin", importance=0.5)
DIABETES = Entity("X1", "Disease", "type 2 diabetes mellitus", importance=0.9)
GENE = Entity("P1", "Protein", "PRKAB1", importance=0.1)
NAUSEA = Entity("F1", "Phenotype", "nausea", importance=0.3)
MARKUP = Entity("D2", "Drug", "<img src=x onerror=alert(1)>", importance=0.2)
FACTS = [
    Relationship("D1", "TREATS", "X1"),
    Relationship("D1", "TARGETS", "P1"),
    Relationship("P1", "ASSOCIATED_WITH", "X1"),
    Relationship("D2", "CAUSES_SIDE_EFFECT", "F1"),
    Relationship("D1", "CAUSES_SIDE_EFFECT", "F1"),
]


def test_reasons_say_what_connects() -> None:
    graph = stored([METFORMIN, DIABETES, GENE, NAUSEA, MARKUP], FACTS)
    from_drug = expand(graph, {"D1": 1.0}, {"D1": "similar to the question"})
    from_disease = expand(graph, {"X1": 1.0}, {})
    assert {ranked.entity.id: ranked.reason for ranked in from_drug.entities} == {
        "D1": "similar to the question",
        "X1": "is treated by Metformin",
        "P1": "is targeted by Metformin",
        "F1": "is a side effect of Metformin",
        "D2": "can cause nausea",
    }
    assert {ranked.entity.id: ranked.reason for ranked in from_disease.entities} == {
        "X1": NAMED_IN_QUESTION,
        "D1": "treats type 2 diabetes mellitus",
        "P1": "is associated with type 2 diabetes mellitus",
        "F1": "is a side effect of Metformin",
    }


def test_the_reason_is_the_most_telling_relationship() -> None:
    facts = [Relationship("D1", kind, "X1") for kind in ("ASSOCIATED_WITH", "CONTRAINDICATED_IN")]
    found = expand(stored([METFORMIN, DIABETES], facts), {"X1": 1.0}, {}, most_facts=1)
    assert found.entities[1].reason == "is contraindicated in type 2 diabetes mellitus"
    assert [fact.type for fact in found.facts] == ["CONTRAINDICATED_IN"]


def test_a_neighbour_of_the_seed_reached_on_a_detour_is_near() -> None:
    """The gene is beyond the drug's one neighbour, but comes in through the disease."""
    gene = Entity("P1", "Protein", "PRKAB1", importance=0.6)
    found = expand(stored([METFORMIN, DIABETES, gene], FACTS[:3]), {"D1": 1.0}, {}, per_entity=1)
    assert hops_of(found) == {"D1": 0, "X1": 1, "P1": 1}
    assert found.entities[2].reason == "is targeted by Metformin"
    assert found.entities[2].relevance == composite_relevance(0.5, 0.6)


def test_seeds_that_nobody_knows() -> None:
    graph = stored([METFORMIN], [])
    found = expand(graph, {"nobody": 1.0, "D1": 7.0}, {})
    assert [ranked.entity for ranked in found.entities] == [METFORMIN]
    assert found.entities[0].relevance == composite_relevance(1.0, 0.5)
    assert expand(graph, {}, {}) == expand(stored([], []), {"D1": 1.0}, {}) == Subgraph()


@pytest.mark.req("KG-24")
@pytest.mark.parametrize("hops", [3, -1])
def test_no_further_than_two_hops_can_be_asked_for(hops: int) -> None:
    with pytest.raises(InputError):
        expand(stored([METFORMIN], []), {"D1": 1.0}, {}, hops=hops)


@pytest.mark.parametrize("cap", ["per_entity", "limit", "most_facts"])
def test_caps_below_one_are_refused(cap: str) -> None:
    with pytest.raises(InputError):
        expand(stored([METFORMIN], []), {"D1": 1.0}, {}, **{cap: 0})
