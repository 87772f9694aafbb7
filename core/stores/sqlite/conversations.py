"""Sessions, questions and answers in SQLite; implements `core.conversations.store.ConversationStore`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from core.domain.answers import Answer
from core.domain.conversations import (
    EVERY_SESSION,
    LOCAL_USER,
    AnswerSubject,
    Feedback,
    FoundTurn,
    PairVector,
    QuotingTurn,
    Session,
    SessionFilter,
    SimilarTurn,
    Summary,
    TakenIds,
    Turn,
    TurnUsage,
)
from core.domain.vectors import Vector
from core.stores.library.answer_rows import feedback_row, read_summary, read_usage, summary_row
from core.stores.library.refusals import id_taken, session_gone, turn_gone
from core.stores.library.rows import now, written
from core.stores.sqlite.database import Database, insert
from core.stores.sqlite.rows.conversations import (
    insert_answer,
    insert_session,
    insert_turn,
    read_session,
    read_turn,
    written_tags,
)
from core.stores.sqlite.rows.pair_vectors import LACKING, SqlitePairVectors

_SESSION = (
    "SELECT sessions.*, count(questions.id) AS turns, "
    "coalesce(sum(feedback.rating = 'up'), 0) AS rated_up, "
    "coalesce(sum(feedback.rating = 'down'), 0) AS rated_down FROM sessions "
    "LEFT JOIN questions ON questions.session_id = sessions.id "
    "LEFT JOIN feedback ON feedback.question_id = questions.id "
)
_TURNS = (
    "FROM questions AS q JOIN answers AS a ON a.question_id = q.id "
    "LEFT JOIN feedback AS f ON f.question_id = q.id "
)
_SUCH_A_TURN = (
    "(:entity = '' OR q.id IN "
    "(SELECT question_id FROM answer_mentions WHERE entity_id = :entity AND named)) "
    "AND (:document = '' OR q.id IN "
    "(SELECT question_id FROM answer_sources WHERE document_id = :document AND cited)) "
    "AND (:refused IS NULL OR a.refused = :refused) "
    "AND (:unsure IS NULL OR a.may_not_answer = :unsure) AND (:rating = '' OR f.rating = :rating)"
)
_THESE_WORDS = "(q.text LIKE :words ESCAPE '\\' OR a.text LIKE :words ESCAPE '\\')"
_WITH_SUCH_A_TURN = f"sessions.id IN (SELECT q.session_id {_TURNS} WHERE {_SUCH_A_TURN})"
_WITH_THESE_WORDS = (
    "(sessions.title LIKE :words ESCAPE '\\' OR "
    f"sessions.id IN (SELECT q.session_id {_TURNS} WHERE {_THESE_WORDS}))"
)
_WITH_THIS_TAG = "EXISTS (SELECT 1 FROM json_each(sessions.tags) WHERE value = :tag)"
_USAGE = (
    f"SELECT q.created_at, a.payload, f.rating {_TURNS} JOIN sessions ON sessions.id = q.session_id "
    f"WHERE (:search = '' OR sessions.title LIKE :words ESCAPE '\\' OR {_THESE_WORDS}) "
    f"AND {_SUCH_A_TURN} AND (:tag = '' OR {_WITH_THIS_TAG})"
)
_TURN = (
    "SELECT questions.*, answers.payload, feedback.rating, feedback.fault, feedback.comment, "
    "feedback.rated_at FROM questions JOIN answers ON answers.question_id = questions.id "
    "LEFT JOIN feedback ON feedback.question_id = questions.id "
)


class SqliteConversations:
    """The conversations' side of the embedded store.

    Args:
        user: whose conversations are seen; None: everybody's, and new ones are the local user's.
    """

    def __init__(self, database: Database, user: str | None = None) -> None:
        self._database = database
        self._user = user

    def of_user(self, user: str) -> SqliteConversations:
        return SqliteConversations(self._database, user)

    def users(self) -> list[str]:
        rows = self._database.connection.execute(
            "SELECT DISTINCT user_id FROM sessions ORDER BY user_id"
        )
        return [row[0] for row in rows]

    def create_session(self, session_id: str, title: str) -> Session:
        at = datetime.fromisoformat(now())
        session = Session(session_id, title, at, at, 0, user=self._user or LOCAL_USER)
        with self._database.write() as connection:
            insert_session(connection, session)
        return session

    def session(self, session_id: str) -> Session | None:
        row = self._database.connection.execute(
            f"{_SESSION} WHERE sessions.id = :id AND {self._own('sessions.id')} GROUP BY sessions.id",
            {"id": session_id, "user": self._user},
        ).fetchone()
        return read_session(row) if row else None

    def sessions(
        self, search: str = "", limit: int = 200, only: SessionFilter = EVERY_SESSION
    ) -> list[Session]:
        wanted = ["questions.id IS NOT NULL", self._own("sessions.id")]
        wanted += [_WITH_THESE_WORDS] if search else []
        wanted += [_WITH_SUCH_A_TURN] if only.of_turns else []
        wanted += [_WITH_THIS_TAG] if only.tag else []
        rows = self._database.connection.execute(
            f"{_SESSION} WHERE {' AND '.join(wanted)} GROUP BY sessions.id "
            "ORDER BY sessions.pinned DESC, sessions.updated_at DESC, sessions.id LIMIT :limit",
            {"limit": limit, **self._looked_for(search, only)},
        )
        return [read_session(row) for row in rows]

    def found_turns(
        self, session_ids: Sequence[str], search: str, only: SessionFilter
    ) -> list[FoundTurn]:
        rows = self._database.connection.execute(
            f"SELECT q.session_id, q.id, q.position, q.text {_TURNS} "
            f"WHERE q.session_id IN (SELECT value FROM json_each(:ids)) AND {_THESE_WORDS} "
            f"AND {_SUCH_A_TURN} AND {self._own('q.session_id')} ORDER BY q.session_id, q.position",
            {"ids": json.dumps(list(session_ids)), **self._looked_for(search, only)},
        )
        return [FoundTurn(*row) for row in rows]

    def _looked_for(self, search: str, only: SessionFilter) -> dict[str, Any]:
        """Parameters of a search."""
        escaped = search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        return {
            "user": self._user,
            "search": search,
            "words": f"%{escaped}%",
            "entity": only.entity,
            "document": only.document,
            "refused": only.refused,
            "unsure": only.may_not_answer,
            "rating": only.rating or "",
            "tag": only.tag,
        }

    def add_turn(self, turn_id: str, session_id: str, answer: Answer) -> Turn:
        moment = now()
        with self._database.write() as connection:
            position: int = connection.execute(
                "SELECT coalesce(max(position), -1) + 1 FROM questions WHERE session_id = ?",
                (session_id,),
            ).fetchone()[0]
            updated = connection.execute(
                "UPDATE sessions SET updated_at = :moment "
                f"WHERE id = :id AND {self._own('sessions.id')}",
                {"moment": moment, "id": session_id, "user": self._user},
            )
            if updated.rowcount == 0:
                raise session_gone()
            turn = Turn(turn_id, session_id, position, answer, datetime.fromisoformat(moment))
            insert_turn(connection, turn)
        return turn

    def restore_turn(self, session: Session, turn: Turn) -> None:
        session = replace(session, user=self._user or session.user)
        with self._database.write() as connection:
            owner = connection.execute("SELECT user_id FROM sessions WHERE id = ?", (session.id,))
            if (row := owner.fetchone()) is None:
                insert_session(connection, session)
            elif row[0] != session.user:
                raise id_taken()
            connection.execute(
                "UPDATE sessions SET title = ?, updated_at = ?, pinned = ?, tags = ? WHERE id = ?",
                (
                    session.title,
                    written(session.updated_at),
                    session.pinned,
                    written_tags(session.tags),
                    session.id,
                ),
            )
            known = connection.execute("SELECT 1 FROM questions WHERE id = ?", (turn.id,))
            if known.fetchone() is None:
                insert_turn(connection, turn)

    def taken(self, session_ids: Sequence[str], turn_ids: Sequence[str]) -> TakenIds:
        connection = self._database.connection
        sessions = connection.execute(
            "SELECT id FROM sessions WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(session_ids)),),
        )
        turns = connection.execute(
            "SELECT id, session_id FROM questions WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(turn_ids)),),
        )
        return TakenIds(frozenset(row[0] for row in sessions), dict(map(tuple, turns)))

    def import_session(self, session: Session, turns: Sequence[Turn]) -> None:
        session = replace(session, user=self._user or LOCAL_USER)
        try:
            with self._database.write() as connection:
                insert_session(connection, session)
                for turn in turns:
                    insert_turn(connection, turn)
        except sqlite3.IntegrityError as error:
            raise id_taken() from error

    def turns(self, session_id: str, last: int | None = None) -> list[Turn]:
        rows = self._database.connection.execute(
            f"{_TURN} WHERE session_id = :session AND {self._own()} "
            "ORDER BY position DESC LIMIT :last",
            {"session": session_id, "user": self._user, "last": -1 if last is None else last},
        ).fetchall()
        return [read_turn(row) for row in reversed(rows)]

    def turn(self, turn_id: str) -> Turn | None:
        row = self._database.connection.execute(
            f"{_TURN} WHERE questions.id = :id AND {self._own()}",
            {"id": turn_id, "user": self._user},
        ).fetchone()
        return read_turn(row) if row else None

    def rename_session(self, session_id: str, title: str) -> None:
        with self._database.write() as connection:
            connection.execute(
                f"UPDATE sessions SET title = :title WHERE id = :id AND {self._own('sessions.id')}",
                {"title": title, "id": session_id, "user": self._user},
            )

    def mark_session(self, session_id: str, pinned: bool, tags: Sequence[str]) -> None:
        marks = {"pinned": pinned, "tags": written_tags(tags), "id": session_id, "user": self._user}
        with self._database.write() as connection:
            connection.execute(
                "UPDATE sessions SET pinned = :pinned, tags = :tags "
                f"WHERE id = :id AND {self._own('sessions.id')}",
                marks,
            )

    def delete_session(self, session_id: str) -> int:
        named = {"id": session_id, "user": self._user}
        with self._database.write() as connection:
            turns: int = connection.execute(
                f"SELECT count(*) FROM questions WHERE session_id = :id AND {self._own()}", named
            ).fetchone()[0]
            connection.execute(
                f"DELETE FROM sessions WHERE id = :id AND {self._own('sessions.id')}", named
            )
        return turns

    # -- ratings -----------------------------------------------------------------------------------

    def rate_turn(self, turn_id: str, feedback: Feedback | None) -> None:
        with self._database.write() as connection:
            known = connection.execute(
                f"SELECT 1 FROM questions WHERE id = :id AND {self._own()}",
                {"id": turn_id, "user": self._user},
            )
            if known.fetchone() is None:
                raise turn_gone()
            connection.execute("DELETE FROM feedback WHERE question_id = ?", (turn_id,))
            if feedback is not None:
                row = {"question_id": turn_id, **feedback_row(feedback)}
                insert(connection, "feedback", [row])

    def rated_turns(self) -> list[Turn]:
        rows = self._database.connection.execute(
            f"{_TURN} WHERE feedback.rating IS NOT NULL AND {self._own()} "
            "ORDER BY feedback.rated_at DESC, questions.id",
            {"user": self._user},
        )
        return [read_turn(row) for row in rows]

    # -- what answers rest on ----------------------------------------------------------------------

    def quoting(self, document_ids: Sequence[str]) -> list[QuotingTurn]:
        rows = self._database.connection.execute(
            "SELECT questions.session_id, questions.id, questions.text, max(cited) AS cited "
            "FROM answer_sources JOIN questions ON questions.id = question_id "
            f"WHERE document_id IN (SELECT value FROM json_each(:ids)) AND quoted AND {self._own()} "
            "GROUP BY questions.id ORDER BY questions.created_at, questions.id",
            {"ids": json.dumps(list(document_ids)), "user": self._user},
        )
        return [
            QuotingTurn(row["session_id"], row["id"], row["text"], bool(row["cited"]))
            for row in rows
        ]

    def replace_answers(self, answers: Mapping[str, Answer]) -> None:
        with self._database.write() as connection:
            for turn_id, answer in answers.items():
                known = connection.execute(
                    "DELETE FROM answers WHERE question_id IN "
                    f"(SELECT id FROM questions WHERE id = :id AND {self._own()})",
                    {"id": turn_id, "user": self._user},
                )
                if known.rowcount:
                    for table in ("answer_mentions", "answer_sources", "pair_vectors"):
                        connection.execute(f"DELETE FROM {table} WHERE question_id = ?", (turn_id,))
                    insert_answer(connection, turn_id, answer)
        # The text that went is in the write-ahead log until then.
        self._database.checkpoint()

    def mentioned_entities(self, limit: int = 200) -> list[AnswerSubject]:
        rows = self._database.connection.execute(
            "SELECT entity_id, name, type, count(*) AS answers FROM answer_mentions "
            f"JOIN questions ON questions.id = question_id WHERE named AND {self._own()} "
            "GROUP BY entity_id ORDER BY answers DESC, name, entity_id LIMIT :limit",
            {"limit": limit, "user": self._user},
        )
        return [AnswerSubject(*row) for row in rows]

    def cited_documents(self, limit: int = 200) -> list[AnswerSubject]:
        rows = self._database.connection.execute(
            "SELECT document_id, file, '' AS type, count(*) AS answers FROM answer_sources "
            f"JOIN questions ON questions.id = question_id WHERE cited AND {self._own()} "
            "GROUP BY document_id ORDER BY answers DESC, file, document_id LIMIT :limit",
            {"limit": limit, "user": self._user},
        )
        return [AnswerSubject(*row) for row in rows]

    def tags(self) -> list[str]:
        rows = self._database.connection.execute(
            "SELECT DISTINCT value FROM sessions, json_each(sessions.tags) "
            "WHERE EXISTS (SELECT 1 FROM questions WHERE session_id = sessions.id) "
            f"AND {self._own('sessions.id')} ORDER BY value",
            {"user": self._user},
        )
        return [row[0] for row in rows]

    def usage(self, search: str = "", only: SessionFilter = EVERY_SESSION) -> list[TurnUsage]:
        rows = self._database.connection.execute(
            f"{_USAGE} AND {self._own('q.session_id')} ORDER BY q.created_at, q.session_id, q.position",
            self._looked_for(search, only),
        )
        return [read_usage(row["payload"], row["created_at"], row["rating"]) for row in rows]

    # -- summaries ---------------------------------------------------------------------------------

    def summary(self, session_id: str) -> Summary | None:
        row = self._database.connection.execute(
            "SELECT text, first, last, made_at FROM summaries "
            f"WHERE session_id = :id AND {self._own('session_id')}",
            {"id": session_id, "user": self._user},
        ).fetchone()
        return read_summary(dict(row)) if row else None

    def keep_summary(self, session_id: str, summary: Summary | None) -> None:
        with self._database.write() as connection:
            known = connection.execute(
                f"SELECT 1 FROM sessions WHERE id = :id AND {self._own('sessions.id')}",
                {"id": session_id, "user": self._user},
            )
            if known.fetchone() is None:
                return
            connection.execute("DELETE FROM summaries WHERE session_id = ?", (session_id,))
            if summary is not None:
                insert(
                    connection, "summaries", [{"session_id": session_id, **summary_row(summary)}]
                )

    # -- recall ------------------------------------------------------------------------------------

    def without_vector(self, model: str, limit: int) -> list[Turn]:
        rows = self._database.connection.execute(
            f"{_TURN} WHERE {LACKING} ORDER BY questions.created_at DESC, questions.id",
            {"model": model, "limit": limit},
        )
        return [read_turn(row) for row in rows]

    def keep_vectors(self, vectors: Sequence[PairVector]) -> int:
        return self._pair_vectors.keep(vectors)

    def similar(
        self, vector: Vector, model: str, limit: int, before: datetime | None = None
    ) -> list[SimilarTurn]:
        return self._pair_vectors.similar(vector, model, limit, before)

    @property
    def _pair_vectors(self) -> SqlitePairVectors:
        return SqlitePairVectors(self._database, self._own(), self._user)

    def _own(self, session_id: str = "questions.session_id") -> str:
        """The condition that the session of this column is the user's."""
        if self._user is None:
            return "1"
        return f"{session_id} IN (SELECT id FROM sessions AS own WHERE own.user_id = :user)"
