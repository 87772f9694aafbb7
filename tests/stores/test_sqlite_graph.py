"""The knowledge graph in a real SQLite file."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from core.domain.graph import Entity, Relationship
from core.errors import InputError
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph

METFORMIN = Entity(
    "D1", "Drug", "Metformin", ("Glucophage", "N,N-dimethylbiguanide"), {"state": "solid"}, 3, 0.9
)
WARFARIN = Entity("D2", "Drug", "Warfarin", importance=0.2)
DIABETES = Entity("X1", "Disease", "type 2 diabetes mellitus", ("T2DM",), importance=1.0)
PAIN = Entity("P1", "Phenotype", "Pain", importance=0.5)
MARKUP = Entity("<img src=x>", "Drug", "<img src=x onerror=alert(1)>", importance=0.1)
SQL = Entity("'; --", "Drug", "'; DROP TABLE entities; --", ("100%_sure",), importance=0.3)
ENTITIES = (METFORMIN, WARFARIN, DIABETES, PAIN, MARKUP, SQL)
RELATIONSHIPS = (
    Relationship("D1", "TREATS", "X1", {"source": "label"}),
    Relationship("D1", "CAUSES_SIDE_EFFECT", "P1"),
    Relationship("D2", "CAUSES_SIDE_EFFECT", "P1"),
    Relationship("D2", "INTERACTS_WITH", "D1"),
    Relationship("D1", "RESEMBLES", "D1"),
    Relationship("<img src=x>", "INTERACTS_WITH", "'; --"),
)


@pytest.fixture
def db(tmp_path: Path) -> Database:
    return Database(tmp_path / "library.db")


@pytest.fixture
def store(db: Database) -> SqliteGraph:
    graph = SqliteGraph(db)
    graph.replace_graph(ENTITIES, RELATIONSHIPS)
    return graph


def test_entities_come_back_as_they_went_in(store: SqliteGraph) -> None:
    for entity in ENTITIES:
        assert store.entity(entity.id) == entity
    assert store.entities(["D2", "nobody", "D1", "D2"]) == {"D2": WARFARIN, "D1": METFORMIN}
    assert list(store.entities(["D2", "D1"])) == ["D2", "D1"]
    assert store.entity("nobody") is None


def test_a_second_import_updates_and_removes_nothing(store: SqliteGraph) -> None:
    version = store.version()
    renamed = Entity("D2", "Drug", "Warfarin sodium", ("Coumadin",), importance=0.95)
    store.replace_graph([renamed], [Relationship("D1", "TREATS", "X1", {"source": "trial"})])
    assert store.version() > version
    assert store.entity("D2") == renamed
    assert store.entities_named("warfarin") == []
    assert store.entities_named("COUMADIN") == [renamed]
    assert store.count_relationships() == len(RELATIONSHIPS)
    assert [fact.properties for fact in store.facts("D1", "TREATS")] == [{"source": "trial"}]
    # Warfarin is now more important than pain, so it comes before it among metformin's neighbours.
    others = [(f.source.id, f.target.id) for f in store.neighbours(["D1"], per_entity=10)]
    assert others == [("D1", "X1"), ("D2", "D1"), ("D1", "D1"), ("D1", "P1")]


def test_an_unknown_end_changes_nothing(store: SqliteGraph) -> None:
    version = store.version()
    with pytest.raises(InputError):
        store.replace_graph(
            [Entity("D9", "Drug", "Nonexistol")], [Relationship("D9", "TREATS", "nobody")]
        )
    assert store.entity("D9") is None
    assert store.version() == version


def test_names_are_found_in_any_case(store: SqliteGraph) -> None:
    assert store.entities_named("  GLUCOPHAGE ") == [METFORMIN]
    assert store.entities_named("Type 2  Diabetes Mellitus") == [DIABETES]
    assert store.entities_named("diabetes") == []


def test_search_is_exact_then_prefix_then_importance(db: Database) -> None:
    store = SqliteGraph(db)
    exact = Entity("1", "Drug", "Iron", importance=0.1)
    prefix = Entity("2", "Drug", "iron oxide", importance=0.2)
    inside = Entity("3", "Disease", "environmental disease", importance=0.9)
    small_inside = Entity("4", "Drug", "Spironolactone", importance=0.3)
    store.replace_graph([small_inside, inside, prefix, exact], [])
    assert store.search_entities("IRON") == [exact, prefix, inside, small_inside]
    assert store.search_entities("iron", types=["Drug"]) == [exact, prefix, small_inside]
    assert store.search_entities("iron", limit=2) == [exact, prefix]
    assert store.search_entities("iron", limit=0) == []
    assert store.search_entities("  ") == []


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
        ("\\", []),
        ("\ud800", []),
        ("\x00", []),
    ],
)
def test_search_takes_any_character_as_plain_text(
    store: SqliteGraph, query: str, found: list[Entity]
) -> None:
    assert store.search_entities(query) == found
    assert store.counts_by_type() == {"Drug": 4, "Disease": 1, "Phenotype": 1}


def test_neighbours_are_the_most_important_ones(store: SqliteGraph) -> None:
    facts = store.neighbours(["D1"], per_entity=2)
    assert [fact.key for fact in facts] == [("D1", "TREATS", "X1"), ("D1", "RESEMBLES", "D1")]
    assert facts[0].source == METFORMIN
    assert facts[0].target == DIABETES
    assert store.neighbours([], per_entity=2) == []
    assert store.neighbours(["nobody"], per_entity=2) == []


def test_a_fact_of_two_asked_entities_comes_once(store: SqliteGraph) -> None:
    facts = store.neighbours(["D1", "X1", "D1"], per_entity=10)
    assert [fact.key for fact in facts].count(("D1", "TREATS", "X1")) == 1


def test_neighbours_by_type_fill_the_cap_from_further_down(store: SqliteGraph) -> None:
    by_relationship = store.neighbours(["D1"], 1, relationship_types=["CAUSES_SIDE_EFFECT"])
    assert [fact.key for fact in by_relationship] == [("D1", "CAUSES_SIDE_EFFECT", "P1")]
    by_type = store.neighbours(["P1", "X1"], 1, neighbour_types=["Drug"])
    assert [fact.key for fact in by_type] == [
        ("D1", "CAUSES_SIDE_EFFECT", "P1"),
        ("D1", "TREATS", "X1"),
    ]
    assert store.neighbours(["D1"], 5, ["TREATS"], ["Drug"]) == []


def test_facts_of_one_type_from_either_end(store: SqliteGraph) -> None:
    effects = store.facts("P1", "CAUSES_SIDE_EFFECT")
    assert [fact.source.name for fact in effects] == ["Metformin", "Warfarin"]
    assert store.facts("P1", "CAUSES_SIDE_EFFECT", limit=1) == effects[:1]
    assert store.facts("P1", "TREATS") == []


def test_facts_between_need_both_ends(store: SqliteGraph) -> None:
    keys = [fact.key for fact in store.facts_between(["D1", "D2", "P1", "nobody"])]
    assert keys == [
        ("D1", "CAUSES_SIDE_EFFECT", "P1"),
        ("D1", "RESEMBLES", "D1"),
        ("D2", "CAUSES_SIDE_EFFECT", "P1"),
        ("D2", "INTERACTS_WITH", "D1"),
    ]


def test_counts(store: SqliteGraph) -> None:
    assert store.relationship_counts("D1") == {
        "CAUSES_SIDE_EFFECT": 1,
        "INTERACTS_WITH": 1,
        "RESEMBLES": 1,
        "TREATS": 1,
    }
    assert store.relationship_counts("nobody") == {}
    assert store.count_relationships() == len(RELATIONSHIPS)


def test_names_come_with_the_most_important_entity_first(store: SqliteGraph) -> None:
    names = list(store.all_names())
    assert names[:2] == [
        ("type 2 diabetes mellitus", "X1", "Disease"),
        ("T2DM", "X1", "Disease"),
    ]
    assert len(names) == 10


def test_an_empty_graph(db: Database) -> None:
    store = SqliteGraph(db)
    assert store.version() == 0
    assert store.count_relationships() == 0
    assert list(store.all_names()) == []


def test_the_graph_outlives_the_connection(tmp_path: Path) -> None:
    first = Database(tmp_path / "library.db")
    SqliteGraph(first).replace_graph(ENTITIES, RELATIONSHIPS)
    first.close()
    again = SqliteGraph(Database(tmp_path / "library.db"))
    assert again.entity("D1") == METFORMIN
    assert again.version() == 1


def test_readers_see_the_old_graph_or_the_new_one(store: SqliteGraph) -> None:
    """While one thread replaces the graph, others never meet a list that is half built."""
    seen: set[int] = set()
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.add(len(store.neighbours(["D1"], per_entity=10)))

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for _ in range(20):
            store.replace_graph(ENTITIES, RELATIONSHIPS)
    finally:
        done.set()
        reader.join()
    assert seen == {4}
