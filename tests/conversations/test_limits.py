"""Which conversations go when there are too many or they are too old, by the model of a plain list."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.conversations.limits import Limits
from core.conversations.service import Conversations
from core.domain.conversations import Session, Turn
from core.stores.sqlite.conversations import SqliteConversations
from core.stores.sqlite.database import Database
from tests.domain.answers import an_answer

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def a_session(number: int, days: float, pinned: bool = False) -> Session:
    at = NOW - timedelta(days=days)
    return Session(f"s{number}", "Title", at, at, 1, pinned)


SESSIONS = st.lists(st.tuples(st.floats(0, 100), st.booleans()), max_size=12).map(
    lambda rows: [a_session(number, *row) for number, row in enumerate(rows)]
)


@given(SESSIONS, st.integers(0, 8), st.integers(0, 60), st.sets(st.integers(0, 11), max_size=3))
def test_no_more_go_than_must(
    sessions: list[Session], most: int, days: int, running: set[int]
) -> None:
    in_use = {f"s{number}" for number in running}
    excess = Limits(most, days).excess(sessions, in_use, NOW)
    gone = {one.id for one in (*excess.too_old, *excess.too_many)}
    safe = {one.id for one in sessions if one.pinned} | in_use
    assert not gone & safe and len(gone) == len(excess.too_old) + len(excess.too_many)
    left = [one for one in sessions if one.id not in gone]
    free = [one for one in left if one.id not in safe]
    old = {
        one.id for one in sessions if days and one.updated_at < NOW - timedelta(days=days)
    } - safe
    assert {one.id for one in excess.too_old} == old
    assert not most or len(left) <= most or not free
    if excess.too_many:
        assert len(left) >= most > 0
        assert max(one.updated_at for one in excess.too_many) <= min(
            (one.updated_at for one in free), default=NOW
        )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteConversations]:
    database = Database(tmp_path / "materia.db")
    yield SqliteConversations(database)
    database.close()


def kept(store: SqliteConversations) -> list[str]:
    return [session.title for session in store.sessions()]


def ask(conversations: Conversations, question: str) -> str:
    session, _ = conversations.open(None, question)
    conversations.keep(session.id, an_answer(question))
    return session.id


def test_a_new_conversation_puts_the_least_recently_used_out(store: SqliteConversations) -> None:
    conversations = Conversations(store, Limits(conversations=2))
    first, second = ask(conversations, "one"), ask(conversations, "two")
    conversations.keep(first, an_answer("one again"))
    ask(conversations, "three")
    assert kept(store) == ["three", "one"] and store.turns(second) == []
    conversations.pin(first, True)
    ask(conversations, "four")
    assert kept(store) == ["one", "four"]
    purged = conversations.purged
    assert (purged.too_old, purged.too_many, purged.turns) == (0, 2, 2)


def test_the_new_one_stays_where_all_others_are_pinned(store: SqliteConversations) -> None:
    conversations = Conversations(store, Limits(conversations=1))
    conversations.pin(ask(conversations, "one"), True)
    ask(conversations, "two")
    assert kept(store) == ["one", "two"]


def test_conversations_in_which_a_question_runs_stay(store: SqliteConversations) -> None:
    running: set[str] = set()
    conversations = Conversations(store, Limits(conversations=1), lambda: running)
    running.add(ask(conversations, "one"))
    ask(conversations, "two")
    assert kept(store) == ["two", "one"]
    running.clear()
    assert conversations.purge().too_many == 1 and kept(store) == ["two"]


def test_what_goes_again_puts_nothing_out(store: SqliteConversations) -> None:
    conversations = Conversations(store, Limits(conversations=1))
    ask(conversations, "one")
    with conversations.passing():
        passing = ask(conversations, "of an evaluation")
        conversations.delete(passing)
    assert kept(store) == ["one"] and conversations.purged.conversations == 0
    ask(conversations, "two")
    assert kept(store) == ["two"]


def test_old_ones_go_and_without_limits_nothing_does(store: SqliteConversations) -> None:
    old = datetime.now(UTC) - timedelta(days=31)
    for name, pinned in (("old", False), ("pinned", True)):
        session = Session(name, name, old, old, 1, pinned)
        store.restore_turn(session, Turn(f"t {name}", name, 0, an_answer("Q?"), old))
    assert Conversations(store).purge().conversations == 0 and len(kept(store)) == 2
    assert Conversations(store, Limits(days=32)).purge().conversations == 0
    assert Conversations(store, Limits(days=31)).purge().too_old == 1
    assert kept(store) == ["pinned"]


@pytest.mark.req("CG-1")
def test_limits_hold_for_each_user(store: SqliteConversations) -> None:
    every = Conversations(store, Limits(conversations=1))
    anna, ben = every.of_user("anna"), every.of_user("ben")
    ask(anna, "Anna's"), ask(ben, "Ben's")
    assert kept(store) == ["Ben's", "Anna's"]
    ask(anna, "Anna's second")
    assert kept(store) == ["Anna's second", "Ben's"]
    counts = (anna.purged.too_many, ben.purged.too_many, every.purged.too_many)
    assert counts == (1, 0, 1)
    for title in ("one more", "and one more"):
        store.of_user("ben").create_session(title, title)
        store.of_user("ben").add_turn(title, title, an_answer(title))
    assert every.purge().too_many == 2 and kept(store) == ["and one more", "Anna's second"]
