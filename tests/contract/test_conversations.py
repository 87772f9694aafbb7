"""What a store of conversations promises, proven on every store: kept, in order, apart."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.conversations.store import ConversationStore
from core.domain.answers import (
    Answer,
    DocumentCitation,
    EntityLink,
    NamedEntity,
    Sentence,
    Support,
)
from core.domain.conversations import Session, Turn
from core.domain.plans import MOST_OF_TYPE, AnswerList, Member, Plan, Selection, Want
from core.errors import NotFound
from tests.domain.answers import an_answer

BEGUN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
HOSTILE = ("' OR 1=1 --", "'}) DETACH DELETE n //", "<b>x</b>", "$id", "`", "\\", "%", '{"a": 1}')


@pytest.fixture
def store(conversation_store: ConversationStore) -> ConversationStore:
    return conversation_store


def a_citation(n: int, document_id: str, file: str) -> DocumentCitation:
    return DocumentCitation(
        n, document_id, f"{document_id}:0", file, 3, "posology", "Dose", "200 mg", 4, 10, 0.8
    )


def a_full_answer() -> Answer:
    return replace(
        an_answer("Which <b>drug</b>?", "Metformin."),
        entities=(EntityLink("D1", "Drug", "Metformin", 0.9, "named in the question"),),
        sentences=(
            Sentence(
                "Metformin.",
                Support.BOTH,
                (1, 2),
                ("no number",),
                entities=(NamedEntity(0, 9, "D1", "Metformin", "Drug"),),
            ),
        ),
        citations=(a_citation(1, "doc1", "Metformin.pdf"), a_citation(2, "doc1", "Metformin.pdf")),
        subgraph={"entities": ["D1"]},
        notice="Note",
    )


# -- turns -----------------------------------------------------------------------------------------


@pytest.mark.req("KG-12", "KG-15", "CG-5", "KG-F")
@pytest.mark.parametrize("length", [0, 1, 2, 1_000])
def test_all_turns_of_any_length_come_back_in_order(store: ConversationStore, length: int) -> None:
    """Of a thousand the last ten are added one by one, the others at once, as from a file: each that is
    added looks at the one before it alone."""
    asked = [
        Turn(f"t{n}", "s", n, an_answer(f"Question {n}?", f"Answer {n}."), BEGUN)
        for n in range(length)
    ]
    kept = asked[: max(0, length - 10)]
    store.import_session(Session("s", "Title", BEGUN, BEGUN, len(kept)), kept)
    kept += [store.add_turn(one.id, "s", one.answer) for one in asked[len(kept) :]]
    turns = store.turns("s")
    assert turns == kept and [turn.position for turn in turns] == list(range(length))
    assert [turn.question for turn in turns] == [f"Question {n}?" for n in range(length)]
    assert [turn.answer.text for turn in turns] == [f"Answer {n}." for n in range(length)]
    session = store.session("s")
    assert session is not None and session.turns == length


@pytest.mark.req("KG-15", "CG-5")
@given(texts=st.lists(st.tuples(st.text(max_size=40), st.text(max_size=40)), max_size=4))
def test_any_text_comes_back_paired_with_its_answer(
    store: ConversationStore, texts: list[tuple[str, str]]
) -> None:
    store.create_session("s", "Title")
    try:
        for number, (question, said) in enumerate(texts):
            store.add_turn(f"t{number}", "s", an_answer(question, said))
        turns = store.turns("s")
        assert [(turn.question, turn.answer.sentences[0].text) for turn in turns] == texts
    finally:
        assert store.delete_session("s") == len(texts)


@pytest.mark.req("KG-15")
def test_the_whole_answer_is_kept(store: ConversationStore) -> None:
    store.create_session("s", "Title")
    answer = a_full_answer()
    turn = store.add_turn("t", "s", answer)
    assert turn.answer == answer and store.turns("s") == [turn]


def test_of_a_whole_type_the_first_names_are_kept_and_their_number(
    store: ConversationStore,
) -> None:
    store.create_session("s", "Title")
    members = tuple(Member(f"D{n}", "Drug", f"drug {n}") for n in range(1000))
    proven = tuple(replace(one, relationships=((one.id, "TREATS", "S1"),)) for one in members)
    answer = replace(
        an_answer("List all drugs", "Many."),
        lists=(AnswerList("Drugs", members), AnswerList("Of gout", proven, {"S1": "gout"})),
        plan=Plan(Want.LIST, (Selection(("Drug",)),), everything=True),
    )
    assert store.add_turn("t", "s", answer).answer == answer
    (kept,) = [turn.answer for turn in store.turns("s")]
    whole_type, of_gout = kept.lists
    assert whole_type.members == members[:MOST_OF_TYPE]
    assert (whole_type.total, whole_type.size) == (1000, 1000)
    assert of_gout == answer.lists[1] and of_gout.size == 1000  # what is proven is kept whole
    assert kept.plan == answer.plan
    store.add_turn("u", "s", kept)
    assert store.turns("s")[1].answer == kept  # kept again, it is the same


@pytest.mark.req("KG-15")
def test_only_the_newest_turns(store: ConversationStore) -> None:
    store.create_session("s", "Title")
    for number in range(7):
        store.add_turn(f"t{number}", "s", an_answer(f"Q{number}"))
    assert [turn.question for turn in store.turns("s", last=3)] == ["Q4", "Q5", "Q6"]
    assert store.turns("s", last=0) == [] and len(store.turns("s", last=99)) == 7


@pytest.mark.req("KG-16")
def test_a_conversation_knows_nothing_of_another(store: ConversationStore) -> None:
    store.create_session("a", "A")
    store.create_session("b", "B")
    store.add_turn("t1", "a", an_answer("About metformin?"))
    assert store.turns("b") == []
    store.add_turn("t2", "b", an_answer("About warfarin?"))
    store.add_turn("t3", "a", an_answer("More?"))
    assert [turn.question for turn in store.turns("a")] == ["About metformin?", "More?"]
    assert [turn.position for turn in store.turns("b")] == [0]
    store.delete_session("a")
    assert [turn.question for turn in store.turns("b")] == ["About warfarin?"]


@pytest.mark.req("CG-5")
def test_a_question_is_never_kept_without_its_answer(store: ConversationStore) -> None:
    store.create_session("s", "Title")
    store.add_turn("t", "s", an_answer("First?"))
    broken = replace(an_answer("Second?"), subgraph={"entities": object()})
    with pytest.raises(TypeError):
        store.add_turn("t2", "s", broken)
    with pytest.raises(Exception, match=r"UNIQUE|already exists"):
        store.add_turn("t", "s", an_answer("The id of the first?"))
    session = store.session("s")
    assert session is not None and session.turns == 1 == len(store.turns("s"))
    assert store.add_turn("t3", "s", an_answer("Third?")).position == 1


@pytest.mark.req("CG-5")
def test_two_writers_in_one_conversation_keep_one_order(store: ConversationStore) -> None:
    store.create_session("s", "Title")

    def work(name: str) -> None:
        for number in range(20):
            store.add_turn(f"{name}{number}", "s", an_answer(f"{name}{number}"))

    threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    turns = store.turns("s")
    assert [turn.position for turn in turns] == list(range(40))
    for name in "ab":
        own = [turn.question for turn in turns if turn.question.startswith(name)]
        assert own == [f"{name}{n}" for n in range(20)]


def test_a_turn_for_a_conversation_that_is_gone(store: ConversationStore) -> None:
    with pytest.raises(NotFound):
        store.add_turn("t", "nobody", an_answer("Q?"))
    assert store.session("nobody") is None and store.turns("nobody") == []
    assert store.delete_session("nobody") == 0
    store.create_session("s", "Title")
    assert store.add_turn("t", "s", an_answer("Q?")).position == 0, "the id was not used"


# -- sessions --------------------------------------------------------------------------------------


@pytest.mark.req("KG-12")
def test_an_id_can_be_used_once(store: ConversationStore) -> None:
    store.create_session("s", "Title")
    with pytest.raises(Exception, match=r"UNIQUE|already exists"):
        store.create_session("s", "Another")
    session = store.session("s")
    assert session is not None and session.title == "Title"


def test_a_session_is_as_young_as_its_last_turn(store: ConversationStore) -> None:
    made = store.create_session("s", "Title")
    assert store.session("s") == made and made.updated_at == made.created_at
    turn = store.add_turn("t", "s", an_answer("Q?"))
    session = store.session("s")
    assert session == replace(made, updated_at=turn.created_at, turns=1)


@pytest.mark.parametrize("name", HOSTILE)
def test_rename_and_delete(store: ConversationStore, name: str) -> None:
    store.create_session(name, "Old")
    store.create_session("other", "Other")
    for session in (name, "other"):
        store.add_turn(f"turn of {session}", session, an_answer(name, name))
    store.rename_session(name, name)
    session = store.session(name)
    assert session is not None and session.title == name
    assert [turn.answer.question for turn in store.turns(name)] == [name]
    assert store.delete_session(name) == 1
    assert store.session(name) is None and store.turns(name) == []
    assert [one.id for one in store.sessions()] == ["other"] and len(store.turns("other")) == 1
    store.rename_session(name, "nobody")
    assert store.session(name) is None


def found(store: ConversationStore, search: str) -> list[str]:
    return [session.id for session in store.sessions(search)]


def test_the_list_is_newest_first_and_without_empty_ones(store: ConversationStore) -> None:
    for name in ("a", "b", "empty"):
        store.create_session(name, name)
    store.add_turn("t1", "a", an_answer("Q"))
    store.add_turn("t2", "b", an_answer("Q"))
    assert found(store, "") == ["b", "a"]
    store.add_turn("t3", "a", an_answer("Q"))
    assert found(store, "") == ["a", "b"]
    assert [session.turns for session in store.sessions()] == [2, 1]
    assert len(store.sessions(limit=1)) == 1


def test_search_reads_titles_questions_and_answers(store: ConversationStore) -> None:
    store.create_session("a", "Blood sugar")
    store.create_session("b", "Clotting")
    store.add_turn("t1", "a", an_answer("About metformin?", "It lowers glucose by 100%."))
    store.add_turn("t2", "b", an_answer("About warfarin_x?", "It thins blood."))
    assert found(store, "metformin") == ["a"] and found(store, "GLUCOSE") == ["a"]
    assert found(store, "clot") == ["b"] and sorted(found(store, "blood")) == ["a", "b"]
    assert found(store, "100%") == ["a"] and found(store, "warfarin_") == ["b"]
    assert found(store, "%") == ["a"] and found(store, "_") == ["b"] and found(store, "\\") == []
    assert found(store, ".*") == [] == found(store, "' OR 1=1 --")


# -- moving between stores -------------------------------------------------------------------------


def moved(length: int) -> tuple[Session, list[Turn]]:
    at = [datetime(2024, 5, 6, 7, 8, second, 90, tzinfo=UTC) for second in range(length + 1)]
    turns = [
        Turn(f"t{n}", "old", n, replace(a_full_answer(), question=f"Q{n}?"), at[n + 1])
        for n in range(length)
    ]
    return Session("old", "Brought over", at[0], at[length], length), turns


@pytest.mark.parametrize("order", [sorted, lambda turns: list(reversed(turns))])
def test_a_conversation_is_restored_as_it_was(
    store: ConversationStore, order: Callable[[list[int]], list[int]]
) -> None:
    session, turns = moved(5)
    for _ in range(2):
        for number in order(list(range(5))):
            store.restore_turn(session, turns[number])
        assert store.session("old") == session and store.turns("old") == turns
        assert store.sessions() == [session]
    follow = store.add_turn("new", "old", an_answer("And now?"))
    assert follow.position == 5 and [turn.id for turn in store.turns("old", 2)] == ["t4", "new"]
    assert store.delete_session("old") == 6 and store.turns("old") == []
