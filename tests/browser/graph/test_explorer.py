"""The explorer in a real browser: search, nodes, expansion, filters, paths, import, hostile names."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.browser.conftest import (
    Canvas,
    ask,
    search_graph,
    settled,
    until,
    wait_for_sample,
)
from tests.browser.graph.conftest import EVIL, graph_files

NewPage = Callable[..., Any]
GOLD = (0xF0, 0xB4, 0x29)  # of the ring


def _open(page: Any, query: str, name: str) -> None:
    search_graph(page, query)
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
        graph_files(tmp_path, "LONE,Pathway,lonely pathway,\n", "DB1,TREATS,NOBODY\n")
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
    page.mouse.move(*canvas.nodes()[EVIL])
    hint = page.get_by_role("tooltip").filter(has_text="Drug · ")
    hint.wait_for()
    assert hint.inner_text().startswith(EVIL)
    canvas.click(canvas.nodes()[EVIL], button="right")
    page.get_by_role("menu", name=EVIL).wait_for()
    page.keyboard.press("Escape")
    canvas.click(canvas.lines()[f"{EVIL} treats gout"])
    page.get_by_text("Relationship TREATS of the graph, from DBX to D1").wait_for()
    canvas.select(EVIL)
    canvas.click(canvas.nodes()[EVIL], click_count=2)
    canvas.wait()
    assert page.locator("img[src='x']").count() == 0
    assert page.dialogs == [] and page.context.pages == tabs and page.outside == []


def test_nodes_and_lines_are_worked_with(explorer: str, new_page: NewPage, tmp_path: Path) -> None:
    """Click, double click, drag, right click, legend, undo: on one page, one after the other."""
    page = new_page(explorer)
    _open(page, "Alpha", "Alphacillin")
    page.get_by_text("about 2 hours").wait_for()
    page.get_by_text("2 entities, 1 relationship.").wait_for()
    canvas = Canvas(page)
    assert canvas.has_dots(2)

    canvas.click(canvas.nodes()["gout"], click_count=2)
    page.get_by_text("4 entities, 3 relationships.").wait_for()
    assert canvas.has_dots(4)

    # A drag moves what is dragged and nothing else; it stays there, and its neighbour is as it was.
    before = canvas.nodes()
    canvas.drag("Betamycin", (-40, 30))
    assert canvas.marked("data-pinned") == {"Betamycin"}
    after = canvas.nodes()
    assert _near(after["Betamycin"], (before["Betamycin"][0] - 40, before["Betamycin"][1] + 30))
    assert all(_near(after[name], at) for name, at in before.items() if name != "Betamycin")

    canvas.click(canvas.lines()["Alphacillin treats gout"])
    page.get_by_text("Relationship TREATS of the graph, from DB1 to D1").wait_for()
    page.get_by_role("button", name=re.compile("gout · Disease")).click()
    until(page, lambda: canvas.selected() == "gout")

    diseases = page.get_by_role("button", name=re.compile("Disease 1"))
    assert diseases.get_attribute("aria-pressed") == "true"
    canvas.select("Betamycin")
    diseases.click()
    page.get_by_text("3 of 4 entities, 0 relationships.").wait_for()
    assert canvas.has_dots(3)
    page.keyboard.press("Control+z")
    page.get_by_text("4 entities, 3 relationships.").wait_for()
    canvas.menu("Alphacillin", "Hide")
    page.get_by_text("3 of 4 entities, 2 relationships.").wait_for()
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    until(page, lambda: canvas.marked("data-pinned") == set())
    page.keyboard.press("Control+y")
    until(page, lambda: canvas.marked("data-pinned") == {"Betamycin"})
    canvas.menu("gout", "Path to ...")
    canvas.click(canvas.nodes()["Betamycin"])
    page.get_by_text("gout is treated by Betamycin.").first.wait_for()
    _mode(page, "Search")
    canvas.wait()

    with page.expect_download() as download:
        page.get_by_role("button", name="Save the picture (PNG)").click()
    download.value.save_as(tmp_path / "graph.png")
    with Image.open(tmp_path / "graph.png") as picture:
        assert picture.getpixel((2, picture.height // 2))[:3] == (255, 255, 255)
        assert len(picture.getcolors(1 << 20)) > 20


def test_canvas_fills_the_page_and_keeps_its_view_through_runs(
    explorer: str, new_page: NewPage
) -> None:
    page = new_page(explorer)
    _open(page, "gout", "gout")
    canvas = Canvas(page)
    assert canvas.has_dots(4)
    assert _bottom(canvas) > 900 - 40
    _all_in_sight(canvas)
    page.mouse.move(*canvas.nodes()["gout"])
    page.mouse.wheel(0, -240)
    zoomed = canvas.nodes()
    canvas.select("Betamycin")
    # Taken off and brought back: what was in sight stays so.
    page.get_by_role("button", name="Take off").click()
    page.get_by_text("3 entities, 2 relationships.").wait_for()
    assert canvas.has_dots(3)
    now = canvas.nodes()
    assert all(_near(now[name], zoomed[name]) for name in now)
    page.locator(".st-key-graph_back button").first.click()
    assert canvas.has_dots(4)
    _all_in_sight(canvas)
    # The chat gives its room, and takes it again: all of it is fitted anew.
    canvas.select("Alphacillin")
    narrow = canvas.width
    page.get_by_role("button", name="Minimize").click()
    until(page, lambda: canvas.width > narrow + 200)
    page.wait_for_timeout(600)
    _all_in_sight(canvas)
    # Taken out of the page while it gets another size, it has that size when it comes back.
    canvas.select("gout")
    page.set_viewport_size({"width": 1200, "height": 700})
    _mode(page, "Table")
    canvas.root.wait_for(state="detached")
    page.wait_for_timeout(500)
    _mode(page, "Both")
    until(page, lambda: _fills_its_place(canvas))
    _mode(page, "Picture")
    page.set_viewport_size({"width": 1500, "height": 900})
    until(page, lambda: _fills_its_place(canvas))
    # A long press opens the menu; its end neither selects nor does what lies under the finger.
    canvas.select("Alphacillin")
    x, y = canvas.nodes()["gout"]
    finger = page.context.new_cdp_session(page)
    touch = {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    finger.send("Input.dispatchTouchEvent", touch)
    menu = page.get_by_role("menu", name="gout")
    menu.wait_for()
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    canvas.wait()
    assert menu.is_visible() and canvas.selected() == "Alphacillin"
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Full screen (F)").click()
    until(page, lambda: canvas.width > 1400)
    page.get_by_role("heading", name="Alphacillin").wait_for()
    # A menu that is higher than the canvas scrolls, and its last entry can be reached.
    page.set_viewport_size({"width": 1500, "height": 260})
    until(page, lambda: _fills_its_place(canvas))
    canvas.click(canvas.nodes()["gout"], button="right")
    last = page.get_by_role("menuitem").last
    last.scroll_into_view_if_needed()
    assert menu.evaluate("menu => menu.scrollTop > 0")
    assert last.bounding_box()["y"] + last.bounding_box()["height"] <= _bottom(canvas)
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1500, "height": 900})
    page.get_by_role("heading", name="Alphacillin").click()
    page.keyboard.press("Escape")
    until(page, lambda: canvas.width < 1490)


def test_canvas_is_walked_with_the_keyboard(explorer: str, new_page: NewPage) -> None:
    page = new_page(explorer)
    _open(page, "gout", "gout")
    canvas = Canvas(page)
    assert canvas.has_dots(4)
    box = page.get_by_role("listbox", name=re.compile("Graph of 4 entities and 3 relationships"))
    box.focus()
    places = canvas.nodes()
    x, y = (places["Alphacillin"][at] - places["gout"][at] for at in (0, 1))
    across = "ArrowRight" if x > 0 else "ArrowLeft"
    page.keyboard.press(across if abs(x) > abs(y) else "ArrowDown" if y > 0 else "ArrowUp")
    page.keyboard.press("Enter")
    until(page, lambda: canvas.selected() not in ("", "gout"))
    other = canvas.selected()
    assert canvas.marked('aria-selected="true"') == {other}
    page.keyboard.press("m")
    page.get_by_role("menuitem", name="Expand").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_text("3 of 4 entities").wait_for()
    assert other not in canvas.nodes()


def _near(place: tuple[float, float], other: tuple[float, float]) -> bool:
    return abs(place[0] - other[0]) < 3 and abs(place[1] - other[1]) < 3


def _bottom(canvas: Canvas) -> float:
    return float(canvas.root.evaluate("root => root.getBoundingClientRect().bottom"))


def _fills_its_place(canvas: Canvas) -> bool:
    canvas.wait()
    return bool(
        canvas.root.evaluate(
            """root => {
              const [own, drawn] = ['.graph-drawing', '.graph-net canvas']
                .map(one => root.querySelector(one).getBoundingClientRect());
              return Math.abs(own.width - drawn.width) < 2 && Math.abs(own.height - drawn.height) < 2;
            }"""
        )
    )


def _all_in_sight(canvas: Canvas) -> None:
    """Every dot comes to lie in the part of the canvas that no details cover."""
    until = time.monotonic() + 10  # the view moves there
    while not _are_in_sight(canvas):
        assert time.monotonic() < until, "a dot is out of sight"
        time.sleep(0.05)


def _are_in_sight(canvas: Canvas) -> bool:
    left, top, right, bottom = canvas.root.evaluate(
        """root => {
          const own = root.querySelector('.graph-drawing').getBoundingClientRect();
          const over = document.querySelector('[class*=st-key-graph_drawer]').getBoundingClientRect();
          return [own.left, own.top, over.width ? over.left : own.right, own.bottom];
        }"""
    )
    places = canvas.nodes().values()
    return all(left < x < right and top < y < bottom for x, y in places)


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
    assert "Warfarin" in canvas.marked('data-mark="2"')

    chat = page.get_by_test_id("stChatInputTextArea")
    chat.fill("a question that is still being typed")
    other = canvas.select_another("Warfarin")
    page.get_by_role("button", name="Expand", exact=True).click()
    canvas.wait()
    assert chat.input_value() == "a question that is still being typed"
    width = canvas.width
    page.get_by_role("button", name="Minimize").click()
    until(page, lambda: canvas.width > width)
    wider = canvas.width
    canvas.select_another(other)
    assert canvas.width == wider
    assert page.outside == []
