"""Moving between stores: real ones, embedded and in a real Neo4j, interrupted, repeated, in doubt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import SecretStr

from core.domain.conversations import Session, Turn
from core.domain.documents import Filling
from core.domain.graph_data import GraphData
from core.domain.vectors import EntityVector
from core.errors import Cancelled, Conflict, NotFound, StoreError
from core.graph.knowledge import KnowledgeGraph
from core.maintenance.migrate import (
    MigrationReport,
    configured_stores,
    migrate,
)
from core.maintenance.stores import PENDING_TURNS, Stores, neo4j_stores
from core.settings import Settings
from core.stores.neo4j.connection import Neo4j
from core.stores.sqlite.conversations import SqliteConversations
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from core.stores.sqlite.library import SqliteLibrary
from tests.maintenance.filled import (
    DIABETES,
    METFORMIN,
    ODD,
    conversations,
    everything,
    fill,
    put_conversation,
    put_document,
    put_graph,
    put_index,
    sqlite_stores,
)
from tests.support.needs import NEO4J
from tests.support.neo4j_server import PASSWORD, USER, Neo4jServer

COUNTS = {
    "entities": {"Disease": 1, "Drug": 1, "Odd type": 1, "Protein": 1},
    "relationships": {"ASSOCIATED_WITH": 1, "ODD-[:TYPE]": 1, "TARGETS": 1, "TREATS": 1},
    "conversations": 2,
    "turns": 4,
    "ratings": 1,
    "summaries": 1,
    "views": 2,
}
DOCUMENT_COUNTS = {"indexes": 2, "documents": 2, "pages": 3, "chunks": 3, "mentions": 10}


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[Stores]:
    stores = sqlite_stores(tmp_path / "embedded")
    yield stores
    stores.close()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Stores]:
    """Empty embedded stores in another folder."""
    stores = sqlite_stores(tmp_path / "other", "other")
    yield stores
    stores.close()


_THERE, _BACK = (
    pytest.param(way, marks=pytest.mark.needs(NEO4J)) for way in ("to neo4j", "from neo4j")
)


@pytest.fixture(params=["other", _BACK, _THERE])
def pair(request: pytest.FixtureRequest, embedded: Stores) -> tuple[Stores, Stores]:
    """Source and target, both empty."""
    if request.param == "other":
        return embedded, request.getfixturevalue("other")
    server = neo4j_stores(request.getfixturevalue("neo4j"))
    return (server, embedded) if request.param == "from neo4j" else (embedded, server)


def move(source: Stores, target: Stores, **options: Any) -> MigrationReport:
    return migrate(source, target, **{"documents": True, **options})


def test_everything_arrives_and_the_source_stays_as_it_is(pair: tuple[Stores, Stores]) -> None:
    source, target = pair
    fill(source)
    before = everything(source)
    report = move(source, target)
    assert everything(source) == before and everything(target) == before
    assert report.contents.as_json() == COUNTS | DOCUMENT_COUNTS
    assert (report.source, report.target, report.documents) == (source.name, target.name, True)
    assert source.library.unfinished() and not target.library.unfinished()
    here, there = KnowledgeGraph(source.graph), KnowledgeGraph(target.graph)
    for entity_id in (METFORMIN, DIABETES, ODD):
        assert there.relationship_counts(entity_id) == here.relationship_counts(entity_id)
        assert there.neighbours([entity_id], 9) == here.neighbours([entity_id], 9)


def test_documents_stay_where_they_are_unless_they_are_asked_for(
    pair: tuple[Stores, Stores],
) -> None:
    source, target = pair
    fill(source)
    report = move(source, target, documents=False)
    assert everything(target, documents=False) == everything(source, documents=False)
    assert report.contents.as_json() == COUNTS and not report.documents
    assert not target.library.indexes() and not target.library.has_documents()


def test_what_came_to_the_source_since_the_last_move_follows(
    pair: tuple[Stores, Stores],
) -> None:
    source, target = pair
    fill(source)
    first = move(source, target)
    version = target.graph.version()
    assert move(source, target).contents == first.contents
    put_conversation(source, "first", turns=5)
    put_conversation(source, "third", turns=1)
    source.conversations.rename_session("second", "Another title")
    put_document(source, "three")
    move(source, target)
    assert everything(target) == everything(source)
    assert len(conversations(target)) == 3
    assert target.graph.version() == version, "the graph was there already"


def test_a_move_that_ended_anywhere_is_completed_by_the_next(
    embedded: Stores, tmp_path: Path
) -> None:
    fill(embedded)
    before = everything(embedded)
    ended = Countdown(0)
    with closing(sqlite_stores(tmp_path / "counted")) as target:
        move(embedded, target, check=ended)
    places = ended.calls
    assert places > 10
    for place in range(1, places + 1):
        with closing(sqlite_stores(tmp_path / str(place))) as target:
            with pytest.raises(Cancelled):
                move(embedded, target, check=Countdown(place))
            assert target.graph.counts_by_type() in ({}, embedded.graph.counts_by_type())
            for session, turns in conversations(target):
                assert turns == embedded.conversations.turns(session.id)
            move(embedded, target)
            assert everything(target) == before == everything(embedded)


@pytest.mark.parametrize("turn", [1, 2, 3, 4])
def test_a_crash_within_a_conversation(embedded: Stores, other: Stores, turn: int) -> None:
    crash_and_complete(embedded, other, turn)


def test_a_crash_within_a_conversation_in_each_store(pair: tuple[Stores, Stores]) -> None:
    crash_and_complete(*pair, turn=3)


def test_a_crash_between_a_conversation_and_its_summary(pair: tuple[Stores, Stores]) -> None:
    source, target = pair
    fill(source)
    move(source, target)
    target.conversations.keep_summary("first", None)
    move(source, target)
    assert everything(target) == everything(source)


def crash_and_complete(source: Stores, target: Stores, turn: int) -> None:
    fill(source)
    with pytest.raises(RuntimeError):
        move(source, replace(target, conversations=Breaking(target.conversations, turn)))
    move(source, target)
    assert everything(target) == everything(source)


@pytest.mark.parametrize(
    ("put", "told"),
    [
        (lambda target: put_graph(target, "Aspirin"), "another graph of 5 entities"),
        (lambda target: put_conversation(target, "mine", 1), "1 other conversation"),
        (lambda target: put_conversation(target, "first", 4), "1 other conversation"),
        (lambda target: put_index(target, "notes"), "the index “notes”"),
        (
            lambda target: (put_index(target, "leaflets"), put_document(target, "mine")),
            "1 other document",
        ),
    ],
    ids=["graph", "conversation", "turn", "index", "document"],
)
def test_what_only_the_target_has_goes_only_when_that_is_said(
    embedded: Stores, other: Stores, put: Callable[[Stores], object], told: str
) -> None:
    put(other)
    refuse_and_overwrite(embedded, other, told)


def test_what_only_the_target_has_in_each_store(pair: tuple[Stores, Stores]) -> None:
    target = pair[1]
    put_graph(target, "Aspirin", "Warfarin")
    put_conversation(target, "mine", 1)
    put_conversation(target, "first", 4)
    put_index(target, "leaflets")
    put_index(target, "notes")
    put_document(target, "mine")
    refuse_and_overwrite(
        *pair,
        "another graph of 6 entities, 2 other conversations, 1 other document, the index “notes”",
    )


def refuse_and_overwrite(source: Stores, target: Stores, told: str) -> None:
    fill(source)
    before = everything(target)
    with pytest.raises(Conflict) as refused:
        move(source, target)
    assert refused.value.code == "TARGET_NOT_EMPTY" and "--overwrite" in refused.value.advice
    assert refused.value.message == f"{target.name} holds what {source.name} does not: {told}."
    assert everything(target) == before
    move(source, target, overwrite=True)
    assert everything(target) == everything(source)


def test_an_index_that_is_served_otherwise_is_taken_over(embedded: Stores, other: Stores) -> None:
    source, target = embedded, other
    fill(source)
    move(source, target)
    index = target.library.index("leaflets")
    assert index is not None
    target.library.swap_index(replace(index, generation=7, model="another"), {}, {})
    move(source, target)
    assert everything(target) == everything(source)


def test_an_empty_source_never_empties_the_target(embedded: Stores, other: Stores) -> None:
    source, target = embedded, other
    fill(target)
    before = everything(target)
    with pytest.raises(NotFound) as refused:
        move(source, target, overwrite=True)
    assert refused.value.code == "NOTHING_TO_MOVE" and everything(target) == before


def test_mentions_of_entities_that_the_graph_has_not_are_left_out(
    embedded: Stores, other: Stores
) -> None:
    fill(embedded)
    embedded.library.replace_mentions({"one:0": {METFORMIN: 3, "GONE:1": 8}})
    report = move(embedded, other)
    assert report.contents.total("mentions") == 3
    assert other.library.mentions_of_chunks(["one:0"]) == {"one:0": {METFORMIN: 3}}


def test_vectors_that_the_target_lacks_are_copied(embedded: Stores, other: Stores) -> None:
    fill(embedded)
    for stores in (embedded, other):
        stores.entity_vectors.ensure(3)
    vector = np.array([1, 0, 0], np.float32)
    put_graph(other)
    embedded.entity_vectors.put(
        [
            EntityVector(METFORMIN, "Drug", "h1", vector),
            EntityVector(DIABETES, "Disease", "h2", vector),
        ]
    )
    other.entity_vectors.put([EntityVector(METFORMIN, "Drug", "h1", vector)])
    report = move(embedded, other)
    assert (report.vectors, report.vectors_left) == (1, 0)
    there = {one.entity_id: one for one in other.entity_vectors.stored()}
    assert {key: (one.type, one.text_hash) for key, one in there.items()} == {
        METFORMIN: ("Drug", "h1"),
        DIABETES: ("Disease", "h2"),
    }
    assert there[DIABETES].vector.tolist() == vector.tolist()
    assert move(embedded, other).vectors == 0


def test_vectors_of_entities_that_are_gone_are_told(embedded: Stores, other: Stores) -> None:
    fill(embedded)
    embedded.entity_vectors.ensure(3)
    vector = np.array([1, 0, 0], np.float32)
    embedded.entity_vectors.put([EntityVector("GONE:1", "Drug", "h1", vector)])
    report = move(embedded, other)
    # Neo4j keeps vectors on its entities, Chroma whatever it is given; neither is a loss.
    assert (report.vectors, report.vectors_left) in ((0, 1), (1, 0))


def test_turns_that_wait_for_the_server_come_along(
    make_settings: Callable[..., Settings], neo4j_server: Neo4jServer, neo4j: Neo4j
) -> None:
    settings = make_settings(
        neo4j_uri=neo4j_server.uri, neo4j_user=USER, neo4j_password=SecretStr(PASSWORD)
    )
    server = neo4j_stores(neo4j)
    put_conversation(server, "first", turns=2)
    with closing(Database(settings.root / PENDING_TURNS)) as database:
        kept = replace(server, conversations=SqliteConversations(database))
        put_conversation(kept, "of the outage", turns=1)
    with configured_stores(settings) as stores:
        move(stores["neo4j"], stores["sqlite"], documents=False)
        found = conversations(stores["sqlite"])
    assert sorted((one.id, len(turns)) for one, turns in found) == [
        ("first", 2),
        ("of the outage", 1),
    ]


class Forgetful(SqliteConversations):
    """Loses one turn."""

    def restore_turn(self, session: Session, turn: Turn) -> None:
        if turn.id != "first 1":
            super().restore_turn(session, turn)


class Careless(SqliteLibrary):
    """Loses the last page of each document."""

    def restore_document(self, filling: Filling) -> None:
        super().restore_document(replace(filling, pages=filling.pages[:-1]))


class Changing(SqliteGraph):
    """Writes one relationship the wrong way round."""

    def replace(self, graph: GraphData, *arguments: Any) -> None:
        turned = replace(graph, sources=graph.sources.copy(), targets=graph.targets.copy())
        turned.sources[0], turned.targets[0] = graph.targets[0], graph.sources[0]
        super().replace(turned, *arguments)


@pytest.mark.parametrize(
    ("part", "told"),
    [
        ("conversations", "turns 4 and 3"),
        ("library", "pages 3 and 1"),
        ("graph", "relationships not all alike (4)"),
    ],
)
def test_a_difference_at_the_end_is_an_error_with_its_numbers(
    embedded: Stores, tmp_path: Path, part: str, told: str
) -> None:
    fill(embedded)
    with closing(Database(tmp_path / "bad" / "materia.db")) as database:
        bad = {
            "conversations": Forgetful(database),
            "library": Careless(database),
            "graph": Changing(database, tmp_path / "bad" / "graph"),
        }
        good = sqlite_stores(tmp_path / "bad", "target")
        with closing(good) as target:
            with pytest.raises(StoreError) as failed:
                move(embedded, replace(target, **{part: bad[part]}))
            assert failed.value.code == "MIGRATION_DIFFERS" and told in failed.value.message
            assert failed.value.retryable and "sqlite" in failed.value.message.casefold()
            overwrite = part == "graph"
            move(embedded, target, overwrite=overwrite)
            assert everything(target) == everything(embedded)


class Countdown:
    """A check that ends the move at its n-th call; 0: never."""

    def __init__(self, place: int) -> None:
        self.calls = 0
        self._place = place

    def __call__(self) -> None:
        self.calls += 1
        if self.calls == self._place:
            raise Cancelled("Stopped.")


class Breaking:
    """A conversation store that dies at the n-th turn that it is to restore."""

    def __init__(self, store: Any, turn: int) -> None:
        self._store = store
        self._left = turn

    def restore_turn(self, session: Session, turn: Turn) -> None:
        self._left -= 1
        if not self._left:
            raise RuntimeError("killed")
        self._store.restore_turn(session, turn)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)
