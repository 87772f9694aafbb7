"""How documents and indexes come and go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from core.domain.documents import Chunk, Document, Filling, Index


class Changes(Protocol):
    """Writes to the registry. A document becomes ready in the transaction that writes its text."""

    def create_index(self, index: Index) -> None:
        """Add an index.

        Raises:
            Conflict: there is one of that name (``INDEX_EXISTS``).
        """
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

    def rename_index(self, name: str, index: Index) -> None:
        """Let an index, with its documents, be called `index.name` and be served by the generation of
        `index`. Its earlier name leads to it (`Registry.present_name`). One transaction.

        Raises:
            NotFound: it is gone (``INDEX_NOT_FOUND``).
            Conflict: there is one of the new name (``INDEX_EXISTS``).
        """
        ...

    def move_document(
        self,
        document: Document,
        recut: Sequence[Chunk] | None,
        mentions: Mapping[str, Mapping[str, int]],
    ) -> None:
        """Let a ready document be in the index `document.index`, under the name `document.file`; with
        `recut`, it gets these chunks and mentions in the place of its own. One transaction.

        Raises:
            NotFound: it is not ready any more, or the index is gone (``INDEX_NOT_FOUND``).
            Conflict: the index has a document of the same bytes (``IN_WORK``).
        """
        ...

    def mark_index_deleting(self, name: str) -> None:
        """Make an index and all its documents invisible to searches."""
        ...

    def remove_index(self, name: str) -> dict[str, int]:
        """Remove an index with every row of its documents; counts by kind as `remove_document`."""
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

    def retitle_document(
        self,
        document: Document,
        chunks: Sequence[Chunk],
        mentions: Mapping[str, Mapping[str, int]],
    ) -> None:
        """Give a ready document the title and the number of corrections of `document`, and with them
        new chunks, full text and mentions (chunk id -> entity id -> count). One transaction.

        Raises:
            NotFound: it is not ready any more.
            Conflict: its title was corrected meanwhile (``IN_WORK``).
        """
        ...

    def mark_deleting(self, document_ids: Sequence[str]) -> None: ...

    def remove_document(self, document_id: str) -> dict[str, int]:
        """Remove every row of a document; counts by kind: documents, pages, chunks, text, mentions."""
        ...

    def purge(self) -> None:
        """Overwrite what deletions left in files: full-text segments, free pages, the log."""
        ...
