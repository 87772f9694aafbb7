"""Screenshots of every page to build/screens, light and dark, and what axe-core finds on each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import ROOT, Canvas, ask, settled, wait_for_sample
from tests.browser.test_main_job import HEADLINE

SCREENS = ROOT / "build" / "screens"
_NOTHING_MOVES_JS = """() => document.getAnimations().every(
  one => one.playState !== 'running' || one.effect.getComputedTiming().endTime === Infinity)"""


def _hard_to_reach(page: Any) -> list[str]:
    """What axe-core calls serious or worse, as rule and element."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:200]} {node['failureSummary']}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize(("width", "height", "scheme"), [(1500, 900, "light"), (1280, 720, "dark")])
def test_screens(
    server: str, new_page: Callable[..., Any], width: int, height: int, scheme: str
) -> None:
    SCREENS.mkdir(parents=True, exist_ok=True)
    page = new_page(server, width, height, scheme)
    wait_for_sample(page)
    ask(page, HEADLINE)

    def shoot(name: str) -> None:
        settled(page)
        page.wait_for_function(_NOTHING_MOVES_JS)
        path = SCREENS / f"{name}-{width}x{height}.png"
        page.screenshot(path=str(path))
        assert path.stat().st_size > 20_000
        box = page.get_by_test_id("stChatInputTextArea").bounding_box()
        assert box["y"] + box["height"] < height, f"the chat's input is out of sight on {name}"
        wide = page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
        assert not wide, f"{name} scrolls sideways at {width} px"
        assert not (found := _hard_to_reach(page)), f"{name}, {scheme}: {found}"
        assert page.get_by_role("heading", level=1).count() >= 1

    shoot("library")
    page.locator(".sentence button.cite").last.click()
    evidence = page.locator(".st-key-evidence_shown")
    evidence.wait_for()
    shoot("evidence")
    page.keyboard.press("Escape")
    evidence.wait_for(state="detached")
    page.get_by_role("button", name="Show in graph").click()
    Canvas(page).wait()
    shoot("explorer")
    page.get_by_role("link", name="Literature").click()
    page.get_by_role("heading", name="Literature").wait_for()
    query = page.get_by_role("textbox", name="Search by meaning and words")
    query.fill("drug repurposing with knowledge graphs")
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_text("papers in").wait_for()
    shoot("literature")
    page.goto(f"{page.url.rsplit('/', 1)[0]}/boards?medicine=Metformin&medicine=Ibuprofen")
    board = page.get_by_role("grid", name="Adverse reactions by medicines")
    board.get_by_role("gridcell").first.click()
    page.get_by_text("Show on its page").first.wait_for()
    shoot("boards")
    for name in ("History", "System"):
        page.get_by_role("link", name=name).click()
        page.get_by_role("heading", name=name).wait_for()
        shoot(name.lower())
