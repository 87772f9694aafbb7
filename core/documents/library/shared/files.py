"""The files of a library in an object store, and copies on this machine for readers that need a path.

An object is called ``files/DOCUMENT/SHA256.KIND``: whatever is fetched is compared with its own name.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Collection
from pathlib import Path, PurePosixPath

from core.documents.library.files import FileStore
from core.documents.library.shared.local_copies import LocalCopies
from core.documents.store.objects import ObjectStore
from core.domain.documents import Kind
from core.errors import StoreError
from core.logs import get_logger

_FILES, _ARRIVING = "files", "arriving/files"
_COPY = ".copy.pdf"
Tell = Callable[[str, int, int], None]  # stage, done, of how many; may end the work
_log = get_logger("files")


class SharedFiles(FileStore):
    """Originals and reading copies as objects; what is being taken in stays in the data folder.

    Args:
        folder: the data folder; copies go to ``copies/``.
        most_bytes: of the copies together.
    """

    def __init__(self, folder: Path, objects: ObjectStore, most_bytes: int) -> None:
        super().__init__(folder)
        self._files = folder / "copies"
        self._objects = objects
        self._copies = LocalCopies(self._files, most_bytes)

    def ask(self) -> None:
        self._objects.check()

    def keep(self, taken: Path, document_id: str, kind: Kind) -> Path:
        self._objects.put(taken, f"{_FILES}/{document_id}/{_digest(taken)}.{kind.value}")
        return self._copies.used(super().keep(taken, document_id, kind))

    def keep_copy(self, document_id: str) -> None:
        copy = self.copy_place(document_id)
        self._objects.put(copy, f"{_FILES}/{document_id}/{_digest(copy)}{_COPY}")

    def original(self, document_id: str) -> Path | None:
        name = self._named(document_id, copy=False)
        return self._here(name, document_id) if name else None

    def originals(self) -> set[str]:
        names = self._objects.names(_FILES)
        return {_owner(name) for name in names if not name.endswith(_COPY)}

    def readable(self, document_id: str) -> Path | None:
        name = self._named(document_id, copy=True) or self._named(document_id, copy=False)
        return self._here(name, document_id) if name and name.endswith(".pdf") else None

    def duplicate(self, document_id: str, new_id: str) -> None:
        for name in self._objects.names(f"{_FILES}/{document_id}"):
            self._objects.copy(name, f"{_FILES}/{new_id}/{PurePosixPath(name).name}")

    def remove(self, document_id: str) -> int:
        names = self._all_of(document_id)
        for name in names:
            self._objects.remove(name)
        super().remove(document_id)
        return len(names)

    def count(self, document_id: str) -> int:
        return len(self._all_of(document_id))

    def owners(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for name in (*self._objects.names(_FILES), *self._objects.names(_ARRIVING)):
            owner = _owner(name)
            counts[owner] = counts.get(owner, 0) + 1
        return counts

    def clear_incoming(self) -> bool:
        self._copies.clear()  # a document may have been removed while this machine did not look
        return super().clear_incoming()

    # -- copies of a library, see `core.maintenance.backup` ----------------------------------------

    def copy_out(self, document_ids: Collection[str], folder: Path, tell: Tell) -> None:
        """Bring what is kept of documents to a folder, under the names that a data folder has; what is
        there already is not brought again.

        Raises:
            StoreError: bytes are not those that were kept (``FILE_DAMAGED``), or the store is away.
        """
        names = [name for name in self._objects.names(_FILES) if _owner(name) in document_ids]
        for number, name in enumerate(names):
            tell("copying originals", number, len(names))
            ending = PurePosixPath(name).name.partition(".")[2]
            self._fetch(name, folder / f"{_owner(name)}.{ending}")

    def copy_in(self, folder: Path, tell: Tell) -> None:
        """Keep what lies in a folder under the names that a data folder has.

        Raises:
            StoreError: the store is away.
        """
        paths = sorted(path for path in folder.glob("*") if path.is_file())
        for number, path in enumerate(paths):
            tell("bringing originals to their store", number, len(paths))
            owner, _, ending = path.name.partition(".")
            self._objects.put(path, f"{_FILES}/{owner}/{_digest(path)}.{ending}")

    def _all_of(self, document_id: str) -> list[str]:
        return [
            name
            for folder in (_FILES, _ARRIVING)
            for name in self._objects.names(f"{folder}/{document_id}")
        ]

    def _named(self, document_id: str, *, copy: bool) -> str | None:
        names = self._objects.names(f"{_FILES}/{document_id}")
        found = next((name for name in names if name.endswith(_COPY) is copy), None)
        if not names:
            super().remove(document_id)  # it was removed by another process
        return found

    def _here(self, name: str, document_id: str) -> Path | None:
        """The file of an object on this machine; None when it was removed meanwhile.

        Raises:
            StoreError: its bytes are not those that were kept (``FILE_DAMAGED``).
        """
        ending = PurePosixPath(name).name.partition(".")[2]
        place = self._files / f"{document_id}.{ending}"
        self._make_folders()
        return self._copies.used(place) if self._fetch(name, place) else None

    def _fetch(self, name: str, place: Path) -> bool:
        """Whether the bytes of an object are at a place now."""
        if place.exists():
            return True
        part = place.with_name(f"{uuid.uuid4().hex}.part")
        try:
            if not self._objects.get(name, part):
                return False
            if _digest(part) != PurePosixPath(name).name.partition(".")[0]:
                _log.warning("file_damaged", document=_owner(name))
                raise _damaged()
            part.rename(place)
        finally:
            part.unlink(missing_ok=True)
        return True


def _owner(name: str) -> str:
    """The document that an object belongs to, or what lies in its place."""
    for folder in (_FILES, _ARRIVING):
        if name.startswith(f"{folder}/"):
            return name.removeprefix(f"{folder}/").split("/")[0].partition(".")[0]
    return name


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _damaged() -> StoreError:
    return StoreError(
        "The stored file has other bytes than were added.",
        advice="Delete the document and add the file again.",
        code="FILE_DAMAGED",
    )
