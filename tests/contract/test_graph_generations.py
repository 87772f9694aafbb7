"""Imports of a graph, over every graph store: each replaces the one before, for all readers at once."""

from __future__ import annotations

import threading

import pytest

from core.domain.graph import Entity, Fact, Relationship
from core.errors import Cancelled, StoreError
from core.graph.knowledge import KnowledgeGraph
from core.graph.projection import Projection
from core.graph.store import GraphStore
from tests.contract.known_graph import (
    BY_IMPORTANCE,
    DIABETES,
    ENTITIES,
    LABEL,
    METFORMIN,
    PAIN,
    RELATIONSHIPS,
    WARFARIN,
)
from tests.support.graphs import graph_data


@pytest.fixture
def store(graph_store: GraphStore) -> GraphStore:
    graph_store.replace(graph_data(ENTITIES, RELATIONSHIPS))
    return graph_store


def test_before_the_first_import_there_is_nothing(graph_store: GraphStore) -> None:
    assert graph_store.version() == graph_store.count_relationships() == 0
    assert graph_store.projection() == b""
    assert graph_store.entities(["D1"]) == graph_store.counts_by_type() == {}
    assert graph_store.entities_named("a") == graph_store.search_entities("a") == []
    assert graph_store.relationship_properties([("D1", "TREATS", "X1")]) == {}
    for stream in (
        graph_store.all_names(), graph_store.all_entities(), graph_store.all_relationships(),
    ):  # fmt: skip
        assert list(stream) == []
    graph = KnowledgeGraph(graph_store)
    assert graph.neighbours(["D1"], 5) == graph.facts("D1", "TREATS") == []
    assert graph.relationship_counts("D1") == {} and graph.entity("D1") is None


def test_a_graph_of_nothing_can_be_stored(store: GraphStore) -> None:
    version = store.version()
    store.replace(graph_data([], []))
    assert store.version() > version
    assert list(store.all_entities()) == list(store.all_names()) == []
    assert store.counts_by_type() == {} and store.count_relationships() == 0
    assert KnowledgeGraph(store).neighbours(["D1"], 5) == []


def test_an_import_replaces_everything(store: GraphStore) -> None:
    graph = KnowledgeGraph(store)
    assert graph.entity("P1") == PAIN and len(graph.neighbours(["D1"], 9)) == 4
    version = store.version()
    renamed = Entity("D2", "Drug", "Warfarin sodium", ("Coumadin",), importance=0.95)
    store.replace(
        graph_data([renamed, METFORMIN, DIABETES], [Relationship("D2", "TREATS", "X1", LABEL)])
    )
    assert store.version() > version
    assert store.entities(["D2", "P1", "D1"]) == {"D2": renamed, "D1": METFORMIN}
    assert store.entities_named("warfarin") == store.search_entities("pain") == []
    assert store.entities_named("COUMADIN") == [renamed]
    assert [one.key for one in store.all_relationships()] == [("D2", "TREATS", "X1")]
    assert store.counts_by_type() == {"Drug": 2, "Disease": 1}
    assert store.count_relationships() == 1
    assert graph.entity("P1") is None and graph.neighbours(["D1"], 9) == []
    assert graph.facts("X1", "TREATS") == [Fact(renamed, "TREATS", DIABETES, LABEL)]


def test_the_version_grows_with_every_import(graph_store: GraphStore) -> None:
    versions = [graph_store.version()]
    for entities in ([WARFARIN], [], [WARFARIN]):
        graph_store.replace(graph_data(entities, []))
        versions.append(graph_store.version())
    assert versions == sorted(set(versions))


class Stop(Exception):
    """What a test's check raises."""


@pytest.mark.parametrize("error", [Stop(), Cancelled("Stopped.")])
@pytest.mark.parametrize("after", [0, 1])
def test_an_import_that_is_stopped_leaves_the_old_graph(
    store: GraphStore, error: Exception, after: int
) -> None:
    version, left = store.version(), [after]

    def check() -> None:
        if not left[0]:
            raise error
        left[0] -= 1

    new = graph_data([Entity("N", "Drug", "New"), WARFARIN], [Relationship("N", "NEW", "D2")])
    with pytest.raises(type(error)):
        store.replace(new, check=check)
    assert store.version() == version
    assert list(store.all_entities()) == BY_IMPORTANCE
    assert store.entities_named("new") == []
    assert len(list(store.all_relationships())) == store.count_relationships() == 6
    store.replace(graph_data([WARFARIN], []))
    assert list(store.all_entities()) == [WARFARIN] and store.version() > version


def test_the_report_grows_to_the_whole(graph_store: GraphStore) -> None:
    told: list[float] = []
    graph_store.replace(graph_data(ENTITIES, RELATIONSHIPS), report=told.append)
    assert told == sorted(told) and told[0] >= 0 and told[-1] == 1.0


def test_readers_see_the_old_graph_or_the_new_one(store: GraphStore) -> None:
    """While one thread imports, others never meet a part of a graph, nor an error but "try again"."""
    old = graph_data(ENTITIES, RELATIONSHIPS)
    new = graph_data([METFORMIN, PAIN], [])
    seen: set[tuple[int, ...]] = set()
    problems: list[BaseException] = []
    done, begun = threading.Event(), threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                try:
                    entities, names = list(store.all_entities()), list(store.all_names())
                    related = list(store.all_relationships())
                    ids = Projection.from_bytes(store.projection()).ids
                except StoreError as error:
                    # A server is asked page by page; a reader that is overtaken is told to read again.
                    if error.code != "GRAPH_CHANGED":
                        raise
                    continue
                known = store.entities([one.id for one in ENTITIES])
                seen.update(
                    {(0, len(entities)), (1, len(names)), (2, len(known))},
                    {(3, store.count_relationships()), (4, len(related))},
                    {(5, len(ids))},
                )
                begun.set()
        except BaseException as error:
            problems.append(error)
            begun.set()

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        begun.wait()
        for turn in range(6):
            store.replace(old if turn % 2 else new)
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert problems == []
    assert seen <= {
        (0, 7), (0, 2), (1, 22), (1, 8), (2, 7), (2, 2), (3, 6), (3, 0), (4, 6), (4, 0), (5, 7), (5, 2),
    }  # fmt: skip
