"""Rows of the embedded store's conversations, written and read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime

from core.domain.answers import Answer, State
from core.domain.conversations import Session, Turn
from core.domain.serial import answer_from_json, answer_to_json
from core.stores.library.answer_rows import feedback_row, mention_rows, read_feedback, source_rows
from core.stores.library.rows import written
from core.stores.sqlite.database import insert


def insert_session(connection: sqlite3.Connection, session: Session) -> None:
    """A session without turns, and its user where that is new."""
    connection.execute("INSERT OR IGNORE INTO users (id) VALUES (?)", (session.user,))
    row = {
        "id": session.id,
        "user_id": session.user,
        "title": session.title,
        "created_at": written(session.created_at),
        "updated_at": written(session.updated_at),
        "pinned": session.pinned,
        "tags": written_tags(session.tags),
    }
    insert(connection, "sessions", [row])


def insert_turn(connection: sqlite3.Connection, turn: Turn) -> None:
    """A question with its answer and its rating."""
    connection.execute(
        "INSERT INTO questions (id, session_id, position, text, created_at) VALUES (?, ?, ?, ?, ?)",
        (turn.id, turn.session_id, turn.position, turn.question, written(turn.created_at)),
    )
    insert_answer(connection, turn.id, turn.answer)
    if turn.feedback is not None:
        row = {"question_id": turn.id, **feedback_row(turn.feedback)}
        insert(connection, "feedback", [row])


def insert_answer(connection: sqlite3.Connection, turn_id: str, answer: Answer) -> None:
    """An answer with what it speaks of and rests on."""
    connection.execute(
        "INSERT INTO answers (question_id, text, payload, refused, may_not_answer) VALUES (?, ?, ?, ?, ?)",
        (
            turn_id,
            answer.text,
            answer_to_json(answer),
            answer.refused,
            answer.state is State.MAY_NOT_ANSWER,
        ),
    )
    for table, rows in (
        ("answer_mentions", mention_rows(answer)),
        ("answer_sources", source_rows(answer)),
    ):
        insert(connection, table, [{"question_id": turn_id, **row} for row in rows])


def written_tags(tags: Sequence[str]) -> str:
    """Tags as JSON, in order, each once."""
    return json.dumps(sorted(set(tags)), ensure_ascii=False)


def read_turn(row: sqlite3.Row) -> Turn:
    """A question joined with its answer and its rating."""
    return Turn(
        row["id"],
        row["session_id"],
        row["position"],
        answer_from_json(row["payload"]),
        datetime.fromisoformat(row["created_at"]),
        read_feedback(dict(row)),
    )


def read_session(row: sqlite3.Row) -> Session:
    """A session with the counts of its turns."""
    return Session(
        row["id"],
        row["title"],
        datetime.fromisoformat(row["created_at"]),
        datetime.fromisoformat(row["updated_at"]),
        row["turns"],
        bool(row["pinned"]),
        tuple(json.loads(row["tags"])),
        row["rated_up"],
        row["rated_down"],
        row["user_id"],
    )
