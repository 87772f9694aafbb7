"""A conversation as a file in a real browser: saved, asked again, and imported."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.browser.conftest import ask, settled, wait_for_sample

NewPage = Callable[..., Any]
QUESTION = "How should levothyroxine be taken?"


def _saved(page: Any, form: str) -> tuple[str, bytes]:
    """The name and the content of the file that a button of the open menu gives."""
    with page.expect_download() as downloading:
        page.get_by_role("button", name=form, exact=True).click()
    return downloading.value.suggested_filename, Path(downloading.value.path()).read_bytes()


def test_an_answer_is_saved_asked_again_and_its_conversation_imported(
    server: str, new_page: NewPage
) -> None:
    page = new_page(server)
    wait_for_sample(page)
    ask(page, QUESTION)
    page.get_by_role("button", name="Export").click()
    name, content = _saved(page, "PDF")
    assert name.startswith("materia-how-should-levothyroxine-be-taken-") and name.endswith(".pdf")
    assert content.startswith(b"%PDF-")
    _, content = _saved(page, "JSON")
    turn = json.loads(content)["turns"][0]
    assert turn["answer"]["question"] == QUESTION and turn["answer"]["trace"]["passages"]
    page.keyboard.press("Escape")

    page.get_by_text("How this answer came about").click()
    page.locator(".stExpander").get_by_test_id("stDataFrame").first.wait_for()
    settled(page)
    page.get_by_role("button", name="Run again").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Answer of today", exact=True).wait_for()
    assert "The answer and its evidence are the same." in dialog.inner_text()
    settled(page)
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")

    page.get_by_role("link", name="History").click()
    page.get_by_role("heading", name="History").wait_for()
    page.get_by_text("Import a conversation").click()
    page.locator('input[type="file"]').set_input_files(
        {"name": "kept.json", "mimeType": "application/json", "buffer": content}
    )
    page.get_by_text(f"This is here already: {QUESTION}").wait_for()  # nothing is doubled
    assert page.outside == []
