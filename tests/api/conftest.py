"""The API behind a real server on a loopback socket."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from starlette.applications import Starlette

from core.api import routes
from core.workspace import share_workspace
from tests.api.serving import served


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(Starlette(routes=routes())) as url:
        yield url


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    """A client; the test shares the workspace that answers it."""
    with httpx.Client(base_url=address, timeout=60) as opened:
        yield opened
    share_workspace(None)
