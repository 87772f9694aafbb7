"""How an answer came about, asking again, and files, through Streamlit's AppTest."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from core.answers.chat import ChatService
from core.conversations.exporting.exports import ExportFormat
from core.domain.answers import Answer
from core.domain.stopping import StopSignal
from core.errors import Cancelled
from core.workspace import Workspace
from tests.pages.conftest import ask

OpenPage = Callable[..., AppTest]
QUESTION = "When must metformin not be taken?"


def _text(app: AppTest) -> str:
    parts = [*app.markdown, *app.caption, *app.text, *app.info, *app.warning, *app.error]
    return " ".join(str(part.value) for part in [*parts, *app.success]).replace("\\", "")


def _button(app: AppTest, label: str) -> list[object]:
    return [one for one in app.button if label in one.label.replace("\\", "")]


def again(app: AppTest, turn: str) -> AppTest:
    """Run a question again, and have the page drawn once that has ended (a browser's does so by itself)."""
    app.button(key=f"again_{turn}").click().run()
    assert app.session_state["rerun_running"].wait(60)
    return app.run()


@pytest.fixture
def asked(sample_workspace: Workspace, open_page: OpenPage) -> tuple[AppTest, str, str]:
    """The page after a question, its conversation and its turn."""
    app = ask(open_page(sample_workspace), QUESTION)
    session = app.session_state["chat_session"]
    (turn,) = sample_workspace.conversations.history(session)
    return app, session, turn.id


def test_details_are_drawn_when_they_are_opened(asked: tuple[AppTest, str, str]) -> None:
    app, _, turn = asked
    assert not _button(app, "Run again")
    app.session_state[f"trace_{turn}"] = True
    app.run()
    text = _text(app)
    assert "told from 0.50 on" in text and "SHA-256" in text and "relevance_threshold = 0.5" in text
    tables = [set(one.value.columns) for one in app.dataframe]
    assert {"Passage found", "Section", "Score", "Cosine", "Cited as"} in tables
    assert {"Document", "About", "SHA-256"} in tables
    assert _button(app, "Run again")


def test_run_again_shows_both_and_keeps_one(
    sample_workspace: Workspace, asked: tuple[AppTest, str, str]
) -> None:
    app, session, turn = asked
    app.session_state[f"trace_{turn}"] = True
    app.run()
    again(app, turn)
    assert not app.exception
    assert "The answer and its evidence are the same." in _text(app)
    assert "Answer of today" in _text(app)
    assert len(sample_workspace.conversations.history(session)) == 1


def test_run_again_says_what_differs(
    sample_workspace: Workspace, asked: tuple[AppTest, str, str]
) -> None:
    app, session, turn = asked
    # The turn as an older library gave it.
    (kept,) = sample_workspace.conversations.history(session)
    older = replace(kept.answer, confidence=0.11, sentences=kept.answer.sentences[:1], trace=None)
    sample_workspace.conversations.delete(session)
    owner = replace(sample_workspace.conversations.open(None, QUESTION)[0], id=session)
    sample_workspace.exports.store.restore_turn(owner, replace(kept, answer=older))
    app.session_state[f"trace_{turn}"] = True
    app.run()
    assert "was not kept" in _text(app)
    text = _text(again(app, turn))
    assert "What is said" in text and "then 0.11" in text and "New: “" in text


def test_run_again_can_be_stopped(
    sample_workspace: Workspace,
    asked: tuple[AppTest, str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app, session, turn = asked
    released = threading.Event()

    def slow(_chat: ChatService, _session: str, _turn: str, stop: StopSignal) -> Answer:
        """As while a model writes: nothing but the signal ends it."""
        with stop.closing(released.set):
            assert released.wait(60)
        raise Cancelled("Stopped.")

    monkeypatch.setattr(ChatService, "again", slow)
    app.session_state[f"trace_{turn}"] = True
    app.run()
    app.button(key=f"again_{turn}").click().run()
    assert not app.exception and not released.is_set()
    app.button(key="stop_rerun").click().run()
    assert released.is_set() and app.session_state["rerun_running"].wait(60)
    assert "Stopped. The conversation is as it was." in _text(app.run())
    assert len(sample_workspace.conversations.history(session)) == 1


def test_an_answer_and_a_conversation_are_offered_as_files(
    sample_workspace: Workspace, asked: tuple[AppTest, str, str]
) -> None:
    app, session, turn = asked
    assert not app.get("download_button")
    app.session_state[f"files_{turn}"] = True
    app.run()
    assert [one.proto.label for one in app.get("download_button")] == [
        "PDF",
        "Word",
        "Markdown",
        "JSON",
    ]
    copied = next(
        text
        for one in app.get("bidi_component")
        if (text := json.loads(one.proto.json).get("text", "")).startswith("Question: ")
    )
    assert copied.startswith(f"Question: {QUESTION}") and "[1] Metformin.pdf, p. 1" in copied
    app.switch_page("history.py").run()
    app.session_state[f"files_{session}"] = True
    app.run()
    assert not app.exception
    shown = [one.proto.label for one in app.main.get("download_button")]
    assert shown == ["PDF", "Word", "Markdown", "JSON"]


def test_a_file_is_imported(
    make_workspace: Callable[..., Workspace],
    sample_workspace: Workspace,
    open_page: OpenPage,
    asked: tuple[AppTest, str, str],
) -> None:
    _, session, _ = asked
    data = sample_workspace.exports.written(session, ExportFormat.JSON).content
    own = make_workspace()
    app = open_page(own, "history.py")
    app.file_uploader[0].upload("kept.json", data, "application/json").run()
    assert f"Imported: {QUESTION}" in _text(app)
    assert own.conversations.history(session) == sample_workspace.conversations.history(session)
    values = json.loads(data)
    values["turns"][0]["answer"]["question"] = "Other?"
    broken = json.dumps(values).encode()
    app.file_uploader[0].upload("changed.json", broken, "application/json").run()
    assert "EXPORT_CHANGED" in _text(app) and len(own.conversations.list()) == 1
