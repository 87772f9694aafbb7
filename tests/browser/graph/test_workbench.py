"""Around the canvas in a real browser: suggestions by keyboard, a view and its link, a reload, the tables."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import settled, until
from tests.browser.graph.conftest import EVIL

NewPage = Callable[..., Any]


def _address(page: Any) -> str:
    address: str = page.evaluate("() => location.href")
    return address


def _box(page: Any) -> Any:
    return page.get_by_label("Search the graph")


def _kept(page: Any) -> str:
    return str(page.evaluate("() => sessionStorage.getItem('materia-canvas')"))


@pytest.mark.req("KG-17", "KG-19")
def test_from_a_suggestion_to_a_saved_view_and_back_by_its_link(
    explorer: str,
    new_page: NewPage,
) -> None:
    page = new_page(explorer)
    box = _box(page)
    box.click()
    box.press_sequentially("<im")
    evil = page.get_by_role("option", name=re.compile("img"))
    evil.wait_for()
    assert EVIL in evil.inner_text() and not page.dialogs
    assert box.get_attribute("role") == "combobox" and box.get_attribute("aria-expanded") == "true"
    box.press("Escape")
    evil.wait_for(state="hidden")
    assert box.input_value() == "<im"
    box.fill("alphacilin")  # misspelt
    page.get_by_role("option", name=re.compile("Alphacillin")).wait_for()
    box.press("ArrowDown")
    active = box.get_attribute("aria-activedescendant")
    assert page.locator(f"#{active}").get_attribute("aria-selected") == "true"
    box.press("ArrowUp")
    assert box.get_attribute("aria-activedescendant") is None
    box.press("Enter")  # the only one need not be marked
    page.locator("h2", has_text="Alphacillin").wait_for()
    until(page, lambda: "entity=DB1" in _address(page))
    assert box.input_value() == ""
    box.press_sequentially("prota")
    option = page.get_by_role("option", name=re.compile("PROTA"))
    option.wait_for()
    option.get_by_role("button").click()  # beside what is shown
    until(page, lambda: "P1" in _kept(page) and "DB1" in _kept(page))

    page.get_by_role("button", name="Views").click()
    page.get_by_label("Save what is shown as").fill("My map")
    page.get_by_label("Save what is shown as").press("Enter")
    settled(page)
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("Saved as “My map”").wait_for()
    until(page, lambda: "view=" in _address(page))
    link = _address(page)
    kept = _kept(page)
    page.reload()
    page.locator("h2", has_text="PROTA").wait_for()
    until(page, lambda: _kept(page) == kept)

    other = new_page(link)  # another tab has nothing of its own yet
    other.locator("h2", has_text="PROTA").wait_for()
    other.get_by_test_id("stMain").get_by_text("Table", exact=True).click()
    other.get_by_role("tab", name="Entities (3)").wait_for()
    settled(other)
    grid = other.get_by_test_id("stDataFrame").first.bounding_box()
    other.mouse.click(grid["x"] + 15, grid["y"] + 55)
    other.locator("h2", has_text=re.compile("Alphacillin|gout")).wait_for()
    assert "PROTA" not in other.locator("h2").first.inner_text()
    other.get_by_role("button", name="Ask about these").click()
    other.get_by_role("button", name="3 entities of the graph").wait_for()
    assert other.outside == page.outside == []
