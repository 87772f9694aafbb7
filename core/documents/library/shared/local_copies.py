"""Copies on this machine's disk of files that lie elsewhere: as many as there is room for."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

_IN_USE_SECONDS = 60.0  # what was asked for so lately may be open in a reading process


class LocalCopies:
    """A folder of files that can be fetched again.

    Args:
        most_bytes: of all together; what was not used for the longest time goes first.
    """

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._folder = folder
        self._most = most_bytes

    def used(self, path: Path) -> Path:
        """Note that a copy is needed now, and let others go where there is too little room."""
        os.utime(path)
        self._make_room()
        return path

    def clear(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def _make_room(self) -> None:
        known = []
        for path in self._folder.glob("*"):
            try:
                known.append((path.stat().st_mtime, path.stat().st_size, path))
            except FileNotFoundError:  # removed meanwhile
                continue
        spare = sum(size for _, size, _ in known) - self._most
        oldest_in_use = time.time() - _IN_USE_SECONDS
        for used, size, path in sorted(known):
            if spare <= 0 or used > oldest_in_use:
                return
            path.unlink(missing_ok=True)
            spare -= size
