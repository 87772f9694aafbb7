"""Tests in several workers (`make test`): which of them go together.

A file's tests run in one worker. So do all in tests/browser, and all in the files that need Neo4j (one
server of each a run) or torch (ten seconds to import). These groups are the longest and go first. They
wait more than they compute, so that there are more workers than cores.
"""

from __future__ import annotations

import gc
import os
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
        "tests/cli/test_graph.py",
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


def _group(nodeid: str) -> str:
    path = nodeid.partition("::")[0]
    return next((name for name, begins in _GROUPS.items() if path.startswith(begins)), path)


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


def pytest_collection_finish() -> None:
    """Thousands of tests and modules stay until the end: the collector need not look through them again
    and again."""
    gc.collect()
    gc.freeze()
    # It looks through all that is old when enough is new beside it: now nothing is old.
    gc.collect()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not IN_WORKER:
        return

    def place(item: pytest.Item) -> int:
        if _group(item.nodeid) in _GROUPS:
            return 0
        return 1 if item.nodeid.startswith(_NEXT) else 2

    items.sort(key=place)
