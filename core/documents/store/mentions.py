"""Which entities the passages name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from core.domain.documents import Document


class MentionStore(Protocol):
    """Mentions of entities in chunks, by the ids of both."""

    def mentions_of_chunks(self, chunk_ids: Sequence[str]) -> dict[str, dict[str, int]]:
        """Chunk id -> entity id -> number of mentions."""
        ...

    def mentions_of_document(self, document_id: str, limit: int = 100) -> dict[str, int]:
        """Entity id -> number of mentions in a document, most first."""
        ...

    def most_mentioned(self, document_ids: Sequence[str], limit: int) -> dict[str, tuple[int, int]]:
        """Entity id -> mentions in these documents, and in how many of them; most first."""
        ...

    def count_mentions(self, document_ids: Sequence[str]) -> dict[str, int]:
        """Document id -> mentions of entities in it; documents without one are left out."""
        ...

    def documents_mentioning(self, entity_id: str, limit: int = 50) -> list[tuple[Document, int]]:
        """Ready documents that mention an entity, with the number of mentions, most first."""
        ...

    def replace_mentions(self, mentions: Mapping[str, Mapping[str, int]]) -> None:
        """Set the mentions of all chunks anew (after a graph import); chunks that are gone are passed
        over."""
        ...
