"""One set of tests over every graph store, and what `KnowledgeGraph` reads from it."""

from __future__ import annotations

from itertools import islice

import pytest

from core.domain.graph import Entity, Fact
from core.graph.knowledge import KnowledgeGraph
from core.graph.projection import Projection
from core.graph.store import GraphStore
from tests.contract.known_graph import (
    BY_IMPORTANCE,
    DIABETES,
    ENTITIES,
    LABEL,
    MARKUP,
    METFORMIN,
    RELATIONSHIPS,
    SQL,
    UNICODE,
    WARFARIN,
    keys,
)
from tests.support.graphs import graph_data


@pytest.fixture
def store(graph_store: GraphStore) -> GraphStore:
    graph_store.replace(graph_data(ENTITIES, RELATIONSHIPS))
    return graph_store


@pytest.fixture
def graph(store: GraphStore) -> KnowledgeGraph:
    return KnowledgeGraph(store)


# -- entities --------------------------------------------------------------------------------------


def test_entities_come_back_as_they_went_in(store: GraphStore) -> None:
    for entity in ENTITIES:
        assert store.entities([entity.id]) == {entity.id: entity}
    assert list(store.all_entities()) == BY_IMPORTANCE


def test_entities_come_in_the_order_asked_and_unknown_ids_not_at_all(store: GraphStore) -> None:
    asked = ["D2", "nobody", "D1", "D2", "", "d1", "D1\x00", "\ud800", "D1' OR 1"]
    assert list(store.entities(asked).items()) == [("D2", WARFARIN), ("D1", METFORMIN)]
    assert list(store.entities(one.id for one in reversed(ENTITIES))) == [
        one.id for one in reversed(ENTITIES)
    ]
    assert store.entities([]) == {}


def test_names_are_found_in_any_case(store: GraphStore) -> None:
    assert store.entities_named("  GLUCOPHAGE ") == [METFORMIN]
    assert store.entities_named("Type 2  Diabetes Mellitus") == [DIABETES]
    assert store.entities_named("diabetes") == []
    assert store.entities_named("STRASSE") == store.entities_named("\u00e1") == [UNICODE]
    assert store.entities_named("") == []


def test_ids_and_identifiers_elsewhere_are_names_too(store: GraphStore) -> None:
    assert store.entities_named("d1") == [METFORMIN]
    assert store.entities_named("mesh:d008687") == [METFORMIN]
    assert store.search_entities("UNII:9100") == [METFORMIN]
    assert store.search_entities("α/Β:") == [UNICODE]


def test_entities_of_one_name_come_with_the_most_important_first(graph_store: GraphStore) -> None:
    small = Entity("1", "Drug", "Iron", importance=0.1)
    middle = Entity("2", "Drug", "Fe", ("iron", "IRON"), importance=0.5)
    great = Entity("3", "Protein", "Ferrum", properties={"identifiers": "x|Iron"}, importance=0.9)
    graph_store.replace(graph_data([small, middle, great], []))
    assert graph_store.entities_named("iron") == [great, middle, small]


def test_search_is_exact_then_prefix_then_importance(graph_store: GraphStore) -> None:
    exact = Entity("1", "Drug", "Iron", importance=0.1)
    prefix = Entity("2", "Drug", "iron oxide", importance=0.2)
    other_prefix = Entity("5", "Drug", "Ferric oxide", ("Ironic",), importance=0.15)
    inside = Entity("3", "Disease", "environmental disease", importance=0.9)
    small_inside = Entity("4", "Drug", "Spironolactone", ("iron-free iron",), importance=0.3)
    stored = [small_inside, inside, prefix, exact, other_prefix]
    graph_store.replace(graph_data(stored, []))
    search = graph_store.search_entities
    assert search("IRON") == [exact, small_inside, prefix, other_prefix, inside]
    assert search("iron", types=["Drug"]) == [exact, small_inside, prefix, other_prefix]
    assert search("iron", types=["Disease", "Nothing"]) == [inside]
    assert search("iron", types=["Nothing"]) == []
    assert [search("iron", limit=n) for n in (0, 1, 3)] == [
        [], [exact], [exact, small_inside, prefix],
    ]  # fmt: skip
    assert search("o", types=["Drug"], limit=2) == [small_inside, prefix]
    assert search("  ") == search("") == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("<img", [MARKUP]),
        ("onerror=alert(1)>", [MARKUP]),
        ("'; drop table", [SQL]),
        ("%", [SQL]),
        ("_", [SQL]),
        ("0%_s", [SQL]),
        ("0_%s", []),
        ('"', []),
        ("*", []),
        (".*", []),
        ("met*", []),
        ("\\", []),
        ("$type", []),
        ("\ud800", []),
        ("\x00", []),
        ("受", [UNICODE]),
        ("\U0001f9ec", [UNICODE]),
        ("β₂-ADRE\u0301NERGIQUE", [UNICODE]),
    ],
)
def test_search_takes_any_character_as_plain_text(
    store: GraphStore, query: str, found: list[Entity]
) -> None:
    assert store.search_entities(query) == found
    assert store.counts_by_type() == {"Drug": 4, "Disease": 1, "Phenotype": 1, "Protein": 1}


def test_types_are_plain_text_too(store: GraphStore) -> None:
    assert store.search_entities("a", types=["Drug' OR 1", "*", "%", "\ud800"]) == []


def test_all_names_come_by_importance_each_once(store: GraphStore) -> None:
    assert list(store.all_names()) == [
        ("type 2 diabetes mellitus", "X1", "Disease"),
        ("T2DM", "X1", "Disease"),
        ("X1", "X1", "Disease"),
        ("Metformin", "D1", "Drug"),
        ("Glucophage", "D1", "Drug"),
        ("N,N-dimethylbiguanide", "D1", "Drug"),
        ("MESH:D008687", "D1", "Drug"),
        ("UNII:9100L32L2N", "D1", "Drug"),
        ("D1", "D1", "Drug"),
        ("Pain", "P1", "Phenotype"),
        ("P1", "P1", "Phenotype"),
        ("'; DROP TABLE entities; --", "'; --", "Drug"),
        ("100%_sure", "'; --", "Drug"),
        ("'; --", "'; --", "Drug"),
        ("Warfarin", "D2", "Drug"),
        ("D2", "D2", "Drug"),
        ("<img src=x onerror=alert(1)>", "<img src=x>", "Drug"),
        ("<img src=x>", "<img src=x>", "Drug"),
        (UNICODE.name, UNICODE.id, "Protein"),
        ("Straße", UNICODE.id, "Protein"),
        ("a\u0301", UNICODE.id, "Protein"),
        (UNICODE.id, UNICODE.id, "Protein"),
    ]


def test_a_stream_may_be_left_and_begun_again(store: GraphStore) -> None:
    for _ in range(30):
        assert next(store.all_entities()) == DIABETES
        assert next(store.all_names())[1] == "X1"
        assert next(store.all_relationships()) in RELATIONSHIPS
    names, entities = store.all_names(), store.all_entities()
    assert [next(names)[1], next(entities).id, next(names)[1]] == ["X1", "X1", "X1"]
    assert [entity.id for entity in islice(entities, 2)] == ["D1", "P1"]


# -- relationships ---------------------------------------------------------------------------------


def test_relationships_come_back_as_they_went_in(store: GraphStore) -> None:
    found = {one.key: one for one in store.all_relationships()}
    assert found == {one.key: one for one in RELATIONSHIPS}
    assert store.count_relationships() == len(RELATIONSHIPS) == len(list(store.all_relationships()))


def test_properties_of_those_that_have_any(store: GraphStore) -> None:
    asked = [one.key for one in RELATIONSHIPS]
    asked += [("X1", "TREATS", "D1"), ("D1", "HARMS", "X1"), ("nobody", "TREATS", "X1")]
    found = store.relationship_properties([*asked, *asked])
    assert found == {
        ("D1", "TREATS", "X1"): LABEL,
        ("D2", "INTERACTS_WITH", "D1"): {"level": "low"},
    }
    assert store.relationship_properties([]) == {}


def test_the_projection_comes_back_byte_for_byte(graph_store: GraphStore) -> None:
    data = graph_data(ENTITIES, RELATIONSHIPS)
    graph_store.replace(data)
    assert graph_store.projection() == data.projection
    assert Projection.from_bytes(data.projection).ids == tuple(one.id for one in BY_IMPORTANCE)


def test_types_are_counted_the_most_frequent_first(graph_store: GraphStore) -> None:
    kinds = ["Protein", "Drug", "Disease", "Protein", "Drug", "Pathway"]
    graph_store.replace(graph_data([Entity(str(n), k, k) for n, k in enumerate(kinds)], []))
    assert list(graph_store.counts_by_type().items()) == [
        ("Drug", 2), ("Protein", 2), ("Disease", 1), ("Pathway", 1),
    ]  # fmt: skip


# -- what KnowledgeGraph makes of a store ----------------------------------------------------------


def test_neighbours_are_the_most_important_ones(graph: KnowledgeGraph) -> None:
    facts = graph.neighbours(["D1"], per_entity=2)
    assert keys(facts) == [("D1", "TREATS", "X1"), ("D1", "RESEMBLES", "D1")]
    assert facts[0] == Fact(METFORMIN, "TREATS", DIABETES, LABEL)
    assert graph.neighbours([], per_entity=2) == graph.neighbours(["nobody"], per_entity=2) == []


def test_a_fact_of_two_asked_entities_comes_once(graph: KnowledgeGraph) -> None:
    facts = graph.neighbours(["D1", "X1", "D1"], per_entity=10)
    assert keys(facts).count(("D1", "TREATS", "X1")) == 1


def test_neighbours_by_type_fill_the_cap_from_further_down(graph: KnowledgeGraph) -> None:
    by_relationship = graph.neighbours(["D1"], 1, relationship_types=["CAUSES_SIDE_EFFECT"])
    assert keys(by_relationship) == [("D1", "CAUSES_SIDE_EFFECT", "P1")]
    by_type = graph.neighbours(["P1", "X1"], 1, neighbour_types=["Drug"])
    assert keys(by_type) == [("D1", "CAUSES_SIDE_EFFECT", "P1"), ("D1", "TREATS", "X1")]
    assert graph.neighbours(["D1"], 5, ["TREATS"], ["Drug"]) == []


def test_facts_of_one_type_from_either_end(graph: KnowledgeGraph) -> None:
    effects = graph.facts("P1", "CAUSES_SIDE_EFFECT")
    assert [fact.source.name for fact in effects] == ["Metformin", "Warfarin"]
    assert graph.facts("P1", "CAUSES_SIDE_EFFECT", limit=1) == effects[:1]
    assert graph.facts("P1", "TREATS") == graph.facts("P1", "NOTHING") == []
    assert keys(graph.facts("'; --", "`]->() DELETE n //")) == [RELATIONSHIPS[-1].key]


def test_facts_between_need_both_ends(graph: KnowledgeGraph) -> None:
    asked = ["D1", "D2", "P1", "nobody"]
    found = graph.facts_between(asked)
    assert sorted(keys(found)) == sorted(one.key for one in RELATIONSHIPS[1:5])
    assert graph.facts_between(asked, limit=2) == found[:2]


def test_counts_of_an_entity(graph: KnowledgeGraph) -> None:
    types = ["CAUSES_SIDE_EFFECT", "INTERACTS_WITH", "RESEMBLES", "TREATS"]
    assert list(graph.relationship_counts("D1").items()) == [(name, 1) for name in types]
    assert graph.relationship_counts("nobody") == {}
