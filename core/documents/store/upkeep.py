"""Whether what is kept agrees."""

from __future__ import annotations

from typing import Protocol


class Upkeep(Protocol):
    """Counts and checks of everything that a registry holds."""

    def count_document_rows(self, document_id: str) -> int:
        """Rows of any kind that still belong to a document; 0 after a deletion."""
        ...

    def count_index_rows(self, name: str) -> int:
        """Rows of any kind that still belong to an index; 0 after a deletion."""
        ...

    def count_text_rows(self) -> int:
        """Rows of the full-text index itself, not of the table that it indexes."""
        ...

    def chunk_ids(self, index: str) -> dict[str, str]:
        """Chunk id -> document id of an index's ready documents."""
        ...

    def problems(self) -> list[tuple[str, str, int]]:
        """What does not agree within the store: (kind, document id or "", count)."""
        ...

    def repair_text(self) -> None:
        """Make the full-text index anew, and set the documents' chunk counts right."""
        ...
