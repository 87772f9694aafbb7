"""Sessions, questions and answers in SQLite; implements `core.conversations.store.ConversationStore`."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from core.domain.answers import Answer
from core.domain.conversations import Session, Turn
from core.domain.serial import answer_from_json, answer_to_json
from core.errors import NotFound
from core.stores.library.rows import now, written
from core.stores.sqlite.database import Database

_USER = "analyst"  # one analyst; the row exists so that sessions hang on a user from the first day


class SqliteConversations:
    """The conversations' side of the embedded store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create_session(self, session_id: str, title: str) -> Session:
        moment = now()
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO sessions (id, user_id, title, created_at, updated_at) "
                "VALUES (?, ?, ?, ?, ?)",
                (session_id, _USER, title, moment, moment),
            )
        at = datetime.fromisoformat(moment)
        return Session(session_id, title, at, at, 0)

    def session(self, session_id: str) -> Session | None:
        row = self._database.connection.execute(
            "SELECT sessions.*, (SELECT count(*) FROM questions WHERE session_id = sessions.id) "
            "AS turns FROM sessions WHERE id = ?",
            (session_id,),
        ).fetchone()
        return _session(row) if row else None

    def sessions(self, search: str = "", limit: int = 200) -> list[Session]:
        escaped = search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        rows = self._database.connection.execute(
            "SELECT sessions.*, count(questions.id) AS turns FROM sessions "
            "JOIN questions ON questions.session_id = sessions.id "
            "LEFT JOIN answers ON answers.question_id = questions.id "
            "GROUP BY sessions.id "
            "HAVING ?1 = '' OR sessions.title LIKE ?2 ESCAPE '\\' "
            "OR max(questions.text LIKE ?2 ESCAPE '\\') OR max(answers.text LIKE ?2 ESCAPE '\\') "
            "ORDER BY sessions.updated_at DESC, sessions.id LIMIT ?3",
            (search, f"%{escaped}%", limit),
        )
        return [_session(row) for row in rows]

    def add_turn(self, turn_id: str, session_id: str, answer: Answer) -> Turn:
        moment = now()
        with self._database.write() as connection:
            position: int = connection.execute(
                "SELECT coalesce(max(position), -1) + 1 FROM questions WHERE session_id = ?",
                (session_id,),
            ).fetchone()[0]
            updated = connection.execute(
                "UPDATE sessions SET updated_at = ? WHERE id = ?", (moment, session_id)
            )
            if updated.rowcount == 0:
                raise NotFound(
                    "This conversation does not exist any more.", advice="Start a new one."
                )
            turn = Turn(turn_id, session_id, position, answer, datetime.fromisoformat(moment))
            _insert(connection, turn)
        return turn

    def restore_turn(self, session: Session, turn: Turn) -> None:
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO sessions (id, user_id, title, created_at, updated_at) "
                "VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE "
                "SET title = excluded.title, updated_at = excluded.updated_at",
                (
                    session.id,
                    _USER,
                    session.title,
                    written(session.created_at),
                    written(session.updated_at),
                ),
            )
            known = connection.execute("SELECT 1 FROM questions WHERE id = ?", (turn.id,))
            if known.fetchone() is None:
                _insert(connection, turn)

    def turns(self, session_id: str, last: int | None = None) -> list[Turn]:
        rows = self._database.connection.execute(
            "SELECT questions.*, answers.payload FROM questions "
            "JOIN answers ON answers.question_id = questions.id "
            "WHERE session_id = ? ORDER BY position DESC LIMIT ?",
            (session_id, -1 if last is None else last),
        ).fetchall()
        return [
            Turn(
                row["id"],
                row["session_id"],
                row["position"],
                answer_from_json(row["payload"]),
                datetime.fromisoformat(row["created_at"]),
            )
            for row in reversed(rows)
        ]

    def rename_session(self, session_id: str, title: str) -> None:
        with self._database.write() as connection:
            connection.execute("UPDATE sessions SET title = ? WHERE id = ?", (title, session_id))

    def delete_session(self, session_id: str) -> int:
        with self._database.write() as connection:
            turns: int = connection.execute(
                "SELECT count(*) FROM questions WHERE session_id = ?", (session_id,)
            ).fetchone()[0]
            connection.execute("DELETE FROM sessions WHERE id = ?", (session_id,))
        return turns


def _insert(connection: sqlite3.Connection, turn: Turn) -> None:
    connection.execute(
        "INSERT INTO questions (id, session_id, position, text, created_at) VALUES (?, ?, ?, ?, ?)",
        (turn.id, turn.session_id, turn.position, turn.question, written(turn.created_at)),
    )
    connection.execute(
        "INSERT INTO answers (question_id, text, payload) VALUES (?, ?, ?)",
        (turn.id, turn.answer.text, answer_to_json(turn.answer)),
    )


def _session(row: sqlite3.Row) -> Session:
    return Session(
        row["id"],
        row["title"],
        datetime.fromisoformat(row["created_at"]),
        datetime.fromisoformat(row["updated_at"]),
        row["turns"],
    )
