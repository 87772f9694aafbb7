"""Search by words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol


class FullText(Protocol):
    """Words of the ready documents' chunks."""

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
