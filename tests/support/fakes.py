"""Hand-written stand-ins for the parts at the edge: an embedding model and a failing vector store."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache

import numpy as np

from core.documents.store.vectors import VectorStore
from core.domain.documents import Chunk
from core.domain.vectors import TokenVectors, Vector, Vectors
from core.errors import StoreError


class HashEncoder:
    """Sums a pseudo-random vector for every word: the same words are near each other, no meaning."""

    def __init__(self, name: str = "hash-16", dimension: int = 16, max_tokens: int = 256) -> None:
        self.name = name
        self.dimension = dimension
        self.max_tokens = max_tokens
        self.batches = 0

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.batches += 1
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack([self._vector(text) for text in texts])

    @property
    def recipe(self) -> str:
        return self.name

    def encode_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        found = []
        for text in texts:
            words = list(re.finditer(r"\S+", text))
            rows = [_vector_of_word(one.group().casefold(), self.dimension) for one in words]
            tokens = np.array(rows, np.float32).reshape(len(words), self.dimension)
            tokens /= np.maximum(np.linalg.norm(tokens, axis=1, keepdims=True), 1e-9)
            found.append(
                TokenVectors(self._vector(text), tokens, tuple(one.span() for one in words))
            )
        return found

    def _vector(self, text: str) -> Vector:
        total = np.zeros(self.dimension)
        for word in text.casefold().split() or [""]:
            total += _vector_of_word(word, self.dimension)
        return (total / np.linalg.norm(total)).astype(np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text) // 4 + 2 for text in texts]


@lru_cache(maxsize=50_000)  # to draw one takes longer than all else of a search among fakes
def _vector_of_word(word: str, dimension: int) -> Vector:
    seed = int.from_bytes(hashlib.sha256(word.encode(errors="replace")).digest()[:8], "big")
    return np.random.default_rng(seed).standard_normal(dimension)


def until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait for something that another thread does."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.01)


class FailingEncoder(HashEncoder):
    """Raises `error` at the n-th batch (from 1).

    Attributes:
        when: it waits for this before it does; chunks are stored beside the embedding of the next.
    """

    def __init__(self, at_batch: int, error: BaseException, name: str = "hash-16") -> None:
        super().__init__(name)
        self.at_batch = at_batch
        self.error = error
        self.when: Callable[[], bool] = lambda: True

    def encode(self, texts: Sequence[str]) -> Vectors:
        vectors = super().encode(texts)
        if self.batches >= self.at_batch:
            until(self.when)
            raise self.error
        return vectors


class FailingVectors:
    """A real vector store whose `add` fails at the n-th call, after writing that part.

    Attributes:
        down: everything fails, as when a server has gone away.
        down_after: so many more calls are answered, and then it is down; None for no end.
        away: what is raised while it is down.
        before_listing, before_query: called once, just before ids are listed or vectors queried.
    """

    def __init__(self, real: VectorStore, at_add: int = -1) -> None:
        self.real = real
        self.at_add = at_add
        self.adds = 0
        self.down = False
        self.down_after: int | None = None
        self.away = StoreError("The vector store is down.", code="VECTOR_STORE_UNAVAILABLE")
        self.before_listing: Callable[[], object] | None = None
        self.before_query: Callable[[], object] | None = None

    def _check(self) -> None:
        if self.down_after is not None:
            self.down = self.down or self.down_after <= 0
            self.down_after -= 1
        if self.down:
            raise self.away

    def ensure(self, collection: str, dimension: int, model: str) -> None:
        self._check()
        self.real.ensure(collection, dimension, model)

    def collections(self) -> set[str]:
        self._check()
        return self.real.collections()

    def drop(self, collection: str) -> int:
        self._check()
        return self.real.drop(collection)

    def add(self, collection: str, chunks: Sequence[Chunk], vectors: Vectors) -> None:
        self._check()
        self.adds += 1
        self.real.add(collection, chunks, vectors)
        if self.adds == self.at_add:
            raise StoreError("The vector store is full.", code="VECTOR_STORE_UNAVAILABLE")

    def query(
        self,
        collection: str,
        vector: Vector,
        limit: int,
        documents: Collection[str] | None = None,
    ) -> list[tuple[str, float]]:
        self._check()
        if self.before_query is not None:
            hook, self.before_query = self.before_query, None
            hook()
        return self.real.query(collection, vector, limit, documents)

    def vectors(self, collection: str, ids: Sequence[str]) -> dict[str, Vector]:
        self._check()
        return self.real.vectors(collection, ids)

    def delete_document(self, collection: str, document_id: str) -> int:
        self._check()
        return self.real.delete_document(collection, document_id)

    def delete_chunks(self, collection: str, ids: Sequence[str]) -> None:
        self._check()
        self.real.delete_chunks(collection, ids)

    def document_chunk_ids(self, collection: str, document_id: str) -> list[str]:
        self._check()
        return self.real.document_chunk_ids(collection, document_id)

    def chunk_ids(self, collection: str) -> Iterator[str]:
        self._check()
        if self.before_listing is not None:
            hook, self.before_listing = self.before_listing, None
            hook()
        return self.real.chunk_ids(collection)

    def count(self, collection: str, document_id: str | None = None) -> int:
        self._check()
        return self.real.count(collection, document_id)
