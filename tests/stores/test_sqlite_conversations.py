"""Conversations in a real SQLite file; what holds for every store is in tests/contract."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import NotFound
from core.stores.sqlite.conversations import SqliteConversations
from core.stores.sqlite.database import Database
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
    store.add_turn("t", "s", an_answer("Q?"))
    assert store.delete_session("s") == 1
    assert [rows(database, table) for table in ("sessions", "questions", "answers")] == [0, 0, 0]
