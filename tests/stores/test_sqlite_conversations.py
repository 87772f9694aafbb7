"""Conversations in a real SQLite file: kept, in order, apart from each other."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.answers import Answer, EntityLink, Sentence, Support
from core.errors import NotFound
from core.stores.sqlite import Database, SqliteConversations
from tests.domain.answers import an_answer


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(tmp_path / "materia.db")


@pytest.fixture
def store(database: Database) -> SqliteConversations:
    return SqliteConversations(database)


def rows(database: Database, table: str) -> int:
    return int(database.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


@pytest.mark.req("KG-15", "CG-5")
@pytest.mark.parametrize("length", [0, 1, 2, 250])
def test_all_turns_of_any_length_come_back_in_order(
    store: SqliteConversations, database: Database, length: int
) -> None:
    store.create_session("s", "Title")
    for number in range(length):
        store.add_turn(f"t{number}", "s", an_answer(f"Question {number}?", f"Answer {number}."))
    turns = store.turns("s")
    assert [turn.position for turn in turns] == list(range(length))
    assert [turn.question for turn in turns] == [f"Question {n}?" for n in range(length)]
    assert [turn.answer.text for turn in turns] == [f"Answer {n}." for n in range(length)]
    session = store.session("s")
    assert session is not None and session.turns == length
    assert rows(database, "questions") == rows(database, "answers") == length


@pytest.mark.req("KG-15", "CG-5")
@given(texts=st.lists(st.tuples(st.text(max_size=40), st.text(max_size=40)), max_size=6))
def test_any_text_comes_back_paired_with_its_answer(
    store: SqliteConversations, texts: list[tuple[str, str]]
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
def test_the_whole_answer_is_kept(store: SqliteConversations) -> None:
    store.create_session("s", "Title")
    answer = replace(
        an_answer("Which <b>drug</b>?", "Metformin."),
        entities=(EntityLink("D1", "Drug", "Metformin", 0.9, "named in the question"),),
        sentences=(Sentence("Metformin.", Support.BOTH, (1, 2), ("no number",)),),
        subgraph={"entities": ["D1"]},
        notice="Note",
    )
    turn = store.add_turn("t", "s", answer)
    assert turn.answer == answer and store.turns("s") == [turn]


@pytest.mark.req("KG-15")
def test_only_the_newest_turns(store: SqliteConversations) -> None:
    store.create_session("s", "Title")
    for number in range(7):
        store.add_turn(f"t{number}", "s", an_answer(f"Q{number}"))
    assert [turn.question for turn in store.turns("s", last=3)] == ["Q4", "Q5", "Q6"]
    assert store.turns("s", last=0) == [] and len(store.turns("s", last=99)) == 7


@pytest.mark.req("KG-16")
def test_a_conversation_knows_nothing_of_another(store: SqliteConversations) -> None:
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


@pytest.mark.req("KG-15")
def test_conversations_survive_a_restart(tmp_path: Path) -> None:
    first = Database(tmp_path / "materia.db")
    store = SqliteConversations(first)
    store.create_session("s", "Title")
    turn = store.add_turn("t", "s", an_answer("Q?"))
    first.close()
    again = SqliteConversations(Database(tmp_path / "materia.db"))
    assert again.turns("s") == [turn]
    session = again.session("s")
    assert session is not None and (session.title, session.turns) == ("Title", 1)
    assert session.updated_at == turn.created_at >= session.created_at


@pytest.mark.req("CG-5")
def test_a_question_is_never_kept_without_its_answer(
    store: SqliteConversations, database: Database
) -> None:
    store.create_session("s", "Title")
    store.add_turn("t", "s", an_answer("First?"))
    broken = replace(an_answer("Second?"), subgraph={"entities": object()})
    with pytest.raises(TypeError):
        store.add_turn("t2", "s", broken)
    assert rows(database, "questions") == rows(database, "answers") == 1
    assert store.add_turn("t3", "s", an_answer("Third?")).position == 1


@pytest.mark.req("CG-5")
def test_two_writers_in_one_conversation_keep_one_order(store: SqliteConversations) -> None:
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


def test_a_turn_for_a_conversation_that_is_gone(
    store: SqliteConversations, database: Database
) -> None:
    with pytest.raises(NotFound):
        store.add_turn("t", "nobody", an_answer("Q?"))
    assert rows(database, "questions") == 0
    assert store.session("nobody") is None and store.turns("nobody") == []
    assert store.delete_session("nobody") == 0


def test_rename_and_delete(store: SqliteConversations, database: Database) -> None:
    store.create_session("s", "Old")
    store.add_turn("t", "s", an_answer("Q?"))
    store.rename_session("s", "<b>New</b>")
    session = store.session("s")
    assert session is not None and session.title == "<b>New</b>"
    assert store.delete_session("s") == 1
    assert [rows(database, table) for table in ("sessions", "questions", "answers")] == [0, 0, 0]


def found(store: SqliteConversations, search: str) -> list[str]:
    return [session.id for session in store.sessions(search)]


def test_the_list_is_newest_first_and_without_empty_ones(store: SqliteConversations) -> None:
    for name in ("a", "b", "empty"):
        store.create_session(name, name)
    store.add_turn("t1", "a", an_answer("Q"))
    store.add_turn("t2", "b", an_answer("Q"))
    assert found(store, "") == ["b", "a"]
    store.add_turn("t3", "a", an_answer("Q"))
    assert found(store, "") == ["a", "b"]
    assert [session.turns for session in store.sessions()] == [2, 1]
    assert len(store.sessions(limit=1)) == 1


def test_search_reads_titles_questions_and_answers(store: SqliteConversations) -> None:
    store.create_session("a", "Blood sugar")
    store.create_session("b", "Clotting")
    store.add_turn("t1", "a", an_answer("About metformin?", "It lowers glucose by 100%."))
    store.add_turn("t2", "b", an_answer("About warfarin_x?", "It thins blood."))
    assert found(store, "metformin") == ["a"] and found(store, "GLUCOSE") == ["a"]
    assert found(store, "clot") == ["b"] and sorted(found(store, "blood")) == ["a", "b"]
    assert found(store, "100%") == ["a"] and found(store, "warfarin_") == ["b"]
    assert found(store, "%") == ["a"] and found(store, "_") == ["b"] and found(store, "\\") == []
    assert found(store, "' OR 1=1 --") == []


@pytest.mark.req("KG-12")
def test_an_id_can_be_used_once(store: SqliteConversations) -> None:
    store.create_session("s", "Title")
    with pytest.raises(Exception, match="UNIQUE"):
        store.create_session("s", "Another")
    session = store.session("s")
    assert session is not None and session.title == "Title"


def test_answer_type(store: SqliteConversations) -> None:
    store.create_session("s", "Title")
    assert isinstance(store.add_turn("t", "s", an_answer("Q")).answer, Answer)
