"""Parts asked how they are: one that hangs keeps nobody waiting, and is told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from core.domain.health import PartHealth
from core.maintenance.state import watch as health_watch
from core.maintenance.state.watch import HealthWatch
from core.workspace import Workspace


def test_a_part_that_hangs_is_told_and_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    going = threading.Event()
    asked: list[str] = []

    def answers() -> PartHealth:
        asked.append("good")
        return PartHealth("good", True, "SQLite", latency_ms=float(len(asked)))

    def hangs() -> PartHealth:
        going.wait(60)
        return PartHealth("hangs", True, "Neo4j", latency_ms=5.0)

    watch = HealthWatch({"good": answers, "hangs": hangs})
    first = watch.now(seconds=0.5)
    good, bad = first.parts
    assert (good.ok, good.latency_ms, good.median_ms) == (True, 1.0, 1.0)
    assert bad.waiting_seconds is not None and first.waits
    monkeypatch.setattr(health_watch, "_LATE_SECONDS", 0.2)
    begun = time.monotonic()
    watch.ask(anew=True)
    watch.settle(0.1)
    late = watch.seen().parts[1]
    assert time.monotonic() - begun < 5 and not late.ok
    assert late.detail.startswith("It has not answered for") and late.advice
    going.set()
    last = watch.now(seconds=30)
    assert last.ok and not last.waits and last.parts[1].detail == "Neo4j"
    assert last.parts[0].median_ms == 2.0 and asked == ["good"] * 3


def test_every_part_says_what_it_is(make_workspace: Callable[..., Workspace]) -> None:
    workspace = make_workspace()
    workspace.indexes.create("leaflets")
    parts = {part.name: part for part in workspace.health().parts}
    assert len(parts) == 9
    for name in ("Library", "Full text", "Knowledge graph", "Vector store", "Conversations"):
        part = parts[name]
        assert part.ok and part.version and part.latency_ms is not None, name
    assert "384 dimensions" in parts["Embedding model"].detail
    assert parts["PDF reader"].version.startswith("pypdfium2 ")
    assert parts["Language model"].latency_ms is None, "none was called"
