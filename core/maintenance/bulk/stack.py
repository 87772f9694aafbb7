"""What is to be taken in: files of this machine, and objects of an S3-compatible store."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Self

from core.documents.library.outcomes import Source
from core.documents.reading.formats import SUFFIXES
from core.errors import (
    DocumentError,
    FilesUnavailable,
    InputError,
    MateriaError,
    NotFound,
    StoreError,
)
from core.stores.objects.s3 import S3Objects

SCHEME = "s3://"
_URL = re.compile(r"s3://[a-z0-9][a-z0-9.-]+(/.*)?")


@dataclass(frozen=True, slots=True)
class StackedFile:
    """A file; `where` is its path, or below `url` its key.

    Attributes:
        url: of the folder of a store; empty for a file of this machine.
        size: in bytes; -1 where nobody has looked.
    """

    name: str
    where: str
    url: str = ""
    size: int = -1

    @classmethod
    def of(cls, source: Source) -> Self:
        """A file of this machine."""
        return cls(source.name, str(source.path.resolve()))

    def fetch(self, folder: Path) -> Path:
        """Where the bytes are on this machine, in `folder` if they have to be brought.

        Raises:
            NotFound: they are gone (``FILE_NOT_FOUND``).
            StoreError: the store does not give them.
        """
        if not self.url:
            return Path(self.where)
        place = folder / "fetched"
        if not S3Objects(self.url).get(self.where, place):
            raise NotFound("The file is not there any more.", code="FILE_NOT_FOUND")
        return place


def in_store(url: str) -> tuple[list[StackedFile], int]:
    """The files below ``s3://bucket/folder`` that Materia reads, by key, and how many others there are;
    hidden ones are neither. Endpoint and credentials are those of ``MATERIA_FILES_URL``.

    Raises:
        InputError: this is no such address (``INVALID_URL``).
        DocumentError: there is no file that Materia reads (``NO_FILES``).
        StoreError: the store cannot be reached, or lets nobody in.
    """
    if not _URL.fullmatch(url):
        raise InputError(
            "This is no folder of an S3-compatible store.",
            advice="Write it as s3://bucket/folder.",
            code="INVALID_URL",
        )
    try:
        sizes = S3Objects(url).sizes("")
    except MateriaError as error:
        raise _told(error) from error
    shown = {key: size for key, size in sizes.items() if not _hidden(key)}
    items = [
        StackedFile(PurePosixPath(key).name, key, url, size)
        for key, size in shown.items()
        if PurePosixPath(key).suffix.lower() in SUFFIXES
    ]
    if not items:
        raise DocumentError("It holds no file that Materia reads.", code="NO_FILES")
    return items, len(shown) - len(items)


def _hidden(key: str) -> bool:
    return any(part.startswith(".") for part in PurePosixPath(key).parts)


def _told(error: MateriaError) -> MateriaError:
    """A store's refusal in words that fit a store that is read from."""
    advice = "Check the address, AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
    if isinstance(error, FilesUnavailable):
        return FilesUnavailable("The store cannot be reached.", advice=advice, retryable=True)
    if error.code == "FILES_REFUSED":
        return StoreError(
            "The store does not let Materia in, or has no such bucket.",
            advice=advice,
            code=error.code,
        )
    return error
