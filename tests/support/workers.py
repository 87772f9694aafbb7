"""Tests in several workers (`make test`): which of them go together.

A file's tests run in one worker. So do all in tests/browser, and all that need Neo4j, in whatever file:
one server of each a run. These groups are the longest and go first.
"""

from __future__ import annotations

import re

import pytest

from tests.support.needs import NEO4J, needs_of
from tests.support.once import IN_WORKER

_BROWSER, _NEXT = "tests/browser/", "tests/crash/"
_GROUP = re.compile(r"@(?:browser|neo4j|[\w/]+\.py)$")


# Before xdist, which reads the groups.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not IN_WORKER:
        return
    places: dict[pytest.Item, int] = {}
    for item in items:
        path = item.nodeid.partition("::")[0]
        group = (
            "browser" if path.startswith(_BROWSER) else "neo4j" if NEO4J in needs_of(item) else ""
        )
        item.add_marker(pytest.mark.xdist_group(group or path))
        places[item] = 0 if group else 1 if path.startswith(_NEXT) else 2
    items.sort(key=lambda item: places[item])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A test is called as it is without workers, so that its name can be run again."""
    if not IN_WORKER:
        report.nodeid = _GROUP.sub("", report.nodeid)
