"""What answers ask of the store that keeps statements as the model has read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from core.domain.vectors import StatementVectors


class TokenVectorStore(Protocol):
    """Token vectors of the statements of ready documents, by document and by a key of text and model.

    They are made from the text again whenever they are missing: of a full store the oldest go.
    """

    def read(self, document_id: str, keys: Sequence[bytes]) -> dict[bytes, StatementVectors]:
        """Those of these keys that are there, rounded to 8 bits.

        Raises:
            StoreError: the file is damaged or locked.
        """
        ...

    def read_elsewhere(self, keys: Sequence[bytes]) -> dict[bytes, StatementVectors]:
        """Those of these keys that any document has, rounded to 8 bits.

        Raises:
            StoreError: as `read`.
        """
        ...

    def missing(self, document_id: str, keys: Sequence[bytes]) -> list[bytes]:
        """Those of these keys that are not there, in order.

        Raises:
            StoreError: as `read`.
        """
        ...

    def add(
        self,
        document_id: str,
        read: Mapping[bytes, StatementVectors],
        is_ready: Callable[[], bool],
    ) -> None:
        """Keep statements of a document, unless `is_ready` says that it has gone meanwhile.

        It is asked while no other thread or process can remove anything here: what is removed after
        its document was marked as deleted does not come back.

        Raises:
            StoreError: the disk is full, or as `read`.
        """
        ...

    def is_complete(self, document_id: str, key: bytes) -> bool:
        """Whether `complete` was called with this document and key."""
        ...

    def complete(self, document_id: str, key: bytes, is_ready: Callable[[], bool]) -> None:
        """Note that every statement of a document was read; `is_ready` as in `add`."""
        ...

    @property
    def is_full(self) -> bool:
        """Whether one more document would drive out an older one."""
        ...

    def remove(self, document_ids: Sequence[str]) -> int:
        """Forget documents; how many statements there were of them."""
        ...

    def counts(self) -> dict[str, int]:
        """Document id -> rows."""
        ...

    def count(self, document_id: str) -> int: ...

    def purge(self) -> None:
        """Overwrite what removals left in the file and its log, and give the room back."""
        ...

    def reset(self) -> None:
        """Begin with an empty file."""
        ...


class NoTokenVectors:
    """Keeps nothing: every statement is read when it is asked about."""

    is_full = True

    def read(self, document_id: str, keys: Sequence[bytes]) -> dict[bytes, StatementVectors]:
        return {}

    def read_elsewhere(self, keys: Sequence[bytes]) -> dict[bytes, StatementVectors]:
        return {}

    def missing(self, document_id: str, keys: Sequence[bytes]) -> list[bytes]:
        return list(keys)

    def add(
        self,
        document_id: str,
        read: Mapping[bytes, StatementVectors],
        is_ready: Callable[[], bool],
    ) -> None:
        return None

    def is_complete(self, document_id: str, key: bytes) -> bool:
        return False

    def complete(self, document_id: str, key: bytes, is_ready: Callable[[], bool]) -> None:
        return None

    def remove(self, document_ids: Sequence[str]) -> int:
        return 0

    def counts(self) -> dict[str, int]:
        return {}

    def count(self, document_id: str) -> int:
        return 0

    def purge(self) -> None:
        return None

    def reset(self) -> None:
        return None
