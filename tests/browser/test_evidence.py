"""The evidence beside the answer in a real browser: where it stands, how sharp it is, what keys do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import ask, settled, until, wait_for_sample

NewPage = Callable[..., Any]

_BOXES_JS = """() => {
  const box = name => {
    const drawn = document.querySelector(name).getBoundingClientRect();
    return [drawn.left, drawn.top, drawn.right, drawn.bottom];
  };
  return { panel: box('.st-key-evidence_panel'), answer: box('.st-key-chat_log'),
    page: box('[data-testid=stMainBlockContainer]'), picture: box('.st-key-evidence_picture img') };
}"""
_FOCUS_JS = """() => {
  let has = document.activeElement;
  while (has.shadowRoot?.activeElement) has = has.shadowRoot.activeElement;
  return has.className + ' ' + has.textContent.trim();
}"""
_SHOWN = ".st-key-evidence_shown"
_PICTURE = ".st-key-evidence_picture img"


def _lit(page: Any) -> set[str]:
    """Numbers of the marks that are lit in the answers."""
    return set(page.locator("button.cite[aria-current=true]").all_inner_texts())


def _number(page: Any) -> str:
    """Of the citation that is shown."""
    return str(page.locator(_SHOWN).inner_text().split("Evidence ")[1].split()[0])


@pytest.mark.req("PR-8")
def test_a_passage_stands_sharp_beside_the_answer_and_keys_lead_on(
    server: str, new_page: NewPage
) -> None:
    page = new_page(server, 1440, 900)
    wait_for_sample(page)
    ask(page, "When must metformin not be taken?")
    page.get_by_role("heading", name="Library").evaluate("one => { one.dataset.same = 'yes'; }")
    page.wait_for_timeout(3_500)  # the log stands at the answer's beginning by then
    log = page.locator(".st-key-chat_log")
    log.evaluate("one => { one.scrollTop = 120; }")
    mark = page.locator('button.cite[title*=".pdf"]').first
    number = mark.inner_text()
    place = log.evaluate("one => one.scrollTop")
    mark.click()
    page.locator(_PICTURE).wait_for()
    settled(page)
    assert log.evaluate("one => one.scrollTop") == place
    assert page.get_by_role("heading", name="Library").get_attribute("data-same") == "yes"
    assert _number(page) == number
    # Two pixels of the picture, or nearly, for each of the screen; and words for who cannot see it.
    drawn = page.locator(_PICTURE)
    assert drawn.evaluate("one => one.naturalWidth / one.clientWidth") > 1.9
    assert "Metformin.pdf, page 1, marked" in drawn.get_attribute("alt")

    for width, height, beside in ((1440, 900, True), (1280, 720, True), (1100, 800, False)):
        page.set_viewport_size({"width": width, "height": height})
        until(page, lambda: page.evaluate(_BOXES_JS)["panel"][2] <= page.viewport_size["width"])
        boxes = page.evaluate(_BOXES_JS)
        assert boxes["answer"][2] <= boxes["panel"][0] + 1, "the answer is covered"
        assert boxes["panel"][2] - boxes["panel"][0] >= 360 and boxes["panel"][3] == height
        assert boxes["picture"][1] < height / 2, "the passage is out of sight"
        assert (boxes["page"][0] >= boxes["panel"][2] - 1) is beside
    page.set_viewport_size({"width": 1440, "height": 900})

    assert _lit(page) == {number}
    page.keyboard.press("]")
    until(page, lambda: _number(page) != number)
    until(page, lambda: _lit(page) == {_number(page)})
    page.keyboard.press("ArrowLeft")
    until(page, lambda: _number(page) == number)
    page.get_by_role("link", name="Literature").click()
    page.get_by_role("heading", name="Literature").wait_for()
    page.locator(_PICTURE).wait_for()
    # It stays at the side of a minimized chat, with the page beside it.
    page.get_by_role("button", name="Minimize").click()
    until(page, lambda: page.evaluate(_BOXES_JS)["panel"][0] == 0)
    boxes = page.evaluate(_BOXES_JS)
    assert page.locator(_PICTURE).is_visible() and boxes["page"][0] >= boxes["panel"][2] - 1
    page.get_by_role("button", name="Open the chat").click()
    # Where it covers the page, another page takes its place.
    page.set_viewport_size({"width": 1100, "height": 800})
    until(page, lambda: page.evaluate(_BOXES_JS)["panel"][2] == 1100)
    page.get_by_role("link", name="Library").click()
    page.locator(_SHOWN).wait_for(state="detached")
    page.get_by_role("heading", name="Library").wait_for()
    mark.click()
    page.locator(_PICTURE).wait_for()
    settled(page)
    page.locator(".st-key-evidence_panel").press("Escape")
    page.locator(_SHOWN).wait_for(state="detached")
    until(page, lambda: _lit(page) == set())
    assert page.outside == []


def test_a_telephone_shows_the_evidence_alone_with_a_way_back(
    server: str, new_page: NewPage
) -> None:
    page = new_page(server, 390, 844)
    wait_for_sample(page)
    ask(page, "When must metformin not be taken?")
    mark = page.locator('button.cite[title*=".pdf"]').first
    mark.click()
    page.locator(_PICTURE).wait_for()
    settled(page)
    assert page.evaluate(_BOXES_JS)["panel"] == [0, 0, 390, 844]
    page.get_by_role("button", name="Back to the answer").click()
    page.locator(_SHOWN).wait_for(state="detached")
    settled(page)
    assert page.evaluate(_FOCUS_JS) == f"cite {mark.inner_text()}"


def test_sentences_and_whole_lists_open_beside_the_answer(server: str, new_page: NewPage) -> None:
    page = new_page(server, 1440, 900)
    wait_for_sample(page)
    ask(page, "Which drugs treat hypertension?")
    page.locator("button.rest").click()
    page.locator(_SHOWN).get_by_test_id("stDataFrame").wait_for()
    page.get_by_role("button", name="Evidence view").click()
    page.locator(_SHOWN).get_by_text("Every sentence has support").wait_for()
    page.locator(f"{_SHOWN} button.evidence").first.click()
    page.locator(_SHOWN).get_by_text("Relationship TREATS of the graph").wait_for()
    # In the wide chat the right half is the evidence's, whatever is open.
    settled(page)
    page.get_by_role("button", name="Close the evidence").click()
    page.locator(_SHOWN).wait_for(state="detached")
    panel = page.locator(".st-key-evidence_panel")
    assert not panel.is_visible()
    page.evaluate("() => { document.documentElement.dataset.chatMode = 'wide'; }")
    panel.get_by_text("Every sentence has support").wait_for()
    box = panel.bounding_box()
    assert (box["x"], box["width"]) == (720, 720)
