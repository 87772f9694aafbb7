"""What documents and search ask of the store that keeps the registry and the full text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from core.domain.documents import Chunk, Document, Index, Page
from core.domain.vectors import Vector, Vectors


class LibraryStore(Protocol):
    """Registry, pages, chunks, full text and mentions.

    Only documents in state ``ready`` are visible to `chunks_by_id`, `search_text` and
    `count_chunks`; a document becomes ready in the same transaction that writes its chunks.
    """

    def create_index(self, index: Index) -> None: ...
    def index(self, name: str) -> Index | None: ...
    def indexes(self) -> list[Index]: ...

    def begin_document(self, document: Document) -> None:
        """Add a registry row in state ``ingesting``.

        Raises:
            Conflict: the index has a document of the same bytes.
        """
        ...

    def finish_document(
        self,
        document: Document,
        pages: Sequence[Page],
        chunks: Sequence[Chunk],
        mentions: Mapping[str, Mapping[str, int]],
    ) -> None:
        """Write pages, chunks, full text and mentions (chunk id -> entity id -> count); set ``ready``."""
        ...

    def mark_deleting(self, document_id: str) -> None: ...

    def remove_document(self, document_id: str) -> dict[str, int]:
        """Remove every row of a document; counts by kind: pages, chunks, mentions."""
        ...

    def document(self, document_id: str) -> Document | None: ...
    def document_by_hash(self, index: str, sha256: str) -> Document | None: ...

    def documents(
        self, index: str | None = None, *, include_unfinished: bool = False
    ) -> list[Document]:
        """Ready documents (or all), newest first."""
        ...

    def page(self, document_id: str, number: int) -> Page | None: ...
    def pages(self, document_id: str) -> list[Page]: ...
    def document_chunks(self, document_id: str) -> list[Chunk]: ...

    def chunks_by_id(self, ids: Iterable[str]) -> dict[str, tuple[Chunk, Document]]: ...

    def search_text(
        self, query: str, indexes: Sequence[str], limit: int
    ) -> list[tuple[str, float]]:
        """Chunk ids with their BM25 score (higher is better), best first."""
        ...

    def count_chunks(self, indexes: Sequence[str]) -> int: ...

    def chunks_with_word(self, word: str, indexes: Sequence[str]) -> int:
        """In how many chunks a word occurs, as full text stems it."""
        ...

    def mentions_of_chunks(self, chunk_ids: Sequence[str]) -> dict[str, dict[str, int]]:
        """Chunk id -> entity id -> number of mentions."""
        ...

    def documents_mentioning(self, entity_id: str, limit: int = 50) -> list[tuple[Document, int]]:
        """Ready documents that mention an entity, with the number of mentions, most first."""
        ...

    def count_document_rows(self, document_id: str) -> int:
        """Rows of any kind that still belong to a document; 0 after a deletion."""
        ...

    def replace_mentions(self, mentions: Mapping[str, Mapping[str, int]]) -> None:
        """Set the mentions of all chunks anew (after a graph import)."""
        ...

    def all_chunks(self) -> Iterable[Chunk]: ...


class VectorStore(Protocol):
    """Vectors of chunks, one collection per index."""

    def ensure(self, index: str, dimension: int, model: str) -> None:
        """Make the collection of an index if it is missing.

        Raises:
            EmbeddingMismatch: it exists with another dimension or model.
        """
        ...

    def add(
        self,
        index: str,
        ids: Sequence[str],
        vectors: Vectors,
        document_id: str,
        pages: Sequence[int],
    ) -> None: ...

    def query(self, index: str, vector: Vector, limit: int) -> list[tuple[str, float]]:
        """Chunk ids with cosine similarity in [-1, 1], best first."""
        ...

    def delete_document(self, index: str, document_id: str) -> int:
        """Remove a document's vectors; how many there were."""
        ...

    def count(self, index: str, document_id: str | None = None) -> int: ...
