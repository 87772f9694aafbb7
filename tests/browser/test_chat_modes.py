"""Where the chat stands: docked, floating, minimized, wide, in turn with the page on a phone; what of it
outlives a reload; and that the page and the graph have the room that it leaves."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.conftest import Canvas, ask, search_graph, settled, until, wait_for_one_answer

NewPage = Callable[..., Any]
SIZES = ((1440, 900), (1280, 720), (1100, 800))
PHONE = (390, 844)
_WELCOME = b"Every sentence of an answer shows"
QUESTION = "Does ibuprofen interact with warfarin?"


def _mode(page: Any) -> str:
    return str(page.evaluate("() => document.documentElement.dataset.chatMode"))


def _press(page: Any, name: str) -> None:
    settled(page)  # what is still being placed would move away under the click
    page.get_by_role("button", name=name).click()


def _cut_short(armed: threading.Event, connection: Any) -> None:
    """Stand between page and server, and once `armed`, tell the page that the run which draws an empty panel
    ended early: so Streamlit tells it where a part that refreshes itself runs right behind it."""
    server = connection.connect_to_server()
    states = ForwardMsg.ScriptFinishedStatus
    drawn = threading.Event()

    def pass_on(frame: str | bytes) -> None:
        if isinstance(frame, bytes) and armed.is_set():
            message = ForwardMsg.FromString(frame)
            if message.WhichOneof("type") == "delta" and _WELCOME in frame:
                drawn.set()
            elif message.WhichOneof("type") == "script_finished" and drawn.is_set():
                armed.clear()
                message.script_finished = states.FINISHED_EARLY_FOR_RERUN
                frame = message.SerializeToString()
        connection.send(frame)

    server.on_message(pass_on)


def _panel(page: Any) -> dict[str, float]:
    box: dict[str, float] = page.get_by_test_id("stSidebar").bounding_box()
    return box


def _page_width(page: Any) -> float:
    return float(page.get_by_test_id("stMain").bounding_box()["width"])


def _typed(page: Any) -> str:
    return str(page.get_by_test_id("stChatInputTextArea").input_value())


def _drag(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def _head(box: dict[str, float]) -> tuple[float, float]:
    """On the header, beside its buttons."""
    return box["x"] + 60, box["y"] + 12


def _is_inside(box: dict[str, float], width: int, height: int) -> bool:
    right, bottom = box["x"] + box["width"], box["y"] + box["height"]
    return box["x"] >= 0 and box["y"] >= 0 and right <= width and bottom <= height


@pytest.mark.req("KG-35", "KG-36", "KG-37", "KG-38", "KG-39", "KG-40", "KG-21")
def test_chat_is_docked_floats_and_is_minimized_over_the_graph(
    server: str, new_page: NewPage
) -> None:
    """One page at every size: the graph has the room that the chat leaves, and what is typed stays."""
    page = new_page(f"{server}/explorer", *SIZES[0])
    search_graph(page, "warfarin")
    page.get_by_role("button", name="Warfarin · Drug").first.click()
    canvas = Canvas(page)
    canvas.wait()
    page.get_by_test_id("stChatInputTextArea").fill("still being typed")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        _docked(page, canvas, width)
        _floating(page, width, height)
        _minimized(page, width)
    assert _typed(page) == "still being typed"

    # A click beside the floating panel reaches the graph.
    _press(page, "Float over the page")
    _drag(page, _head(_panel(page)), (SIZES[2][0] - 200, 60))
    before = canvas.selected()
    canvas.select_another(before)
    assert canvas.selected() != before and _mode(page) == "floating"
    assert page.dialogs == [] and page.outside == []


def _docked(page: Any, canvas: Canvas, width: int) -> None:
    """Docked on either side, opened as it was, narrowed by a pull; the canvas takes the room."""
    for side, name in (("left", "Dock left"), ("right", "Dock right")):
        _press(page, name)
        assert _mode(page) == "docked"
        panel = _panel(page)
        assert panel["x"] == (0 if side == "left" else width - panel["width"])
        until(page, lambda panel=panel: _page_width(page) == width - panel["width"])
    narrow = canvas.width
    edge = _panel(page)["x"]
    _drag(page, (edge + 3, 400), (edge + 123, 400))
    assert 300 <= _panel(page)["width"] < width - edge
    _drag(page, (_panel(page)["x"] + 3, 400), (width - 1, 400))
    assert _panel(page)["width"] == 300  # never narrower
    until(page, lambda: canvas.width > narrow)
    _drag(page, (_panel(page)["x"] + 3, 400), (width - 437, 400))


def _floating(page: Any, width: int, height: int) -> None:
    """Wherever it is pulled, it stays within the viewport and large enough."""
    _press(page, "Float over the page")
    assert _mode(page) == "floating"
    assert _page_width(page) == width
    places = random.Random(width)
    for _ in range(6):
        target = places.randint(-300, width + 300), places.randint(-300, height + 300)
        _drag(page, _head(_panel(page)), target)
        assert _is_inside(_panel(page), width, height)
        box = _panel(page)
        corner = box["x"] + box["width"] - 4, box["y"] + box["height"] - 4
        _drag(page, corner, (places.randint(-300, width), places.randint(-300, height)))
        box = _panel(page)
        assert box["width"] >= 300 and box["height"] >= 400
        assert _is_inside(box, width, height)
    page.set_viewport_size({"width": width - 200, "height": height - 150})
    until(page, lambda: _is_inside(_panel(page), width - 200, height - 150))
    page.set_viewport_size({"width": width, "height": height})


def _minimized(page: Any, width: int) -> None:
    """The page has the whole width again; opening gives the mode of before."""
    _press(page, "Minimize")
    assert _mode(page) == "minimized"
    assert not page.get_by_test_id("stChatInputTextArea").is_visible()
    assert _page_width(page) == width
    _press(page, "Open the chat")
    assert _mode(page) == "floating"
    _press(page, "Dock left")
    _press(page, "Minimize")
    assert _page_width(page) == width
    _press(page, "Open the chat")
    assert _mode(page) == "docked" and _page_width(page) == width - _panel(page)["width"]


@pytest.mark.req("KG-20", "KG-21", "KG-35")
def test_chat_stays_as_it_is_over_pages_answers_and_a_reload(
    server: str, new_page: NewPage
) -> None:
    page = new_page(server, *SIZES[1])
    ask(page, "How should levothyroxine be taken?")
    ask(page, QUESTION)
    log = page.locator(".st-key-chat_log")
    # Read from its first sentence, with the question above it, until it is left there: the log follows its end
    # while it grows, and is put back.
    let_go = "() => window.materiaMemory.holding === null"
    until(page, lambda: page.evaluate(let_go) and abs(_top_of_last_question(page)) < 20)
    assert page.locator(".answer").last.bounding_box()["y"] > log.bounding_box()["y"]

    # Also where the turn was there a run before it was told that its answer is the one that was waited for.
    log.evaluate("log => { log.scrollTop = 0; }")
    page.evaluate(_TOLD_LATE_JS)
    until(page, lambda: abs(_top_of_last_question(page)) < 20)

    _press(page, "Float over the page")
    _drag(page, _head(_panel(page)), (500, 80))
    place = _panel(page)
    log.hover()
    page.mouse.wheel(0, -4000)
    page.mouse.wheel(0, 150)
    until(page, lambda: log.evaluate("log => log.scrollTop") == 150)
    page.get_by_test_id("stChatInputTextArea").fill("a draft")
    page.reload()
    page.locator(".answer").nth(1).wait_for()
    until(page, lambda: log.evaluate("log => log.scrollTop") == 150)
    assert (_mode(page), _panel(page), _typed(page)) == ("floating", place, "a draft")

    # "Show in graph" changes the page and the graph; the conversation's entities have rings there.
    page.get_by_role("button", name="Show in graph").last.click()
    Canvas(page).wait()
    page.get_by_text("named or cited in the open conversation").wait_for()
    assert (_mode(page), _panel(page), _typed(page)) == ("floating", place, "a draft")
    _press(page, "Minimize")
    page.get_by_role("link", name="System").click()
    page.get_by_role("heading", name="System").wait_for()
    assert _mode(page) == "minimized"
    _press(page, "Open the chat")
    assert (_mode(page), _typed(page)) == ("floating", "a draft")

    # Another conversation that is opened stands at its newest question, whether the chat was in sight or not.
    _press(page, "Dock left")
    _press(page, "New")
    page.get_by_role("link", name="History").click()
    _press(page, "Minimize")
    page.get_by_role("button", name="Reopen").first.click()
    page.locator(".answer").nth(1).wait_for()
    assert _mode(page) == "docked"
    question = page.locator(".st-key-chat_log [data-testid=stChatMessage]").nth(2)
    until(page, lambda: abs(question.bounding_box()["y"] - log.bounding_box()["y"]) < 4)


@pytest.mark.req("KG-35", "KG-40", "KG-9")
def test_no_mode_hides_what_a_page_offers(server: str, new_page: NewPage) -> None:
    """Each page in each mode but floating, which is moved: what can be clicked is reached, all pages' names
    are in sight, nothing is wider than the window; evidence that a page opens is seen whole."""
    page = new_page(f"{server}/compare", *SIZES[2])
    ask(page, QUESTION)
    switch = page.get_by_role("group", name="Page or chat")
    menu = page.get_by_test_id("stTopNav")
    for name in (
        "Compare",
        "Library",
        "Explorer",
        "Literature",
        "Boards",
        "System",
        "History",
        "Ledger",
    ):
        if name == "Ledger":
            page.locator(".st-key-ledger_chat button").first.click()
        elif name != "Compare":
            menu.get_by_role("link", name=name).click()
        page.get_by_role("heading", name=name, level=1).wait_for()
        settled(page)
        for button in ("Dock right", "Read wide", "Minimize"):
            _press(page, button)
            _has_nothing_hidden(page, f"{name}: {button}")
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        switch.get_by_role("button", name="Page").click()
        _has_nothing_hidden(page, f"{name}: phone")
        if name == "Ledger":
            page.get_by_role("button", name="Warfarin.pdf").first.click()
            _evidence_is_whole(page, *PHONE)
            page.get_by_role("button", name="Back to the page").click()
            page.locator(".st-key-evidence_shown").wait_for(state="detached")
        page.set_viewport_size({"width": SIZES[2][0], "height": SIZES[2][1]})
        if name == "Ledger":
            page.get_by_role("button", name="Warfarin.pdf").first.click()
            _evidence_is_whole(page, *SIZES[2])
            _has_nothing_hidden(page, f"{name}: evidence, minimized")
            page.keyboard.press("Escape")
        _press(page, "Open the chat")
        _press(page, "Dock left")
        _has_nothing_hidden(page, f"{name}: Dock left")


def _has_nothing_hidden(page: Any, where: str) -> None:
    found = ["not looked at"]

    def none() -> bool:
        found[:] = page.evaluate(_HIDDEN_JS)
        return not found

    with suppress(AssertionError):  # what is fitted to the window's width takes some frames
        until(page, none, seconds=15)
    assert found == [], where


def _evidence_is_whole(page: Any, width: int, height: int) -> None:
    page.locator(".st-key-evidence_picture img").wait_for()
    panel = page.locator(".st-key-evidence_panel")
    assert _is_inside(panel.bounding_box(), width, height)
    assert panel.evaluate("one => one.scrollWidth <= one.clientWidth")


# Names of what can be pressed and is not reached at its middle, once it is scrolled to; of pages whose
# names are not in the menu; and what is wider than the window.
_HIDDEN_JS = """() => {
  const name = (one) => one.getAttribute('aria-label') || one.innerText || one.outerHTML.slice(0, 80);
  const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && one.getBoundingClientRect().width > 3;
  const found = [];
  const main = document.querySelector('[data-testid=stMain]');
  if (document.documentElement.scrollWidth > innerWidth || main.scrollWidth > main.clientWidth)
    found.push('wider than the window');
  const links = [...document.querySelectorAll('[data-testid=stTopNavLink], [data-testid=stSidebarNavLink]')];
  if (links.filter(seen).length !== 6) found.push('pages that have no name in the menu');
  for (const one of document.querySelectorAll('button, a[href], textarea, summary, [role=tab]')) {
    if (!seen(one) || one.disabled || one.closest('.st-key-chat_log')) continue;
    one.scrollIntoView({ block: 'center', inline: 'nearest' });
    const { x, y, width, height } = one.getBoundingClientRect();
    const there = document.elementFromPoint(x + width / 2, y + height / 2);
    if (!there || !(one.contains(there) || there.closest('label')?.contains(one))) found.push(name(one));
  }
  main.scrollTop = 0;
  return found;
}"""


_TOLD_LATE_JS = """() => {
  const memory = window.materiaMemory;
  const last = [...document.querySelectorAll('.st-key-chat_log [class*="st-key-answer_"]')].at(-1);
  const key = [...last.classList].find(name => name.startsWith('st-key-answer_'));
  const place = { turn: '', told: 0 };
  memory.release();
  memory.answered = '';
  memory.open({
    session: memory.session, turns: memory.turns, place, answered: key.slice('st-key-answer_'.length)
  });
}"""


def _top_of_last_question(page: Any) -> float:
    """Pixels between the top of the log and the last question, which is answered."""
    log = page.locator(".st-key-chat_log").bounding_box()
    messages = page.locator(".st-key-chat_log [data-testid=stChatMessage]")
    return float(messages.nth(messages.count() - 2).bounding_box()["y"] - log["y"])


@pytest.mark.req("KG-35")
def test_keys_reach_the_input_and_change_the_mode(server: str, new_page: NewPage) -> None:
    page = new_page(server, *SIZES[0])
    settled(page)
    box = page.get_by_test_id("stChatInputTextArea")
    focused = "box => box === document.activeElement"
    for _ in range(5):
        page.keyboard.press("Tab")
        if box.evaluate(focused):
            break
    assert box.evaluate(focused)
    page.keyboard.press("Escape")
    assert _mode(page) == "minimized"
    page.keyboard.press("Control+k")
    until(page, lambda: box.evaluate(focused))
    assert _mode(page) == "docked"
    page.keyboard.press("Control+.")
    assert _mode(page) == "wide" and box.evaluate(focused)
    assert _panel(page)["width"] == SIZES[0][0] / 2
    # The evidence takes the page's room, and leaves the menu.
    assert not page.get_by_role("heading", name="Library").is_visible()
    assert page.get_by_role("link", name="History").bounding_box()["x"] > SIZES[0][0] / 2
    page.keyboard.press("Escape")
    assert _mode(page) == "docked"
    box.evaluate("box => box.blur()")
    page.keyboard.press("w")
    assert _mode(page) == "wide"
    page.keyboard.press("w")
    page.keyboard.press("/")
    assert _mode(page) == "docked" and box.evaluate(focused) and _typed(page) == ""

    # In another field keys are text.
    name = page.get_by_label("Name", exact=True)
    name.click()
    page.keyboard.type("w/")
    assert name.input_value() == "w/" and _mode(page) == "docked"

    # The buttons are one stop of the keyboard, arrows go on from there.
    page.get_by_role("button", name="Dock left").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert _mode(page) == "floating"
    page.get_by_role("button", name="Move the chat").focus()
    place = _panel(page)
    page.keyboard.press("ArrowLeft")
    assert _panel(page)["x"] == place["x"] - 20


@pytest.mark.req("KG-35", "KG-40", "PR-7")
def test_on_a_phone_chat_and_page_are_seen_in_turn(server: str, new_page: NewPage) -> None:
    page = new_page(server, *PHONE)
    switch = page.get_by_role("group", name="Page or chat")
    ask(page, QUESTION)
    assert _panel(page)["width"] == PHONE[0]
    note = page.get_by_text("no medical advice").locator("visible=true")
    assert note.count() == 1
    assert page.locator(".answer").is_visible()
    switch.get_by_role("button", name="Page").click()
    assert not page.locator(".answer").is_visible() and note.count() == 1
    links = page.get_by_test_id("stSidebarNavLink").all()
    assert len(links) > 4
    assert all(_is_inside(link.bounding_box(), *PHONE) for link in links)
    page.get_by_role("link", name="Explorer").click()
    page.get_by_role("heading", name="Explorer").wait_for()
    assert _mode(page) == "minimized" and _page_width(page) == PHONE[0]
    switch.get_by_role("button", name="Chat").click()
    assert page.locator(".answer").is_visible()
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.locator("[class*=st-key-link_]").get_by_role("button", name="Copy link").click()
    link = page.evaluate("window.copied")
    # What is opened from an answer is seen.
    page.get_by_role("button", name="Show in graph").click()
    until(page, lambda: _mode(page) == "minimized")
    wide = page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    assert not wide
    # A link to the answer opens the chat, which was left for the page.
    page.goto(link)
    wait_for_one_answer(page)
    assert _mode(page) == "docked" and "answer=" not in page.url
    # So does a link to a page, in a tab of its own, open the page.
    page.evaluate("sessionStorage.clear()")
    page.goto(f"{server}/literature")
    until(page, lambda: _mode(page) == "minimized")


def test_a_conversation_is_asked_of_a_chosen_document_alone(server: str, new_page: NewPage) -> None:
    """Its scope outlives a reload; the next conversation has none."""
    page = new_page(server, *SIZES[2])
    _press(page, "Scope")
    page.get_by_role("combobox", name="Documents").fill("Metformin")
    page.get_by_role("option", name="Metformin.pdf").click()
    chip = page.locator("[class*=st-key-chip_scope_documents] button").locator("visible=true")
    chip.wait_for()
    for _ in ("the list", "the menu"):
        page.keyboard.press("Escape")  # and leaves the chat as it is
    page.get_by_role("combobox", name="Documents").wait_for(state="hidden")
    assert _mode(page) == "docked"
    unfinished = threading.Event()
    page.route_web_socket(re.compile("_stcore/stream"), partial(_cut_short, unfinished))
    page.reload()
    chip.wait_for()
    ask(page, "How should levothyroxine be taken?")
    page.get_by_text("in: Metformin.pdf").wait_for()
    assert "Levothyroxine" not in page.locator(".answer").inner_text()
    unfinished.set()  # what the panel leaves out now, Streamlit does not take away
    _press(page, "New")
    until(page, lambda: not unfinished.is_set())
    chip.wait_for(state="detached")
    page.locator(".answer").wait_for(state="detached")
    ask(page, "How should levothyroxine be taken?")
    assert "Levothyroxine" in page.locator(".answer").last.inner_text()
