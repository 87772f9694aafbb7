"""The parent of the processes that are killed, one for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.crash.processes import Processes


@pytest.fixture(scope="package")
def processes() -> Iterator[Processes]:
    started = Processes()
    yield started
    started.close()
