"""What the library asks of a store that keeps files as objects."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol


class ObjectStore(Protocol):
    """Objects by name, like ``files/3f2a/9c01.pdf``. Every call raises FilesUnavailable where the store does
    not answer, StoreError (``FILES_REFUSED``) where it lets nobody in or has no such bucket."""

    def check(self) -> None:
        """Ask the store whether its bucket is there."""
        ...

    def names(self, folder: str) -> list[str]:
        """Names of all objects below a folder, in their order; none where there is no such folder."""
        ...

    def sizes(self, folder: str) -> dict[str, int]:
        """The same names with the bytes of each object."""
        ...

    def put(self, source: Path, name: str) -> None:
        """Keep a file: whole, or not at all; it is called ``arriving/`` and the name until then."""
        ...

    def get(self, name: str, target: Path) -> bool:
        """Write an object to `target`; whether there is such an object."""
        ...

    def copy(self, name: str, new_name: str) -> None:
        """Keep the same object under another name too."""
        ...

    def remove(self, name: str) -> None:
        """Remove an object; one that is gone is passed over."""
        ...
