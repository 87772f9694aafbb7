"""A data folder that was made of a backup takes the place of the present one: all of it, or nothing.

``restore/new`` holds it once it was verified. The swap moves names within one disk, in an order that a file
notes (``restore/state.json``): whoever is killed in its middle finds at the next start how far it was, and goes
on. Until the first name is moved the present folder is as it was.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.errors import Conflict, StoreError

FOLDER = "restore"
NEW, OLD, _STATE = "new", "old", "state.json"
FILLING, STAGED, _ASIDE, _IN = "filling", "staged", "aside", "in"
_SQLITE = ("", "-wal", "-shm", "-journal")
# What a restored folder replaces. Backups, logs, models and the reserve stay, as does what is not Materia's.
CONTENTS = (
    *(
        f"{name}{end}"
        for name in ("materia.db", "pending.db", "token_vectors.db")
        for end in _SQLITE
    ),
    "chroma",
    "evaluation",
    "files",
    "graph",
    "incoming",
    "language_model.json",
    "sample-begun",
    "sample-loaded",
    "uploads",
)


def read_state(root: Path) -> dict[str, Any]:
    """What is noted of a restoration; empty where there is none."""
    try:
        state = json.loads((root / FOLDER / _STATE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}


def note(root: Path, state: dict[str, Any]) -> None:
    """Note how far a restoration is; what is noted is on the disk."""
    place = root / FOLDER / _STATE
    part = place.with_suffix(".part")
    with part.open("w", encoding="utf-8") as writer:
        json.dump(state, writer)
        writer.flush()
        os.fsync(writer.fileno())
    part.replace(place)
    _synchronise(place.parent)


def is_staged(root: Path) -> bool:
    """Whether a restored folder waits for the next start."""
    return read_state(root).get("phase") == STAGED


def refuse_in_the_middle(root: Path) -> None:
    """To be asked by who only reads.

    Raises:
        Conflict: a swap was interrupted (``RESTORE_UNFINISHED``).
    """
    if read_state(root).get("phase") in (_ASIDE, _IN):
        raise Conflict(
            "A backup is being restored, and that was interrupted.",
            advice="Start the dashboard: it completes it.",
            code="RESTORE_UNFINISHED",
        )


def complete(root: Path, taken: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Swap what is staged, or go on with a swap that was interrupted, and clear what is left of a
    restoration; its notes, empty where there was none. The folder's writer lock is held.

    Args:
        taken: called when the new folder has its place and the old one is there still; again where that
            was interrupted.

    Raises:
        StoreError: a file cannot be moved; the next start goes on (``RESTORE_UNFINISHED``).
    """
    place = root / FOLDER
    if not place.exists():
        return {}
    state = read_state(root)
    try:
        if state.get("phase") in (STAGED, _ASIDE, _IN):
            _swap(root, state)
            taken()
        if (place / OLD).exists():
            shutil.rmtree(place / OLD)
        shutil.rmtree(place)
    except OSError as error:
        raise StoreError(
            f"The restored data folder cannot take its place ({error.strerror}).",
            advice="Close what has its files open, check its permissions, and start Materia again: it goes on.",
            code="RESTORE_UNFINISHED",
            retryable=True,
        ) from error
    return state


def _swap(root: Path, state: dict[str, Any]) -> None:
    new, old = root / FOLDER / NEW, root / FOLDER / OLD
    if state["phase"] == STAGED:
        old.mkdir(exist_ok=True)
        state["phase"] = _ASIDE
        note(root, state)
    if state["phase"] == _ASIDE:
        for name in CONTENTS:
            if (root / name).exists():
                (root / name).rename(old / name)
        _synchronise(root)
        state["phase"] = _IN
        note(root, state)
    for source in sorted(new.iterdir()):
        source.rename(root / source.name)
    _synchronise(root)


def discard(root: Path) -> None:
    """Forget what is staged; the present folder stays.

    Raises:
        Conflict: it has begun to take its place (``RESTORE_UNFINISHED``).
    """
    refuse_in_the_middle(root)
    shutil.rmtree(root / FOLDER, ignore_errors=True)


def _synchronise(folder: Path) -> None:
    """Bring the names in a folder to the disk."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
