"""The text of documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from core.domain.documents import Chunk, Document, Page


class Texts(Protocol):
    """Pages and chunks."""

    def page(self, document_id: str, number: int) -> Page | None: ...

    def pages(self, document_id: str) -> list[Page]: ...

    def document_chunks(self, document_id: str) -> list[Chunk]: ...

    def chunks_by_id(self, ids: Iterable[str]) -> dict[str, tuple[Chunk, Document]]: ...

    def all_chunks(self, index: str | None = None) -> Iterable[Chunk]:
        """Chunks of ready documents, of one index or of all."""
        ...

    def count_sections(self, document_ids: Sequence[str]) -> dict[str, int]:
        """Section code -> how many of these documents have it; "" counts those with text of no known one."""
        ...

    def present(self, document_ids: Iterable[str]) -> set[str]:
        """Which of these documents are ready."""
        ...
