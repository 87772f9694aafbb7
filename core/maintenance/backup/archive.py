"""A backup as a ZIP: written as a stream, checked after writing, and unpacked without trust in it."""

from __future__ import annotations

import hashlib
import os
import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO

from core.errors import DiskFull, NotFound
from core.maintenance.backup.manifest import (
    MOST_BYTES,
    NAME,
    Entry,
    Manifest,
    damaged,
    not_a_backup,
    read_manifest,
    unsafe,
)
from core.reserve import full_disk_told

_BLOCK = 1 << 20
_DENSE = ("files/", "vectors.db")  # PDFs and vectors hardly get smaller
_MOST_RATIO = 250  # unpacked to packed; a database's empty pages shrink much, a bomb shrinks more
_SMALL = 50_000_000  # bytes below which a ratio says nothing
_ROOM = 100_000_000  # bytes that stay free on the disk
_DAMAGED = (zipfile.BadZipFile, NotImplementedError, EOFError, ValueError, zlib.error)
Tell = Callable[[str, int, int], None]  # stage, done, of how many; may end the work


def write_archive(
    path: Path, manifest: Manifest, files: Mapping[str, Path], tell: Tell
) -> Manifest:
    """Write files and manifest to `path`, which is there only when all of it is; the manifest with its
    entries.

    Raises:
        DiskFull: there is no room.
        OSError: the file cannot be written.
    """
    part = path.with_name(f".{path.name}.part")
    entries: dict[str, Entry] = {}
    try:
        file = os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "wb")
        with full_disk_told(), file:
            with zipfile.ZipFile(file, "w", allowZip64=True) as archive:
                for number, (name, source) in enumerate(sorted(files.items())):
                    tell("writing", number, len(files))
                    entries[name] = _add(archive, name, source)
                whole = replace(manifest, entries=entries)
                archive.writestr(NAME, whole.written(), zipfile.ZIP_DEFLATED)
            file.flush()
            os.fsync(file.fileno())
        with opened(part, manifest.schema_version) as (archive, read):
            for number, name in enumerate(sorted(read.entries)):
                tell("checking", number, len(read.entries))
                _copy(archive, name, read.entries[name], None)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return whole


def _add(archive: zipfile.ZipFile, name: str, source: Path) -> Entry:
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_STORED if name.startswith(_DENSE) else zipfile.ZIP_DEFLATED
    info.file_size = source.stat().st_size
    digest, size = hashlib.sha256(), 0
    with source.open("rb") as reader, archive.open(info, "w") as writer:
        while block := reader.read(_BLOCK):
            digest.update(block)
            size += len(block)
            writer.write(block)
    return Entry(size, digest.hexdigest())


@contextmanager
def opened(path: Path, newest_schema: int) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """A backup with its manifest; what it holds is not checked yet.

    Raises:
        NotFound: there is no such file (``BACKUP_NOT_FOUND``).
        InputError: it is no backup, a newer Materia's, damaged or not safe to unpack.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            infos = archive.infolist()
            own = next((one for one in infos if one.filename == NAME), None)
            if own is None or own.file_size > MOST_BYTES:
                raise not_a_backup()
            with archive.open(own) as reader:
                raw = reader.read(MOST_BYTES + 1)
            if len(raw) > MOST_BYTES:
                raise not_a_backup()
            manifest = read_manifest(raw, newest_schema)
            names = [one.filename for one in infos]
            if sorted(names) != sorted({*manifest.entries, NAME}):
                raise unsafe("Its files are not those of its manifest.")
            for one in infos:
                _check(one, manifest)
            yield archive, manifest
    except FileNotFoundError:
        raise NotFound(
            "There is no such file.",
            advice="Check the name of the backup.",
            code="BACKUP_NOT_FOUND",
        ) from None
    except _DAMAGED as error:
        raise damaged("the archive") if zipfile.is_zipfile(path) else not_a_backup() from error


def _check(info: zipfile.ZipInfo, manifest: Manifest) -> None:
    packed = max(info.compress_size, 1)
    if info.flag_bits & 0x1:
        raise unsafe("It is encrypted.")
    if info.file_size > _SMALL and info.file_size / packed > _MOST_RATIO:
        raise unsafe("It would unpack to far more than it is.")
    if info.filename != NAME and info.file_size != manifest.entries[info.filename].bytes:
        raise damaged(info.filename)


def unpack(archive: zipfile.ZipFile, manifest: Manifest, folder: Path, tell: Tell) -> None:
    """Unpack every file, and check it on the way.

    Raises:
        DiskFull: there is no room for all of it.
        InputError: a file is not as it was written (``BACKUP_DAMAGED``).
    """
    folder.mkdir(parents=True)
    if shutil.disk_usage(folder).free < manifest.unpacked_bytes + _ROOM:
        raise DiskFull(
            f"The backup unpacks to {manifest.unpacked_bytes / 1e9:,.1f} GB, and there is less room.",
            advice="Make room on the disk of the data folder, then try again. Nothing was changed.",
        )
    with full_disk_told():
        for number, (name, entry) in enumerate(sorted(manifest.entries.items())):
            tell("unpacking", number, len(manifest.entries))
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("xb") as writer:
                _copy(archive, name, entry, writer)


def _copy(archive: zipfile.ZipFile, name: str, entry: Entry, writer: IO[bytes] | None) -> None:
    """Read a file of an archive to its end, no further than the manifest says, and compare it."""
    digest, left = hashlib.sha256(), entry.bytes
    with archive.open(name) as reader:
        while block := reader.read(min(_BLOCK, left + 1)):
            left -= len(block)
            if left < 0:
                raise damaged(name)
            digest.update(block)
            if writer is not None:
                writer.write(block)
    if left or digest.hexdigest() != entry.sha256:
        raise damaged(name)
