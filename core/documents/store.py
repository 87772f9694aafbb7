"""What documents and search ask of the stores that keep registry and full text, vectors and jobs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from core.domain.documents import Chunk, Document, Filling, Index, IndexCounts, Page
from core.domain.jobs import Job
from core.domain.vectors import Vector, Vectors


class LibraryStore(Protocol):
    """Registry, pages, chunks, full text and mentions.

    Only documents in state ``ready`` are visible to `chunks_by_id`, `search_text` and
    `count_chunks`; a document becomes ready in the same transaction that writes its chunks.
    """

    def create_index(self, index: Index) -> None:
        """Add an index.

        Raises:
            Conflict: there is one of that name (``INDEX_EXISTS``).
        """
        ...

    def index(self, name: str) -> Index | None: ...

    def indexes(self, *, include_deleting: bool = False) -> list[Index]:
        """By name; those whose deletion has begun only on request."""
        ...

    def count_index(self, name: str) -> IndexCounts: ...

    def mark_index_deleting(self, name: str) -> None:
        """Make an index and all its documents invisible to searches."""
        ...

    def remove_index(self, name: str) -> dict[str, int]:
        """Remove an index with every row of its documents; counts by kind as `remove_document`."""
        ...

    def swap_index(
        self,
        index: Index,
        recut: Mapping[str, Sequence[Chunk]],
        mentions: Mapping[str, Mapping[str, int]],
    ) -> None:
        """Let an index be served by the model and generation of `index`; documents of `recut` get
        new chunks and these mentions (chunk id -> entity id -> count). One transaction."""
        ...

    def begin_documents(self, documents: Sequence[Document]) -> None:
        """Add registry rows in state ``ingesting``, all or none.

        Raises:
            Conflict: the index has a document of the same bytes (``IN_WORK``).
            NotFound: the index is gone.
        """
        ...

    def finish_documents(self, fillings: Sequence[Filling]) -> None:
        """Write pages, chunks, full text and mentions; set ``ready``. One transaction.

        Raises:
            NotFound: a document or its index was removed meanwhile.
        """
        ...

    def restore_document(self, filling: Filling) -> None:
        """Add a document with all that it is ready with, as another store has it (a move between
        stores). One transaction; nothing when there is a document of this id.

        Raises:
            Conflict: the index has another document of the same bytes (``IN_WORK``).
            NotFound: there is no such index (``INDEX_NOT_FOUND``).
        """
        ...

    def mark_deleting(self, document_ids: Sequence[str]) -> None: ...

    def remove_document(self, document_id: str) -> dict[str, int]:
        """Remove every row of a document; counts by kind: documents, pages, chunks, text, mentions."""
        ...

    def purge(self) -> None:
        """Overwrite what deletions left in files: full-text segments, free pages, the log."""
        ...

    def document(self, document_id: str) -> Document | None: ...

    def present(self, document_ids: Iterable[str]) -> set[str]:
        """Which of these documents are ready."""
        ...

    def document_by_hash(self, index: str, sha256: str) -> Document | None: ...

    def hashes(self, index: str) -> set[str]:
        """SHA-256 of every document of an index, in any state."""
        ...

    def documents_named(self, index: str, file: str) -> list[Document]:
        """Documents of that name, in any state but ``deleting``."""
        ...

    def documents(
        self, index: str | None = None, *, include_unfinished: bool = False
    ) -> list[Document]:
        """Ready documents (or all), newest first."""
        ...

    def unfinished(self, index: str | None = None) -> list[Document]:
        """Documents that are not ready: being added, being deleted, or left so by a crash."""
        ...

    def has_documents(self) -> bool:
        """Whether any document is ready."""
        ...

    def page(self, document_id: str, number: int) -> Page | None: ...
    def pages(self, document_id: str) -> list[Page]: ...
    def document_chunks(self, document_id: str) -> list[Chunk]: ...

    def chunks_by_id(self, ids: Iterable[str]) -> dict[str, tuple[Chunk, Document]]: ...

    def search_text(
        self,
        query: str,
        indexes: Sequence[str],
        limit: int,
        sections: Sequence[str] = (),
        documents: Collection[str] | None = None,
        phrases: Sequence[str] = (),
    ) -> list[tuple[str, float]]:
        """Chunk ids with their BM25 score (higher is better), best first; only of the given section
        codes, when there are any, and of the given documents, unless they are None.

        With phrases, only chunks that have every phrase, as full text reads it: words in this order,
        stemmed; signs between them do not count. What a phrase has without a letter or digit does not
        count either.
        """
        ...

    def count_chunks(self, indexes: Sequence[str]) -> int: ...

    def chunks_with_word(self, word: str, indexes: Sequence[str]) -> int:
        """In how many chunks a word occurs, as full text stems it."""
        ...

    def mentions_of_chunks(self, chunk_ids: Sequence[str]) -> dict[str, dict[str, int]]:
        """Chunk id -> entity id -> number of mentions."""
        ...

    def mentions_of_document(self, document_id: str, limit: int = 100) -> dict[str, int]:
        """Entity id -> number of mentions in a document, most first."""
        ...

    def documents_mentioning(self, entity_id: str, limit: int = 50) -> list[tuple[Document, int]]:
        """Ready documents that mention an entity, with the number of mentions, most first."""
        ...

    def count_document_rows(self, document_id: str) -> int:
        """Rows of any kind that still belong to a document; 0 after a deletion."""
        ...

    def count_index_rows(self, name: str) -> int:
        """Rows of any kind that still belong to an index; 0 after a deletion."""
        ...

    def replace_mentions(self, mentions: Mapping[str, Mapping[str, int]]) -> None:
        """Set the mentions of all chunks anew (after a graph import); chunks that are gone are passed
        over."""
        ...

    def all_chunks(self, index: str | None = None) -> Iterable[Chunk]:
        """Chunks of ready documents, of one index or of all."""
        ...

    def chunk_ids(self, index: str) -> dict[str, str]:
        """Chunk id -> document id of an index's ready documents."""
        ...

    def count_text_rows(self) -> int:
        """Rows of the full-text index itself, not of the table that it indexes."""
        ...

    def problems(self) -> list[tuple[str, str, int]]:
        """What does not agree within the store: (kind, document id or "", count)."""
        ...

    def repair_text(self) -> None:
        """Make the full-text index anew, and set the documents' chunk counts right."""
        ...


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

    def chunk_ids(self, collection: str) -> Iterator[str]:
        """Ids of all vectors of a collection; nothing when it is missing."""
        ...

    def count(self, collection: str, document_id: str | None = None) -> int:
        """Vectors of a collection, or of one document in it.

        Raises:
            StoreError: the collection is missing (``VECTORS_MISSING``).
        """
        ...


class JobStore(Protocol):
    """Jobs that outlive the process."""

    def save(self, job: Job) -> None:
        """Add a job, or write its present state over the kept one."""
        ...

    def jobs(self) -> list[Job]:
        """All kept jobs, oldest first."""
        ...

    def forget(self, job_ids: Sequence[str]) -> None: ...
