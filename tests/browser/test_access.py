"""Who gets the page: not a name that somebody else's DNS points here, not a browser without the token."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.browser.conftest import FOREIGN, serving, wait_for_sample

TOKEN = "a-token-of-the-tests"


@pytest.mark.req("PR-9")
def test_a_page_under_a_foreign_name_is_refused(server: str, new_tab: Callable[[], Any]) -> None:
    """What DNS rebinding comes to: a name of the attacker's that this machine answers to."""
    port = urlsplit(server).port
    page = new_tab()
    answer = page.goto(f"http://{FOREIGN}:{port}/")
    assert answer.status == 400 and "HOST_NOT_ALLOWED" in page.inner_text("body")
    told = page.evaluate(
        """async () => {
          const listed = await fetch('/api/documents');
          const taken = await fetch('/api/folders', {method: 'POST', body: '{"path": "/etc"}'});
          const socket = await new Promise((done) => {
            const opened = new WebSocket(`ws://${location.host}/_stcore/stream`);
            opened.onopen = () => done('open');
            opened.onerror = () => done('refused');
          });
          return [listed.status, taken.status, socket];
        }"""
    )
    assert told == [400, 400, "refused"]


@pytest.mark.parametrize(("host", "origin"), [(FOREIGN, FOREIGN), (None, FOREIGN)])
def test_the_pages_websocket_is_closed_to_others(
    server: str, host: str | None, origin: str
) -> None:
    address = f"ws{server.removeprefix('http')}/_stcore/stream"
    headers = {"Origin": f"http://{origin}"} | ({"Host": host} if host else {})
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(address, additional_headers=headers, open_timeout=20),
    ):
        pass
    assert refused.value.response.status_code in (400, 403)


def test_with_a_token_a_first_start_opens_after_signing_in(
    tmp_path: Path, onnx_models: Path, new_tab: Callable[[], Any]
) -> None:
    """The sample comes in while one looks on."""
    with serving(tmp_path / "data", onnx_models, MATERIA_ACCESS_TOKEN=TOKEN) as address:
        page = new_tab()
        assert page.goto(f"{address}/library").status == 401
        with pytest.raises(InvalidStatus):
            connect(f"ws{address.removeprefix('http')}/_stcore/stream", open_timeout=20)
        page.get_by_label("Access token").fill("wrong")
        page.get_by_role("button", name="Sign in").click()
        page.get_by_label("Access token").fill(TOKEN)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_text("Ask Materia").wait_for()
        page.get_by_text("First start: loading the sample library").wait_for()
        wait_for_sample(page)
        page.get_by_text("10 documents").wait_for()
