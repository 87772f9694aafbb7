"""Embeddings of questions with their answers in SQLite; the recall side of the conversations' store."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from core.domain.conversations import PairVector, SimilarTurn
from core.domain.vectors import Vector
from core.stores.library.rows import written
from core.stores.sqlite.database import Database

_TOLD = (
    "SELECT questions.*, answers.refused FROM questions "
    "JOIN answers ON answers.question_id = questions.id "
    "WHERE questions.id IN (SELECT value FROM json_each(?))"
)
LACKING = (
    "questions.id IN (SELECT questions.id FROM questions "
    "LEFT JOIN pair_vectors ON pair_vectors.question_id = questions.id "
    "WHERE pair_vectors.model IS NOT :model ORDER BY questions.created_at DESC, questions.id LIMIT :limit)"
)
"""The condition that a question has no vector of `:model`, for the newest `:limit` of them."""


@dataclass(frozen=True, slots=True)
class SqlitePairVectors:
    """The vectors that one user's search may find.

    Attributes:
        own: the condition that a question is the user's, as SQL.
        user: its parameter.
    """

    database: Database
    own: str
    user: str | None

    def keep(self, vectors: Sequence[PairVector]) -> int:
        """Keep those whose answer is still the one they were made from; how many."""
        kept = 0
        with self.database.write() as connection:
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
        self, vector: Vector, model: str, limit: int, before: datetime | None
    ) -> list[SimilarTurn]:
        """The nearest by cosine, all of them compared."""
        rows = self.database.connection.execute(
            "SELECT pair_vectors.question_id, vector FROM pair_vectors "
            "JOIN questions ON questions.id = pair_vectors.question_id "
            f"WHERE {self.own} AND pair_vectors.model = :model "
            "AND (:before IS NULL OR questions.created_at < :before)",
            {"user": self.user, "model": model, "before": written(before) if before else None},
        ).fetchall()
        if not rows:
            return []
        near = np.frombuffer(b"".join(row[1] for row in rows), np.float32)
        cosines = near.reshape(len(rows), -1) @ vector
        nearest = np.argsort(-cosines, kind="stable")[:limit]
        found = {rows[place][0]: float(cosines[place]) for place in nearest}
        told = self.database.connection.execute(_TOLD, (json.dumps(list(found)),))
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
