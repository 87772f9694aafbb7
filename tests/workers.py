"""Tests in several workers (`make test`): which of them go together.

A file's tests run in one worker. So do all that need Neo4j and all that need a browser, in whatever file:
one server and one browser a run. These groups are the longest and go first.
"""

from __future__ import annotations

import re

import pytest

from tests.needs import CHROMIUM, NEO4J, needs_of
from tests.once import IN_WORKER

_FIRST = {CHROMIUM: "browser", NEO4J: "neo4j"}
_BEGINS_EARLY = "tests/crash/"
_GROUP = re.compile(r"@(?:browser|neo4j|[\w/]+\.py)$")


# Before xdist, which reads the groups.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not IN_WORKER:
        return
    places: dict[pytest.Item, int] = {}
    for item in items:
        needs = needs_of(item)
        group = next((name for what, name in _FIRST.items() if what in needs), "")
        path = item.nodeid.partition("::")[0]
        item.add_marker(pytest.mark.xdist_group(group or path))
        places[item] = 0 if group else 1 if path.startswith(_BEGINS_EARLY) else 2
    items.sort(key=lambda item: places[item])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A test is called as it is without workers, so that its name can be run again."""
    if not IN_WORKER:
        report.nodeid = _GROUP.sub("", report.nodeid)
