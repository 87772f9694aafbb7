"""What this process is working on, so that a deletion and an ingestion do not cross."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from core.errors import Conflict


class InWork:
    """Documents that are being added, and indexes that something is changing as a whole.

    `lock` guards the moments in which several stores must change together.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._documents: Counter[str] = Counter()  # by id
        self._adding: Counter[str] = Counter()  # documents in work, by index
        self._changing: set[str] = set()

    def begin(self, document_ids: Sequence[str], index: str) -> None:
        """Note that documents are being added to an index.

        Raises:
            Conflict: the index is being deleted (``INDEX_BUSY``).
        """
        with self.lock:
            if index in self._changing:
                raise _busy(index)
            self._documents.update(document_ids)
            self._adding[index] += len(document_ids)

    def end(self, document_ids: Sequence[str], index: str) -> None:
        with self.lock:
            self._documents.subtract(document_ids)
            self._documents += Counter()
            self._adding[index] -= len(document_ids)

    def has(self, document_id: str) -> bool:
        with self.lock:
            return document_id in self._documents

    def is_changing(self, index: str) -> bool:
        """Whether something works on an index as a whole."""
        with self.lock:
            return index in self._changing

    @contextmanager
    def alone(self, index: str) -> Iterator[None]:
        """Work on an index as a whole; nothing is added meanwhile.

        Raises:
            Conflict: it is in work already (``INDEX_BUSY``).
        """
        with self.lock:
            if self._adding[index] > 0 or index in self._changing:
                raise _busy(index)
            self._changing.add(index)
        try:
            yield
        finally:
            with self.lock:
                self._changing.discard(index)


def _busy(index: str) -> Conflict:
    return Conflict(
        f"Index “{index}” is being worked on.",
        advice="Wait until that has finished, or cancel it in the Library, then try again.",
        code="INDEX_BUSY",
        retryable=True,
    )
