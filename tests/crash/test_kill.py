"""A process is killed while it changes a library, again and again; nothing is lost or half there.

The suite kills a few times, `make crash` fifty times.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.crash.worker import ABSTRACTS_FILE, ABSTRACTS_IN_FILE, QUESTION, Journal
from tests.support.pdfs import leaflet_text, make_pdf

KILLS = int(os.environ.get("KILLS", "6"))
KILLED_TWICE = 5  # every n-th folder is killed again while the next start goes on with the work
SEED = 20
ENDED = 20.0  # seconds in which what a killed process left running must have come to its end
LEAFLETS = ("Warfarin.pdf", "Ibuprofen.pdf", "Lisinopril.pdf", "Metformin.pdf")
IN_ARCHIVE = ("Salbutamol.pdf", "Sertraline.pdf")


@dataclass(frozen=True)
class Moment:
    """A moment of the work: so many events were told, and so many seconds have passed since.

    Counted like this it is the same moment on a machine that is busy with other things.
    """

    events: int
    seconds: float

    @classmethod
    def of(cls, times: list[float], share: float) -> Moment:
        """The moment after a share in [0, 1] of a work that told its events at these times."""
        passed = times[0] + share * (times[-1] - times[0])
        events = sum(time <= passed for time in times)
        return cls(events, passed - times[events - 1])


class Processes:
    """Forks workers from a parent that has imported everything."""

    def __init__(self) -> None:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("MATERIA_")}
        self._parent = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=environment,
        )

    def _ask(self, line: str) -> int:
        reader, writer = self._parent.stdout, self._parent.stdin
        assert reader is not None and writer is not None
        writer.write(f"{line}\n")
        writer.flush()
        return int(reader.readline())

    def start(self, action: str, folder: Path) -> int:
        """The process id of a new process that does `action`."""
        return self._ask(f"{action} {folder}")

    def wait(self, pid: int) -> int:
        """Wait for the end of a process; its exit code, negative for a signal."""
        return os.waitstatus_to_exitcode(self._ask(f"wait {pid}"))

    def run(self, action: str, folder: Path) -> dict[str, Any]:
        """Do `action` undisturbed; its report."""
        code = self.wait(self.start(action, folder))
        error = folder / "error.txt"
        assert code == 0, error.read_text() if error.exists() else f"ended with {code}"
        path = folder / "report.json"
        return json.loads(path.read_text()) if path.exists() else {}

    def kill(self, action: str, folder: Path, moment: Moment) -> bool:
        """SIGKILL a process at a moment of its work; whether it was still at work."""
        pid = self.start(action, folder)
        while len(Journal(folder).events()) < moment.events and not has_ended(pid):
            time.sleep(0.001)
        time.sleep(moment.seconds)
        os.kill(pid, signal.SIGKILL)
        code = self.wait(pid)
        error = folder / "error.txt"
        assert code in (0, -signal.SIGKILL), error.read_text() if error.exists() else code
        end_of_helpers(folder)
        return code != 0

    def close(self) -> None:
        self._parent.communicate(timeout=60)


def has_ended(pid: int) -> bool:
    """Whether a process is over, waited for or not."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def end_of_helpers(folder: Path) -> None:
    """Wait for the reading processes that a killed worker had started: none may go on for ever."""
    deadline = time.monotonic() + ENDED
    while running := processes_of(folder):
        if time.monotonic() > deadline:
            for pid in running:
                os.kill(pid, signal.SIGKILL)
            pytest.fail(f"{len(running)} reading processes outlived the killed one")
        time.sleep(0.01)


def processes_of(folder: Path) -> list[int]:
    """Processes whose temporary folder is that of `folder`."""
    mark = f"TMPDIR={folder / 'tmp'}".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
        except OSError:  # it has ended, or is somebody else's
            continue
    return found


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    started = Processes()
    yield started
    started.close()


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


def new_folder(root: Path, name: str) -> Path:
    folder = root / name
    (folder / "tmp").mkdir(parents=True)
    return folder


# -- what must hold --------------------------------------------------------------------------------


def assert_whole(state: dict[str, Any]) -> None:
    """Whatever is listed is searchable, all stores hold exactly that, and nothing is in between."""
    documents = state["documents"]
    for document in documents:
        assert document["ready"], document
        assert document["chunks"] == document["vectors"] == document["reported"] > 0, document
        assert document["files"] == document["wanted_files"], document
        assert document["found"] == {"lexical": True, "semantic": True}, document
    chunks = sum(document["chunks"] for document in documents)
    assert chunks == state["chunks"] == state["text_rows"] == state["vectors"]
    assert state["files"] == sum(document["files"] for document in documents)
    assert state["incoming"] == [] and state["uploads_of_no_job"] == []
    assert state["findings"] == []
    each = Counter((document["index"], document["sha256"]) for document in documents)
    assert max(each.values(), default=1) == 1, "the same bytes twice in one index"


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
    for number in range(KILLS):
        folder = new_folder(root, f"kill-{number}")
        # One moment out of each equal share of the work, so that no part of it is left out.
        moment = Moment.of(times, (number + chance.random()) / KILLS)
        killed = processes.kill("work", folder, moment)
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
        shutil.rmtree(folder)
    assert at_work > KILLS * 0.8, "the kills came too late"
    assert rolled_back and resumed, "a process was never killed while it had work"
