"""A wish to stop that reaches whatever is waiting for something at that moment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


class StopSignal:
    """Set once by one thread, heeded by another; safe to share.

    Work that goes step by step asks `stopped` between steps. Work that waits (for a socket) names with
    `closing` what ends the wait.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._closers: list[Callable[[], object]] = []

    @property
    def stopped(self) -> bool:
        return self._stopped.is_set()

    def stop(self) -> None:
        """Ask to stop; a second time does nothing."""
        with self._lock:
            self._stopped.set()
            closers, self._closers = self._closers, []
        for close in closers:
            # What waits sees the closed connection; how closing it failed tells nobody anything.
            with suppress(Exception):
                close()

    @contextmanager
    def closing(self, close: Callable[[], object]) -> Iterator[None]:
        """Call `close` when the stop comes within the block, at once when it has come before."""
        with self._lock:
            late = self._stopped.is_set()
            if not late:
                self._closers.append(close)
        if late:
            close()
        try:
            yield
        finally:
            with self._lock:
                if close in self._closers:
                    self._closers.remove(close)
