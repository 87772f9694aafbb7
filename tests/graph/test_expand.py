"""Expansion: how far, how many, in what order and why."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.graph import Entity, Relationship
from core.errors import InputError
from core.graph.expand import NAMED_IN_QUESTION, composite_relevance, expand
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph

TYPES = ("Drug", "Disease")
RELATIONSHIP_TYPES = ("TREATS", "RESEMBLES")
UNIT = st.floats(0, 1)
HIGH = st.floats(0.001, 1)
PART = st.floats(0, 0.999)


@contextmanager
def stored(entities: list[Entity], relationships: list[Relationship]) -> Iterator[SqliteGraph]:
    with tempfile.TemporaryDirectory() as folder:
        db = Database(Path(folder) / "library.db")
        store = SqliteGraph(db)
        store.replace_graph(entities, relationships)
        yield store
        db.close()


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Entity], list[Relationship]]:
    size = draw(st.integers(1, 14))
    entities = [
        Entity(str(n), draw(st.sampled_from(TYPES)), f"name {n % 5}", importance=draw(UNIT))
        for n in range(size)
    ]
    ends = st.integers(0, size - 1).map(str)
    keys = draw(
        st.lists(
            st.tuples(ends, st.sampled_from(RELATIONSHIP_TYPES), ends), max_size=30, unique=True
        )
    )
    return entities, [Relationship(*key) for key in keys]


def distances(relationships: list[Relationship], seeds: set[str]) -> dict[str, int]:
    """Plain breadth-first search over all of the graph, as far as it goes."""
    beside: dict[str, set[str]] = defaultdict(set)
    for relationship in relationships:
        beside[relationship.source].add(relationship.target)
        beside[relationship.target].add(relationship.source)
    reached = dict.fromkeys(seeds, 0)
    level = list(seeds)
    while level:
        level = [far for near in level for far in sorted(beside[near]) if far not in reached]
        previous = max(reached.values())
        reached |= dict.fromkeys(level, previous + 1)
    return reached


@pytest.mark.req("KG-24")
@settings(max_examples=100, deadline=None)
@given(graphs(), st.data(), st.integers(0, 2))
def test_every_entity_up_to_the_hops_and_none_beyond(
    graph: tuple[list[Entity], list[Relationship]], data: st.DataObject, hops: int
) -> None:
    entities, relationships = graph
    seeds = data.draw(st.dictionaries(st.sampled_from([e.id for e in entities]), UNIT))
    with stored(entities, relationships) as store:
        found = expand(store, seeds, {}, hops=hops, per_entity=1000)
    true = distances(relationships, set(seeds))
    assert {ranked.entity.id: ranked.hops for ranked in found.entities} == {
        key: distance for key, distance in true.items() if distance <= hops
    }
    kept = set(found.entity_ids)
    assert {fact.key for fact in found.facts} == {
        r.key for r in relationships if r.source in kept and r.target in kept
    }


@settings(max_examples=100, deadline=None)
@given(graphs(), st.data(), st.integers(1, 3), st.integers(1, 8))
def test_caps_leave_a_connected_ranking(
    graph: tuple[list[Entity], list[Relationship]],
    data: st.DataObject,
    per_entity: int,
    limit: int,
) -> None:
    entities, relationships = graph
    ids = st.sampled_from([entity.id for entity in entities])
    seeds = data.draw(st.dictionaries(ids, st.floats(0.01, 1), min_size=1))
    with stored(entities, relationships) as store:
        found = expand(store, seeds, {}, per_entity=per_entity, limit=limit)
        again = expand(store, dict(reversed(seeds.items())), {}, per_entity=per_entity, limit=limit)
    assert again == found
    assert len(found.entities) <= limit
    assert len(found.entities) >= min(limit, len(seeds))
    order = [(-one.relevance, one.entity.name, one.entity.id) for one in found.entities]
    assert order == sorted(order)
    true = distances(relationships, set(seeds))
    among = [Relationship(*fact.key) for fact in found.facts]
    reachable = distances(among, set(seeds) & set(found.entity_ids))
    for ranked in found.entities:
        assert 0 <= ranked.relevance <= 1
        assert ranked.hops == true[ranked.entity.id] <= 2
        assert ranked.entity.id in reachable, "cut off from every seed"


@settings(max_examples=100, deadline=None)
@given(graphs(), st.sampled_from(TYPES), st.sampled_from(RELATIONSHIP_TYPES))
def test_filters(
    graph: tuple[list[Entity], list[Relationship]], entity_type: str, relationship_type: str
) -> None:
    entities, relationships = graph
    with stored(entities, relationships) as store:
        found = expand(
            store,
            {"0": 1.0},
            {},
            per_entity=1000,
            relationship_types=[relationship_type],
            entity_types=[entity_type],
        )
    types = {entity.id: entity.type for entity in entities}
    allowed = {key for key, kind in types.items() if kind == entity_type} | {"0"}
    followed = [
        r for r in relationships if r.type == relationship_type and {r.source, r.target} <= allowed
    ]
    true = distances(followed, {"0"})
    assert {ranked.entity.id: ranked.hops for ranked in found.entities} == {
        key: distance for key, distance in true.items() if distance <= 2
    }
    assert {fact.type for fact in found.facts} <= {relationship_type}


@pytest.mark.req("KG-25")
@settings(max_examples=100, deadline=None)
@given(HIGH, PART, HIGH, PART)
def test_similarity_and_centrality_together_beat_either_alone(
    high_similarity: float, similarity_part: float, high_centrality: float, centrality_part: float
) -> None:
    """Three seeds: strong in both, strong in similarity only, strong in centrality only."""
    low_similarity = high_similarity * similarity_part
    low_centrality = high_centrality * centrality_part
    entities = [
        Entity("both", "Drug", "b", importance=high_centrality),
        Entity("similar", "Drug", "a", importance=low_centrality),
        Entity("central", "Drug", "a", importance=high_centrality),
    ]
    seeds = {"both": high_similarity, "similar": high_similarity, "central": low_similarity}
    with stored(entities, []) as store:
        found = expand(store, seeds, {})
    assert found.entities[0].entity.id == "both"
    assert all(one.relevance < found.entities[0].relevance for one in found.entities[1:])


@given(UNIT, UNIT)
def test_relevance_stays_in_its_range(similarity: float, importance: float) -> None:
    assert 0 <= composite_relevance(similarity, importance) <= 1


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
    with stored([METFORMIN, DIABETES, GENE, NAUSEA, MARKUP], FACTS) as store:
        from_drug = expand(store, {"D1": 1.0}, {"D1": "similar to the question"})
        from_disease = expand(store, {"X1": 1.0}, {})
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


def test_a_neighbour_of_the_seed_reached_on_a_detour_is_near() -> None:
    """The gene is beyond the drug's one neighbour, but comes in through the disease."""
    gene = Entity("P1", "Protein", "PRKAB1", importance=0.6)
    with stored([METFORMIN, DIABETES, gene], FACTS[:3]) as store:
        found = expand(store, {"D1": 1.0}, {}, per_entity=1)
    assert {ranked.entity.id: ranked.hops for ranked in found.entities} == {
        "D1": 0,
        "X1": 1,
        "P1": 1,
    }
    assert found.entities[2].reason == "is targeted by Metformin"
    assert found.entities[2].relevance == composite_relevance(0.5, 0.6)


def test_seeds_that_nobody_knows() -> None:
    with stored([METFORMIN], []) as store:
        found = expand(store, {"nobody": 1.0, "D1": 7.0}, {})
        assert [ranked.entity for ranked in found.entities] == [METFORMIN]
        assert found.entities[0].relevance <= 1
        assert expand(store, {}, {}).entities == ()


@pytest.mark.req("KG-24")
@pytest.mark.parametrize("hops", [3, -1])
def test_no_further_than_two_hops_can_be_asked_for(hops: int) -> None:
    with stored([METFORMIN], []) as store, pytest.raises(InputError):
        expand(store, {"D1": 1.0}, {}, hops=hops)


def test_caps_below_one_are_refused() -> None:
    with stored([METFORMIN], []) as store:
        with pytest.raises(InputError):
            expand(store, {"D1": 1.0}, {}, per_entity=0)
        with pytest.raises(InputError):
            expand(store, {"D1": 1.0}, {}, limit=0)
