"""Conversations in a real SQLite file; what holds for every store is in tests/contract."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.domain.answers import EntityLink
from core.domain.conversations import Feedback, Rating
from core.domain.leaflets.plan import DocumentPlan
from core.domain.plans import Named
from core.domain.serial import answer_to_json
from core.errors import NotFound
from core.stores.sqlite.conversations import SqliteConversations
from core.stores.sqlite.database import Database
from core.stores.sqlite.schema import MIGRATIONS
from tests.contract.test_conversations import a_citation, a_full_answer
from tests.domain.answers import an_answer


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(tmp_path / "materia.db")


@pytest.fixture
def store(database: Database) -> SqliteConversations:
    return SqliteConversations(database)


def rows(database: Database, table: str) -> int:
    return int(database.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


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
def test_every_question_has_its_row_of_an_answer(
    store: SqliteConversations, database: Database
) -> None:
    store.create_session("s", "Title")
    for number in range(3):
        store.add_turn(f"t{number}", "s", an_answer("Q?"))
    with pytest.raises(NotFound):
        store.add_turn("t4", "nobody", an_answer("Q?"))
    assert rows(database, "questions") == rows(database, "answers") == 3


def test_nothing_is_left_of_a_deleted_conversation(
    store: SqliteConversations, database: Database
) -> None:
    store.create_session("s", "Title")
    store.add_turn("t", "s", a_full_answer())
    store.rate_turn("t", Feedback(Rating.UP, None, "", datetime.now(UTC)))
    assert rows(database, "answer_sources") == rows(database, "feedback") == 1
    assert store.delete_session("s") == 1
    tables = ("sessions", "questions", "answers", "answer_mentions", "answer_sources", "feedback")
    assert [rows(database, table) for table in tables] == [0] * len(tables)


def test_entities_are_counted_by_the_questions_that_are_about_them(
    store: SqliteConversations,
) -> None:
    named = EntityLink("D1", "Drug", "Metformin", 0.9, "named in the question")
    neighbour = EntityLink("D2", "Drug", "Warfarin", 0.9, "interacts with metformin")
    store.create_session("s", "Title")
    for number in range(3):
        store.add_turn(f"t{number}", "s", an_answer("Metformin?", "Yes.", named, neighbour))
    store.add_turn(
        "t3", "s", an_answer("Both?", "Yes.", named, replace(neighbour, reason=named.reason))
    )
    counts = [(one.name, one.answers) for one in store.mentioned_entities()]
    assert counts == [("Metformin", 4), ("Warfarin", 1)]


_EARLIER = 3  # scripts before answers had rows for what they speak of


def test_answers_from_before_get_their_rows(tmp_path: Path) -> None:
    """What the migration reads from the JSON is what the store writes beside it."""
    answers = [
        a_full_answer(),
        replace(an_answer("R?"), refused=True, nearest=(a_citation(1, "doc2", "B's.pdf"),)),
        replace(
            a_full_answer(),
            citations=(replace(a_citation(1, "doc1", "A.pdf"), quote=""),),
            nearest=(a_citation(1, "doc1", "A.pdf"),),
            entities=(
                EntityLink("D'1", "Drug", 'Ä "x"', 0.9, "named in the question"),
                EntityLink("D'1", "Drug", 'Ä "x"', 0.8, "treats gout"),
            ),
        ),
        replace(an_answer("Plain?"), may_not_answer=True),
        replace(
            an_answer("Diarrhoea?", "Yes.", EntityLink("D2", "Drug", "Warfarin", 0.4, "treats it")),
            document_plans=(
                DocumentPlan(
                    subjects=(
                        Named("Glucophage", ("D1", "D9"), "Metformin", "Drug"),
                        Named("nothing known", (), "", ""),
                    )
                ),
                DocumentPlan(subjects=(Named("warfarin", ("D2",), "Warfarin", "Drug"),)),
            ),
        ),
    ]
    with (
        closing(Database(tmp_path / "new.db")) as new,
        closing(Database(tmp_path / "old.db", MIGRATIONS[:_EARLIER])) as old,
    ):
        store = SqliteConversations(new)
        store.create_session("s", "Title")
        for number, answer in enumerate(answers):
            store.add_turn(f"t{number}", "s", answer)
        with old.write() as connection:
            columns = "id, user_id, title, created_at, updated_at"
            at = "2026-01-01T00:00:00.000000+00:00"
            connection.execute(
                f"INSERT INTO sessions ({columns}) VALUES ('s', 'analyst', 'Title', ?, ?)", (at, at)
            )
            for number, text in enumerate([*map(answer_to_json, answers), "no JSON"]):
                connection.execute(
                    "INSERT INTO questions (id, session_id, position, text, created_at) "
                    "VALUES (?, 's', ?, 'Q?', ?)",
                    (f"t{number}", number, at),
                )
                connection.execute(
                    "INSERT INTO answers (question_id, text, payload) VALUES (?, '', ?)",
                    (f"t{number}", text),
                )
        old.close()
        with closing(Database(tmp_path / "old.db")) as migrated:
            for table in ("answer_mentions", "answer_sources"):
                everything = f"SELECT * FROM {table} ORDER BY 1, 2"
                expected = [tuple(row) for row in new.connection.execute(everything)]
                assert [tuple(row) for row in migrated.connection.execute(everything)] == expected
                assert expected
            unsure = "SELECT question_id FROM answers WHERE may_not_answer"
            assert [row[0] for row in migrated.connection.execute(unsure)] == ["t3"]
            refused = "SELECT question_id FROM answers WHERE refused"
            assert [row[0] for row in migrated.connection.execute(refused)] == ["t1"]
