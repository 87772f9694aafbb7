"""What happens when the Neo4j server is away, refuses, hangs or dies."""

from __future__ import annotations

import itertools
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar, cast

import pytest

from core.domain.graph import Entity, Relationship
from core.domain.graph_data import GraphData
from core.errors import Conflict, StoreError, StoreUnavailable
from core.stores.neo4j.connection import Neo4j
from core.stores.neo4j.graph.graph import Neo4jGraph
from tests.support.graphs import graph_data
from tests.support.neo4j_server import PASSWORD, USER, Neo4jServer

T = TypeVar("T")

_PATIENCE = 60  # seconds; a call that would block for ever fails the test after it
_BREAKER = 0.5
_READERS = 4
_MORE_THAN_A_PAGE = 2_500  # entities; 2,000 are read at once


def small_graph(suffix: str, count: int = 20) -> GraphData:
    entities = [
        Entity(f"E{number}", "Drug", f"drug {number} {suffix}", importance=1 / (number + 1))
        for number in range(count)
    ]
    links = [Relationship(f"E{number}", "RESEMBLES", "E0") for number in range(1, count)]
    return graph_data(entities, links)


def within_patience(call: Callable[[], T]) -> T:
    """What the call returns or raises; fails when it does neither."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(call).result(_PATIENCE)


def until_it_works(call: Callable[[], T]) -> T:
    """The result of the same object's call, as soon as the breaker lets one through."""
    for _ in range(int(_PATIENCE / _BREAKER)):
        try:
            return call()
        except StoreUnavailable:
            time.sleep(_BREAKER)
    return call()


@pytest.fixture
def connect() -> Iterator[Callable[..., Neo4j]]:
    opened: list[Neo4j] = []

    def make(uri: str, password: str = PASSWORD, **options: float) -> Neo4j:
        usual = {"timeout": 5.0, "breaker_seconds": _BREAKER}
        opened.append(Neo4j(uri, USER, password, **{**usual, **options}))  # type: ignore[arg-type]
        return opened[-1]

    yield make
    for one in opened:
        one.close()


@pytest.fixture
def closed_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_server_that_is_away_is_told_in_plain_words(
    connect: Callable[..., Neo4j], closed_port: int, scheme: str
) -> None:
    neo4j = connect(f"{scheme}://127.0.0.1:{closed_port}")
    with pytest.raises(StoreUnavailable) as caught:
        within_patience(lambda: neo4j.read("RETURN 1 AS one"))
    assert caught.value.code == "GRAPH_UNAVAILABLE"
    assert caught.value.retryable
    assert "NEO4J_URI" in caught.value.advice
    state = neo4j.state()
    assert not state.answers
    assert state.address == f"{scheme}://127.0.0.1:{closed_port}"
    assert "cannot be reached" in state.problem


@pytest.mark.parametrize("address", ["http://127.0.0.1:7474", "127.0.0.1:7687", "nonsense", ""])
def test_an_address_of_something_else_names_the_setting(
    connect: Callable[..., Neo4j], address: str
) -> None:
    with pytest.raises(StoreError, match="NEO4J_URI") as caught:
        connect(address).read("RETURN 1 AS one")
    assert caught.value.code == "GRAPH_ADDRESS"


def test_a_wrong_password_is_told_and_never_shown(
    neo4j_server: Neo4jServer, connect: Callable[..., Neo4j], caplog: pytest.LogCaptureFixture
) -> None:
    secret = "s3cret-p4ssword"
    neo4j = connect(neo4j_server.uri, secret)
    with caplog.at_level(logging.DEBUG), pytest.raises(StoreError) as caught:
        neo4j.read("RETURN 1 AS one")
    assert caught.value.code == "GRAPH_AUTH"
    assert not caught.value.retryable
    assert "NEO4J_PASSWORD" in caught.value.advice
    assert secret not in str(caught.value) + caplog.text
    assert secret not in str(neo4j.state())


def test_the_routing_scheme_works(
    neo4j_server: Neo4jServer, neo4j: Neo4j, connect: Callable[..., Neo4j]
) -> None:
    routed = connect(f"neo4j://127.0.0.1:{neo4j_server.port}", timeout=30)
    graph = Neo4jGraph(routed)
    graph.replace(small_graph("routed"))
    assert len(graph.entities([f"E{number}" for number in range(20)])) == 20
    assert len(list(graph.all_relationships())) == 19
    assert routed.state().answers


def test_a_server_that_hangs_blocks_nobody_for_ever(
    neo4j_server: Neo4jServer, neo4j: Neo4j, connect: Callable[..., Neo4j]
) -> None:
    server = neo4j_server
    graph = Neo4jGraph(connect(server.uri))
    graph.replace(small_graph("first"))
    stream = graph.all_entities()
    server.pause()
    try:
        with pytest.raises(StoreUnavailable):
            within_patience(graph.version)
        with pytest.raises(StoreUnavailable):
            within_patience(lambda: list(stream))
        # One that never connected before waits no longer.
        with pytest.raises(StoreUnavailable):
            within_patience(lambda: connect(server.uri).read("RETURN 1 AS one"))
    finally:
        server.resume()
    assert until_it_works(graph.version) == 1
    assert until_it_works(lambda: graph.entities(["E3"]))["E3"].name == "drug 3 first"


def test_while_it_hangs_nobody_waits_and_its_first_answer_lets_calls_through(
    neo4j_server: Neo4jServer, connect: Callable[..., Neo4j]
) -> None:
    """Although the breaker has an hour to go for what else fails."""
    server = neo4j_server
    neo4j = connect(server.uri, breaker_seconds=3_600.0)
    assert neo4j.state().answers
    server.pause()
    with pytest.raises(StoreUnavailable):
        within_patience(lambda: neo4j.read("RETURN 1 AS one", seconds=1))
    begun = time.monotonic()
    for _ in range(100):
        with pytest.raises(StoreUnavailable):
            neo4j.read("RETURN 1 AS one")
    assert time.monotonic() - begun < 1  # one call that asked would have taken 5
    server.resume()
    assert connect(server.uri, timeout=30).state().answers
    begun = time.monotonic()
    assert until_it_works(lambda: neo4j.read("RETURN 1 AS one"))
    assert time.monotonic() - begun < 2


@pytest.mark.parametrize(("share", "old"), [(0.1, 20), (0.9, _MORE_THAN_A_PAGE)])
def test_a_server_killed_while_it_is_read_and_imported_into_serves_the_old_graph(
    neo4j_server: Neo4jServer, neo4j: Neo4j, connect: Callable[..., Neo4j], share: float, old: int
) -> None:
    """Readers of many threads meet nothing but StoreUnavailable, and go on when it is back."""
    server = neo4j_server
    graph = Neo4jGraph(connect(server.uri))
    graph.replace(small_graph("old", old))
    readers = Neo4jGraph(connect(server.uri))
    reading = threading.Barrier(_READERS + 1, timeout=_PATIENCE)

    def read() -> int:
        """How often the graph was read until the server was gone."""
        for number in itertools.count():
            try:
                assert len(list(readers.all_entities())) == old
            except StoreUnavailable:
                return number
            if not number:
                reading.wait()
        raise AssertionError

    def kill_at(fraction: float) -> None:
        if fraction >= share:
            if server.runs:
                running.extend(pool.submit(read) for _ in range(_READERS))
                reading.wait()
            server.kill()

    running: list[Future[int]] = []
    with ThreadPoolExecutor(_READERS) as pool:
        with pytest.raises(StoreUnavailable):
            within_patience(lambda: graph.replace(small_graph("new", 6_000), kill_at))
        assert all(one.result(_PATIENCE) for one in running) and len(running) == _READERS
    later = Neo4jGraph(connect(server.uri))
    with pytest.raises(StoreUnavailable):
        later.version()
    server.start_again()
    assert until_it_works(later.version) == 1, "one that never reached it before"
    assert len(until_it_works(lambda: list(readers.all_entities()))) == old
    assert until_it_works(graph.version) == 1
    assert [one.name for one in graph.all_entities()] == [f"drug {n} old" for n in range(old)]
    assert graph.search_entities("new") == []
    assert graph.count_relationships() == len(list(graph.all_relationships())) == old - 1
    left = "MATCH (entity:Entity) WHERE entity.generation <> 1 RETURN count(*) AS number"
    assert neo4j.read(left)[0]["number"] > 0
    graph.replace(small_graph("newer"))
    kept = "MATCH (entity:Entity) RETURN DISTINCT entity.generation AS kept"
    assert neo4j.read(kept) == [{"kept": graph.version()}]
    links = "MATCH ()-[link]->() RETURN count(link) AS number"
    assert neo4j.read(links) == [{"number": 19}]
    parts = "MATCH (part:GraphProjection) RETURN count(DISTINCT part.generation) AS number"
    assert neo4j.read(parts) == [{"number": 1}]


def test_two_imports_at_once_leave_one_whole_graph(
    neo4j_server: Neo4jServer, neo4j: Neo4j, connect: Callable[..., Neo4j]
) -> None:
    """Of two writers, on two machines, one is told to wait; the graph is the other's or the next."""
    Neo4jGraph(neo4j).replace(small_graph("first"))
    stores = [Neo4jGraph(connect(neo4j_server.uri, timeout=30)) for _ in range(2)]

    def write(number: int) -> bool:
        try:
            stores[number].replace(small_graph(f"writer {number}", 200))
        except (Conflict, StoreError):
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(write, range(2)))
    names = {one.name.split(maxsplit=2)[2] for one in Neo4jGraph(neo4j).all_entities()}
    assert len(names) == 1
    assert any(done) or names == {"first"}
    Neo4jGraph(neo4j).replace(small_graph("after"))
    assert len(list(Neo4jGraph(neo4j).all_entities())) == 20


class _Overtaken:
    """A connection at whose end an import removes the parts of the projection after they were listed, as
    many times as said."""

    def __init__(self, times: int) -> None:
        self.left = times

    def read(self, query: str, row: dict[str, int] | None = None, **_: object) -> list[Any]:
        if row is None:
            return [{"generation": max(0, 7 - self.left), "part": part} for part in range(2)]
        if self.left and row["part"]:
            self.left -= 1
            return []
        return [{"data": bytes([row["generation"], row["part"]])}]


def test_a_projection_that_is_removed_meanwhile_is_read_anew() -> None:
    graph = Neo4jGraph(cast(Neo4j, _Overtaken(2)))
    assert graph.projection() == bytes([7, 0, 7, 1])
    with pytest.raises(StoreError) as told:
        Neo4jGraph(cast(Neo4j, _Overtaken(1_000))).projection()
    assert told.value.code == "GRAPH_CHANGED" and told.value.retryable
