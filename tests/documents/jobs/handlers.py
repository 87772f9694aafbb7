"""Handlers that wait for a test, and what it makes of their jobs."""

from __future__ import annotations

import threading
from collections.abc import Callable

from core.documents.jobs.control import JobControl
from core.documents.jobs.runner import JobRunner
from core.domain.documents import IngestResult
from core.domain.jobs import Job, JobProgress

WAIT = 10.0  # seconds until a stuck test gives up
SECRET = "correct-horse-battery"


def result(name: str, state: str = "ready", code: str = "OK") -> IngestResult:
    source = f"/uploads/{name}" if state == "question" else ""
    return IngestResult(name, state, code, f"{name} {state}", 2, 5, 0.1, "doc-1", source)


def finished(runner: JobRunner, job_id: str) -> Job:
    job = runner.wait(job_id, WAIT)
    assert job is not None and not job.active, "the job did not end"
    return job


class Step:
    """A handler that stops until it is told to go on."""

    def __init__(self) -> None:
        self.begun, self.go = threading.Event(), threading.Event()

    def __call__(self, control: JobControl) -> str:
        control.item(result("first.pdf"))
        control.report(JobProgress("embedding", "second.pdf", 1, 2, 3, 32, fraction=0.5))
        self.begun.set()
        assert self.go.wait(WAIT)
        control.check()
        control.item(result("second.pdf"))
        return "2 files."


class UntilCancelled:
    """A handler that works until it is told to stop, and keeps what it had done."""

    def __init__(self) -> None:
        self.begun = threading.Event()

    def __call__(self, control: JobControl) -> str:
        control.item(result("first.pdf"))
        self.begun.set()
        while not control.cancelled():
            threading.Event().wait(0.001)
        control.check()
        raise AssertionError("check goes on after a cancellation")


def do_nothing(_control: JobControl) -> str:
    return "Done."


Make = Callable[..., JobRunner]
