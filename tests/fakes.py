"""Hand-written stand-ins for the parts at the edge: an embedding model and a failing vector store."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from core.documents.store import VectorStore
from core.domain.vectors import Vector, Vectors
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

    def _vector(self, text: str) -> Vector:
        total = np.zeros(self.dimension)
        for word in text.casefold().split() or [""]:
            seed = int.from_bytes(hashlib.sha256(word.encode(errors="replace")).digest()[:8], "big")
            total += np.random.default_rng(seed).standard_normal(self.dimension)
        return (total / np.linalg.norm(total)).astype(np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text) // 4 + 2 for text in texts]


class FailingEncoder(HashEncoder):
    """Raises `error` at the n-th batch (from 1)."""

    def __init__(self, at_batch: int, error: Exception) -> None:
        super().__init__()
        self.at_batch = at_batch
        self.error = error

    def encode(self, texts: Sequence[str]) -> Vectors:
        vectors = super().encode(texts)
        if self.batches >= self.at_batch:
            raise self.error
        return vectors


class FailingVectors:
    """A real vector store whose `add` fails at the n-th call, after writing that part."""

    def __init__(self, real: VectorStore, at_add: int) -> None:
        self.real = real
        self.at_add = at_add
        self.adds = 0
        self.down = False  # everything fails, as when a server has gone away

    def _check(self) -> None:
        if self.down:
            raise StoreError("The vector store is down.", code="VECTOR_STORE_UNAVAILABLE")

    def ensure(self, index: str, dimension: int, model: str) -> None:
        self._check()
        self.real.ensure(index, dimension, model)

    def add(
        self,
        index: str,
        ids: Sequence[str],
        vectors: Vectors,
        document_id: str,
        pages: Sequence[int],
    ) -> None:
        self._check()
        self.adds += 1
        self.real.add(index, ids, vectors, document_id, pages)
        if self.adds == self.at_add:
            raise StoreError("The vector store is full.", code="VECTOR_STORE_UNAVAILABLE")

    def query(self, index: str, vector: Vector, limit: int) -> list[tuple[str, float]]:
        self._check()
        return self.real.query(index, vector, limit)

    def delete_document(self, index: str, document_id: str) -> int:
        self._check()
        return self.real.delete_document(index, document_id)

    def count(self, index: str, document_id: str | None = None) -> int:
        self._check()
        return self.real.count(index, document_id)
