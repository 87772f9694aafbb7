"""What documents and search ask of the store that keeps vectors."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Protocol

from core.domain.documents import Chunk
from core.domain.vectors import Vector, Vectors


class VectorStore(Protocol):
    """Vectors of chunks, one collection per index and generation (`Index.collection`)."""

    def ensure(self, collection: str, dimension: int, model: str) -> None:
        """Make a collection if it is missing.

        Raises:
            EmbeddingMismatch: it exists with another dimension or model.
        """
        ...

    def collections(self) -> set[str]:
        """Names of all collections, whatever index they belong to."""
        ...

    def drop(self, collection: str) -> int:
        """Remove a collection with all its vectors; how many there were (0 when it is missing)."""
        ...

    def add(self, collection: str, chunks: Sequence[Chunk], vectors: Vectors) -> None:
        """Add one vector for each chunk; a chunk that has one already gets the new one."""
        ...

    def query(
        self,
        collection: str,
        vector: Vector,
        limit: int,
        documents: Collection[str] | None = None,
    ) -> list[tuple[str, float]]:
        """Chunk ids with cosine similarity in [-1, 1], best first; only of the given documents, unless
        they are None."""
        ...

    def vectors(self, collection: str, ids: Sequence[str]) -> dict[str, Vector]:
        """Chunk id -> vector of length 1; those that are not there are left out."""
        ...

    def delete_document(self, collection: str, document_id: str) -> int:
        """Remove a document's vectors; how many there were (0 when the collection is missing)."""
        ...

    def delete_chunks(self, collection: str, ids: Sequence[str]) -> None: ...

    def document_chunk_ids(self, collection: str, document_id: str) -> list[str]:
        """Ids of a document's vectors; none when the collection is missing."""
        ...

    def chunk_ids(self, collection: str) -> Iterator[str]:
        """Ids of all vectors of a collection; nothing when it is missing."""
        ...

    def count(self, collection: str, document_id: str | None = None) -> int:
        """Vectors of a collection, or of one document in it.

        Raises:
            StoreError: the collection is missing (``VECTORS_MISSING``).
        """
        ...
