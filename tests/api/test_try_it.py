"""The page on which the API is tried: whole by itself, and only what this server gives."""

from __future__ import annotations

import re

import httpx
import pytest

from core.api.docs_page.try_it import TABLE


def test_the_page_takes_nothing_from_elsewhere(client: httpx.Client) -> None:
    page = client.get("/api/docs")
    assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
    named = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert set(named) == {"/", "/api/openapi.json", *(one.path for one in TABLE[1:])}
    assert "<style" not in page.text and not re.search(r"<script(?! src)|\son\w+=", page.text)
    for path in (one.path for one in TABLE):
        served = client.get(path)
        assert served.status_code == 200 and "://" not in served.text
        policy = served.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy
        assert "frame-ancestors 'none'" in policy
        assert served.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "word", ["innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "document.write"]
)
def test_nothing_that_it_shows_becomes_markup(client: httpx.Client, word: str) -> None:
    assert word not in client.get("/api/docs/try_it.js").text
