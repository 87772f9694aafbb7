"""History and ratings through Streamlit's AppTest: filtered, pinned, tagged, paged, rated in the chat."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.conversations.exporting.exports import ExportFormat
from core.conversations.service import Conversations
from core.domain.answers import EntityLink
from core.domain.conversations import Fault, Rating, Session, Turn
from core.workspace import Workspace
from tests.contract.test_conversations import a_full_answer
from tests.domain.answers import an_answer
from tests.pages.conftest import ask

OpenPage = Callable[..., AppTest]
WARFARIN = EntityLink("D2", "Drug", "Warfarin", 0.9, "named in the question")


@pytest.fixture
def workspace(make_workspace: Callable[..., Workspace]) -> Workspace:
    return make_workspace()


def keep(conversations: Conversations, *turns: tuple[str, str]) -> tuple[str, list[Turn]]:
    """A conversation with these questions and answers."""
    session, _ = conversations.open(None, turns[0][0])
    kept = [conversations.keep(session.id, an_answer(*turn, WARFARIN)) for turn in turns]
    return session.id, kept


def titles(app: AppTest) -> list[str]:
    """The conversations that are listed."""
    found = [part.value for part in app.main.markdown if str(part.value).startswith("**")]
    return [str(value).split("**")[1].replace("\\", "") for value in found]


def text(app: AppTest) -> str:
    parts = [*app.markdown, *app.caption, *app.text, *app.info, *app.error]
    return " ".join(str(part.value) for part in parts).replace("\\", "")


@pytest.mark.req("CG-4")
def test_filters_find_what_they_say(workspace: Workspace, open_page: OpenPage) -> None:
    known = workspace.conversations
    _, (turn,) = keep(known, ("Dose of warfarin?", "5 mg."))
    second, _ = keep(known, ("Colour?", "Blue."))
    known.keep(second, a_full_answer())
    known.rate(turn.id, Rating.DOWN, Fault.NUMBER, "It is <b>3</b> mg")
    known.tag(second, ["signal"])
    app = open_page(workspace, "history.py")
    assert titles(app) == ["Colour?", "Dose of warfarin?"] and not app.exception
    assert ":material/thumb_down: 1" in text(app) and ":gray-badge[signal]" in text(app)

    def only(key: str, value: object) -> list[str]:
        app.selectbox(key=key).set_value(value).run()
        found = titles(app)
        told.append(text(app))
        app.selectbox(key=key).set_value(None).run()
        return found

    told: list[str] = []
    assert only("history_rating", Rating.DOWN) == ["Dose of warfarin?"]
    assert "Dose of warfarin? :material/thumb_down: Wrong number: “It is <b>3</b> mg”" in told[-1]
    assert only("history_tag", "signal") == ["Colour?"] == only("history_document", "doc1")
    assert only("history_entity", "D2") == ["Colour?", "Dose of warfarin?"]
    assert only("history_entity", "D1") == ["Colour?"]
    assert only("history_answers", "Not answered") == [] and "Take a filter away" in told[-1]
    assert only("history_answers", "Answered") == ["Colour?", "Dose of warfarin?"]
    assert only("history_answers", "May not answer") == []
    third, _ = known.open(None, "Closest?")
    known.keep(third.id, replace(a_full_answer(), may_not_answer=True))
    assert only("history_answers", "May not answer") == ["Closest?"]
    assert only("history_answers", "Answered") == ["Colour?", "Dose of warfarin?"]


def test_filters_stand_in_the_address_and_outlive_that_their_counts_grow(
    workspace: Workspace, open_page: OpenPage
) -> None:
    known = workspace.conversations
    keep(known, ("Dose of warfarin?", "5 mg."))
    keep(known, ("Colour?", "Blue."))
    second, _ = known.open(None, "Which drug?")
    known.keep(second.id, a_full_answer())
    app = open_page(workspace)
    app.query_params["history_entity"] = "D1"
    app.switch_page("history.py").run()
    assert app.selectbox(key="history_entity").value == "D1" and titles(app) == ["Which drug?"]
    known.keep(second.id, a_full_answer())  # asked in the chat: the count is another
    app.run()
    assert app.selectbox(key="history_entity").value == "D1" and not app.exception
    app.selectbox(key="history_answers").set_value("Answered").run()
    assert app.selectbox(key="history_entity").value == "D1" and titles(app) == ["Which drug?"]
    assert app.query_params["history_entity"] == "D1"
    app.selectbox(key="history_entity").set_value(None).run()
    assert "history_entity" not in app.query_params
    app.query_params["history_document"] = "<b>nobody's</b>"
    assert not app.run().exception


def test_pin_and_tags(workspace: Workspace, open_page: OpenPage) -> None:
    known = workspace.conversations
    older, _ = keep(known, ("Older?", "Yes."))
    keep(known, ("Newer?", "Yes."))
    app = open_page(workspace, "history.py")
    app.button(key=f"pin_{older}").click().run()
    assert titles(app) == ["Older?", "Newer?"] and known.get(older).pinned
    known.tag(older, ["signal"])
    app.run()
    app.multiselect(key=f"tags_{older}").set_value([]).run()
    assert known.get(older).tags == () and known.get(older).pinned
    app.button(key=f"pin_{older}").click().run()
    assert titles(app) == ["Newer?", "Older?"]


def test_deleting_counts_what_goes_and_can_be_left(
    workspace: Workspace, open_page: OpenPage
) -> None:
    known = workspace.conversations
    session, turns = keep(known, ("One?", "Yes."), ("Two?", "Yes."))
    known.rate(turns[0].id, Rating.UP)
    app = open_page(workspace, "history.py")
    app.button(key=f"delete_{session}").click().run()
    assert "This removes 2 questions with their answers and 1 rating, for good." in text(app)
    app.button(key="confirm_not").click().run()
    assert titles(app) == ["One?"] and "for good" not in text(app)
    app.button(key=f"delete_{session}").click().run()
    app.button(key="confirm").click().run()
    assert titles(app) == [] and known.list() == []


@pytest.mark.req("CG-4")
def test_a_hit_opens_the_conversation_where_it_is(
    workspace: Workspace, open_page: OpenPage
) -> None:
    session, turns = keep(
        workspace.conversations,
        ("Colour?", "Blue."),
        ("Dose?", "5 mg of colchicine."),
        ("Why?", "So."),
    )
    app = open_page(workspace, "history.py")
    assert not [one for one in app.button if str(one.key).startswith("hit_")]
    app.text_input(key="history_search").set_value("colchicine").run()
    (hit,) = [one for one in app.button if str(one.key).startswith("hit_")]
    assert hit.label == "2 · Dose?" and hit.key == f"hit_{turns[1].id}"
    hit.click().run()
    assert not app.exception and app.session_state["chat_session"] == session
    assert "chat_place" not in app.session_state  # the panel has gone there


@pytest.mark.req("CG-4")
def test_several_are_exported_or_deleted_at_once(workspace: Workspace, open_page: OpenPage) -> None:
    known = workspace.conversations
    first, second, third = (keep(known, (f"{name}?", "Yes."))[0] for name in ("A", "B", "C"))
    app = open_page(workspace, "history.py")
    app.toggle(key="history_selecting").set_value(True).run()
    assert "Nothing is selected yet." in text(app)
    for one in (first, third):
        app.checkbox(key=f"selected_{one}").check().run()
    assert "2 conversations selected." in text(app)
    app.button(key="delete_selected").click().run()
    assert "This removes 2 questions with their answers, for good." in text(app)
    assert len(known.list()) == 3
    app.button(key="confirm").click().run()
    assert not app.exception and [one.id for one in known.list()] == [second]
    made = workspace.exports.archive([second], ExportFormat.JSON)
    with zipfile.ZipFile(io.BytesIO(made.content)) as archive:
        (name,) = archive.namelist()
        assert name.startswith("001-materia-b-") and b"materia-conversation" in archive.read(name)


def test_long_histories_come_in_parts(workspace: Workspace, open_page: OpenPage) -> None:
    store = workspace.stores.conversations
    at = datetime(2026, 1, 1, tzinfo=UTC)
    for number in range(27):
        session = Session(f"s{number}", f"Number {number}?", at, at + timedelta(number), 1)
        store.restore_turn(session, Turn(f"t{number}", session.id, 0, an_answer("Q?"), at))
    app = open_page(workspace, "history.py")
    assert len(titles(app)) == 25 and titles(app)[0] == "Number 26?"
    (more,) = [button for button in app.button if "Show 25 more" in button.label]
    more.click().run()
    assert len(titles(app)) == 27
    assert not [button for button in app.button if "Show 25 more" in button.label]


def test_limits_are_said(make_workspace: Callable[..., Workspace], open_page: OpenPage) -> None:
    limited = make_workspace(max_conversations=2, conversation_days=30)
    for question in ("One?", "Two?", "Three?"):
        keep(limited.conversations, (question, "Yes."))
    app = open_page(limited, "history.py")
    assert titles(app) == ["Three?", "Two?"]
    assert "2 conversations at most, until 30 days after the last question" in text(app)
    assert "Removed since the start: 1." in text(app)
    assert "0 as too old, 1 as too many, with 1 questions" in text(open_page(limited, "system.py"))


def test_an_answer_is_rated_in_the_chat(
    workspace: Workspace, open_page: OpenPage, pdf: Callable[..., Path]
) -> None:
    workspace.library.ingest(pdf("Zolvetrin.pdf", "The dose of Zolvetrin is 37 mg once a day."))
    app = open_page(workspace)
    ask(app, "What is the dose of Zolvetrin?")
    session = app.session_state["chat_session"]
    (turn,) = workspace.conversations.history(session)

    def kept() -> tuple[object, ...]:
        feedback = workspace.conversations.history(session)[0].feedback
        return (feedback.rating, feedback.fault, feedback.comment) if feedback else ()

    assert kept() == () and not app.exception
    app.feedback(key=f"thumbs_{turn.id}").set_value(0).run()
    assert kept() == ("down", None, "")
    app.pills(key=f"fault_{turn.id}").set_value(Fault.NUMBER).run()
    app.text_input(key=f"comment_{turn.id}").set_value("38 mg").run()
    assert kept() == ("down", "number", "38 mg")
    app.feedback(key=f"thumbs_{turn.id}").set_value(1).run()
    assert kept() == ("up", None, "38 mg") and not app.exception
    app.feedback(key=f"thumbs_{turn.id}").set_value(None).run()
    assert kept() == ()
    workspace.conversations.delete(session)
    app.feedback(key=f"thumbs_{turn.id}").set_value(1).run()
    assert "ANSWER_NOT_FOUND" in text(app)
