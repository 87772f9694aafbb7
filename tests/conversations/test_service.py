"""Conversations: started, continued, renamed, removed."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.conversations.service import Conversations
from core.errors import NotFound
from core.stores.sqlite.conversations import SqliteConversations
from core.stores.sqlite.database import Database
from tests.domain.answers import an_answer


@pytest.fixture
def service(tmp_path: Path) -> Conversations:
    return Conversations(SqliteConversations(Database(tmp_path / "materia.db")))


@pytest.mark.req("KG-12", "KG-16")
def test_every_new_conversation_has_its_own_id_and_nothing_in_it(service: Conversations) -> None:
    opened = [service.open(None, "What is metformin?") for _ in range(50)]
    assert all(new for _, new in opened)
    ids = {session.id for session, _ in opened}
    assert len(ids) == 50
    service.keep(opened[0][0].id, an_answer("What is metformin?"))
    assert service.history(opened[1][0].id) == []
    assert len(service.history(opened[0][0].id)) == 1


@pytest.mark.req("KG-12")
def test_turn_ids_are_unique(service: Conversations) -> None:
    session, _ = service.open(None, "Q")
    ids = {service.keep(session.id, an_answer("Q")).id for _ in range(30)}
    assert len(ids) == 30 and [t.position for t in service.history(session.id)] == list(range(30))


def test_a_known_id_is_continued(service: Conversations) -> None:
    first, _ = service.open(None, "What is metformin?")
    service.keep(first.id, an_answer("What is metformin?"))
    again, new = service.open(first.id, "And its dose?")
    assert not new and again.id == first.id and again.turns == 1
    assert again.title == "What is metformin?"


@pytest.mark.parametrize("unknown", ["nobody", "", "'; DROP TABLE sessions; --", None])
def test_an_unknown_id_starts_a_new_conversation(
    service: Conversations, unknown: str | None
) -> None:
    session, new = service.open(unknown, "Q?")
    assert new and session.id != unknown and service.get(session.id).title == "Q?"


def test_titles_are_one_short_line(service: Conversations) -> None:
    session, _ = service.open(None, "  What\n is   metformin? ")
    assert session.title == "What is metformin?"
    long, _ = service.open(None, "word " * 100)
    assert len(long.title) == 80 and long.title.endswith("…")
    exact, _ = service.open(None, "x" * 80)
    assert exact.title == "x" * 80


def test_rename(service: Conversations) -> None:
    session, _ = service.open(None, "Q?")
    service.rename(session.id, "  Blood\n sugar ")
    assert service.get(session.id).title == "Blood sugar"
    service.rename(session.id, " \n ")
    assert service.get(session.id).title == "Blood sugar", "an empty title is ignored"
    service.rename(session.id, "x" * 300)
    assert len(service.get(session.id).title) == 80


def test_delete(service: Conversations) -> None:
    session, _ = service.open(None, "Q?")
    service.keep(session.id, an_answer("Q?"))
    assert service.delete(session.id) == 1 and service.delete(session.id) == 0
    assert service.history(session.id) == [] and service.list() == []
    with pytest.raises(NotFound):
        service.get(session.id)


def test_the_list_can_be_searched(service: Conversations) -> None:
    for question in ("About metformin?", "About warfarin?"):
        session, _ = service.open(None, question)
        service.keep(session.id, an_answer(question))
    assert [session.title for session in service.list()] == ["About warfarin?", "About metformin?"]
    assert [session.title for session in service.list("  METFORMIN ")] == ["About metformin?"]
    assert service.list("nothing like it") == []


def test_history_can_be_limited(service: Conversations) -> None:
    session, _ = service.open(None, "Q0")
    for number in range(8):
        service.keep(session.id, an_answer(f"Q{number}"))
    newest = service.history(session.id, 5)
    assert [turn.question for turn in newest] == ["Q3", "Q4", "Q5", "Q6", "Q7"]
