"""Between a library and its stores: where a process is killed, and where a server goes away."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from core.errors import StoreError, StoreUnavailable, VectorsUnavailable

VECTORS, REGISTRY = "vectors", "registry"
_AWAY: dict[str, type[StoreError]] = {VECTORS: VectorsUnavailable, REGISTRY: StoreUnavailable}


class Killed(BaseException):
    """The process has ended: no line after this one was run, whatever it was to clean up."""


class Gate:
    """Counts the calls to stores, and lets something happen before one of them.

    Attributes:
        down: stores whose server is away.
        dead: the process was killed: what still runs are its ghosts, and reach no store.
    """

    def __init__(self) -> None:
        self.down: set[str] = set()
        self.dead = False
        self._left = 0
        self._strike: Callable[[], None] | None = None
        self._lock = threading.RLock()

    def arm(self, calls: int, strike: Callable[[], None]) -> None:
        """Let something happen before the call after so many."""
        self._left, self._strike = calls, strike

    def disarm(self) -> None:
        self._strike = None

    @property
    def armed(self) -> bool:
        return self._strike is not None

    def enter(self, store: str) -> None:
        """Before each call."""
        with self._lock:
            if self._strike is not None and not self.dead:
                self._left -= 1
                if self._left < 0:
                    strike, self._strike = self._strike, None
                    strike()
            if self.dead:
                raise Killed
            if store in self.down:
                raise _AWAY[store]("It is away.", retryable=True)


class Guarded:
    """A real store behind a gate."""

    def __init__(self, real: object, gate: Gate, store: str) -> None:
        self._real = real
        self._gate = gate
        self._store = store

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._real, name)
        if not callable(found):
            return found

        def call(*given: Any, **named: Any) -> Any:
            self._gate.enter(self._store)
            return found(*given, **named)

        return call
