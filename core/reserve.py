"""Room on the disk that is kept for the day it is full, so that deleting, asking and reading go on then.

Deleting needs room too: SQLite writes what changes before it frees anything. A file of a fixed size stands
in the data folder; when the disk is nearly full it is let go, and while it is gone nothing new is taken in.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.errors import DiskFull, MateriaError
from core.logs import get_logger

_NAME = "reserve"
_LEAST = 1_000_000  # bytes; less than this is no more room than before
_LOW = 4  # the reserve is let go when less than this part of its size is free
_log = get_logger("reserve")


class Reserve:
    """The reserve of one data folder.

    Args:
        megabytes: its size; 0 for none, and for room that is never asked for.

    Attributes:
        let_go: called when it was let go, so that somebody takes it again later.
    """

    def __init__(self, root: Path, megabytes: int) -> None:
        self._file = root / _NAME
        self._size = megabytes * 1_000_000
        self._low = max(self._size // _LOW, _LEAST)
        self.let_go: Callable[[], None] = lambda: None
        self._needed = 0  # free bytes without which what met a full disk is not tried again

    @property
    def _free(self) -> int:
        return shutil.disk_usage(self._file.parent).free

    @property
    def held(self) -> bool:
        """Whether it is there."""
        return self._file.exists()

    def hold(self) -> bool:
        """Take the room, where there is enough; whether it is held."""
        if not self._size or self.held:
            return True
        with suppress(OSError):
            if self._free < self._size + 2 * self._low:
                return False
            part = self._file.with_suffix(".part")
            try:
                with part.open("wb") as writer:
                    _fill(writer.fileno(), self._size)
                part.replace(self._file)
            finally:
                part.unlink(missing_ok=True)
        return self.held

    def take(self) -> None:
        """As `hold`.

        Raises:
            DiskFull: there is not enough room.
        """
        if not self.hold():
            raise disk_full()

    def give_way(self) -> None:
        """Let it go when the disk is nearly full; to be called before anything is written."""
        with suppress(OSError):
            if self._size and self._free < self._low and self.held:
                self._file.unlink(missing_ok=True)
                _log.warning("disk_full", let_go=self._size)
                self.let_go()

    def ask(self) -> None:
        """Ask for room for something new.

        Raises:
            DiskFull: there is none.
        """
        self.give_way()
        with suppress(OSError):
            room = self._free + (self._size if self.held else 0)
            if room < self._needed or not self.hold():
                raise disk_full()
        self._needed = 0

    def note(self, error: MateriaError) -> None:
        """Something needed more room than there was: it is tried again once there is more than now."""
        if not isinstance(error, DiskFull):
            return
        with suppress(OSError):
            room = self._free + (self._size if self.held else 0)
            self._needed = room + self._low


_KEPT_FREE = (
    "Delete documents, or make room on the disk of the data folder. Asking and reading go on."
)
_SPENT = (
    "Make room on the disk of the data folder: what Materia keeps free for this (MATERIA_RESERVE_MB) is not "
    "enough, or something else has filled it. What is there can be read and searched."
)


def disk_full(*, spent: bool = False) -> DiskFull:
    """The failure in words.

    Args:
        spent: a store found no room although the reserve had been let go for it.
    """
    return DiskFull("The disk is full.", advice=_SPENT if spent else _KEPT_FREE, retryable=True)


@contextmanager
def full_disk_told() -> Iterator[None]:
    """A file that finds no room in plain words.

    Raises:
        DiskFull: instead of the OSError that says so.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise disk_full() from error


def _fill(file: int, size: int) -> None:
    """Give a file real room: one with holes would reserve nothing."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, size)
        return
    block = bytes(1 << 20)
    while size > 0:
        size -= os.write(file, block[: min(size, len(block))])
