"""A job gives way while somebody waits for an answer, and goes on all the same."""

from __future__ import annotations

import pytest

from core.documents.jobs import control as module
from core.documents.jobs.control import JobControl
from core.domain.jobs import Job


class Clock:
    """Time that passes only where it is said; waiting lets it pass too."""

    def __init__(self) -> None:
        self.now = 0.0
        self.rested: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def wait(self, seconds: float) -> bool:
        self.rested.append(seconds)
        self.now += seconds
        return False

    def is_set(self) -> bool:
        return False


@pytest.mark.parametrize("needed", [True, False])
def test_a_job_rests_as_long_as_its_step_took(
    monkeypatch: pytest.MonkeyPatch, needed: bool
) -> None:
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    job = Job("1", "files", "one file")
    control = JobControl(job, "", lambda _: None, lambda _: None, is_needed=lambda: needed)
    monkeypatch.setattr(control, "_stop", clock)
    for step in (0.25, 0.5, 30.0):
        assert not control.cancelled()
        clock.now += step
    control.check()
    assert clock.rested == ([0.25, 0.5, 1.0] if needed else [])
