"""What there is in the library."""

from __future__ import annotations

from typing import Protocol

from core.domain.documents import Document, Index, IndexCounts


class Registry(Protocol):
    """Indexes and documents."""

    def index(self, name: str) -> Index | None: ...

    def indexes(self, *, include_deleting: bool = False) -> list[Index]:
        """By name; those whose deletion has begun only on request."""
        ...

    def present_name(self, earlier: str) -> str | None:
        """What the index is called now that was once called so; None where no renamed index was."""
        ...

    def count_index(self, name: str) -> IndexCounts: ...

    def document(self, document_id: str) -> Document | None: ...

    def documents(
        self, index: str | None = None, *, include_unfinished: bool = False
    ) -> list[Document]:
        """Ready documents (or all), newest first."""
        ...

    def documents_named(self, index: str, file: str) -> list[Document]:
        """Documents of that name, in any state but ``deleting``."""
        ...

    def document_by_hash(self, index: str, sha256: str) -> Document | None: ...

    def unfinished(self, index: str | None = None) -> list[Document]:
        """Documents that are not ready: being added, being deleted, or left so by a crash."""
        ...

    def hashes(self, index: str) -> set[str]:
        """SHA-256 of every document of an index, in any state."""
        ...

    def has_documents(self) -> bool:
        """Whether any document is ready."""
        ...
