"""The explorer in a real browser: search, nodes, expansion, filters, paths, import, hostile names."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import TimeoutError

from core.settings import load_settings
from core.workspace import open_workspace
from tests.browser.conftest import (
    Canvas,
    ask,
    serving,
    settled,
    until,
    wait_for_sample,
)

NewPage = Callable[..., Any]
GOLD = (0xF0, 0xB4, 0x29)  # of the ring
EVIL = "<img src=x onerror=alert(1)>"

_NODES = f"""id,type,name,half_life
DB1,Drug,Alphacillin,about 2 hours
DB2,Drug,Betamycin,
DBX,Drug,{EVIL},
D1,Disease,gout,
D2,Disease,a very long name of a disease that nobody could read in a single line of a drawing,
P1,Protein,PROTA,
"""
_RELATIONSHIPS = """source,type,target
DB1,TREATS,D1
DB2,TREATS,D1
DBX,TREATS,D1
DBX,TREATS,D2
DB2,TARGETS,P1
"""


@pytest.fixture(scope="module")
def explorer(tmp_path_factory: pytest.TempPathFactory, onnx_models: Path) -> Iterator[str]:
    """A server without documents, with the small graph above."""
    folder = tmp_path_factory.mktemp("explored")
    _files(folder)
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("MATERIA_")]:
            patch.delenv(name)
        workspace = open_workspace(load_settings(data_dir=folder / "data", sample=False))
    workspace.graph_tasks.import_folder(folder)
    workspace.close()
    with serving(folder / "data", onnx_models, MATERIA_SAMPLE="false") as address:
        yield f"{address}/explorer"


def _files(folder: Path, more_nodes: str = "", more_relationships: str = "") -> list[str]:
    nodes, relationships = folder / "nodes.csv", folder / "relationships.csv"
    nodes.write_text(_NODES + more_nodes, encoding="utf-8")
    relationships.write_text(_RELATIONSHIPS + more_relationships, encoding="utf-8")
    return [str(nodes), str(relationships)]


def _search(page: Any, query: str) -> None:
    box = page.get_by_label("Search the graph")
    box.fill(query)
    box.press("Enter")


def _open(page: Any, query: str, name: str) -> None:
    _search(page, query)
    page.get_by_test_id("stMain").get_by_role(
        "button", name=re.compile(re.escape(name))
    ).first.click()
    page.locator("h2", has_text=name).wait_for()


def _mode(page: Any, name: str) -> None:
    page.get_by_test_id("stMain").get_by_test_id("stButtonGroup").get_by_text(name).click()


def test_dropped_files_are_imported_and_counted_without_a_reload(
    explorer: str, new_page: NewPage, tmp_path: Path
) -> None:
    page = new_page(explorer)
    page.get_by_text("The graph holds 6 entities").wait_for()
    page.get_by_role("button", name="Import a graph").click()
    page.locator('input[type="file"]').set_input_files(
        _files(tmp_path, "LONE,Pathway,lonely pathway,\n", "DB1,TREATS,NOBODY\n")
    )
    # The form's own words name both files, too; it cannot be sent while one of them comes in.
    page.get_by_test_id("stFileChipName").filter(has_text="relationships.csv").wait_for()
    page.get_by_test_id("stFileChipIconSpinner").first.wait_for(state="detached")
    counted = page.get_by_text("The graph holds 7 entities")
    page.get_by_role("button", name="Import", exact=True).click()
    counted.wait_for()
    page.get_by_text("relationships.csv:7").first.wait_for()


def test_hostile_name_stays_text_wherever_it_is_shown(explorer: str, new_page: NewPage) -> None:
    page = new_page(explorer)
    tabs = page.context.pages
    _open(page, "<img", EVIL)
    canvas = Canvas(page)
    assert canvas.has_dots(3)
    canvas.select("gout")
    canvas.select(EVIL)
    for place in canvas.dots():
        canvas.inside.locator("canvas").dblclick(position={"x": place[0], "y": place[1]})
        canvas.wait()
    _point_at_relationships(canvas)
    assert canvas.inside.locator(".vis-tooltip").inner_text().startswith(f"{EVIL} treats ")
    assert page.locator("img[src='x']").count() == 0
    assert canvas.inside.locator("img").count() == 0
    assert page.dialogs == [] and page.context.pages == tabs and page.outside == []


def _point_at_relationships(canvas: Canvas) -> None:
    """Hold the pointer over the middle between two dots until the words of a relationship appear."""
    words = canvas.inside.locator(".vis-tooltip")
    # The selected one, which comes last, has relationships with all others.
    for (x, y), (to_x, to_y) in combinations(reversed(canvas.dots()), 2):
        for nudge in (0, 2):  # the first movement only hides what was shown before
            place = {"x": (x + to_x) / 2 + nudge, "y": (y + to_y) / 2}
            canvas.inside.locator("canvas").hover(position=place)
            with suppress(TimeoutError):  # there is no relationship between these two
                words.wait_for(timeout=3_000)
                return
    raise AssertionError("no relationship says what it is")


def test_nodes_are_clicked_expanded_and_filtered(explorer: str, new_page: NewPage) -> None:
    page = new_page(explorer)
    _open(page, "Alpha", "Alphacillin")
    page.get_by_text("about 2 hours").wait_for()
    page.get_by_text("2 entities, 1 relationship.").wait_for()
    canvas = Canvas(page)
    assert canvas.has_dots(2)
    canvas.select("gout")
    page.get_by_role("button", name="Expand", exact=True).click()
    page.get_by_text("4 entities, 3 relationships.").wait_for()
    assert canvas.has_dots(4)
    canvas.select("Betamycin")
    page.get_by_role("button", name=re.compile("Disease 1")).click()
    page.get_by_text("3 of 4 entities, 0 relationships.").wait_for()
    assert canvas.has_dots(3)


def test_same_node_can_be_clicked_again_and_the_drawing_lives_on(
    explorer: str, new_page: NewPage
) -> None:
    page = new_page(explorer)
    _open(page, "gout", "gout")
    canvas = Canvas(page)
    assert canvas.has_dots(4)
    usual = canvas.dots()
    canvas.mark()
    middle = canvas.inside.locator("canvas").bounding_box()
    page.mouse.move(middle["x"] + middle["width"] / 2, middle["y"] + middle["height"] / 2)
    page.mouse.wheel(0, -120)
    until(page, lambda: not _near(canvas.dots(), usual))
    zoomed = canvas.dots()
    canvas.select("Betamycin")
    # Taken off and brought back: the component saw nothing of it, and its last click is the same.
    page.get_by_role("button", name="Take off").click()
    page.get_by_text("3 entities, 2 relationships.").wait_for()
    page.locator(".st-key-graph_back button").first.click()
    page.get_by_text("4 entities, 3 relationships.").wait_for()
    assert canvas.has_dots(4)
    canvas.select("Alphacillin")
    canvas.select("Betamycin")
    assert canvas.is_marked()
    assert _near(canvas.dots(), zoomed)


def _near(places: list[tuple[float, float]], others: list[tuple[float, float]]) -> bool:
    """Whether both hold the same places; dots with a dark rim are measured a little smaller."""
    return len(places) == len(others) and all(
        min(abs(x - a) + abs(y - b) for a, b in others) < 4 for x, y in places
    )


def test_path_between_two_entities_is_read_and_drawn(explorer: str, new_page: NewPage) -> None:
    page = new_page(explorer)
    _mode(page, "Paths")
    for label, name in (("From", "alphacillin"), ("To", "PROTA")):
        box = page.get_by_label(label, exact=True)
        box.fill(name)
        box.press("Enter")
        settled(page)
    page.get_by_text(
        "Alphacillin treats gout. gout is treated by Betamycin. Betamycin targets PROTA."
    ).wait_for()
    canvas = Canvas(page)
    assert canvas.has_dots(4)
    canvas.select("Betamycin")
    page.get_by_role("button", name="Put this path on the canvas").click()
    page.get_by_text("4 entities, 3 relationships.").wait_for()


@pytest.mark.req("KG-20", "KG-21")
def test_conversation_is_highlighted_and_the_chat_stays_as_it_is(
    server: str, new_page: NewPage
) -> None:
    """KG-20, KG-21: rings after an answer; open or closed chat and typed text survive the graph."""
    page = new_page(server)
    wait_for_sample(page)
    page.get_by_role("link", name="Explorer").click()
    _open(page, "warfarin", "Warfarin")
    canvas = Canvas(page)
    canvas.wait()
    rings = page.get_by_text("named or cited in the open conversation")
    assert rings.count() == 0 and not canvas.shows(GOLD)
    ask(page, "Does ibuprofen interact with warfarin?")
    rings.wait_for()
    assert canvas.comes_to_show(GOLD)

    chat = page.get_by_test_id("stChatInputTextArea")
    chat.fill("a question that is still being typed")
    other = canvas.select_another("Warfarin")
    page.get_by_role("button", name="Expand", exact=True).click()
    canvas.wait()
    assert chat.input_value() == "a question that is still being typed"
    width = canvas.width
    page.get_by_role("button", name="Minimize").click()
    until(page, lambda: canvas.width > width)
    canvas.wait()
    wider = canvas.width
    canvas.select_another(other)
    assert canvas.width == wider
    assert page.outside == []
