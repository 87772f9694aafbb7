"""A few at a time, in the order in which they came."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from core.domain.stopping import StopSignal

_NEVER = StopSignal()


@dataclass(slots=True, eq=False)
class _Waiting:
    """Somebody whose turn it is not yet."""

    called: threading.Event = field(default_factory=threading.Event)
    has_turn: bool = False


class Turns:
    """Lets so many work at once; the others wait in line. Threads that all work at once take each other's
    processor and memory, and nobody is served sooner.

    Args:
        most: that work at once.
    """

    def __init__(self, most: int) -> None:
        self._most = self._free = most
        self._line: deque[_Waiting] = deque()
        self._lock = threading.Lock()

    @property
    def busy(self) -> bool:
        """Whether somebody works."""
        return self._free < self._most

    @contextmanager
    def taken(self, stop: StopSignal) -> Iterator[WorkTurn]:
        """A turn for the block. A stop ends the wait for it: what was stopped has little left to do."""
        turn = WorkTurn(self, stop)
        turn.take(first=False)
        try:
            yield turn
        finally:
            turn.give_back()

    @contextmanager
    def held(self, *, first: bool = False) -> Iterator[None]:
        """A turn for the block, which nothing stops; the next one that is free where `first`."""
        self.enter(_NEVER, first=first)
        try:
            yield
        finally:
            self.leave()

    def enter(self, stop: StopSignal, *, first: bool) -> bool:
        """Wait in line, at its head where `first`; whether there is a turn, which a stop leaves out."""
        one = _Waiting()
        with self._lock:
            if self._free and not self._line:
                self._free -= 1
                return True
            if first:
                self._line.appendleft(one)
            else:
                self._line.append(one)
        try:
            with stop.closing(one.called.set):
                one.called.wait()
        except BaseException:  # interrupted: a turn that came meanwhile is the next one's
            if self._withdrawn(one):
                self.leave()
            raise
        return self._withdrawn(one)

    def _withdrawn(self, one: _Waiting) -> bool:
        """Whether one has a turn; without any it is in line no more."""
        with self._lock:
            if not one.has_turn:
                self._line.remove(one)
            return one.has_turn

    def leave(self) -> None:
        """Give a turn to the next in line."""
        with self._lock:
            if self._line:
                one = self._line.popleft()
                one.has_turn = True
                one.called.set()
            else:
                self._free += 1


class WorkTurn:
    """One's place among those that work."""

    def __init__(self, turns: Turns, stop: StopSignal) -> None:
        self._turns, self._stop = turns, stop
        self._has = False

    def take(self, *, first: bool) -> None:
        """Wait for it."""
        self._has = self._turns.enter(self._stop, first=first)

    def give_back(self) -> None:
        """Let the next one work."""
        if self._has:
            self._has = False
            self._turns.leave()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """A block in which one waits for something else, and others work; then one is the next. Where it
        fails there is no turn any more, as little is left to do."""
        self.give_back()
        yield
        self.take(first=True)
