"""One process at a time writes to a data folder."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout

from core.errors import Conflict, MateriaError

# A process that was killed while it started a reading process leaves the lock with that for a moment.
_LOCK_SECONDS = 1.0


def take_lock(root: Path) -> FileLock:
    try:
        root.mkdir(parents=True, exist_ok=True)
        lock = FileLock(root / "writer.lock")
        lock.acquire(timeout=_LOCK_SECONDS)
    except Timeout:
        raise Conflict(
            "Another Materia is running with this data folder.",
            advice="Use its pages, stop it first, or point MATERIA_DATA_DIR to another folder.",
            code="LIBRARY_IN_USE",
        ) from None
    except OSError as error:
        raise unusable(error) from error
    return lock


def unusable(error: OSError) -> MateriaError:
    return MateriaError(
        f"The data folder cannot be used ({error.strerror}).",
        advice="Check its permissions, or point MATERIA_DATA_DIR to another folder.",
        code="DATA_FOLDER_UNUSABLE",
    )
