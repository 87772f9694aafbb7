"""Processes of the kill tests: started, killed at a moment of their work, and what must hold afterwards."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.crash.worker import Journal

KILLS = int(os.environ.get("KILLS", "12"))
# What a process is killed in; a whole server with a page open costs too much for the suite.
IN_BROWSER = KILLS // 10 if KILLS >= 50 else 0
AT_WORK, AT_UPKEEP, EACH_WAY = KILLS // 2 - IN_BROWSER, KILLS // 4, KILLS // 8
ENDED = 20.0  # seconds in which what a killed process left running must have come to its end


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
            [sys.executable, "-m", "tests.crash"],
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


def new_folder(root: Path, name: str) -> Path:
    folder = root / name
    (folder / "tmp").mkdir(parents=True)
    return folder


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
