"""A Chroma server that is killed and started again under one open workspace."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from core.api import routes
from core.domain.jobs import Job, JobState
from core.errors import VectorsUnavailable
from core.maintenance.sample import SAMPLE
from core.stores.chroma import server as looked_after
from core.workspace import Workspace, share_workspace
from tests.api.serving import served
from tests.maintenance.chroma_server import ChromaServer

QUESTION = "When must metformin not be taken?"
_WAIT = 60.0  # seconds until what does not come has failed


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ChromaServer]:
    server = ChromaServer(tmp_path / "chroma-server")
    server.start()
    yield server
    server.kill()


@pytest.fixture
def workspace(make_workspace: Callable[..., Workspace], server: ChromaServer) -> Workspace:
    return make_workspace(chroma_host="127.0.0.1", chroma_port=server.port)


@pytest.fixture
def client(workspace: Workspace) -> Iterator[httpx.Client]:
    share_workspace(workspace)
    with (
        served(Starlette(routes=routes())) as url,
        httpx.Client(base_url=url, timeout=60) as opened,
    ):
        yield opened
    share_workspace(None)


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + _WAIT
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def leaflet(name: str) -> tuple[str, bytes]:
    return f"{name}.pdf", (SAMPLE / "leaflets" / f"{name}.pdf").read_bytes()


def test_questions_uploads_and_deletions_outlive_the_vector_store(
    workspace: Workspace, server: ChromaServer, client: httpx.Client
) -> None:
    metformin = workspace.library.ingest(SAMPLE / "leaflets" / "Metformin.pdf")
    other = workspace.library.ingest(SAMPLE / "leaflets" / "Ibuprofen.pdf")
    assert metformin.state == other.state == "ready"
    before = workspace.chat.answer(QUESTION)
    assert before.citations and "vector store" not in before.notice

    server.kill()
    answer = workspace.chat.answer(QUESTION)
    assert {one.kind for one in answer.citations} == {"document"}
    assert {one.file for one in answer.citations} == {"Metformin.pdf"}
    assert "The vector store cannot be reached" in answer.notice
    found = client.post("/api/search", json={"query": "lactic acidosis", "mode": "semantic"}).json()
    assert found["hits"] and "by their words alone" in found["notice"]
    assert client.get("/api/indexes").json()["indexes"][0]["vectors"] is None

    # A deletion is said to be on its way, and shown, and no search sees the document.
    deleted = client.delete(f"/api/documents/{other.document_id}")
    assert (deleted.status_code, deleted.json()["state"]) == (202, "being removed")
    listed = client.get("/api/documents").json()
    assert [one["id"] for one in listed["documents"]] == [metformin.document_id]
    assert [one["id"] for one in listed["beingRemoved"]] == [other.document_id]
    # An upload waits, and says so.
    sent = client.post("/api/upload", files={"file": leaflet("Warfarin")})
    assert sent.status_code == 202, sent.text
    job = client.get(sent.json()["status"]).json()
    assert (job["state"], "vector store" in json.dumps(job)) == ("running", True)

    server.start()
    until(lambda: client.get("/api/documents").json()["beingRemoved"] == [])
    done = workspace.jobs.wait(job["id"], _WAIT)
    assert done is not None and (done.state, [one.state for one in done.items]) == (
        JobState.DONE,
        ["ready"],
    )
    names = {one["filename"] for one in client.get("/api/documents").json()["documents"]}
    assert names == {"Metformin.pdf", "Warfarin.pdf"}
    until(lambda: workspace.verifier.run().consistent)
    again = workspace.chat.answer(QUESTION)
    assert again.text == before.text and "vector store" not in again.notice


@pytest.mark.req("KB-10")
def test_a_server_that_hangs_is_waited_for_once(
    workspace: Workspace,
    server: ChromaServer,
    client: httpx.Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # So that nothing but the missing heartbeat can end the wait.
    monkeypatch.setattr(looked_after, "_ANSWER_SECONDS", 3600.0)
    workspace.library.ingest(SAMPLE / "leaflets" / "Metformin.pdf")
    before = workspace.chat.answer(QUESTION)
    known = looked_after.chroma_server("127.0.0.1", server.port)
    slow = threading.Event()
    threading.Timer(looked_after._PATIENCE_SECONDS + 0.5, slow.set).start()
    assert known.waited_for(slow.wait), "one that is slow and alive is waited for"

    server.pause()
    first = workspace.chat.answer(QUESTION)
    assert "The vector store cannot be reached" in first.notice and first.citations
    with pytest.raises(VectorsUnavailable):
        known.check()
    assert "The vector store cannot be reached" in workspace.chat.answer(QUESTION).notice
    sent = client.post("/api/upload", files={"file": leaflet("Warfarin")})
    assert sent.status_code == 202, sent.text

    server.resume()
    until(lambda: "vector store" not in workspace.chat.answer(QUESTION).notice)
    assert workspace.chat.answer(QUESTION).text == before.text
    done = workspace.jobs.wait(client.get(sent.json()["status"]).json()["id"], _WAIT)
    assert done is not None and done.state is JobState.DONE
    until(lambda: workspace.verifier.run().consistent)


def test_a_job_that_waits_can_be_cancelled_and_leaves_nothing(
    workspace: Workspace, server: ChromaServer
) -> None:
    workspace.library.ingest(SAMPLE / "leaflets" / "Metformin.pdf")
    server.kill()
    (job,) = workspace.submissions.uploads([leaflet("Warfarin"), leaflet("Ibuprofen")])

    def now() -> Job:
        found = workspace.jobs.job(job)
        assert found is not None
        return found

    until(lambda: now().waits)
    workspace.jobs.cancel(job)
    begun = time.monotonic()
    until(lambda: now().state is JobState.CANCELLED)
    assert time.monotonic() - begun < 2
    server.start()
    until(lambda: workspace.library_store.unfinished() == [])
    until(lambda: workspace.verifier.run().consistent)
    assert [one.file for one in workspace.catalogue.documents()] == ["Metformin.pdf"]
