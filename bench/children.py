"""Runs one side of a benchmark in a process of its own and watches the memory of its whole tree."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.inputs import ROOT, environment

_SAMPLING_SECONDS = 0.05
_MEGABYTE = 1_000_000


class ChildFailed(RuntimeError):
    """A side of the benchmark ended without a report."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What a child wrote, and what it cost.

    Attributes:
        report: the JSON object that the child wrote.
        peak_mb: largest sum of the resident memory of the process and its children at one time, in
            MB. Pages that two processes share count twice.
        seconds: from the start of the process to its end.
    """

    report: dict[str, Any]
    peak_mb: float
    seconds: float


def run_child(python: Path, module: str, job: Mapping[str, Any], folder: Path) -> Ended:
    """Run ``python -m module JOB REPORT`` from the project's root, both JSON files in `folder`.

    Raises:
        ChildFailed: it ended with an error; what it said is on this process's stderr.
    """
    folder.mkdir(parents=True, exist_ok=True)
    asked, report = folder / "job.json", folder / "report.json"
    asked.write_text(json.dumps(job), encoding="utf-8")
    started = time.perf_counter()
    process = subprocess.Popen(
        [str(python), "-m", module, str(asked), str(report)],
        cwd=ROOT,
        env=environment(),
        stdout=sys.stderr,
    )
    peak = _PeakWatch(process.pid)
    peak.start()
    try:
        code = process.wait()
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        peak.stop()
    seconds = time.perf_counter() - started
    if code != 0 or not report.exists():
        raise ChildFailed(f"{module} ended with exit code {code} and no report")
    said: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return Ended(said, max(peak.megabytes, float(said["own_peak_mb"])), seconds)


def own_peak_mb() -> float:
    """Largest resident memory that this process ever had, without its children, in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak * (1 if sys.platform == "darwin" else 1024) / _MEGABYTE


def memory_mb(pid: int) -> float:
    """Resident memory of a process and all that descend from it, in MB; pages that two share count twice."""
    return sum(_resident_bytes(one) for one in _tree(pid)) / _MEGABYTE


def processor_seconds(pid: int) -> float:
    """Time that a process has had of the processor, all of its threads together, without its children."""
    try:
        # Behind the command's name, which may have spaces: 11 fields further user and system time.
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class _PeakWatch(threading.Thread):
    """Samples /proc; on systems without it the peak stays 0.

    ``RUSAGE_CHILDREN`` does not serve: it knows the largest child only, never a sum, and a child that
    was just forked from a large process counts as large as that.
    """

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self._stopped = threading.Event()
        self._known: set[int] = set()
        self.megabytes = 0.0

    def stop(self) -> None:
        """End sampling; `megabytes` is final."""
        self._stopped.set()
        self.join()

    def run(self) -> None:
        while not self._stopped.wait(_SAMPLING_SECONDS):
            tree = _tree(self._pid)
            # A process counts from its second sample on: between fork and exec its memory is its
            # parent's.
            total = sum(_resident_bytes(pid) for pid in tree if pid in self._known)
            self._known = set(tree)
            self.megabytes = max(self.megabytes, total / _MEGABYTE)


def _tree(pid: int) -> list[int]:
    """A process and all that descend from it."""
    found = [pid]
    for parent in found:
        try:
            for task in Path(f"/proc/{parent}/task").iterdir():
                found += [int(word) for word in (task / "children").read_text().split()]
        except OSError:  # it has ended
            continue
    return found


def _resident_bytes(pid: int) -> int:
    try:
        resident = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):  # it has ended
        return 0
    return resident * os.sysconf("SC_PAGE_SIZE")
