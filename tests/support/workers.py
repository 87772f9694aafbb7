"""Tests in several workers (`make test`): which of them go together.

A file's tests run in one worker. So do all in tests/browser, and all in the files that need Neo4j (one
server of each a run) or torch (ten seconds to import). These groups are the longest and go first. They
wait more than they compute, so that there are more workers than cores.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

from tests.support.once import IN_WORKER

_GROUPS = {
    "browser": ("tests/browser/",),
    "neo4j": (
        "tests/contract/",
        "tests/stores/test_neo4j",
        "tests/maintenance/test_migrate.py",
        "tests/maintenance/test_outage.py",
        "tests/maintenance/backup/test_servers.py",
        "tests/maintenance/any_order/test_any_order.py::test_in_neo4j",
        "tests/scale/test_shared_queue.py",
        "tests/crash/test_migration.py",
        "tests/cli/graph/test_whole_graph.py",
    ),
    "torch": (
        "tests/encoders/",
        "tests/search/test_rerank.py",
        "tests/evidence/test_left_out.py",
        "tests/documents/library/test_loaded_encoders.py",
        "tests/pages/test_literature_page.py",
        "tests/house/",
    ),
}
_NEXT = "tests/crash/"
_WORKERS_PER_CORE = 1.5
# New objects between two looks of the garbage collector, which takes a tenth of all time with Python's 700.
_NEW_OBJECTS = 20_000
# A file system in memory: each of thousands of small databases waits for the disk a few times, which costs a
# sixth of what tests over stores take. No test may rely on it; TMPDIR leads elsewhere.
_IN_MEMORY = Path("/dev/shm")  # noqa: S108
_ROOM = 4 * 2**30  # twice what a run leaves
_MEMORY = 10 * 2**30  # available, with the room


def _group(nodeid: str) -> str:
    groups = (name for name, begins in _GROUPS.items() if nodeid.startswith(begins))
    return next(groups, nodeid.partition("::")[0])


class ByGroup(LoadScopeScheduling):  # type: ignore[misc]
    """Hands out whole groups. (xdist's own groups by mark have no effect with pytest 9.)"""

    def _split_scope(self, nodeid: str) -> str:
        return _group(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByGroup:
    return ByGroup(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    return round(_WORKERS_PER_CORE * (os.cpu_count() or 1))


def _place_in_memory() -> Path | None:
    """A folder in memory, where there is room for it."""
    try:
        available = re.search(r"MemAvailable: +(\d+) kB", Path("/proc/meminfo").read_text("ascii"))
        room = shutil.disk_usage(_IN_MEMORY).free
        if available is None or int(available[1]) * 1024 < _MEMORY or room < _ROOM:
            return None
        folder = _IN_MEMORY / f"materia-tests-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder if folder.stat().st_uid == os.getuid() else None
    except OSError:
        return None


def pytest_configure() -> None:
    gc.disable()
    # The workers have it from the process that starts them.
    if "TMPDIR" not in os.environ and not IN_WORKER and (folder := _place_in_memory()):
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)


def pytest_collection_finish() -> None:
    """Thousands of tests and modules stay until the end: the collector need not look through them again
    and again, nor at all while they come."""
    gc.enable()
    gc.set_threshold(_NEW_OBJECTS, 20, 20)
    gc.collect()
    gc.freeze()
    # It looks through all that is old when enough is new beside it: now nothing is old.
    gc.collect()


def pytest_sessionfinish() -> None:
    """pytest collects garbage ten times at its end, all that the tests left in memory."""
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not IN_WORKER:
        return

    def place(item: pytest.Item) -> int:
        if _group(item.nodeid) in _GROUPS:
            return 0
        return 1 if item.nodeid.startswith(_NEXT) else 2

    items.sort(key=place)
