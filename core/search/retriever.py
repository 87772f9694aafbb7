"""Passages for a query: dense and lexical candidates, fused, reranked, chosen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from core.documents.index_model import mismatch
from core.documents.store.library import SearchStore
from core.documents.store.vectors import VectorStore
from core.domain.documents import (
    Chunk,
    Document,
    Hit,
    Index,
    SearchResult,
    corrections_of,
    document_of,
)
from core.domain.encoder import Encoder
from core.domain.evidence.notices import joined
from core.domain.vectors import Vector
from core.errors import StoreError, VectorsMissing, VectorsUnavailable
from core.search.coverage import coverage, query_stems, query_words
from core.search.diversity import choose_diverse, without_copies
from core.search.fusion import absolute_scores, fuse, share_of_best
from core.search.options import SearchOptions, check
from core.search.phrases import asked_phrases, has_all, no_passage_has
from core.search.rerank import Reranker, reranked
from core.search.scope import Scope, resolve_scope

# With more ids than this a filter costs the vector store more than looking through more neighbours.
_MOST_FILTERED = 300
# Pairs of full text in which the BM25 of what the vectors found is looked up; 100 are nearly as good.
_FULL_TEXT_DEPTH = 200
_MORE = 4  # times as many are asked for when too few of them may be shown
_COPIES_ROOM = 2  # times k candidates, so that k are left when copies are dropped

_BY_TEXT = (
    "passages were found by their words alone, and those that say it in other words are missing."
)
_AWAY = f"The vector store cannot be reached at present: {_BY_TEXT}"
_MISSING = (
    f"An index has lost its vectors (System, “Check and repair”, makes them anew): {_BY_TEXT}"
)

_Found = dict[str, tuple[Chunk, Document]]


@dataclass(frozen=True, slots=True)
class _Search:
    """One search on its way.

    Attributes:
        wanted: candidates from each of dense and lexical search.
        vectors: the query's so far, by model name and dimension.
        read, embeddings: passages and their vectors that were read so far, by chunk id.
        unseen: ids that stand for no passage that may be seen.
        by_text: why full text alone finds passages, and their vectors are made anew to rank them.
    """

    query: str
    options: SearchOptions
    scope: Scope
    phrases: tuple[str, ...]
    wanted: int
    vectors: dict[tuple[str, int], Vector] = field(default_factory=dict)
    read: _Found = field(default_factory=dict)
    embeddings: dict[str, Vector] = field(default_factory=dict)
    unseen: set[str] = field(default_factory=set)
    by_text: str = ""


@dataclass(frozen=True, slots=True)
class Retriever:
    """Searches the ready documents of the library.

    Args:
        dense_weight: share of embedding similarity in hybrid search, in [0, 1].
        encoder_of: the model that an index was made with, where it is not the configured one.
        reranker: reorders the candidates of hybrid search; None for the order of the fusion.
        rerank_candidates: how many go into the reranker (more when more hits are asked for).
        diversity_lambda: share of relevance, against novelty, when diverse hits are chosen.
    """

    store: SearchStore
    vectors: VectorStore
    encoder: Callable[[], Encoder]
    dense_weight: float
    encoder_of: Callable[[Index], Encoder] | None = None
    reranker: Reranker | None = None
    rerank_candidates: int = 20
    diversity_lambda: float = 0.7

    def search(
        self, query: str, options: SearchOptions, vector: Vector | None = None
    ) -> SearchResult:
        """The best `k` chunks, in descending score.

        Scores are in [0, 1] and mean, by mode:
            hybrid: ``w * cosine + (1 - w) * share of the query's words`` that the passage has (`w` the
                weight of the embedding), and never more than the hit before, for the order is that of
                the fusion; reranked: the reranker's own score.
            semantic: the cosine similarity, negative ones as 0.
            lexical: the share of the query's words that the best passage has, for the others in
                proportion to their BM25.
            exact: BM25 in proportion to the best one's.

        While the vector store's server is away, or an index has no vectors, full text finds passages alone;
        the notice says so.

        Where no passage has the query's quoted phrases, the quotation marks do not count, and the result's
        notice says so; `exact` finds nothing then.

        Args:
            vector: the query's embedding, when the caller has it already.

        Raises:
            InputError: see `core.search.options.check`.
            NotFound: an index (``INDEX_NOT_FOUND``) or document (``DOCUMENT_NOT_FOUND``) does not exist.
            EmbeddingMismatch: an index was made with another model than the configured one.
        """
        started = time.perf_counter()
        check(query, options)
        scope = resolve_scope(self.store, options)
        room = options.k * (_COPIES_ROOM if options.diverse else 1)
        wanted = max(options.candidates, room)
        search = _Search(query, options, scope, asked_phrases(query, options), wanted)
        if vector is not None:
            encoder = self.encoder()
            search.vectors[encoder.name, encoder.dimension] = vector
        try:
            hits = self._hits(search)
        except (VectorsMissing, VectorsUnavailable) as error:
            told = _MISSING if isinstance(error, VectorsMissing) else _AWAY
            search = replace(search, read={}, embeddings={}, unseen=set(), by_text=told)
            hits = self._hits(search)
        if not hits and self._renamed(scope):
            return self.search(query, options, vector)
        if not hits and search.phrases and options.mode != "exact":
            without = self.search(query, replace(options, quotes=False), vector)
            told = joined((no_passage_has(search.phrases), without.notice)) if without.hits else ""
            return replace(without, notice=told)
        notice, reranker = search.by_text, ""
        if options.rerank and options.mode == "hybrid" and self.reranker is not None and hits:
            pool = hits[: max(self.rerank_candidates, options.k)]
            hits, problem = reranked(self.reranker, query, pool)
            reranker = "" if problem else self.reranker.name
            notice = joined((notice, problem))
        if options.diverse and options.mode == "hybrid" and len(hits) > options.k:
            vectors = self._vectors_of([(hit.chunk.id, hit.document.index) for hit in hits], search)
            hits = choose_diverse(hits, vectors, options.k, self.diversity_lambda)
        return SearchResult(
            hits=tuple(hits[: options.k]),
            mode=options.mode,
            elapsed_ms=(time.perf_counter() - started) * 1000,
            searched=scope.chunks,
            reranker=reranker,
            notice=notice,
        )

    # -- candidates --------------------------------------------------------------------------------

    def _hits(self, search: _Search) -> list[Hit]:
        hits = self._first_hits(search)
        if self._overtaken(search):
            search.read.clear()
            search.embeddings.clear()
            search.unseen.clear()
            hits = self._first_hits(search)
        return hits

    def _first_hits(self, search: _Search) -> list[Hit]:
        diverse = search.options.diverse
        return self._without_copies(search) if diverse else self._candidates(search)

    def _renamed(self, scope: Scope) -> bool:
        """Whether an index was renamed since the search began."""
        names = [index.name for index in scope.indexes]
        return any(not self.store.index(one) and self.store.present_name(one) for one in names)

    def _overtaken(self, search: _Search) -> bool:
        """Whether the title of a document was corrected while it was searched: some of its passages
        were found as they were before, and are gone, or others as they are now."""
        seen = {(document.id, document.corrections) for _, document in search.read.values()}
        if len(seen) > len({document_id for document_id, _ in seen}):
            return True
        old = {document_of(one): corrections_of(one) for one in search.unseen}
        ready = self.store.present(old) if old else ()
        documents = map(self.store.document, ready)
        return any(one is not None and one.corrections > old[one.id] for one in documents)

    def _without_copies(self, search: _Search) -> list[Hit]:
        """Candidates without copies; more are looked at until there are k of them."""
        while True:
            hits = self._candidates(search)
            kept = without_copies(hits)
            if len(kept) >= search.options.k or len(hits) < search.wanted:
                return kept
            search = replace(search, wanted=_MORE * search.wanted)

    def _candidates(self, search: _Search) -> list[Hit]:
        """Hits in descending score, before reranking and choice; at least `wanted` where there are."""
        mode, scope = search.options.mode, search.scope
        if not scope.indexes or (mode == "exact" and not search.phrases):
            return []
        if mode == "semantic":
            return self._semantic(search)
        lexical = self._lexical(search, _FULL_TEXT_DEPTH if mode == "hybrid" else 0)
        if mode in ("lexical", "exact"):
            return self._by_words(search, lexical)
        if search.by_text:
            return self._hybrid(search, self._dense_of_text(search, lexical), lexical)
        if search.phrases:
            # Every hit has the phrases: full text knows them all, and the vectors only rank them.
            dense = self._similarities(list(lexical), self._found(lexical, search), search)
        else:
            dense = self._dense_of_all(search)
        return self._hybrid(search, dense, lexical)

    def _semantic(self, search: _Search) -> list[Hit]:
        if search.by_text:
            dense = self._dense_of_text(search, self._lexical(search))
        else:
            dense = self._dense_of_all(search)
        found = self._found(dense, search)
        scores = {key: min(1.0, max(0.0, cosine)) for key, cosine in dense.items()}
        return [
            Hit(*found[key], score=scores[key], similarity=dense[key], relative=scores[key])
            for key in dense
            if key in found
        ]

    def _by_words(self, search: _Search, lexical: dict[str, float]) -> list[Hit]:
        found = self._found(lexical, search)
        shares = share_of_best({key: score for key, score in lexical.items() if key in found})
        most = 1.0
        if search.options.mode == "lexical":
            most = next((self._coverage(search, found[key]) for key in shares), 0.0)
        return [
            Hit(*found[key], score=most * share, similarity=0.0, relative=share)
            for key, share in shares.items()
        ]

    def _hybrid(
        self, search: _Search, dense: dict[str, float], lexical: dict[str, float]
    ) -> list[Hit]:
        # Full text ranks every match anyway: what the vectors found has its BM25 there too,
        first = dict.fromkeys([*dense, *list(lexical)[: search.wanted]])
        found = self._found(first, search)
        candidates = [key for key in first if key in found]
        # and what full text alone found has a similarity. To choose diverse hits all vectors are needed.
        if search.options.diverse:
            self._vectors_of([(key, found[key][1].index) for key in candidates], search)
        rest = [key for key in candidates if key not in dense]
        similar = {**dense, **self._similarities(rest, found, search)}
        ranked = fuse(
            {key: similar[key] for key in candidates if key in similar},
            {key: lexical[key] for key in candidates if key in lexical},
            self.dense_weight,
        )
        scores = absolute_scores(
            [key for key, _ in ranked],
            similar,
            {key: self._coverage(search, found[key]) for key, _ in ranked},
            self.dense_weight,
        )
        return [
            Hit(
                *found[key],
                score=scores[key],
                similarity=similar.get(key, 0.0),
                relative=min(1.0, fused),
            )
            for key, fused in ranked
        ]

    @staticmethod
    def _coverage(search: _Search, found: tuple[Chunk, Document]) -> float:
        return coverage(query_stems(search.query), found[0].embedding_text)

    def _found(self, ids: Iterable[str], search: _Search) -> _Found:
        wanted = list(dict.fromkeys(ids))
        new = [key for key in wanted if key not in search.read]
        search.read.update(self.store.chunks_by_id(new))
        search.unseen.update(key for key in new if key not in search.read)
        return {key: search.read[key] for key in wanted if key in search.read}

    def _lexical(self, search: _Search, least: int = 0) -> dict[str, float]:
        """Chunk id -> BM25 of the best chunks, best first; with phrases, of those that have them.

        Args:
            least: pairs to ask for where there are no phrases, should it be more than `wanted`.
        """
        scope = search.scope
        limit = search.wanted if search.phrases else max(search.wanted, least)
        words = " ".join(query_words(search.query, forbidding=True))
        names = [index.name for index in scope.indexes]
        while True:
            pairs = self.store.search_text(
                words, names, limit, scope.sections, scope.documents, search.phrases
            )
            if not search.phrases:
                return dict(pairs)
            found = self._found((key for key, _ in pairs), search)
            kept = [
                (key, score)
                for key, score in pairs
                if key in found and has_all(search.phrases, found[key][0].text)
            ]
            if len(kept) >= search.wanted or len(pairs) < limit:
                return dict(kept[: search.wanted])
            limit *= _MORE

    # -- vectors -----------------------------------------------------------------------------------

    def _dense_of_all(self, search: _Search) -> dict[str, float]:
        """Chunk id -> cosine of the nearest chunks in scope, best first."""
        pairs = [pair for index in search.scope.indexes for pair in self._dense(index, search)]
        return dict(sorted(pairs, key=lambda item: (-item[1], item[0]))[: search.wanted])

    def _dense_of_text(self, search: _Search, lexical: Iterable[str]) -> dict[str, float]:
        """The same of the best that full text found."""
        best = list(islice(lexical, search.wanted))
        cosines = self._similarities(best, self._found(best, search), search)
        return dict(sorted(cosines.items(), key=lambda item: (-item[1], item[0])))

    def _dense(self, index: Index, search: _Search) -> list[tuple[str, float]]:
        """The nearest `wanted` chunks of an index that are in scope.

        A document that is being worked on has vectors already: they must neither be seen nor crowd
        out others, so that more are asked for until enough are visible.
        """
        vector = self._query_vector(index, search)
        scope, limit = search.scope, search.wanted
        few = scope.documents is not None and len(scope.documents) <= _MOST_FILTERED
        only = scope.documents if few else None
        while True:
            try:
                nearest = self.vectors.query(index.collection, vector, limit, only)
            except StoreError:
                now = self.store.index(index.name)
                if now == index:
                    raise
                # Embedded anew, or deleted, since the search began.
                return self._dense(now, search) if now else []
            found = self._found((key for key, _ in nearest), search)
            # One that is being moved has vectors where it was and where it goes.
            visible = {key: one for key, one in found.items() if one[1].index == index.name}
            kept = [pair for pair in nearest if pair[0] in visible and scope.has(*visible[pair[0]])]
            if len(kept) >= search.wanted or len(nearest) < limit:
                return kept[: search.wanted]
            limit *= _MORE

    def _query_vector(self, index: Index, search: _Search) -> Vector:
        """The query as the index's own model embeds it, which may not be the configured one."""
        model = (index.model, index.dimension)
        if model not in search.vectors:
            search.vectors[model] = self._own_encoder(index).encode([search.query])[0]
        return search.vectors[model]

    def _own_encoder(self, index: Index) -> Encoder:
        encoder = self.encoder()
        if (index.model, index.dimension) == (encoder.name, encoder.dimension):
            return encoder
        if self.encoder_of is None:
            raise mismatch(index, encoder)
        return self.encoder_of(index)

    def _similarities(self, ids: Sequence[str], found: _Found, search: _Search) -> dict[str, float]:
        """Chunk id -> cosine to the query, of chunks that are known by id."""
        indexes = {index.name: index for index in search.scope.indexes}
        places = [(key, found[key][1].index) for key in ids if key in found]
        vectors = self._vectors_of(places, search)
        return {
            key: float(vectors[key] @ self._query_vector(indexes[name], search))
            for key, name in places
            if key in vectors
        }

    def _vectors_of(self, places: Sequence[tuple[str, str]], search: _Search) -> dict[str, Vector]:
        """Vectors of chunks, given with the names of their indexes."""
        known = search.embeddings
        for index in search.scope.indexes:
            ids = [key for key, name in places if name == index.name and key not in known]
            if not ids:
                continue
            if search.by_text:
                texts = [search.read[key][0].embedding_text for key in ids]
                known.update(zip(ids, self._own_encoder(index).encode(texts), strict=True))
                continue
            try:
                known.update(self.vectors.vectors(index.collection, ids))
            except StoreError:
                if self.store.index(index.name) == index:
                    raise
                # Embedded anew since the search began: these hits go on without a vector.
        return {key: known[key] for key, _ in places if key in known}
