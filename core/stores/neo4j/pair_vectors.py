"""Embeddings of questions with their answers in Neo4j's vector index; the recall side of the
conversations' store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.domain.conversations import PairVector, SimilarTurn
from core.domain.vectors import Vector
from core.stores.library.rows import written
from core.stores.neo4j import conversation_statements as cypher
from core.stores.neo4j.connection import Neo4j, Statement

_LEAST_ASKED = 50  # near vectors; the index looks at as many candidates, so few are found inexactly
_MORE = 4  # times as many are asked for when others' took the places
_LONG_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Neo4jPairVectors:
    """The vectors that one user's search may find; with `user` None everybody's."""

    neo4j: Neo4j
    user: str | None

    def keep(self, vectors: Sequence[PairVector], lock: Statement) -> int:
        """Keep those whose answer is still the one they were made from; how many."""
        if not vectors:
            return 0
        self._ensure_index(len(vectors[0].vector))
        rows = [
            {
                "id": one.turn_id,
                "answer": one.answer,
                "model": one.model,
                "vector": one.vector.tolist(),
            }
            for one in vectors
        ]
        results = self.neo4j.write_all(
            [lock, (cypher.KEEP_VECTORS, {"rows": rows})], seconds=_LONG_SECONDS
        )
        kept: int = results[1][0]["kept"]
        return kept

    def similar(
        self, vector: Vector, model: str, limit: int, before: datetime | None
    ) -> list[SimilarTurn]:
        """The nearest by cosine, as the index finds them."""
        if self._dimension() != len(vector):
            return []
        asked = {
            "index": cypher.PAIRS,
            "vector": vector.tolist(),
            "owner": self.user,
            "model": model,
            "before": written(before) if before else None,
        }
        count = max(2 * limit, _LEAST_ASKED)
        while True:
            (row,) = self.neo4j.read(cypher.SIMILAR, {**asked, "count": count})
            if len(row["found"]) >= limit or row["size"] < count:
                near = [_similar(one) for one in row["found"]]
                return sorted(near, key=lambda one: (-one.similarity, one.turn_id))[:limit]
            count *= _MORE

    def _dimension(self) -> int:
        """Numbers of a vector in the index; 0 without one."""
        rows = self.neo4j.read(cypher.SHOW_PAIRS, {"name": cypher.PAIRS})
        return int(rows[0]["dimension"]) if rows else 0

    def _ensure_index(self, dimension: int) -> None:
        """Make the index; one of another embedding model's dimension goes."""
        present = self._dimension()
        if present != dimension:
            config = {
                "vector.dimensions": dimension,
                "vector.similarity_function": "cosine",
                "vector.quantization.enabled": False,
            }
            if present:
                self.neo4j.run(cypher.DROP_PAIRS, {}, _LONG_SECONDS)
            made = {"options": {"indexConfig": config}}
            self.neo4j.run(cypher.CREATE_PAIRS, made, _LONG_SECONDS)
            self.neo4j.run(cypher.AWAIT_PAIRS, {}, _LONG_SECONDS)


def _similar(row: Mapping[str, Any]) -> SimilarTurn:
    """A question that the index found; Neo4j's cosine score is (1 + cosine) / 2."""
    return SimilarTurn(
        row["id"],
        row["session"],
        row["position"],
        row["text"],
        datetime.fromisoformat(row["created_at"]),
        2.0 * row["score"] - 1.0,
        row["refused"],
    )
