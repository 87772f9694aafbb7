"""The parent of the processes that are killed, one for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.conftest import browser, new_page, new_tab  # noqa: F401  fixtures
from tests.crash.processes import IN_BROWSER, Processes

collect_ignore = [] if IN_BROWSER else ["test_open_page.py"]


@pytest.fixture(scope="package")
def processes() -> Iterator[Processes]:
    started = Processes()
    yield started
    started.close()
