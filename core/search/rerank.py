"""The reranker's protocol, and what a search does with one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from core.domain.documents import Hit
from core.domain.vectors import Vector
from core.errors import ModelError
from core.logs import get_logger

_log = get_logger("search")


class Reranker(Protocol):
    """A model that reads a query together with a passage."""

    @property
    def name(self) -> str: ...

    def scores(self, query: str, texts: Sequence[str]) -> Vector:
        """How well each text answers the query, in [0, 1]; shape (len(texts),).

        Raises:
            ModelError: the model cannot be loaded or used (``RERANKER_FAILED``).
        """
        ...


def reranked(reranker: Reranker, query: str, hits: Sequence[Hit]) -> tuple[list[Hit], str]:
    """Hits in descending score of the reranker, which becomes their score; and a notice.

    When the reranker fails, the hits as they were, and the notice says so.
    """
    if not hits:
        return [], ""
    try:
        scores = reranker.scores(query, [hit.chunk.embedding_text for hit in hits])
    except ModelError as error:
        _log.warning("rerank_failed", code=error.code)
        return list(hits), f"Not reranked: {error} ({error.code})"
    scored = [
        replace(hit, score=float(score), relative=float(score), before_reranking=hit.score)
        for hit, score in zip(hits, scores, strict=True)
    ]
    # Stable: hits of equal score stay in the order of the fusion.
    return sorted(scored, key=lambda hit: -hit.score), ""
