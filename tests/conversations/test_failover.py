"""Conversations while the server that keeps them comes and goes; real stores on both sides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.conversations.failover import FailoverConversations
from core.conversations.recall import Recall
from core.conversations.service import Conversations
from core.conversations.store import ConversationStore
from core.domain.conversations import Fault, Rating, SessionFilter
from core.errors import StoreUnavailable
from core.stores.sqlite.conversations import SqliteConversations
from core.stores.sqlite.counter import Counter
from core.stores.sqlite.database import Database
from tests.domain.answers import an_answer
from tests.support.fakes import HashEncoder


class Switched:
    """A store that a switch makes unreachable, as a server is: the edge of the machine."""

    def __init__(self, store: ConversationStore, database: Database) -> None:
        self._store = store
        self.away = False
        self.database = database

    def __getattr__(self, name: str) -> Any:
        if self.away:
            raise StoreUnavailable("away")
        return getattr(self._store, name)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Switched]:
    database = Database(tmp_path / "server.db")
    yield Switched(SqliteConversations(database), database)
    database.close()


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "pending.db")
    yield database
    database.close()


@pytest.fixture
def store(server: Switched, local: Database) -> FailoverConversations:
    return FailoverConversations(server, lambda: SqliteConversations(local))


def questions(store: ConversationStore, session_id: str) -> list[str]:
    return [turn.question for turn in store.turns(session_id)]


def test_turns_of_an_outage_come_to_their_place(
    server: Switched, store: FailoverConversations
) -> None:
    conversations = Conversations(store)
    session, _ = conversations.open(None, "first")
    conversations.keep(session.id, an_answer("first"))
    server.away = True
    again, new = conversations.open(session.id, "second")
    assert again.id == session.id
    assert not new
    conversations.keep(session.id, an_answer("second"))
    conversations.keep(session.id, an_answer("third"))
    assert questions(store, session.id) == ["second", "third"]
    server.away = False
    assert questions(store, session.id) == ["first", "second", "third"]
    assert [turn.position for turn in store.turns(session.id)] == [0, 1, 2]
    assert [found.turns for found in store.sessions()] == [3]


def test_a_conversation_begun_in_an_outage_is_kept(
    server: Switched, store: FailoverConversations
) -> None:
    server.away = True
    session, _ = Conversations(store).open(None, "while away")
    Conversations(store).keep(session.id, an_answer("while away"))
    with pytest.raises(StoreUnavailable):
        store.sessions()
    server.away = False
    assert [found.title for found in store.sessions()] == ["while away"]
    assert questions(store, session.id) == ["while away"]


def test_turns_survive_a_restart_during_the_outage(
    server: Switched, store: FailoverConversations, local: Database
) -> None:
    server.away = True
    session, _ = Conversations(store).open(None, "kept")
    Conversations(store).keep(session.id, an_answer("kept"))
    server.away = False
    next_process = FailoverConversations(server, lambda: SqliteConversations(local))
    assert questions(next_process, session.id) == ["kept"]
    assert SqliteConversations(local).sessions() == []


def test_ratings_of_an_outage_come_along_and_others_wait(
    server: Switched, store: FailoverConversations
) -> None:
    conversations = Conversations(store)
    session, _ = conversations.open(None, "first")
    first = conversations.keep(session.id, an_answer("first"))
    conversations.pin(session.id, True)
    conversations.tag(session.id, ["signal"])
    server.away = True
    second = conversations.keep(session.id, an_answer("second"))
    conversations.rate(second.id, Rating.DOWN, Fault.PAGE, "It is page 4.")
    assert conversations.turn(session.id, second.id).feedback is not None
    for refused in (
        lambda: conversations.rate(first.id, Rating.UP),
        lambda: conversations.turn(session.id, first.id),
        lambda: conversations.remove_quotes(["doc1"]),
        lambda: conversations.list(only=SessionFilter(tag="signal")),
    ):
        with pytest.raises(StoreUnavailable):
            refused()
    server.away = False
    kept = [turn.feedback for turn in store.turns(session.id)]
    assert kept[0] is None and kept[1] is not None
    assert (kept[1].rating, kept[1].fault, kept[1].comment) == ("down", "page", "It is page 4.")
    (found,) = conversations.list(only=SessionFilter(tag="signal", rating=Rating.DOWN))
    assert (found.pinned, found.rated_down, found.turns) == (True, 1, 2)


def test_nothing_comes_twice_when_moving_is_interrupted(
    server: Switched, store: FailoverConversations, local: Database
) -> None:
    server.away = True
    session, _ = Conversations(store).open(None, "one")
    for question in ("one", "two"):
        Conversations(store).keep(session.id, an_answer(question))
    server.away = False
    # The first turn arrived, then the process died before the local copy was removed.
    kept = SqliteConversations(local)
    found = kept.session(session.id)
    assert found is not None
    server.restore_turn(found, kept.turns(session.id)[0])
    assert questions(store, session.id) == ["one", "two"]


def test_turns_of_an_outage_are_embedded_after_it(
    server: Switched, store: FailoverConversations
) -> None:
    encoder = HashEncoder()
    recall = Recall(
        store, lambda: encoder, lambda: True, lambda: True, Counter(server.database, "off")
    )
    server.away = True
    session, _ = Conversations(store).open(None, "while away")
    Conversations(store).keep(session.id, an_answer("while away"))
    for unreachable in (recall.embed_missing, lambda: recall.similar("while away")):
        with pytest.raises(StoreUnavailable):
            unreachable()
    server.away = False
    assert recall.embed_missing() == 1
    assert [one.question for one in recall.similar("Q: while away A: Yes.")] == ["while away"]


@pytest.mark.req("CG-1", "KG-16")
def test_users_stay_apart_in_an_outage_and_after_it(
    server: Switched, store: FailoverConversations
) -> None:
    anna, ben = (Conversations(store).of_user(name) for name in ("anna", "ben"))
    hers, _ = anna.open(None, "hers")
    anna.keep(hers.id, an_answer("hers"))
    server.away = True
    new, _ = anna.open(None, "begun in the outage")
    anna.keep(new.id, an_answer("begun in the outage"))
    found, is_new = ben.open(new.id, "with her new one")
    assert is_new and found.id != new.id and ben.history(new.id) == []
    # Whose this one is cannot be looked up now.
    taken, _ = ben.open(hers.id, "with hers")
    ben.keep(taken.id, an_answer("with hers"))
    assert [turn.question for turn in anna.history(hers.id)] == []
    server.away = False
    assert [turn.question for turn in anna.history(hers.id)] == ["hers"]
    assert [turn.question for turn in anna.history(new.id)] == ["begun in the outage"]
    assert ben.history(hers.id) == []
    (his,) = ben.list()
    assert [turn.question for turn in ben.history(his.id)] == ["with hers"] and his.id != hers.id
    assert store.users() == ["anna", "ben"]
