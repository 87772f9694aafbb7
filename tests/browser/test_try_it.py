"""The page on which the API is tried, in a browser: under its own policy, and from this machine alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize("width", [1440, 390])
def test_an_operation_is_found_and_sent(
    server: str, new_tab: Callable[[], Any], width: int
) -> None:
    page = new_tab()
    page.set_viewport_size({"width": width, "height": 844})
    wrong: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server}/api/docs")
    page.get_by_label("Find an operation").fill("graph/paths")
    page.locator("summary:visible").click()
    page.get_by_label("source").fill("DB00331")
    page.get_by_label("target").fill("DOID:9352")
    page.get_by_role("button", name="Send").click()
    page.get_by_text("200 OK").wait_for()
    assert "Metformin treats type 2 diabetes" in page.locator("pre:visible").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert wrong == [] and all(url.startswith(server) for url in asked)
