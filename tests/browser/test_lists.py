"""A list of the graph in a real browser: understood, whole, taken along."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.browser.conftest import ask, settled, wait_for_sample

NewPage = Callable[..., Any]


def test_a_list_is_understood_opened_and_taken_along(server: str, new_page: NewPage) -> None:
    page = new_page(server)
    wait_for_sample(page)
    ask(page, "Which drugs treat hypertension but do not target ADRB1?")
    page.get_by_text(
        "Understood: Drugs that treat hypertension and are not said in the graph to target ADRB1"
    ).wait_for()
    number = re.match(r"\d+", page.locator(".answer").inner_text())
    assert number is not None
    page.get_by_text(re.compile(rf"All {number[0]}: Drugs that treat")).click()
    page.get_by_test_id("stSidebarUserContent").get_by_test_id("stDataFrame").wait_for()
    with page.expect_download() as downloading:
        page.get_by_test_id("stDownloadButton").get_by_role("button").click()
    rows = list(csv.DictReader(io.StringIO(Path(downloading.value.path()).read_text("utf-8-sig"))))
    assert len(rows) == int(number[0]) and {row["Type"] for row in rows} == {"Drug"}
    settled(page)
    page.get_by_role("button", name="Add to graph").click()
    page.get_by_role("heading", name="Explorer").wait_for()
    assert page.outside == []


def test_another_question_is_offered_where_the_graph_has_no_such_name(
    server: str, new_page: NewPage
) -> None:
    page = new_page(server)
    wait_for_sample(page)
    ask(page, "Which drugs treat juvenile gout?")
    page.get_by_text("which was not put in its place").wait_for()
    page.get_by_role("button", name="Ask instead: Which drugs treat gout?").click()
    page.get_by_text("Understood: Drugs that treat gout").wait_for()
    assert page.outside == []


def test_what_was_understood_is_corrected_by_typing_another_name(
    server: str, new_page: NewPage
) -> None:
    page = new_page(server)
    wait_for_sample(page)
    ask(page, "Which proteins are targeted by drugs that treat hypertension?")
    page.get_by_role("button", name="Change", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Targets of drugs that treat hypertension", exact=True).wait_for()
    settled(page)
    for typed, then in (
        ("goutt", "Nothing here is called “goutt”"),
        ("gout", "Targets of drugs that treat gout"),
    ):
        dialog.get_by_role("combobox").last.click()
        page.keyboard.type(typed)
        page.get_by_text(f"Add: {typed}").wait_for()
        page.keyboard.press("Enter")
        dialog.get_by_text(then).wait_for()
        settled(page)
    dialog.get_by_role("button", name="Ask so").click()
    page.get_by_text(
        "Understood: Targets of drugs that treat gout (changed by you; was: Targets of drugs that "
        "treat hypertension)"
    ).wait_for()
    dialog.wait_for(state="detached")
    # Another turn's dialog shows its own plan, and closes without a trace.
    ask(page, "Which drugs worsen hypertension?")
    page.get_by_role("button", name="Change", exact=True).last.click()
    dialog.get_by_text("left out if you ask so: “worsen”").wait_for()
    settled(page)
    shown = [box.input_value() for box in dialog.get_by_role("combobox").all()]
    assert shown == ["A list", "Drugs", "treat", "hypertension (disease)"]
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    settled(page)
    dialog.wait_for(state="detached")
    ask(page, "How many drugs treat gout?")
    page.get_by_text("Understood: The number of drugs that treat gout").wait_for()
    assert dialog.count() == 0 and page.outside == []
