"""Sessions, questions and answers in SQLite; implements `core.conversations.store.ConversationStore`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from core.domain.answers import Answer
from core.domain.conversations import (
    EVERY_SESSION,
    AnswerSubject,
    Feedback,
    PairVector,
    QuotingTurn,
    Session,
    SessionFilter,
    SimilarTurn,
    Summary,
    Turn,
    TurnUsage,
)
from core.domain.serial import answer_from_json, answer_to_json
from core.domain.vectors import Vector
from core.stores.library.answer_rows import (
    feedback_row,
    mention_rows,
    read_feedback,
    read_summary,
    read_usage,
    source_rows,
    summary_row,
)
from core.stores.library.refusals import session_gone, turn_gone
from core.stores.library.rows import now, written
from core.stores.sqlite.database import Database, insert

_USER = "analyst"  # one analyst; the row exists so that sessions hang on a user from the first day
_SESSION = (
    "SELECT sessions.*, count(questions.id) AS turns, "
    "coalesce(sum(feedback.rating = 'up'), 0) AS rated_up, "
    "coalesce(sum(feedback.rating = 'down'), 0) AS rated_down FROM sessions "
    "LEFT JOIN questions ON questions.session_id = sessions.id "
    "LEFT JOIN feedback ON feedback.question_id = questions.id "
)
_SUCH_A_TURN = (
    "(:entity = '' OR q.id IN (SELECT question_id FROM answer_mentions WHERE entity_id = :entity)) "
    "AND (:document = '' OR q.id IN "
    "(SELECT question_id FROM answer_sources WHERE document_id = :document AND cited)) "
    "AND (:refused IS NULL OR a.refused = :refused) AND (:rating = '' OR f.rating = :rating)"
)
_WITH_SUCH_A_TURN = (
    "sessions.id IN (SELECT q.session_id FROM questions AS q "
    "JOIN answers AS a ON a.question_id = q.id "
    f"LEFT JOIN feedback AS f ON f.question_id = q.id WHERE {_SUCH_A_TURN})"
)
_WITH_THESE_WORDS = (
    "(sessions.title LIKE :words ESCAPE '\\' OR sessions.id IN (SELECT q.session_id FROM questions AS q "
    "JOIN answers AS a ON a.question_id = q.id "
    "WHERE q.text LIKE :words ESCAPE '\\' OR a.text LIKE :words ESCAPE '\\'))"
)
_WITH_THIS_TAG = "EXISTS (SELECT 1 FROM json_each(sessions.tags) WHERE value = :tag)"
_TURN = (
    "SELECT questions.*, answers.payload, feedback.rating, feedback.fault, feedback.comment, "
    "feedback.rated_at FROM questions JOIN answers ON answers.question_id = questions.id "
    "LEFT JOIN feedback ON feedback.question_id = questions.id "
)

_VECTORS = (
    "SELECT pair_vectors.question_id, vector FROM pair_vectors "
    "JOIN questions ON questions.id = pair_vectors.question_id "
    "JOIN sessions ON sessions.id = questions.session_id "
    "WHERE sessions.user_id = :user AND pair_vectors.model = :model "
    "AND (:before IS NULL OR questions.created_at < :before)"
)
_TOLD = (
    "SELECT questions.*, answers.refused FROM questions "
    "JOIN answers ON answers.question_id = questions.id "
    "WHERE questions.id IN (SELECT value FROM json_each(?))"
)


_USAGE = (
    "SELECT q.created_at, a.payload, f.rating FROM questions AS q "
    "JOIN answers AS a ON a.question_id = q.id JOIN sessions ON sessions.id = q.session_id "
    "LEFT JOIN feedback AS f ON f.question_id = q.id WHERE (:search = '' "
    "OR sessions.title LIKE :words ESCAPE '\\' OR q.text LIKE :words ESCAPE '\\' "
    f"OR a.text LIKE :words ESCAPE '\\') AND {_SUCH_A_TURN} AND (:tag = '' OR {_WITH_THIS_TAG}) "
    "ORDER BY q.created_at, q.session_id, q.position"
)


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
            f"{_SESSION} WHERE sessions.id = ? GROUP BY sessions.id", (session_id,)
        ).fetchone()
        return _session(row) if row else None

    def sessions(
        self, search: str = "", limit: int = 200, only: SessionFilter = EVERY_SESSION
    ) -> list[Session]:
        wanted = ["questions.id IS NOT NULL"]
        wanted += [_WITH_THESE_WORDS] if search else []
        wanted += [_WITH_SUCH_A_TURN] if only.of_turns else []
        wanted += [_WITH_THIS_TAG] if only.tag else []
        rows = self._database.connection.execute(
            f"{_SESSION} WHERE {' AND '.join(wanted)} GROUP BY sessions.id "
            "ORDER BY sessions.pinned DESC, sessions.updated_at DESC, sessions.id LIMIT :limit",
            {**_asked(search, only), "limit": limit},
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
                raise session_gone()
            turn = Turn(turn_id, session_id, position, answer, datetime.fromisoformat(moment))
            _insert(connection, turn)
        return turn

    def restore_turn(self, session: Session, turn: Turn) -> None:
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO sessions (id, user_id, title, created_at, updated_at, pinned, tags) "
                "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE "
                "SET title = excluded.title, updated_at = excluded.updated_at, "
                "pinned = excluded.pinned, tags = excluded.tags",
                (
                    session.id,
                    _USER,
                    session.title,
                    written(session.created_at),
                    written(session.updated_at),
                    session.pinned,
                    _tags(session.tags),
                ),
            )
            known = connection.execute("SELECT 1 FROM questions WHERE id = ?", (turn.id,))
            if known.fetchone() is None:
                _insert(connection, turn)

    def turns(self, session_id: str, last: int | None = None) -> list[Turn]:
        rows = self._database.connection.execute(
            f"{_TURN} WHERE session_id = ? ORDER BY position DESC LIMIT ?",
            (session_id, -1 if last is None else last),
        ).fetchall()
        return [_turn(row) for row in reversed(rows)]

    def turn(self, turn_id: str) -> Turn | None:
        row = self._database.connection.execute(
            f"{_TURN} WHERE questions.id = ?", (turn_id,)
        ).fetchone()
        return _turn(row) if row else None

    def rename_session(self, session_id: str, title: str) -> None:
        with self._database.write() as connection:
            connection.execute("UPDATE sessions SET title = ? WHERE id = ?", (title, session_id))

    def mark_session(self, session_id: str, pinned: bool, tags: Sequence[str]) -> None:
        with self._database.write() as connection:
            connection.execute(
                "UPDATE sessions SET pinned = ?, tags = ? WHERE id = ?",
                (pinned, _tags(tags), session_id),
            )

    def delete_session(self, session_id: str) -> int:
        with self._database.write() as connection:
            turns: int = connection.execute(
                "SELECT count(*) FROM questions WHERE session_id = ?", (session_id,)
            ).fetchone()[0]
            connection.execute("DELETE FROM sessions WHERE id = ?", (session_id,))
        return turns

    # -- ratings -----------------------------------------------------------------------------------

    def rate_turn(self, turn_id: str, feedback: Feedback | None) -> None:
        with self._database.write() as connection:
            known = connection.execute("SELECT 1 FROM questions WHERE id = ?", (turn_id,))
            if known.fetchone() is None:
                raise turn_gone()
            connection.execute("DELETE FROM feedback WHERE question_id = ?", (turn_id,))
            if feedback is not None:
                row = {"question_id": turn_id, **feedback_row(feedback)}
                insert(connection, "feedback", [row])

    def rated_turns(self) -> list[Turn]:
        rows = self._database.connection.execute(
            f"{_TURN} WHERE feedback.rating IS NOT NULL ORDER BY feedback.rated_at DESC, questions.id"
        )
        return [_turn(row) for row in rows]

    # -- what answers rest on ----------------------------------------------------------------------

    def quoting(self, document_ids: Sequence[str]) -> list[QuotingTurn]:
        rows = self._database.connection.execute(
            "SELECT questions.session_id, questions.id, questions.text, max(cited) AS cited "
            "FROM answer_sources JOIN questions ON questions.id = question_id "
            "WHERE document_id IN (SELECT value FROM json_each(?)) AND quoted GROUP BY questions.id "
            "ORDER BY questions.created_at, questions.id",
            (json.dumps(list(document_ids)),),
        )
        return [
            QuotingTurn(row["session_id"], row["id"], row["text"], bool(row["cited"]))
            for row in rows
        ]

    def replace_answers(self, answers: Mapping[str, Answer]) -> None:
        with self._database.write() as connection:
            for turn_id, answer in answers.items():
                known = connection.execute("DELETE FROM answers WHERE question_id = ?", (turn_id,))
                if known.rowcount:
                    for table in ("answer_mentions", "answer_sources", "pair_vectors"):
                        connection.execute(f"DELETE FROM {table} WHERE question_id = ?", (turn_id,))
                    _insert_answer(connection, turn_id, answer)
        # The text that went is in the write-ahead log until then.
        self._database.checkpoint()

    def mentioned_entities(self, limit: int = 200) -> list[AnswerSubject]:
        rows = self._database.connection.execute(
            "SELECT entity_id, name, type, count(*) AS answers FROM answer_mentions "
            "GROUP BY entity_id ORDER BY answers DESC, name, entity_id LIMIT ?",
            (limit,),
        )
        return [AnswerSubject(*row) for row in rows]

    def cited_documents(self, limit: int = 200) -> list[AnswerSubject]:
        rows = self._database.connection.execute(
            "SELECT document_id, file, '' AS type, count(*) AS answers FROM answer_sources WHERE cited "
            "GROUP BY document_id ORDER BY answers DESC, file, document_id LIMIT ?",
            (limit,),
        )
        return [AnswerSubject(*row) for row in rows]

    def tags(self) -> list[str]:
        rows = self._database.connection.execute(
            "SELECT DISTINCT value FROM sessions, json_each(sessions.tags) "
            "WHERE EXISTS (SELECT 1 FROM questions WHERE session_id = sessions.id) ORDER BY value"
        )
        return [row[0] for row in rows]

    def usage(self, search: str = "", only: SessionFilter = EVERY_SESSION) -> list[TurnUsage]:
        rows = self._database.connection.execute(_USAGE, _asked(search, only))
        return [read_usage(row["payload"], row["created_at"], row["rating"]) for row in rows]

    # -- summaries ---------------------------------------------------------------------------------

    def summary(self, session_id: str) -> Summary | None:
        row = self._database.connection.execute(
            "SELECT text, first, last, made_at FROM summaries WHERE session_id = ?", (session_id,)
        ).fetchone()
        return read_summary(dict(row)) if row else None

    def keep_summary(self, session_id: str, summary: Summary | None) -> None:
        with self._database.write() as connection:
            connection.execute("DELETE FROM summaries WHERE session_id = ?", (session_id,))
            known = connection.execute("SELECT 1 FROM sessions WHERE id = ?", (session_id,))
            if summary is not None and known.fetchone() is not None:
                insert(
                    connection, "summaries", [{"session_id": session_id, **summary_row(summary)}]
                )

    # -- recall ------------------------------------------------------------------------------------

    def without_vector(self, model: str, limit: int) -> list[Turn]:
        rows = self._database.connection.execute(
            f"{_TURN} WHERE questions.id IN (SELECT questions.id FROM questions "
            "LEFT JOIN pair_vectors ON pair_vectors.question_id = questions.id "
            "WHERE pair_vectors.model IS NOT ? ORDER BY questions.created_at DESC, questions.id LIMIT ?) "
            "ORDER BY questions.created_at DESC, questions.id",
            (model, limit),
        )
        return [_turn(row) for row in rows]

    def keep_vectors(self, vectors: Sequence[PairVector]) -> int:
        kept = 0
        with self._database.write() as connection:
            for one in vectors:
                done = connection.execute(
                    "INSERT INTO pair_vectors (question_id, model, vector) "
                    "SELECT question_id, ?, ? FROM answers WHERE question_id = ? AND text = ? "
                    "ON CONFLICT (question_id) DO UPDATE "
                    "SET model = excluded.model, vector = excluded.vector",
                    (one.model, one.vector.tobytes(), one.turn_id, one.answer),
                )
                kept += done.rowcount
        return kept

    def similar(
        self, vector: Vector, model: str, limit: int, before: datetime | None = None
    ) -> list[SimilarTurn]:
        asked = {"user": _USER, "model": model, "before": written(before) if before else None}
        rows = self._database.connection.execute(_VECTORS, asked).fetchall()
        if not rows:
            return []
        near = np.frombuffer(b"".join(row[1] for row in rows), np.float32)
        cosines = near.reshape(len(rows), -1) @ vector
        nearest = np.argsort(-cosines, kind="stable")[:limit]
        found = {rows[place][0]: float(cosines[place]) for place in nearest}
        told = self._database.connection.execute(_TOLD, (json.dumps(list(found)),))
        similar = [
            SimilarTurn(
                row["id"],
                row["session_id"],
                row["position"],
                row["text"],
                datetime.fromisoformat(row["created_at"]),
                found[row["id"]],
                bool(row["refused"]),
            )
            for row in told
        ]
        return sorted(similar, key=lambda one: (-one.similarity, one.turn_id))


def _insert(connection: sqlite3.Connection, turn: Turn) -> None:
    connection.execute(
        "INSERT INTO questions (id, session_id, position, text, created_at) VALUES (?, ?, ?, ?, ?)",
        (turn.id, turn.session_id, turn.position, turn.question, written(turn.created_at)),
    )
    _insert_answer(connection, turn.id, turn.answer)
    if turn.feedback is not None:
        row = {"question_id": turn.id, **feedback_row(turn.feedback)}
        insert(connection, "feedback", [row])


def _insert_answer(connection: sqlite3.Connection, turn_id: str, answer: Answer) -> None:
    connection.execute(
        "INSERT INTO answers (question_id, text, payload, refused) VALUES (?, ?, ?, ?)",
        (turn_id, answer.text, answer_to_json(answer), answer.refused),
    )
    for table, rows in (
        ("answer_mentions", mention_rows(answer)),
        ("answer_sources", source_rows(answer)),
    ):
        insert(connection, table, [{"question_id": turn_id, **row} for row in rows])


def _asked(search: str, only: SessionFilter) -> dict[str, Any]:
    """What the conditions on sessions and turns compare with."""
    escaped = search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return {
        "search": search,
        "words": f"%{escaped}%",
        "entity": only.entity,
        "document": only.document,
        "refused": only.refused,
        "rating": only.rating or "",
        "tag": only.tag,
    }


def _tags(tags: Sequence[str]) -> str:
    return json.dumps(sorted(set(tags)), ensure_ascii=False)


def _turn(row: sqlite3.Row) -> Turn:
    return Turn(
        row["id"],
        row["session_id"],
        row["position"],
        answer_from_json(row["payload"]),
        datetime.fromisoformat(row["created_at"]),
        read_feedback(dict(row)),
    )


def _session(row: sqlite3.Row) -> Session:
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
    )
