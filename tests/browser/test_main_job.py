"""The main job in a real browser: upload, ask, click the citation, look at the graph."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import (
    Canvas,
    ask,
    search_graph,
    settled,
    wait_for_one_answer,
    wait_for_sample,
)
from tests.support.pdfs import make_pdf

HEADLINE = "Which drugs treat type 2 diabetes, and when must metformin not be taken?"
NewPage = Callable[..., Any]


def test_headline_question_is_answered_and_its_evidence_opens(
    server: str, new_page: NewPage
) -> None:
    page = new_page(server)
    wait_for_sample(page)
    ask(page, HEADLINE)
    sentences = page.locator(".sentence")
    assert sentences.count() >= 3
    for number in range(sentences.count()):
        assert sentences.nth(number).locator("button.cite").count() >= 1
    answer = page.locator(".answer").inner_text()
    assert "Metformin" in answer and "kidney" in answer

    page.locator(".sentence.both button.cite").last.click()
    evidence = page.locator(".st-key-evidence_shown")
    evidence.wait_for()
    settled(page)
    page.keyboard.press("Escape")
    evidence.wait_for(state="detached")

    page.get_by_text(re.compile(r"Sources \(\d+\)")).click()
    page.get_by_role("button", name=re.compile(r"Metformin\.pdf, p\. 1")).first.click()
    evidence.locator("img").wait_for()
    assert "Metformin.pdf" in evidence.inner_text() and "page 1" in evidence.inner_text()
    assert page.outside == []


@pytest.mark.req("PR-8")
def test_uploaded_pdf_is_answered_from_with_its_page(
    server: str, new_page: NewPage, tmp_path: Path
) -> None:
    page = new_page(server)
    wait_for_sample(page)
    pdf = tmp_path / "Zolvetrin <img src=x onerror=alert(1)>.pdf"
    make_pdf(
        pdf,
        "Zolvetrin is a made-up medicine for this test.",
        "How to take Zolvetrin\nThe recommended dose of Zolvetrin is 37 mg once a day.",
    )
    page.locator('input[type="file"]').first.set_input_files(str(pdf))
    page.get_by_text("11 documents").wait_for()
    ask(page, "What is the recommended dose of Zolvetrin?")
    assert "37 mg" in page.locator(".answer").inner_text()
    page.get_by_text(re.compile(r"Sources \(\d+\)")).click()
    source = page.get_by_role("button", name=re.compile(r"Zolvetrin .*p\. 2"))
    source.first.click()
    evidence = page.locator(".st-key-evidence_shown")
    evidence.locator("img").wait_for()
    assert "page 2" in evidence.inner_text()
    assert page.dialogs == [] and page.outside == []


def test_file_that_is_no_pdf_is_refused_in_plain_words(
    server: str, new_page: NewPage, tmp_path: Path
) -> None:
    page = new_page(server)
    wait_for_sample(page)
    fake = tmp_path / "not really.pdf"
    fake.write_text("<html><script>alert(1)</script></html>")
    page.locator('input[type="file"]').first.set_input_files(str(fake))
    page.get_by_text("NOT_A_PDF").first.wait_for()
    assert page.dialogs == []


@pytest.mark.req("KG-17", "KG-19", "KG-28")
def test_graph_opens_from_an_answer_and_grows_by_clicking(server: str, new_page: NewPage) -> None:
    page = new_page(server)
    wait_for_sample(page)
    ask(page, "Does ibuprofen interact with warfarin?")
    page.get_by_role("button", name="Show in graph").click()
    page.get_by_role("heading", name="Explorer").wait_for()
    canvas = Canvas(page)
    canvas.wait()
    search_graph(page, "metformin")
    page.get_by_role("button", name=re.compile("Metformin · Drug")).click()
    page.get_by_role("heading", name="Metformin").wait_for()
    page.get_by_text("Mechanism of action").wait_for()

    shown = page.get_by_text(re.compile(r"\d+ entities, \d+ relationships"))
    before = int(re.findall(r"\d+", shown.inner_text())[0])
    canvas.wait()
    canvas.select_another("Metformin")
    page.get_by_role("button", name="Expand").click()
    page.wait_for_function(
        "n => { const m = document.body.innerText.match(/(\\d+) entities, /); "
        "return m && Number(m[1]) > n; }",
        arg=before,
    )


@pytest.mark.req("KG-10")
def test_entity_name_in_an_answer_opens_the_explorer(server: str, new_page: NewPage) -> None:
    page = new_page(server)
    wait_for_sample(page)
    ask(page, "Does ibuprofen interact with warfarin?")
    page.locator("button.entity", has_text="Warfarin").last.click()
    page.get_by_role("heading", name="Explorer").wait_for()
    page.get_by_role("heading", name="Warfarin", exact=True).wait_for()
    shown = page.get_by_text(re.compile(r"\d+ entities, \d+ relationships")).inner_text()
    assert int(re.findall(r"\d+", shown)[0]) > 5


def test_conversation_survives_a_reload_through_history(server: str, new_page: NewPage) -> None:
    page = new_page(server)
    wait_for_sample(page)
    ask(page, "How should levothyroxine be stored?")
    page.goto(f"{server}/history")
    page.get_by_role("button", name="Reopen").first.wait_for()
    page.get_by_role("button", name="Reopen").first.click()
    wait_for_one_answer(page)
    assert "°C" in page.locator(".answer").inner_text()


@pytest.mark.parametrize("path", ["explorer", "literature", "boards", "history", "system"])
def test_deep_link_has_frame_and_chat(server: str, new_page: NewPage, path: str) -> None:
    page = new_page(f"{server}/{path}")
    page.get_by_role("heading", name=path.capitalize()).wait_for()
    page.get_by_test_id("stChatInputTextArea").wait_for()


def test_why_a_question_cannot_be_asked_is_told_beside_it(server: str, new_page: NewPage) -> None:
    page = new_page(server, height=640)
    ask(page, "What is metformin for?")
    question = "What is warfarin for? " * 125
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    box.press("Enter")
    told = page.get_by_text("the limit is 2,000")
    told.wait_for()
    settled(page)
    assert box.input_value().strip() == question.strip()
    bounds, below = told.bounding_box(), box.bounding_box()
    seen = told.evaluate(
        "told => { const {left, top} = told.getBoundingClientRect();"
        " return told.contains(document.elementFromPoint(left + 3, top + 3)); }"
    )
    assert seen and 0 < bounds["y"] + bounds["height"] < below["y"]
    # The panel is drawn anew for other reasons too: the reason stays until a question is asked.
    page.evaluate("() => window.materiaRedraw('again')")
    page.wait_for_timeout(1_000)
    settled(page)
    assert told.is_visible()
    ask(page, "What is warfarin for?")
    told.wait_for(state="detached")
