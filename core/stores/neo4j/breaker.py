"""A circuit breaker: after a failure, calls fail at once for a while; then one tries.

Michael Nygard, Release It!, 2007.
"""

from __future__ import annotations

import threading
import time
from copy import copy

from core.errors import StoreError


class Breaker:
    """Lets calls through, or raises what the last one failed with, for a while or until somebody who
    watches the server says that it answers.

    Args:
        seconds: how long calls fail at once after a failure.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._failure: StoreError | None = None
        self._until = 0.0

    def enter(self) -> None:
        """Ask to make a call; after it `passed` or `failed` must be called.

        Raises:
            StoreError: the last call failed a moment ago, or another one is trying.
        """
        with self._lock:
            if self._failure is None:
                return
            now = time.monotonic()
            if now < self._until:
                # One object raised from many threads would mix up its traceback.
                raise copy(self._failure)
            # This call is the one that tries; the others wait for it as they did before.
            self._until = float("inf")

    def passed(self) -> None:
        """The call got an answer."""
        with self._lock:
            self._failure = None

    def failed(self, failure: StoreError, *, watched: bool = False) -> None:
        """The call got none.

        Args:
            watched: no call is let through until `passed` is called by whoever watches the server.
        """
        with self._lock:
            self._failure = failure
            self._until = float("inf") if watched else time.monotonic() + self._seconds
