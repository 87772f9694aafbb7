"""What is another user's is as if it did not exist, in every store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from core.conversations.service import Conversations
from core.conversations.store import ConversationStore
from core.domain.conversations import (
    LOCAL_USER,
    Feedback,
    PairVector,
    Rating,
    Session,
    SessionFilter,
    Summary,
    Turn,
    user_key,
)
from core.errors import Conflict, MateriaError, NotFound
from core.stores.sqlite.conversations import SqliteConversations
from core.stores.sqlite.database import Database
from tests.contract.test_conversations import HOSTILE, a_full_answer
from tests.domain.answers import an_answer

NOW = datetime.now(UTC)
UP = Feedback(Rating.UP, None, "good", NOW)
ANNA, BEN = (user_key({"iss": "https://id.example", "sub": name}) for name in ("anna", "ben"))


@pytest.fixture
def anna(conversation_store: ConversationStore) -> ConversationStore:
    """Anna's side of a store; session "a" is hers, with one rated answer and a summary."""
    hers = conversation_store.of_user(ANNA)
    hers.create_session("a", "Anna's")
    hers.add_turn("ta", "a", a_full_answer())
    hers.rate_turn("ta", UP)
    hers.mark_session("a", True, ["hers"])
    hers.keep_summary("a", Summary("About metformin.", 0, 0, NOW))
    return hers


@pytest.mark.req("CG-1", "KG-16")
def test_nothing_of_another_is_read(
    conversation_store: ConversationStore, anna: ConversationStore
) -> None:
    ben = conversation_store.of_user(BEN)
    assert ben.session("a") is None and ben.turns("a") == [] and ben.turn("ta") is None
    assert ben.sessions() == [] and ben.sessions("metformin") == []
    assert ben.sessions(only=SessionFilter(entity="D1")) == []
    assert ben.sessions(only=SessionFilter(document="doc1", rating=Rating.UP)) == []
    assert ben.rated_turns() == [] and ben.quoting(["doc1"]) == [] and ben.tags() == []
    assert ben.mentioned_entities() == [] and ben.cited_documents() == []
    assert ben.summary("a") is None and ben.usage() == []
    (session,) = anna.sessions()
    assert session.user == ANNA and [turn.id for turn in anna.rated_turns()] == ["ta"]
    assert [one.id for one in anna.cited_documents()] == ["doc1"]


@pytest.mark.req("CG-3", "KG-16")
def test_nothing_of_another_is_close(
    conversation_store: ConversationStore, anna: ConversationStore
) -> None:
    vector = np.array([1, 0, 0, 0], np.float32)
    (turn,) = anna.turns("a")
    assert anna.keep_vectors([PairVector("ta", turn.answer.text, "m", vector)]) == 1
    assert conversation_store.of_user(BEN).similar(vector, "m", 5) == []
    assert [one.turn_id for one in anna.similar(vector, "m", 5)] == ["ta"]


@pytest.mark.req("CG-1", "KG-16")
def test_nothing_of_another_is_changed(
    conversation_store: ConversationStore, anna: ConversationStore
) -> None:
    ben = conversation_store.of_user(BEN)
    before = anna.session("a"), anna.turns("a"), anna.summary("a")
    ben.rename_session("a", "Ben's")
    ben.mark_session("a", False, [])
    ben.keep_summary("a", None)
    ben.keep_summary("a", Summary("Other.", 0, 0, NOW))
    ben.replace_answers({"ta": an_answer("Other?")})
    assert ben.delete_session("a") == 0
    for refused in (
        lambda: ben.add_turn("tb", "a", an_answer("And?")),
        lambda: ben.rate_turn("ta", None),
    ):
        with pytest.raises(NotFound):
            refused()
    stolen = Session("a", "Ben's", NOW, NOW, 1, user=ANNA)
    with pytest.raises(Conflict):
        ben.restore_turn(stolen, Turn("tb", "a", 1, an_answer("And?"), NOW))
    with pytest.raises(Conflict):
        ben.import_session(stolen, [])
    assert (anna.session("a"), anna.turns("a"), anna.summary("a")) == before


@pytest.mark.req("CG-1")
def test_everybody_s_store_sees_all_and_keeps_whose_it_is(
    conversation_store: ConversationStore, anna: ConversationStore
) -> None:
    ben = conversation_store.of_user(BEN)
    ben.create_session("b", "Ben's")
    ben.add_turn("tb", "b", an_answer("And gout?"))
    conversation_store.create_session("c", "Here")
    conversation_store.add_turn("tc", "c", an_answer("And warfarin?"))
    assert {s.id: s.user for s in conversation_store.sessions()} == {
        "a": ANNA, "b": BEN, "c": LOCAL_USER,
    }  # fmt: skip
    assert conversation_store.users() == sorted([ANNA, BEN, LOCAL_USER])
    assert [s.id for s in conversation_store.of_user(LOCAL_USER).sessions()] == ["c"]
    assert [turn.id for turn in conversation_store.rated_turns()] == ["ta"]
    conversation_store.rename_session("b", "Renamed by the command line")
    assert ben.session("b").title == "Renamed by the command line"  # type: ignore[union-attr]


@pytest.mark.req("CG-1", "KG-12")
def test_a_move_keeps_whose_it_is(
    conversation_store: ConversationStore, anna: ConversationStore, database: Database
) -> None:
    other = SqliteConversations(Database(database.path.with_name("other.db")))
    (session,) = conversation_store.sessions()
    for turn in conversation_store.turns("a"):
        other.restore_turn(session, turn)
    assert other.session("a") == session and other.of_user(BEN).session("a") is None
    assert other.of_user(ANNA).turns("a") == anna.turns("a")


@pytest.mark.req("CG-1")
@pytest.mark.parametrize("name", HOSTILE)
def test_any_key_is_a_user_of_its_own(conversation_store: ConversationStore, name: str) -> None:
    theirs = conversation_store.of_user(name)
    theirs.create_session("s", "Title")
    theirs.add_turn("t", "s", an_answer("And?"))
    assert [session.user for session in theirs.sessions()] == [name]
    assert conversation_store.of_user(ANNA).sessions() == []


@pytest.mark.req("CG-1")
def test_a_document_s_text_goes_from_everybody_s_answers(
    conversation_store: ConversationStore, anna: ConversationStore
) -> None:
    ben = conversation_store.of_user(BEN)
    ben.create_session("b", "Ben's")
    ben.add_turn("tb", "b", a_full_answer())
    every = Conversations(conversation_store)
    assert len(every.quoting(["doc1"])) == 2
    assert every.remove_quotes(["doc1"]) == {"doc1": 4}
    assert anna.quoting(["doc1"]) == ben.quoting(["doc1"]) == []


@pytest.mark.req("CG-1")
def test_who_names_another_s_conversation_is_told_the_same_as_of_none(
    conversation_store: ConversationStore, anna: ConversationStore
) -> None:
    ben = Conversations(conversation_store).of_user(BEN)
    told = []
    calls: list[Callable[[str], object]] = [
        ben.get,
        lambda one: ben.pin(one, True),
        lambda one: ben.tag(one, ["x"]),
        lambda one: ben.turn(one, "ta"),
        lambda one: ben.rate("ta" if one == "a" else "none", Rating.DOWN),
    ]
    for call in calls:
        for one in ("a", "none"):
            with pytest.raises(MateriaError) as caught:
                call(one)
            told.append((caught.value.code, str(caught.value)))
    assert told[::2] == told[1::2]
    session, new = ben.open("a", "Which drugs?")
    assert new and session.id != "a" and session.user == BEN


@pytest.mark.req("KG-12")
def test_an_import_is_kept_whole_or_not_at_all(conversation_store: ConversationStore) -> None:
    store = conversation_store.of_user(ANNA)
    session = Session("s", "Title", NOW, NOW, 3, True, ("a", "b"), 1, user=ANNA)
    turns = [Turn(f"t{n}", "s", n, an_answer(f"Q{n}?"), NOW) for n in range(3)]
    turns[1] = replace(turns[1], answer=a_full_answer(), feedback=UP)
    conversation_store.create_session("other", "Other")
    conversation_store.add_turn("t2", "other", an_answer("Mine?"))
    with pytest.raises(Conflict):  # the last one's id is taken
        store.import_session(session, turns)
    assert store.session("s") is None and store.turns("s") == [] and store.turn("t0") is None
    assert store.mentioned_entities() == [] and store.tags() == []
    taken = conversation_store.taken(["s", "other", "x"], ["t0", "t2"])
    assert (taken.sessions, taken.turns) == ({"other"}, {"t2": "other"})
    conversation_store.delete_session("other")
    store.import_session(session, turns)
    assert store.session("s") == session and store.turns("s") == turns
    assert [one.id for one in store.cited_documents()] == ["doc1"]
    store.add_turn("next", "s", an_answer("And?"))
    assert [turn.position for turn in store.turns("s")] == [0, 1, 2, 3]


@pytest.mark.req("KG-15")
def test_a_search_finds_the_turn(
    conversation_store: ConversationStore, anna: ConversationStore
) -> None:
    anna.add_turn("tb", "a", an_answer("And 100%_ of gout?", "Colchicine."))
    both = ("a", "none")

    def found(search: str = "", **only: object) -> list[tuple[str, int]]:
        turns = anna.found_turns(both, search, SessionFilter(**only))  # type: ignore[arg-type]
        return [(turn.turn_id, turn.position) for turn in turns]

    assert found("GOUT") == found("100%_") == found("colchicine") == [("tb", 1)]
    assert found("metformin") == found(entity="D1") == found(document="doc1") == [("ta", 0)]
    assert found(rating=Rating.UP) == [("ta", 0)] and found("gout", rating=Rating.UP) == []
    assert found() == [("ta", 0), ("tb", 1)] and found("Anna's") == []
    (turn,) = anna.found_turns(both, "gout", SessionFilter())
    assert (turn.session_id, turn.question) == ("a", "And 100%_ of gout?")
    assert conversation_store.of_user(BEN).found_turns(both, "", SessionFilter()) == []
