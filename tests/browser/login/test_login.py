"""Two people log in on one server: each sees their own conversations, on the page and over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.api.serving import served
from tests.browser.conftest import ask, serving, settled
from tests.browser.login.oidc import CLIENT, CLIENT_SECRET, Provider

TOKEN = "a-token-of-the-tests"
QUESTION = "What is the dose of Zolvetrin?"
ANNA = {"sub": "1", "name": "Anna <b>A.</b>", "email": "same@x.example"}
BEN = {"sub": "2", "name": "Ben B.", "email": "same@x.example"}


def _log_in(page: Any, provider: Provider, who: dict[str, str]) -> None:
    provider.who = who
    page.get_by_role("button", name="Log in").click()
    page.get_by_text(who["name"]).wait_for()
    page.get_by_text("Ask Materia").wait_for()


def _conversations(page: Any) -> list[str]:
    found = page.evaluate("async () => (await fetch('/api/conversations')).json()")
    return [one["title"] for one in found["conversations"]]


@pytest.mark.req("CG-1", "KG-16")
def test_each_who_logs_in_sees_their_own(
    tmp_path: Path, onnx_models: Path, new_tab: Callable[[], Any]
) -> None:
    provider = Provider()
    secrets = tmp_path / "home" / ".streamlit" / "secrets.toml"
    secrets.parent.mkdir(parents=True)
    with served(provider.application) as issuer:
        secrets.write_text(
            f'[auth]\nredirect_uri = "http://127.0.0.1:{{port}}/oauth2callback"\n'
            f'cookie_secret = "{CLIENT_SECRET}"\nclient_id = "{CLIENT}"\n'
            f'client_secret = "{CLIENT_SECRET}"\n'
            f'server_metadata_url = "{issuer}/.well-known/openid-configuration"\n'
        )
        environment = {"HOME": str(tmp_path / "home"), "MATERIA_SAMPLE": "false"}
        environment |= {"MATERIA_ACCESS_TOKEN": TOKEN}
        with serving(tmp_path / "data", onnx_models, **environment) as address:
            page = new_tab()
            page.goto(address)
            page.get_by_label("Access token").fill(TOKEN)
            page.get_by_role("button", name="Sign in").click()
            page.get_by_role("button", name="Log in").wait_for()
            assert page.get_by_text("Ask Materia").count() == 0
            assert page.get_by_text("History").count() == 0
            refused = page.evaluate("async () => (await fetch('/api/conversations')).status")
            assert refused == 401

            _log_in(page, provider, ANNA)
            ask(page, QUESTION)
            assert _conversations(page) == [QUESTION]
            page.get_by_role("button", name="Log out").click()
            page.get_by_role("button", name="Log in").wait_for()

            # The tab still remembers Anna's conversation; it is none to Ben.
            _log_in(page, provider, BEN)
            settled(page)
            assert page.locator(".answer").count() == 0 and _conversations(page) == []
            page.goto(f"{address}/history")
            page.get_by_text("No conversations yet").wait_for()
            page.get_by_role("button", name="Log out").click()
            page.get_by_role("button", name="Log in").wait_for()

            _log_in(page, provider, ANNA)
            page.goto(f"{address}/history")
            page.get_by_role("button", name="Reopen").wait_for()
            assert _conversations(page) == [QUESTION]
