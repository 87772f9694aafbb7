"""Passages for a query: dense and lexical candidates, fused."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.documents.encoder import Encoder, mismatch
from core.documents.store import LibraryStore, VectorStore
from core.domain.documents import Hit, Index, SearchResult
from core.domain.vectors import Vector
from core.errors import InputError, NotFound, StoreError
from core.search.fusion import fuse

MODES = ("hybrid", "semantic", "lexical")
MAX_K = 100


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Scope and size of a search.

    Attributes:
        indexes: names; empty means all.
        k: hits returned, 1 to 100.
        candidates: taken from each of dense and lexical search before fusion.
        mode: ``hybrid``, ``semantic`` (embedding similarity alone) or ``lexical`` (BM25 alone).
        sections: standard section codes (``contraindications``, ...); empty means all text.
    """

    indexes: tuple[str, ...] = ()
    k: int = 5
    candidates: int = 20
    mode: str = "hybrid"
    sections: tuple[str, ...] = ()


@dataclass(slots=True)
class _Known:
    """The query's vectors so far, by model name and dimension."""

    query: str
    vectors: dict[tuple[str, int], Vector] = field(default_factory=dict)


class Retriever:
    """Searches the ready documents of the library."""

    def __init__(
        self,
        store: LibraryStore,
        vectors: VectorStore,
        encoder: Callable[[], Encoder],
        dense_weight: float,
        encoder_of: Callable[[Index], Encoder] | None = None,
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._encoder = encoder
        self._dense_weight = dense_weight
        self._encoder_of = encoder_of

    def search(
        self, query: str, options: SearchOptions, vector: Vector | None = None
    ) -> SearchResult:
        """The best `k` chunks, in descending score.

        Scores are in [0, 1]: in hybrid mode the fused score relative to the other candidates, in
        semantic mode the cosine similarity (negative ones as 0), in lexical mode BM25 scaled over the
        candidates.

        Args:
            vector: the query's embedding, when the caller has it already.

        Raises:
            InputError: empty query (``EMPTY_QUERY``), k out of range (``INVALID_K``), unknown mode.
            NotFound: an index does not exist.
            EmbeddingMismatch: an index was made with another model than the configured one.
        """
        started = time.perf_counter()
        _check(query, options)
        indexes = self._scope(options.indexes)
        names = [index.name for index in indexes]
        wanted = max(options.candidates, options.k)
        dense: dict[str, float] = {}
        lexical: dict[str, float] = {}
        if options.mode != "lexical":
            known = _Known(query)
            if vector is not None:
                encoder = self._encoder()
                known.vectors[encoder.name, encoder.dimension] = vector
            for index in indexes:
                dense.update(self._dense(index, known, wanted, options.sections))
            dense = dict(sorted(dense.items(), key=lambda item: (-item[1], item[0]))[:wanted])
        if options.mode != "semantic":
            lexical = dict(self._store.search_text(query, names, wanted, options.sections))
        ranked = self._rank(options.mode, dense, lexical)
        found = self._store.chunks_by_id([chunk_id for chunk_id, _ in ranked])
        hits = [
            Hit(*found[chunk_id], score=score, similarity=dense.get(chunk_id, 0.0))
            for chunk_id, score in ranked
            if chunk_id in found
        ]
        return SearchResult(
            hits=tuple(hits[: options.k]),
            mode=options.mode,
            elapsed_ms=(time.perf_counter() - started) * 1000,
            searched=self._store.count_chunks(names),
        )

    def _dense(
        self,
        index: Index,
        known: _Known,
        wanted: int,
        sections: tuple[str, ...],
    ) -> list[tuple[str, float]]:
        """The nearest `wanted` chunks of ready documents, of the given sections if there are any.

        A document that is being worked on has vectors already: they must neither be seen nor crowd
        out others, so that more are asked for until enough are visible.
        """
        vector = self._query_vector(index, known)
        limit = wanted
        while True:
            try:
                nearest = self._vectors.query(index.collection, vector, limit)
            except StoreError:
                now = self._store.index(index.name)
                if now == index:
                    raise
                # Embedded anew, or deleted, since the search began.
                return self._dense(now, known, wanted, sections) if now else []
            visible = self._store.chunks_by_id([chunk_id for chunk_id, _ in nearest])
            ready = [
                pair
                for pair in nearest
                if pair[0] in visible and (not sections or visible[pair[0]][0].section in sections)
            ]
            if len(ready) >= wanted or len(nearest) < limit:
                return ready[:wanted]
            limit *= 4

    def _query_vector(self, index: Index, known: _Known) -> Vector:
        """The query as the index's own model embeds it, which may not be the configured one."""
        model = (index.model, index.dimension)
        if model not in known.vectors:
            encoder = self._encoder()
            if model != (encoder.name, encoder.dimension):
                if self._encoder_of is None:
                    raise mismatch(index, encoder)
                encoder = self._encoder_of(index)
            known.vectors[model] = encoder.encode([known.query])[0]
        return known.vectors[model]

    def _rank(
        self, mode: str, dense: dict[str, float], lexical: dict[str, float]
    ) -> list[tuple[str, float]]:
        if mode == "semantic":
            ordered = sorted(dense.items(), key=lambda item: (-item[1], item[0]))
            return [(key, min(1.0, max(0.0, score))) for key, score in ordered]
        if mode == "lexical":
            return fuse({}, lexical, 0.0)
        return fuse(dense, lexical, self._dense_weight)

    def _scope(self, names: Sequence[str]) -> list[Index]:
        known = {index.name: index for index in self._store.indexes()}
        for name in names:
            if name not in known:
                raise NotFound(
                    f"There is no index “{name}”.",
                    advice=f"Existing ones: {', '.join(known) or 'none yet'}.",
                    code="INDEX_NOT_FOUND",
                )
        return [known[name] for name in dict.fromkeys(names)] or list(known.values())


def _check(query: str, options: SearchOptions) -> None:
    if not query.strip():
        raise InputError("The query is empty.", advice="Type what to look for.", code="EMPTY_QUERY")
    if any("\ud800" <= character <= "\udfff" for character in query):
        raise InputError(
            "The query has characters that are no text.",
            advice="Type it again.",
            code="INVALID_TEXT",
        )
    if not 1 <= options.k <= MAX_K:
        raise InputError(f"k must be between 1 and {MAX_K}.", code="INVALID_K")
    if options.mode not in MODES:
        raise InputError(f"The mode must be one of {', '.join(MODES)}.", code="INVALID_MODE")
