"""A backup made while Materia runs, and the backups that are kept in the data folder."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import SecretStr

from core import __version__
from core.errors import Conflict, NotFound, StoreError
from core.logs import get_logger
from core.maintenance.backup.archive import Tell, write_archive
from core.maintenance.backup.manifest import Manifest
from core.maintenance.backup.snapshot import (
    Opened,
    files_of,
    take_snapshot,
)
from core.settings import Settings
from core.stores.sqlite.schema import MIGRATIONS

_FOLDER = "backups"
_NAME = re.compile(r"materia-[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{6}\.zip")
_PART = re.compile(rf"\.{_NAME.pattern}\.part")
_SNAPSHOT = "snapshot-"
_log = get_logger("backup")
_LEFT_OUT = (
    "keys and passwords",
    "jobs that wait or run, and documents that are not ready yet",
    "models, logs, and statements that were read ahead (they are made again)",
)


@dataclass(frozen=True, slots=True)
class BackupFile:
    """A backup in the data folder."""

    name: str
    path: Path
    bytes: int
    made_at: datetime


def write_backup(workspace: Opened, path: Path, tell: Tell) -> Manifest:
    """Write everything that cannot be made again to one file, and check it.

    The file is there only when it is complete and was read back. Nothing that runs is disturbed.

    Raises:
        Conflict: another backup of this data folder is being made (``BACKUP_RUNNING``).
        StoreError: a store cannot be read, or the file not be written; an original that lies elsewhere has
            other bytes than were kept (``FILE_DAMAGED``).
        DiskFull: there is no room.
    """
    root = workspace.settings.root
    place = root / _FOLDER
    try:
        place.mkdir(exist_ok=True)
        with FileLock(place / ".lock", timeout=0):
            _clear(place)
            with (
                tempfile.TemporaryDirectory(prefix=_SNAPSHOT, dir=place) as folder,
                tempfile.TemporaryDirectory(prefix=_SNAPSHOT, dir=place) as fetched,
            ):
                counts = take_snapshot(workspace, Path(folder), Path(fetched), tell)
                manifest = _manifest(workspace.settings, counts)
                whole = write_archive(path, manifest, files_of(Path(folder)), tell)
    except Timeout:
        raise Conflict(
            "Another backup of this library is being made.",
            advice="Wait until it is done.",
            code="BACKUP_RUNNING",
            retryable=True,
        ) from None
    except OSError as error:
        raise StoreError(
            f"The backup cannot be written ({error.strerror}).",
            advice="Choose a folder that can be written.",
            code="BACKUP_NOT_WRITTEN",
        ) from error
    _log.info("backup_written", bytes=path.stat().st_size, files=len(whole.entries))
    return whole


def clear_interrupted(root: Path) -> None:
    """Remove what a backup that was killed left in a data folder: copies of documents that may be deleted by
    now. One that is being made, by another process, is left alone."""
    place = root / _FOLDER
    if place.is_dir():
        with suppress(Timeout, OSError), FileLock(place / ".lock", timeout=0):
            _clear(place)


def _clear(place: Path) -> None:
    for left in place.glob(f"{_SNAPSHOT}*"):
        shutil.rmtree(left, ignore_errors=True)
    for part in place.glob(".*.part"):
        if _PART.fullmatch(part.name):
            part.unlink(missing_ok=True)


def _manifest(settings: Settings, counts: Mapping[str, int]) -> Manifest:
    return Manifest(
        materia=__version__,
        schema_version=len(MIGRATIONS),
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        counts=counts,
        settings={
            name: str(value)
            for name, value in settings
            if not isinstance(value, SecretStr) and value is not None
        },
        left_out=_LEFT_OUT,
        entries={},
    )


def backup_place(settings: Settings) -> Path:
    """Where a backup that is made now belongs."""
    return settings.root / _FOLDER / f"materia-{datetime.now(UTC):%Y-%m-%d-%H%M%S}.zip"


def kept_backups(settings: Settings) -> list[BackupFile]:
    """The backups in the data folder, newest first."""
    found = []
    for path in (settings.root / _FOLDER).glob("*.zip"):
        if _NAME.fullmatch(path.name):
            about = path.stat()
            made = datetime.fromtimestamp(about.st_mtime, UTC)
            found.append(BackupFile(path.name, path, about.st_size, made))
    return sorted(found, key=lambda one: one.name, reverse=True)


def kept_backup(settings: Settings, name: str) -> BackupFile:
    """The backup of a name.

    Raises:
        NotFound: there is none (``BACKUP_NOT_FOUND``).
    """
    found = next((one for one in kept_backups(settings) if one.name == name), None)
    if found is None:
        raise NotFound(
            "There is no such backup.", advice="Reload the page.", code="BACKUP_NOT_FOUND"
        )
    return found
