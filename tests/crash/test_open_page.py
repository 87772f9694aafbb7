"""The dashboard is killed while it changes a library and a browser has a page open; `make crash` only.

The page finds the next server by itself, and all that it and the API acknowledged is there.
"""

from __future__ import annotations

import os
import random
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx

from core.workspace import Workspace
from tests.browser.conftest import free_port, settled, started, until
from tests.crash.processes import IN_BROWSER
from tests.crash.test_kill import SEED
from tests.support.pdfs import leaflet_text

LONGEST = 6.0  # seconds from the first change to the kill; a round of changes takes two
CHANGING = "changing.txt"
_ENTITIES = 30


@dataclass
class Changes:
    """What one client changes over HTTP, again and again until nobody answers.

    Attributes:
        begun, done: file -> versions of its text that were sent, and that were acknowledged.
        leaving, gone: files whose deletion was sent, and acknowledged.
        round: of changes, through all lives of the server.
    """

    address: str
    graphs: Path
    begun: dict[str, list[str]] = field(default_factory=dict)
    done: dict[str, list[str]] = field(default_factory=dict)
    leaving: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    rounds: Iterator[int] = field(default_factory=count)

    def go_on(self) -> None:
        try:
            with httpx.Client(base_url=self.address, timeout=60) as client:
                for number in self.rounds:
                    self._round(client, number)
        except httpx.TransportError:
            return  # it was killed

    def _round(self, client: httpx.Client, number: int) -> None:
        name = f"{number}.txt"
        document = self._upload(client, name, leaflet_text(f"medicine{number}ine"))
        self._upload(client, CHANGING, leaflet_text(f"changed{number}ine"), on_conflict="replace")
        graph = self.graphs / f"graph{number % 2}"
        client.post("/api/graph/import", json={"path": str(graph), "removeMissing": True})
        client.post("/api/indexes/leaflets/re-embed")
        # Every second one, and the first round that comes so far: a kill ends a round of either kind.
        if document and (number % 2 or not self.gone):
            self.leaving.add(name)
            if client.delete(f"/api/documents/{document}").status_code == 200:
                self.gone.add(name)

    def _upload(self, client: httpx.Client, name: str, text: str, **form: str) -> str:
        self.begun.setdefault(name, []).append(text)
        sent = client.post("/api/upload", files={"file": (name, text.encode())}, data=form)
        told = sent.json()
        if sent.status_code == 200:
            self.done.setdefault(name, []).append(text)
        return str(told.get("documentId", ""))


def make_graphs(root: Path) -> None:
    for graph in ("graph0", "graph1"):
        (root / graph).mkdir(parents=True)
        nodes = "".join(f"{graph}:{one},Drug,{graph} {one}\n" for one in range(_ENTITIES))
        (root / graph / "nodes.csv").write_text(f"id,type,name\n{nodes}")
        lines = "".join(f"{graph}:0,LIKE,{graph}:{one}\n" for one in range(1, _ENTITIES))
        (root / graph / "relationships.csv").write_text(f"source,type,target\n{lines}")


def until_idle(page: Any, address: str) -> None:
    """Wait for the jobs that the killed server left, and those that they queue."""

    def idle() -> bool:
        jobs = httpx.get(f"{address}/api/jobs", timeout=60).json()["jobs"]
        return all(job["state"] not in ("queued", "running") for job in jobs)

    until(page, idle)


def assert_kept(workspace: Workspace, changes: Changes, answers: range) -> int:
    """All stores agree, and hold what was acknowledged, once; how many answers are kept."""
    report = workspace.verifier.run(beside=True)
    assert report.findings == (), report
    documents = workspace.library_store.documents(include_unfinished=True)
    files = Counter(one.file for one in documents)
    assert max(files.values(), default=1) == 1, "doubled"
    assert changes.done.keys() - changes.leaving <= files.keys() <= changes.begun.keys(), "lost"
    assert not changes.gone & files.keys(), "left"
    for one in documents:
        text = " ".join(page.text for page in workspace.library_store.pages(one.id))
        possible = changes.begun[one.file][len(changes.done.get(one.file, [""])) - 1 :]
        assert any(text.split() == version.split() for version in possible), one.file
    graph = Counter(one.id.partition(":")[0] for one in workspace.graph.store.all_entities())
    assert len(graph) <= 1 and set(graph.values()) <= {_ENTITIES}, graph
    sessions = workspace.conversations.list()
    turns = [workspace.conversations.history(one.id) for one in sessions]
    assert all([one.position for one in each] == list(range(len(each))) for each in turns)
    found = sum(map(len, turns))
    assert found in answers
    return found


def test_a_server_that_is_killed_under_an_open_page_loses_nothing(
    tmp_path: Path,
    onnx_models: Path,
    new_page: Callable[..., Any],
    make_workspace: Callable[..., Workspace],
) -> None:
    make_graphs(tmp_path / "graphs")
    data, chance, port = tmp_path / "data", random.Random(SEED), free_port()
    environment = {"MATERIA_SAMPLE": "false", "MATERIA_FOLDER_ROOTS": str(tmp_path / "graphs")}
    process, address = started(port, data, onnx_models, **environment)
    try:
        changes = Changes(address, tmp_path / "graphs")
        page = new_page(address)
        sockets: list[Any] = []
        page.on("websocket", lambda socket: sockets.append(socket))
        kept = 0  # answers, before a life of the server
        at_work = 0
        for life in range(IN_BROWSER):
            box = page.get_by_test_id("stChatInputTextArea")
            box.fill(f"What is medicine{life}ine for?")
            box.press("Enter")
            client = threading.Thread(target=changes.go_on)
            client.start()
            page.wait_for_timeout(1000 * LONGEST * (life + chance.random()) / IN_BROWSER)
            shown = page.locator(".answer").count()  # and so acknowledged
            at_work += client.is_alive()
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            client.join()
            before = len(sockets)
            process, _ = started(port, data, onnx_models, **environment)
            until(page, lambda before=before: len(sockets) > before)
            until_idle(page, address)
            workspace = make_workspace(writer=False, data_dir=data)
            kept = assert_kept(workspace, changes, range(max(kept, shown), kept + 2))
            workspace.close()
            settled(page)
            assert page.get_by_test_id("stException").count() == 0
        assert at_work == IN_BROWSER
        assert changes.gone and len(changes.done) > IN_BROWSER / 2
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
