"""The files that the library keeps: originals, reading copies and what is being taken in.

A file lies under its document's id, never under a name that came from outside.
"""

from __future__ import annotations

import hashlib
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.documents.reading.drawing.kept import PagePictures
from core.domain.documents import Kind

# A PDF that was decrypted, or got its text by OCR; drawn in place of the original.
_COPY = ".copy.pdf"
_CORRECTING = ".correcting"
_REMOVING = "removing"
_DROPPING = "dropping"
_BLOCK = 1 << 20


class FileStore:
    """``files/`` (originals and reading copies) and ``incoming/`` (what is not complete yet).

    Attributes:
        incoming: emptied at the start after a crash.
        pictures: what was drawn of the files' pages, in memory; goes with its file.
    """

    def __init__(self, folder: Path) -> None:
        self._files = folder / "files"
        self.incoming = folder / "incoming"
        self.pictures = PagePictures()

    def take_in(self, source: Path) -> tuple[Path, str]:
        """Copy a file into the data folder; its new place and the SHA-256 of its bytes."""
        self._make_folders()
        copy = self.incoming / uuid.uuid4().hex
        digest = hashlib.sha256()
        try:
            with source.open("rb") as reader, copy.open("wb") as writer:
                while block := reader.read(_BLOCK):
                    digest.update(block)
                    writer.write(block)
        except BaseException:
            copy.unlink(missing_ok=True)
            raise
        return copy, digest.hexdigest()

    def keep(self, taken: Path, document_id: str, kind: Kind) -> Path:
        """Make a file that was taken in the original of a document."""
        place = self._files / f"{document_id}.{kind.value}"
        taken.rename(place)
        return place

    def ask(self) -> None:
        """Whether files can be kept now.

        Raises:
            FilesUnavailable: they are kept on a server, which does not answer.
        """

    def keep_copy(self, document_id: str) -> None:
        """Keep the reading copy that lies at `copy_place`."""

    def original(self, document_id: str) -> Path | None:
        """The stored file of a document; None when it has none (an abstract)."""
        return next((path for path in self._of(document_id) if not _is_copy(path)), None)

    def originals(self) -> set[str]:
        """Ids of the documents that have an original."""
        return {path.name.partition(".")[0] for path in self._files.glob("*") if not _is_copy(path)}

    def copy_place(self, document_id: str) -> Path:
        """Where a reading copy of a document belongs."""
        return self._files / f"{document_id}{_COPY}"

    def readable(self, document_id: str) -> Path | None:
        """The PDF whose pages are drawn: the reading copy, or else the original."""
        copy = self.copy_place(document_id)
        original = self.original(document_id)
        if copy.exists():
            return copy
        return original if original is not None and original.suffix == ".pdf" else None

    def duplicate(self, document_id: str, new_id: str) -> None:
        """Give another document the same original and reading copy; one file on disk serves both, where
        the file system can."""
        for path in self._of(document_id):
            copy = path.with_name(path.name.replace(document_id, new_id, 1))
            try:
                copy.hardlink_to(path)
            except OSError:  # a file system without links
                shutil.copyfile(path, copy)

    def remove(self, document_id: str) -> int:
        """Remove original and reading copy; how many files there were."""
        self.pictures.forget([document_id])
        paths = list(self._of(document_id))
        for path in paths:
            path.unlink(missing_ok=True)
        return len(paths)

    def count(self, document_id: str) -> int:
        return len(list(self._of(document_id)))

    def owners(self) -> dict[str, int]:
        """Document id -> number of files, of everything that lies in ``files/``."""
        counts: dict[str, int] = {}
        for path in self._files.glob("*"):
            owner = path.name.partition(".")[0]
            counts[owner] = counts.get(owner, 0) + 1
        return counts

    def begin_correction(self, document_id: str) -> Path:
        """A mark that stays until it is unlinked; after a crash, `corrections_begun` tells of it."""
        self._make_folders()
        mark = self.incoming / f"{document_id}{_CORRECTING}"
        mark.touch()
        return mark

    def corrections_begun(self) -> list[str]:
        """Ids of documents whose title was being corrected, or that were moved, when a crash came."""
        return sorted(
            path.name.removesuffix(_CORRECTING) for path in self.incoming.glob(f"*{_CORRECTING}")
        )

    def end_correction(self, document_id: str) -> None:
        (self.incoming / f"{document_id}{_CORRECTING}").unlink(missing_ok=True)

    def begin_removal(self) -> None:
        """A mark that stays until `end_removal`: rows are gone whose bytes are to be overwritten. After
        a crash `clear_incoming` tells of it."""
        with suppress(OSError):  # a disk without room for it must not keep anything from going
            self._make_folders()
            (self.incoming / _REMOVING).touch()

    def end_removal(self) -> None:
        (self.incoming / _REMOVING).unlink(missing_ok=True)

    def begin_dropping(self) -> None:
        """A mark that stays until `end_dropping`: collections that serve no index are to be removed."""
        with suppress(OSError):
            self._make_folders()
            (self.incoming / _DROPPING).touch()

    def end_dropping(self) -> None:
        (self.incoming / _DROPPING).unlink(missing_ok=True)

    @property
    def dropping(self) -> bool:
        """Whether `begin_dropping` has had no end."""
        return (self.incoming / _DROPPING).exists()

    @property
    def interrupted(self) -> bool:
        """Whether anything is half taken in, made or removed."""
        return any(self.incoming.glob("*"))

    def clear_incoming(self) -> bool:
        """Remove what a crash left half taken in; whether there was anything. What it was may have left a
        collection too: the mark of `begin_dropping` stays."""
        left = [path for path in self.incoming.glob("*") if path.name != _DROPPING]
        for path in left:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        return bool(left)

    @contextmanager
    def rebuilding(self) -> Iterator[None]:
        """While a collection is made: after a crash, `clear_incoming` tells of it."""
        self._make_folders()
        mark = self.incoming / f"{uuid.uuid4().hex}.rebuilding"
        mark.touch()
        try:
            yield
        finally:
            mark.unlink(missing_ok=True)

    def _make_folders(self) -> None:
        for folder in (self.incoming, self._files):
            folder.mkdir(parents=True, exist_ok=True)

    def _of(self, document_id: str) -> Iterator[Path]:
        names = [f"{document_id}.{kind.value}" for kind in Kind]
        for name in (*names, f"{document_id}{_COPY}", f"{document_id}{_COPY}.part"):
            path = self._files / name
            if path.exists():
                yield path


def _is_copy(path: Path) -> bool:
    return path.name.endswith((_COPY, f"{_COPY}.part"))
