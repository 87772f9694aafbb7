"""A process is killed while it changes a library, again and again; nothing is lost or half there.

The suite kills a few times, `make crash` many times.
"""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import zipfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.crash.processes import AT_WORK, Moment, Processes, assert_whole, new_folder
from tests.crash.worker import ABSTRACTS_FILE, ABSTRACTS_IN_FILE, QUESTION, Journal
from tests.support.pdfs import leaflet_text, make_pdf

KILLED_TWICE = 5  # every n-th folder is killed again while the next start goes on with the work
SEEN = 3  # in every so manieth folder a page is open
SEED = 20
LEAFLETS = ("Warfarin.pdf", "Ibuprofen.pdf", "Lisinopril.pdf", "Metformin.pdf")
IN_ARCHIVE = ("Salbutamol.pdf", "Sertraline.pdf")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files to take in, under ``sources/``."""
    root = tmp_path_factory.mktemp("kills")
    sources = root / "sources"
    for folder in ("first", "second"):
        (sources / folder).mkdir(parents=True)
    for name in LEAFLETS:
        shutil.copy(ROOT / "data" / "leaflets" / name, sources / name)
    make_pdf(sources / "first" / "changing.pdf", leaflet_text("oldamine"), leaflet_text("oldase"))
    make_pdf(sources / "second" / "changing.pdf", leaflet_text("newamine"))
    make_pdf(sources / "unwanted.pdf", leaflet_text("unwantine"))
    with zipfile.ZipFile(sources / "stack.zip", "w") as stack:
        for name in IN_ARCHIVE:
            stack.write(ROOT / "data" / "leaflets" / name, name)
    records = json.loads((ROOT / "data" / "abstracts" / "arxivData.json").read_text("utf-8"))
    (sources / ABSTRACTS_FILE).write_text(json.dumps(records[:ABSTRACTS_IN_FILE]))
    return root


# -- what must hold --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sources:
    """The bytes that were submitted, as the library knows them."""

    folder: Path

    def sha(self, name: str) -> str:
        return hashlib.sha256((self.folder / name).read_bytes()).hexdigest()


def assert_as_acknowledged(state: dict[str, Any], events: list[str], root: Path) -> None:
    """What was replaced or deleted for the worker's eyes is so for the next process too."""
    sources = Sources(root / "sources")
    there = {document["sha256"] for document in state["documents"]}
    old, new = sources.sha("first/changing.pdf"), sources.sha("second/changing.pdf")
    assert not {old, new} <= there, "both versions answer"
    if "submitted second/changing.pdf" in events:
        assert there & {old, new}, "neither version answers"
    if "replaced" in events:
        assert new in there
    unwanted = sources.sha("unwanted.pdf")
    if "deleted" in events:
        assert unwanted not in there
    elif "replaced" in events and "deleting" not in events:
        assert unwanted in there, "it was ready"
    if "deleted trial" in events:
        assert "trial" not in state["indexes"]
        assert all(document["index"] != "trial" for document in state["documents"])


def assert_conversations(state: dict[str, Any], events: list[str], root: Path) -> None:
    """Every answer that was kept is there, rated as was acknowledged; quotes go with their document."""
    told = Counter(events)
    conversations = {one["title"]: one for one in state["conversations"]}
    turns = conversations.get(QUESTION, {"turns": []})["turns"]
    assert len(turns) in (told["kept"], told["kept"] + 1), "one may have been kept unseen"
    assert [turn["position"] for turn in turns] == list(range(len(turns)))
    rated = sum(turn["rated"] for turn in turns)
    assert rated in (told["rated"], told["rated"] + 1)
    if told["marked"]:
        assert conversations[QUESTION]["pinned"] and conversations[QUESTION]["tags"] == ["signal"]
    if told["deleted conversation"]:
        assert "Gone?" not in conversations
    there = {document["sha256"] for document in state["documents"]}
    is_there = Sources(root / "sources").sha("unwanted.pdf") in there
    if len(turns) > 20:
        quoted = " ".join(leaflet_text("unwantine").split()[:8])
        assert (quoted in conversations[QUESTION]["summary"]) == is_there
    for turn in turns:
        assert all(turn["quotes"]) == is_there == ("unwantine" in turn["text"])
        assert turn["embedded"], "of another text, or not made again"
    assert state["quotes_to_remove"] == []


def assert_complete(state: dict[str, Any], events: list[str], root: Path) -> None:
    """After the queue is finished, every file that was submitted is there exactly once."""
    assert all(job["state"] == "done" for job in state["jobs"]), state["jobs"]
    files = Counter(document["file"] for document in state["documents"])
    there = {document["sha256"] for document in state["documents"]}
    sources = Sources(root / "sources")
    submitted = {event.removeprefix("submitted ") for event in events if "submitted" in event}
    # Of two versions the acknowledgement of the second may be what the kill came before.
    gone = {"stack.zip", "abstracts", "first/changing.pdf"}
    if "first/changing.pdf" in submitted:
        assert files["changing.pdf"] == 1
    if "deleting" in events:
        gone.add("unwanted.pdf")
    if "deleting trial" in events:
        gone |= {"Lisinopril.pdf", "Metformin.pdf"}
    where = {
        name: sorted(one["index"] for one in state["documents"] if one["file"] == name)
        for name in ("Ibuprofen.pdf", "Warfarin.pdf")
    }
    if "moving Ibuprofen.pdf" in events:
        assert where["Ibuprofen.pdf"] in (["archive"], ["shelf"])
    if "copying Warfarin.pdf" in events:
        gone.add("Warfarin.pdf")
        assert where["Warfarin.pdf"] in (["archive", "leaflets"], ["leaflets", "shelf"])
    elif "moving Ibuprofen.pdf" in events:
        gone.add("Warfarin.pdf")  # copied or not, and nobody was told
    if "renaming" in events:
        assert "shelf" in state["indexes"] and "archive" not in state["indexes"]
    for name in submitted - gone:
        assert files[Path(name).name] == 1 and sources.sha(name) in there, name
    if "stack.zip" in submitted:
        assert all(files[name] == 1 for name in IN_ARCHIVE)
    if "abstracts" in submitted:
        abstracts = sum(document["index"] == "abstracts" for document in state["documents"])
        assert abstracts == ABSTRACTS_IN_FILE


# -- the test --------------------------------------------------------------------------------------


def undisturbed(processes: Processes, root: Path) -> list[float]:
    """When the work told its events; its end is whole and complete."""
    folder = new_folder(root, "undisturbed")
    processes.run("work", folder)
    times = Journal(folder).times()
    state = processes.run("resume", folder)
    assert (state["recovered"], state["resumed"]) == ([], [])
    assert Journal(folder).events()[len(times) - 1] == "end"
    assert_whole(state)
    assert_conversations(state, Journal(folder).events(), root)
    assert_complete(state, Journal(folder).events(), root)
    return times


def test_a_process_killed_at_any_moment_leaves_a_whole_library(
    processes: Processes, root: Path
) -> None:
    times = undisturbed(processes, root)
    chance = random.Random(SEED)
    rolled_back: Counter[str] = Counter()
    resumed: Counter[str] = Counter()
    at_work = 0
    for number in range(AT_WORK):
        folder = new_folder(root, f"kill-{number}")
        # One moment out of each equal share of the work, so that no part of it is left out.
        moment = Moment.of(times, (number + chance.random()) / AT_WORK)
        killed = processes.kill("work-seen" if number % SEEN == 1 else "work", folder, moment)
        if not killed:  # the machine is faster than it was
            times = Journal(folder).times()
        if number % KILLED_TWICE == 0:
            state = processes.run("check", folder)
            assert_whole(state)
            rolled_back.update(state["recovered"])
            told = len(Journal(folder).events())
            killed |= processes.kill("resume", folder, Moment(told + 1, chance.random() / 2))
        at_work += killed
        state = processes.run("resume", folder)
        rolled_back.update(state["recovered"])
        resumed.update(state["resumed"])
        events = Journal(folder).events()
        assert_whole(state)
        assert_as_acknowledged(state, events, root)
        assert_conversations(state, events, root)
        assert_complete(state, events, root)
        # SQLite takes the name of a temporary file away as soon as it is opened, before it writes; whoever is
        # killed between the two leaves an empty one.
        outside = [one for one in (folder / "tmp").iterdir() if one.stat().st_size]
        assert outside == [], "text of a document outside the data folder"
        assert not (folder / "page.txt").exists(), (folder / "page.txt").read_text()
        shutil.rmtree(folder)
    assert at_work > AT_WORK * 0.8, "the kills came too late"
    assert rolled_back and resumed, "a process was never killed while it had work"
