"""What every store of conversations tells about usage, turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.conversations.store import ConversationStore
from core.domain.answers import State, Support, Usage
from core.domain.conversations import AnswerSubject, Rating, SessionFilter
from tests.contract.conversations.test_kept_answers import DOWN, WARFARIN, fill, refusal
from tests.contract.test_conversations import HOSTILE, a_full_answer
from tests.domain.answers import an_answer

USED = Usage(1_200, 80, 0.0004, counted=False)


@pytest.fixture
def store(conversation_store: ConversationStore) -> ConversationStore:
    return conversation_store


def states(store: ConversationStore, search: str = "", **only: object) -> Sequence[State]:
    wanted = SessionFilter(**only)  # type: ignore[arg-type]
    return [one.state for one in store.usage(search, wanted)]


@pytest.mark.req("KG-F")
def test_each_turn_tells_what_it_was_in_the_order_they_were_asked(store: ConversationStore) -> None:
    assert store.usage() == []
    store.create_session("s", "Title")
    answer = replace(
        an_answer("Of warfarin?", "Yes.", WARFARIN),
        usage=USED,
        timings_ms={"a": 300.0, "model": 1200.0},
    )
    first = store.add_turn("t0", "s", answer)
    store.add_turn("t1", "s", refusal("Of France?", "doc1"))
    store.add_turn("t2", "s", replace(a_full_answer(), may_not_answer=True))
    store.rate_turn("t0", DOWN)
    one, two, three = store.usage()
    assert (one.asked_at, one.state, one.rating) == (first.created_at, State.ANSWERED, Rating.DOWN)
    assert one.named == (AnswerSubject("D2", "Warfarin", "Drug", 1),)
    assert (one.supports, one.used, one.seconds) == ((Support.UNSUPPORTED,), USED, 1.5)
    assert (two.state, two.rating, two.supports, two.used) == (State.NOT_IN_LIBRARY, None, (), None)
    assert three.state is State.MAY_NOT_ANSWER
    assert three.supports == tuple(sentence.support for sentence in a_full_answer().sentences)


@pytest.mark.req("KG-F")
def test_the_filters_are_those_of_the_list_but_of_the_turns_themselves(
    store: ConversationStore,
) -> None:
    fill(store)
    store.rate_turn("a1", DOWN)
    store.mark_session("c", False, ["signal"])
    answered, refused = State.ANSWERED, State.NOT_IN_LIBRARY
    assert states(store) == [answered, answered, refused, answered, answered]
    assert states(store, refused=True) == [refused]
    assert states(store, entity="D2") == [answered] * 2, "not the other turn of that conversation"
    assert states(store, document="doc1") == [answered], (
        "a refusal does not rest on what is nearest"
    )
    assert states(store, rating=Rating.DOWN) == [answered] and states(store, rating=Rating.UP) == []
    assert states(store, tag="signal") == [answered] and states(store, tag="none") == []
    assert states(store, "France") == [refused] == states(store, "TITLE B")
    assert states(store, "thins", entity="D2") == [answered]
    for hostile in HOSTILE:
        assert states(store, entity=hostile) == states(store, tag=hostile) == []
    assert states(store, "%") == states(store, "_") == states(store, "\\") == []
    store.delete_session("a")
    assert len(states(store)) == 3
