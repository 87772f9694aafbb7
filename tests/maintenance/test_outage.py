"""A graph server that is absent at the start, comes, hangs and comes back, under one open workspace."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import httpx
import pytest
from starlette.applications import Starlette

from core.answers.prompts import GRAPH_AWAY
from core.api import routes
from core.domain.answers import Answer, State
from core.domain.encoder import Encoder
from core.domain.graph import NAMED_IN_QUESTION as NAMED
from core.encoders.sentence_transformer import BUNDLED
from core.errors import StoreUnavailable
from core.maintenance.sample import SAMPLE, SAMPLE_JOB
from core.settings import Settings
from core.stores.neo4j.connection import Neo4j
from core.workspace import Workspace, share_workspace
from tests.api.serving import served
from tests.support.neo4j_server import PASSWORD, USER, Neo4jServer, Relay

_WAIT = 30.0  # seconds until a recovery that does not come has failed


@pytest.fixture
def relay(neo4j_server: Neo4jServer, neo4j: Neo4j) -> Iterator[Relay]:
    """Where an empty server can be reached as soon as it is opened."""
    relay = Relay(neo4j_server.port)
    yield relay
    relay.close()


@pytest.fixture
def timeout() -> float:
    """Seconds after which a call to a server that hangs is given up."""
    return 2


@pytest.fixture
def workspace(
    make_settings: Callable[..., Settings], relay: Relay, timeout: float
) -> Iterator[Workspace]:
    opened = Workspace(
        make_settings(
            neo4j_uri=f"bolt://127.0.0.1:{relay.port}",
            neo4j_user=USER,
            neo4j_password=PASSWORD,
            neo4j_timeout_seconds=timeout,
        )
    )
    yield opened
    opened.close()


@pytest.fixture
def client(workspace: Workspace) -> Iterator[httpx.Client]:
    share_workspace(workspace)
    with (
        served(Starlette(routes=routes())) as url,
        httpx.Client(base_url=url, timeout=60) as opened,
    ):
        yield opened
    share_workspace(None)


def until_reached(workspace: Workspace, question: str, session: str) -> Answer:
    """The first answer that the graph takes part in again."""
    end = time.monotonic() + _WAIT
    while True:
        answer = workspace.chat.answer(question, session)
        if not answer.notice:
            return answer
        assert time.monotonic() < end, answer.notice
        time.sleep(0.5)


def until_calls_pass(workspace: Workspace) -> None:
    """Wait for the server, which is asked in the background."""
    end = time.monotonic() + _WAIT
    while True:
        try:
            workspace.graph.counts_by_type()
        except StoreUnavailable:
            assert time.monotonic() < end
            time.sleep(0.05)
        else:
            return


def test_an_outage_is_said_and_nothing_is_lost(
    workspace: Workspace, relay: Relay, neo4j_server: Neo4jServer
) -> None:
    leaflet = SAMPLE / "leaflets" / "Metformin.pdf"
    document = workspace.library.ingest(leaflet).document_id
    first = workspace.chat.answer("When must metformin not be taken?")
    assert not first.refused
    assert "cannot be reached" in first.notice

    relay.open()
    until_calls_pass(workspace)
    workspace.graph_tasks.import_folder(SAMPLE / "graph")
    second = until_reached(workspace, "When must metformin not be taken?", first.session)
    assert "Metformin" in {entity.name for entity in second.entities if entity.reason == NAMED}
    # What was asked during the outage has come to its place, what came in has been linked.
    history = workspace.conversations.history(first.session)
    assert [turn.answer.text for turn in history][:1] == [first.text]
    assert [turn.position for turn in history] == list(range(len(history)))
    metformin = second.entities[0].id
    assert workspace.library_store.mentions_of_document(document)[metformin] > 0
    assert not workspace.links.due

    neo4j_server.pause()
    begun = time.monotonic()
    third = workspace.chat.answer("When must metformin not be taken?", first.session)
    assert time.monotonic() - begun < 20  # a few calls give up after 2 s, the others at once
    assert not third.refused
    assert {citation.kind for citation in third.citations} == {"document"}
    assert "cannot be reached" in third.notice
    assert not {part.name: part.ok for part in workspace.health().parts}["Knowledge graph"]
    metformin_again = ("again.txt", b"Metformin lowers the sugar in the blood.")
    (job,) = workspace.submissions.uploads([metformin_again])
    assert [one.state for one in workspace.jobs.wait(job, _WAIT).items] == ["ready"]
    assert workspace.links.mixed

    neo4j_server.resume()
    until_reached(workspace, "When must metformin not be taken?", first.session)
    assert {part.name: part.ok for part in workspace.health().parts}["Knowledge graph"]
    texts = [turn.answer.text for turn in workspace.conversations.history(first.session)]
    assert third.text in texts
    # What came in meanwhile is linked with the graph as it is, without an import or another start.
    end = time.monotonic() + _WAIT
    while workspace.links.mixed or workspace.links.due:
        assert time.monotonic() < end
        time.sleep(0.2)


AWAY = "GRAPH_UNAVAILABLE"
LIST = "Which drugs treat type 2 diabetes mellitus?"


# The server never hangs here: one that is slow, as on a busy machine, is waited for.
@pytest.mark.parametrize("timeout", [_WAIT])
def test_a_list_of_the_graph_is_never_answered_from_documents(
    workspace: Workspace, relay: Relay, client: httpx.Client
) -> None:
    """Also where the graph has not been there since the start, so that nobody knows its names."""
    for leaflet in ("Metformin", "Lisinopril"):
        workspace.library.ingest(SAMPLE / "leaflets" / f"{leaflet}.pdf")
    alone = workspace.chat.answer(LIST)
    assert alone.refused and not alone.citations and not alone.blocks
    assert "only the knowledge graph has" in alone.notice
    # Scripts tell it from a question that the library does not answer, and may ask again.
    told = client.post("/api/chat", json={"question": LIST}).json()
    assert (told["state"], told["refused"], told["nearest"]) == ("graph_unavailable", True, [])
    assert (told["no_results"]["type"], told["no_results"]["retryable"]) == (AWAY, True)
    assert told["answer"] == GRAPH_AWAY
    message = client.post("/api/chat/message", json={"message": LIST}).json()
    assert message["error"]["type"] == AWAY and message["error"]["details"]["retryable"] is True
    suggested = client.get("/api/graph/suggest", params={"q": "metf"})
    assert (suggested.status_code, suggested.json()["code"]) == (503, AWAY)
    usage = client.get("/api/conversations/usage")
    assert usage.status_code == 503 or usage.json()["states"]["graph_unavailable"] >= 1
    unknown = client.post("/api/chat", json={"question": "Who wrote Hamlet?"}).json()
    assert (unknown["state"], unknown["no_results"]["type"]) == ("not_in_library", "NO_RESULTS")
    both = workspace.chat.answer(f"{LIST[:-1]}, and when must metformin not be taken?")
    assert not both.refused and {one.file for one in both.citations} == {"Metformin.pdf"}
    assert "only the knowledge graph has" in both.notice
    assert "from documents alone" in both.notice
    leaflet_alone = workspace.chat.answer("What are the side effects of metformin?")
    assert not leaflet_alone.refused and "only the" not in leaflet_alone.notice

    relay.open()
    until_calls_pass(workspace)
    workspace.graph_tasks.import_folder(SAMPLE / "graph")
    answer = workspace.chat.answer(LIST)
    assert answer.lists and not answer.notice and not answer.graph_away
    assert client.get("/api/graph/suggest", params={"q": "metf"}).json()["suggestions"]

    relay.cut()
    gone = workspace.chat.answer(LIST)
    assert gone.refused and not gone.lists and "only the knowledge graph has" in gone.notice
    assert gone.state is State.GRAPH_UNAVAILABLE
    # Names that were read before do not hide that nothing can be looked up.
    for typed in ("metf", "nothing so called"):
        assert client.get("/api/graph/suggest", params={"q": typed}).json()["code"] == AWAY


def test_the_sample_comes_once_the_graph_is_there(
    make_settings: Callable[..., Settings], relay: Relay, encoder: Encoder
) -> None:
    """On a first start before that of the server."""
    workspace = Workspace(
        make_settings(
            neo4j_uri=f"bolt://127.0.0.1:{relay.port}",
            neo4j_user=USER,
            neo4j_password=PASSWORD,
            sample=True,
        )
    )
    workspace._encoders[BUNDLED] = encoder
    try:
        workspace.resume_jobs()
        assert not workspace.jobs.jobs() and not workspace.sample.pending
        relay.open()
        end = time.monotonic() + 4 * _WAIT
        while not [job for job in workspace.jobs.jobs() if not job.active]:
            assert time.monotonic() < end
            time.sleep(0.1)
        assert [job.state for job in workspace.jobs.jobs() if job.kind == SAMPLE_JOB] == ["done"]
        assert len(workspace.graph.counts_by_type()) > 1
        assert len(workspace.catalogue.documents("leaflets")) == 10
    finally:
        workspace.close()
