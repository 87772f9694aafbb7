"""Summaries of long conversations: which turns they cover, what they tell, when they are made anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.conversations.service import Conversations
from core.conversations.summaries import summarise
from core.domain.answers import DocumentCitation, EntityLink, Sentence, Support
from core.domain.conversations import Summary, Turn
from core.stores.sqlite.conversations import SqliteConversations
from core.stores.sqlite.database import Database
from tests.domain.answers import an_answer

AT = datetime(2026, 5, 4, tzinfo=UTC)
SECRET = "Quintaxol is swallowed whole beside an open window"


def a_turn(
    position: int, question: str, told: str, confidence: float | None = None, *about: str
) -> Turn:
    """A turn that names entities; without a confidence its answer is the refusal."""
    quote = DocumentCitation(1, "doc", "doc:0", "Q.pdf", 1, "", "", told, 0, len(told), 0.9)
    answer = replace(
        an_answer(question),
        refused=confidence is None,
        confidence=confidence,
        sentences=(
            Sentence("Nothing says so.", Support.UNSUPPORTED, ()),
            Sentence(told, Support.DOCUMENT, (1,)),
        ),
        citations=(quote,),
        entities=tuple(
            EntityLink(name, "Drug", name, 0.9, "named in the question") for name in about
        ),
    )
    return Turn(f"t{position}", "s", position, answer, AT)


def test_it_names_the_subjects_and_tells_the_surest_of_each() -> None:
    turns = [
        a_turn(3, "Dose of warfarin?", "5 mg.", 0.7, "Warfarin"),
        a_turn(4, "And for France?", "No.", None),
        a_turn(5, "Warfarin and  ibuprofen?", "They interact.", 0.9, "Warfarin", "Ibuprofen"),
        a_turn(6, "Long? " + "x" * 300, "y" * 300, 0.2),
    ]
    summary = summarise(turns, AT)
    assert (summary.first, summary.last, summary.made_at) == (3, 6, AT)
    head, *lines = summary.text.splitlines()
    assert head == "Questions 4 to 7, about Warfarin, Ibuprofen; 1 not answered."
    assert lines[:2] == ["4. Dose of warfarin? 5 mg.", "6. Warfarin and ibuprofen? They interact."]
    assert len(lines) == 3 and len(lines[2]) < 320 and lines[2].endswith("y…")


def test_it_is_short_however_long_the_conversation() -> None:
    turns = [a_turn(n, f"Q{n}?", f"A{n}.", n / 100, f"Drug {n % 9}") for n in range(60)]
    lines = summarise(turns, AT).text.splitlines()
    assert len(lines) == 11
    told = [int(line.partition(".")[0]) for line in lines[1:]]
    assert told == sorted(told) and told[-1] == 60


def test_what_was_told_twice_is_told_once() -> None:
    turns = [a_turn(n, f"Q{n}?", "The same.", 0.5 + n % 2 / 10, "Warfarin") for n in range(4)]
    assert summarise(turns, AT).text.splitlines()[1:] == ["2. Q1? The same."]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteConversations]:
    database = Database(tmp_path / "materia.db")
    yield SqliteConversations(database)
    database.close()


@pytest.fixture
def conversations(store: SqliteConversations) -> Conversations:
    store.create_session("s", "Title")
    return Conversations(store)


def keep(conversations: Conversations, first: int, end: int) -> None:
    for number in range(first, end):
        conversations.keep("s", a_turn(number, f"Q{number}?", f"A{number}.", 0.5).answer)


def covered(summary: Summary | None) -> tuple[int, int] | None:
    return None if summary is None else (summary.first, summary.last)


@pytest.mark.req("CG-4")
def test_a_session_of_more_than_twenty_turns_gets_one_and_keeps_its_turns(
    conversations: Conversations, store: SqliteConversations
) -> None:
    keep(conversations, 0, 20)
    assert conversations.summary("s") is None is store.summary("s")
    keep(conversations, 20, 21)
    assert covered(store.summary("s")) == (0, 20)
    keep(conversations, 21, 25)
    assert covered(conversations.summary("s")) == (0, 20), "made anew after five more"
    keep(conversations, 25, 26)
    assert covered(store.summary("s")) == (0, 25)
    assert len(conversations.history("s")) == 26
    store.keep_summary("s", None)
    assert covered(conversations.summary("s")) == (0, 25) == covered(store.summary("s"))
    assert conversations.summary("nobody") is None


@pytest.mark.req("PR-5")
def test_it_does_not_tell_what_was_taken_out_of_its_answers(
    conversations: Conversations, store: SqliteConversations
) -> None:
    keep(conversations, 0, 20)
    conversations.keep("s", a_turn(20, "How?", SECRET, 0.9).answer)
    kept = store.summary("s")
    assert kept is not None and SECRET in kept.text
    conversations.remove_quotes(["doc"])
    kept = store.summary("s")
    assert kept is not None and SECRET not in kept.text and "A3" not in kept.text
