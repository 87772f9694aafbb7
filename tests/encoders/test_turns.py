"""Few work at once, in the order in which they came; a stop ends the wait."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from core.domain.stopping import StopSignal
from core.encoders.turns import Turns

_SECONDS = 20  # far more than any of it takes


@contextmanager
def working(turns: Turns, name: str, began: list[str], stop: StopSignal) -> Iterator[Work]:
    """Somebody who takes a turn in a thread and keeps it until `done`."""
    work = Work(turns, name, began, stop)
    work.thread.start()
    try:
        yield work
    finally:
        work.done.set()
        work.thread.join(_SECONDS)
        assert not work.thread.is_alive()


class Work:
    def __init__(self, turns: Turns, name: str, began: list[str], stop: StopSignal) -> None:
        self.turns, self.name, self.began, self.stop = turns, name, began, stop
        self.begun, self.done = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self) -> None:
        with self.turns.taken(self.stop):
            self.began.append(self.name)
            self.begun.set()
            self.done.wait(_SECONDS)


def until(condition: Callable[[], bool]) -> None:
    waited = threading.Event()
    for _ in range(_SECONDS * 100):
        if condition():
            return
        waited.wait(0.01)
    raise AssertionError("it did not come to pass")


def test_so_many_work_at_once_and_the_others_follow_in_their_order() -> None:
    turns, began = Turns(2), list[str]()
    assert not turns.busy
    with (
        working(turns, "a", began, StopSignal()) as a,
        working(turns, "b", began, StopSignal()) as b,
    ):
        assert a.begun.wait(_SECONDS) and b.begun.wait(_SECONDS)
        assert turns.busy
        with working(turns, "c", began, StopSignal()) as c:
            until(lambda: len(turns._line) == 1)
            with working(turns, "d", began, StopSignal()) as d:
                until(lambda: len(turns._line) == 2)
                assert not c.begun.is_set() and not d.begun.is_set()
                b.done.set()
                assert c.begun.wait(_SECONDS) and not d.begun.is_set()
                a.done.set()
                assert d.begun.wait(_SECONDS)
    assert began[2:] == ["c", "d"]
    assert not turns.busy


def test_a_stop_ends_the_wait_and_takes_nobodys_turn() -> None:
    turns, began, stop = Turns(1), list[str](), StopSignal()
    with (
        working(turns, "a", began, StopSignal()) as a,
        working(turns, "b", began, stop) as b,
    ):
        until(lambda: len(turns._line) == 1)
        stop.stop()
        assert b.begun.wait(_SECONDS)
        b.done.set()
        b.thread.join(_SECONDS)
        assert turns.busy, "a works still"
        a.done.set()
        a.thread.join(_SECONDS)
    assert not turns.busy


def test_who_waits_for_something_else_lets_others_work_and_is_the_next() -> None:
    turns, began = Turns(1), list[str]()
    late = Work(turns, "late", began, StopSignal())
    with turns.taken(StopSignal()) as turn:
        with turn.aside():
            first = Work(turns, "first", began, StopSignal())
            first.thread.start()
            assert first.begun.wait(_SECONDS)
            late.thread.start()
            until(lambda: len(turns._line) == 1)
            # It ends once the one that went aside waits too, before the one that came late.
            ending = threading.Thread(
                target=lambda: (until(lambda: len(turns._line) == 2), first.done.set())
            )
            ending.start()
        assert began == ["first"]
        assert not late.begun.is_set()
    assert late.begun.wait(_SECONDS)
    late.done.set()
    for thread in (late.thread, first.thread, ending):
        thread.join(_SECONDS)
    assert not turns.busy


def test_an_error_gives_the_turn_back() -> None:
    turns = Turns(1)
    for inside in (False, True):
        try:
            with turns.taken(StopSignal()) as turn:
                if inside:
                    with turn.aside():
                        raise ValueError("model")
                raise ValueError("way")
        except ValueError:
            assert not turns.busy
