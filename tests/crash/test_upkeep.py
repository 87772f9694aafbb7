"""A process is killed while graph, backups and single documents change, with a page open."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.crash.processes import AT_UPKEEP, Moment, Processes, assert_whole, new_folder
from tests.crash.upkeep import FILES, TITLE, wanted
from tests.crash.worker import Journal
from tests.support.pdfs import leaflet_text, make_pdf

SEED = 21
_ENTITIES = 40
_NAMED = {"graph-1": ("oldamine", "unwantine"), "graph-2": ("oldase", "unwantine", "oldamine")}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with documents and two graphs under ``sources/``."""
    root = tmp_path_factory.mktemp("upkeep")
    sources = root / "sources"
    (sources / "first").mkdir(parents=True)
    make_pdf(sources / FILES[0], leaflet_text("oldamine"), leaflet_text("oldase"))
    make_pdf(sources / FILES[1], leaflet_text("unwantine"))
    for graph, names in _NAMED.items():
        (sources / graph).mkdir()
        ids = [*names, *(f"{graph}-{number}" for number in range(_ENTITIES))]
        nodes = "".join(f"{graph}:{one},Drug,{one}\n" for one in ids)
        (sources / graph / "nodes.csv").write_text(f"id,type,name\n{nodes}")
        lines = "".join(f"{graph}:{ids[0]},LIKE,{graph}:{one}\n" for one in ids[1:])
        (sources / graph / "relationships.csv").write_text(f"source,type,target\n{lines}")
    return root


def assert_kept(folder: Path, state: dict[str, Any]) -> None:
    """All stores agree, and hold what was acknowledged."""
    assert_whole(state)
    assert all(job["state"] == "done" for job in state["jobs"]), state["jobs"]
    graphs = {one.partition(":")[0] for one in state["graph"]}
    assert len(graphs) <= 1, "two graphs in one"
    graph = int(min(graphs, default="graph-0")[-1])
    assert len(state["graph"]) == (_ENTITIES + len(_NAMED[f"graph-{graph}"]) if graph else 0)
    assert state["embedded"] == len(state["graph"]), "entities and their vectors"
    assert not state["links"].get("wrong")
    files = Counter(document["file"] for document in state["documents"])
    found = {
        "graph": graph,
        "unwanted": bool(files["unwanted.pdf"]),
        "titled": TITLE in state["titles"],
    }
    events = Journal(folder).events()
    due = wanted(events)
    assert {name: found[name] for name in due} == due, events
    if "submitted first/changing.pdf" in events:
        assert files["changing.pdf"] == 1
    assert state["unreadable"] == [] and not state["restoring"]
    kept = [name for name in state["backups"] if name != ".lock"]
    assert all(name.endswith(".zip") and not name.startswith(".") for name in kept), kept
    assert bool(kept) >= ("submitted backup" in events)
    page = folder / "page.txt"
    assert not page.exists(), page.read_text()


def test_graph_backup_and_deletion_are_whole_whenever_the_process_is_killed(
    processes: Processes, root: Path
) -> None:
    folder = new_folder(root, "undisturbed")
    processes.run("upkeep", folder)
    times = Journal(folder).times()
    assert_kept(folder, processes.run("resume-upkeep", folder))
    chance = random.Random(SEED)
    at_work = 0
    for number in range(AT_UPKEEP):
        folder = new_folder(root, f"kill-{number}")
        moment = Moment.of(times, (number + chance.random()) / AT_UPKEEP)
        killed = processes.kill("upkeep", folder, moment)
        at_work += killed
        if not killed:  # the machine is faster than it was
            times = Journal(folder).times()
        assert_kept(folder, processes.run("resume-upkeep", folder))
        shutil.rmtree(folder)
    assert at_work > AT_UPKEEP * 0.8, "the kills came too late"
