"""The boards in a real browser: the table by mouse and keys, the evidence of a cell, the address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.browser.conftest import settled


def test_a_cell_shows_what_it_rests_on(server: str, new_page: Callable[..., Any]) -> None:
    page = new_page(f"{server}/boards?medicine=Metformin&medicine=Sertraline")
    board = page.get_by_role("grid", name="Adverse reactions by medicines")
    board.wait_for()
    settled(page)
    assert board.get_by_role("columnheader").all_inner_texts() == [
        "Reaction",
        "Metformin",
        "Sertraline",
    ]
    row = board.get_by_role("row").filter(has=page.get_by_role("rowheader", name="lactic acidosis"))
    row.get_by_role("gridcell").first.click()
    evidence = page.locator(".st-key-board_evidence")
    evidence.get_by_text("Very rare (may affect up to 1 in 10,000 people)").first.wait_for()
    settled(page)
    assert board.locator('[aria-selected="true"]').count() == 1

    # By keys: one to the right, where nothing was found, which says no more than that.
    row.get_by_role("gridcell").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    evidence.get_by_text("That does not mean that it does not occur").wait_for()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    evidence.get_by_role("button", name="Show on its page").first.click()
    page.locator(".st-key-evidence_picture img").wait_for()
    page.get_by_role("button", name="Close the evidence").click()

    # The choice is in the address, and outlives a change of the page.
    page.get_by_role("radio", name="Interactions").click()
    matrix = page.get_by_role("grid", name="What leaflets and the graph say")
    matrix.wait_for()
    assert "medicine=Metformin" in page.url and "board=Interactions" in page.url
    page.get_by_role("link", name="Library").click()
    page.get_by_role("heading", name="Library").wait_for()
    page.get_by_role("link", name="Boards").click()
    matrix.wait_for()
    assert matrix.get_by_role("rowheader").all_inner_texts() == ["Metformin", "Sertraline"]
    assert not page.outside


def test_columns_beyond_the_edge_are_told_and_reached(
    server: str, new_page: Callable[..., Any]
) -> None:
    names = "Metformin Sertraline Warfarin Ibuprofen Lisinopril Amoxicillin Methotrexate Salbutamol"
    address = "&".join(f"medicine={one}" for one in [*names.split(), "Atorvastatin"])
    page = new_page(f"{server}/boards?{address}", width=1366, height=768)
    board = page.get_by_role("grid", name="Adverse reactions by medicines")
    board.wait_for()
    settled(page)
    last = board.get_by_role("columnheader").last
    more = page.get_by_role("button", name="more medicine")
    assert last.bounding_box()["x"] > page.viewport_size["width"] - 60
    more.filter(has_text="→").click()
    more.filter(has_text="←").wait_for()
    box = last.bounding_box()
    assert box["x"] + box["width"] <= page.viewport_size["width"]
    more.click()
    more.filter(has_text="→").wait_for()
    page.set_viewport_size({"width": 2400, "height": 900})
    more.wait_for(state="hidden")
