"""Who gets the page: not a name that somebody else's DNS points here, not a browser without the token."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.browser.conftest import CHROMIUM, serving

TOKEN = "a-token-of-the-tests"
_FOREIGN = "evil.example"


@pytest.mark.req("PR-9")
def test_a_page_under_a_foreign_name_is_refused(server: str, browser: Any) -> None:
    """What DNS rebinding comes to: a name of the attacker's that this machine answers to."""
    port = urlsplit(server).port
    chromium = browser.browser_type.launch(
        executable_path=CHROMIUM,
        args=["--no-sandbox", "--disable-gpu", f"--host-resolver-rules=MAP {_FOREIGN} 127.0.0.1"],
    )
    try:
        page = chromium.new_page()
        answer = page.goto(f"http://{_FOREIGN}:{port}/")
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
    finally:
        chromium.close()


@pytest.mark.parametrize(("host", "origin"), [(_FOREIGN, _FOREIGN), (None, _FOREIGN)])
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


def test_with_a_token_the_page_opens_after_signing_in(
    tmp_path: Path, onnx_models: Path, browser: Any
) -> None:
    settings = {"MATERIA_ACCESS_TOKEN": TOKEN, "MATERIA_SAMPLE": "false"}
    with serving(tmp_path / "data", onnx_models, **settings) as address:
        context = browser.new_context()
        page = context.new_page()
        assert page.goto(f"{address}/library").status == 401
        with pytest.raises(InvalidStatus):
            connect(f"ws{address.removeprefix('http')}/_stcore/stream", open_timeout=20)
        page.get_by_label("Access token").fill("wrong")
        page.get_by_role("button", name="Sign in").click()
        page.get_by_label("Access token").fill(TOKEN)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_text("Ask Materia").wait_for(timeout=60_000)
        context.close()
