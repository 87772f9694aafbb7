"""How the answer's element draws blocks, folds what is long, and shows closest passages; without a server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from core.domain.answers import Answer, Block, Sentence, Support
from pages.parts.chat.answer_view import answer_data
from pages.parts.shared.assets import asset
from tests.browser.conftest import ROOT
from tests.domain.answers import an_answer

HOSTILE = "<img src=x onerror=alert(1)> <b>Take it</b> with water. "
DECISIVE = "The highest dose is 5 mg a day."
_MODULE = ROOT / "pages" / "parts" / "chat" / "answer_view.py"
_DRAW_JS = """async ([source, style, data, theme]) => {
  document.head.innerHTML = '';
  document.body.innerHTML = '';
  const made = await import('data:text/javascript,' + encodeURIComponent(source));
  const sheet = document.createElement('style');
  sheet.textContent = style;
  const place = document.createElement('div');
  for (const [name, value] of Object.entries(theme)) place.style.setProperty(name, value);
  place.style.backgroundColor = theme['--st-background-color'];
  document.body.append(sheet, place);
  window.clicked = [];
  const setTriggerValue = (_, value) => window.clicked.push(value);
  made.default({ data, parentElement: place, setTriggerValue });
}"""
_COLOURS_JS = """element => {
  const grounds = [];
  for (let at = element; at; at = at.parentElement)
    grounds.push(getComputedStyle(at).backgroundColor);
  return [getComputedStyle(element).color, grounds];
}"""
_OPEN_MARK_JS = """sentence => {
  const mark = document.createElement('button');
  mark.className = 'cite';
  mark.setAttribute('aria-current', 'true');
  sentence.append(mark);
}"""
THEMES = {
    "light": {"--st-text-color": "#1c2b2a", "--st-background-color": "#f4f7f6"},
    "dark": {"--st-text-color": "#fafafa", "--st-background-color": "#262730"},
}


def paragraph(**more: Any) -> Answer:
    """A long paragraph whose middle sentence decides."""
    texts = (HOSTILE * 4, DECISIVE, "Keep to the hours. " * 12)
    sentences = tuple(
        Sentence(text.strip(), Support.DOCUMENT, (), block=1, decisive=text == DECISIVE)
        for text in texts
    )
    blocks = (Block(1, "d", "Zorvexil 5 mg tablets", "Z.pdf", 2, "posology", "Dose"),)
    return replace(an_answer("Q?"), sentences=sentences, blocks=blocks, **more)


@pytest.fixture
def draw(browser: Any) -> Iterator[Callable[..., Any]]:
    page = browser.new_page()

    def drawn(answer: Answer, theme: str = "light") -> Any:
        data = answer_data(answer, lambda _text: [])
        colours = {"--st-primary-color": "#0f766e", "--st-font": "sans-serif", **THEMES[theme]}
        page.evaluate(
            _DRAW_JS, [asset(str(_MODULE), ".js"), asset(str(_MODULE), ".css"), data, colours]
        )
        return page

    yield drawn
    page.close()


def test_what_is_told_with_the_decisive_sentence_unfolds(draw: Callable[..., Any]) -> None:
    page = draw(paragraph())
    shown = page.locator(".answer")
    assert DECISIVE in shown.inner_text() and "Keep to the hours" not in shown.inner_text()
    button = page.get_by_role("button", name="Show all 3 sentences")
    assert button.get_attribute("aria-expanded") == "false"
    button.press("Enter")
    assert HOSTILE.strip() in shown.inner_text(), "text of a document stays text"
    assert "Keep to the hours" in shown.inner_text() and page.locator("img, b").count() == 0
    page.get_by_role("button", name="Show less").press("Enter")
    assert "Keep to the hours" not in shown.inner_text()
    assert page.get_by_role("heading", name="Zorvexil 5 mg tablets").count() == 1


def test_each_row_of_a_table_has_its_own_line(draw: Callable[..., Any]) -> None:
    answer = paragraph()
    texts = ("Adults: 10 mg.", "Children: 5 mg.", "Give it slowly.", "Shake it.")
    rows = tuple(
        Sentence(text, Support.DOCUMENT, (), block=1, decisive=not at, row=at < 2)
        for at, text in enumerate(texts)
    )
    page = draw(replace(answer, sentences=rows))
    tops = [page.get_by_text(text).bounding_box()["y"] for text in texts]
    assert tops[0] < tops[1] < tops[2] == tops[3]


def test_a_note_is_never_folded_away(draw: Callable[..., Any]) -> None:
    answer = paragraph()
    noted = replace(answer.sentences[2], problems=("another statement says 7 mg",))
    page = draw(replace(answer, sentences=(*answer.sentences[:2], noted)))
    assert page.get_by_text("another statement says 7 mg").is_visible()


def test_a_boxed_warning_is_folded_whole_until_it_is_asked_for(draw: Callable[..., Any]) -> None:
    answer = paragraph()
    (block,) = answer.blocks
    box = replace(block, n=2, boxed_warning=True)
    listed = "Watch: the heart; the liver."
    warnings = (
        Sentence("It can harm the liver.", Support.DOCUMENT, (), block=2),
        Sentence(listed, Support.DOCUMENT, (), block=2, items=((7, 16), (18, 27))),
    )
    page = draw(replace(answer, sentences=(*answer.sentences, *warnings), blocks=(block, box)))
    assert page.get_by_text("Boxed warning · p. 2").is_visible()
    assert not page.get_by_text("It can harm").is_visible()
    assert not page.get_by_text("the heart").is_visible()
    page.get_by_role("button", name="Show the boxed warning").press("Enter")
    assert page.get_by_text("It can harm").is_visible()
    assert page.get_by_role("listitem").all_inner_texts() == ["the heart", "the liver"]


def test_a_boxed_warning_that_was_asked_for_stands_open(draw: Callable[..., Any]) -> None:
    answer = paragraph()
    (block,) = answer.blocks
    box = replace(block, boxed_warning=True)
    warning = Sentence("It can harm the liver.", Support.DOCUMENT, (), block=block.n)
    page = draw(replace(answer, sentences=(warning,), blocks=(box,)))
    assert page.get_by_text("It can harm").is_visible()
    page.get_by_role("button", name="Show less").press("Enter")
    assert not page.get_by_text("It can harm").is_visible()


@pytest.mark.parametrize("theme", THEMES)
def test_closest_passages_look_different_and_can_be_read(
    draw: Callable[..., Any], theme: str
) -> None:
    page = draw(paragraph(), theme)
    edge = page.locator(".block").evaluate("one => getComputedStyle(one).borderLeftStyle")
    marked = page.locator(".decisive").evaluate("one => getComputedStyle(one).backgroundColor")
    assert edge == "solid" and _channels(marked)[3] > 0 and page.locator(".banner").count() == 0
    page.locator(".decisive").evaluate(_OPEN_MARK_JS)
    for part in (".decisive", ".place", ".paragraph", ".fold", "button.cite"):
        assert contrast(page.locator(part)) >= 4.5, part
    page = draw(paragraph(may_not_answer=True), theme)
    note = page.get_by_role("note")
    assert note.inner_text() == "Closest passages; they may not answer this."
    edge = page.locator(".block").evaluate("one => getComputedStyle(one).borderLeftStyle")
    marked = page.locator(".decisive").evaluate("one => getComputedStyle(one).backgroundColor")
    assert edge == "dashed" and _channels(marked)[3] == 0
    for part in (".banner", ".decisive", ".place", ".paragraph", ".fold"):
        assert contrast(page.locator(part)) >= 4.5, part


def test_what_nothing_supports_stays_red_among_closest_passages(draw: Callable[..., Any]) -> None:
    answer = an_answer("Q?")  # one sentence that nothing supports
    edges = []
    for one in (answer, replace(answer, may_not_answer=True)):
        sentence = draw(one).locator(".sentence.unsupported")
        edges.append(sentence.evaluate("one => getComputedStyle(one).borderLeftColor"))
    assert edges[0] == edges[1]


def contrast(element: Any) -> float:
    """The ratio of WCAG 2 between an element's text and what lies behind it."""
    colour, grounds = element.evaluate(_COLOURS_JS)
    behind = (1.0, 1.0, 1.0)
    for ground in reversed(grounds):
        *channels, alpha = _channels(ground)
        behind = tuple(alpha * c + (1 - alpha) * b for c, b in zip(channels, behind, strict=True))
    lighter, darker = sorted((_luminance(_channels(colour)[:3]), _luminance(behind)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _channels(colour: str) -> tuple[float, ...]:
    """Red, green, blue and alpha, in [0, 1], of ``rgb(...)`` and ``color(srgb ...)``."""
    found = [float(one) for one in re.findall(r"[\d.]+(?:e-?\d+)?", colour.replace("srgb", ""))]
    by = 255 if colour.startswith("rgb") else 1
    return (*(one / by for one in found[:3]), found[3] if len(found) > 3 else 1.0)


def _luminance(channels: tuple[float, ...]) -> float:
    red, green, blue = (
        one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
