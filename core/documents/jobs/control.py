"""What the handler of a job is handed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from core.domain.documents import IngestResult
from core.domain.jobs import Job, JobProgress
from core.errors import Cancelled

_LONGEST_PAUSE = 1.0  # seconds that a step gives way


class JobControl:
    """What a handler is handed: its job's parameters, and the way to tell and to be told.

    Attributes:
        is_needed: whether somebody waits for an answer: then the job works half the time at most.
        secret: a password, which is never kept; empty after a restart.
        let_pass: does a short job that waits, if there is one; a long job calls it between its steps.
    """

    def __init__(
        self,
        job: Job,
        secret: str,
        report: Callable[[JobProgress], None],
        item: Callable[[IngestResult], None],
        let_pass: Callable[[], None] = lambda: None,
        is_needed: Callable[[], bool] = lambda: False,
    ) -> None:
        self.id = job.id
        self.params = job.params
        self.resumed = job.attempts > 1
        self.secret = secret
        self._report = report
        self._item = item
        self.let_pass = let_pass
        self.is_needed = is_needed
        self._stop = threading.Event()
        self._step = threading.local()

    def report(self, progress: JobProgress) -> None:
        """Show how far the job is."""
        self._report(progress)

    def item(self, result: IngestResult) -> None:
        """Note what became of one file."""
        self._item(result)

    def cancelled(self) -> bool:
        """Whether the analyst wants the job to stop; asked between its steps, where it gives way."""
        self._give_way()
        return self._stop.is_set()

    def _give_way(self) -> None:
        """Rest as long as the step took while somebody waits for an answer."""
        worked = time.monotonic() - getattr(self._step, "begun", time.monotonic())
        if worked and self.is_needed():
            self._stop.wait(min(worked, _LONGEST_PAUSE))
        self._step.begun = time.monotonic()

    def check(self) -> None:
        """End here if the job was cancelled.

        Raises:
            Cancelled
        """
        if self.cancelled():
            raise Cancelled("It was cancelled.")

    def stop(self) -> None:
        self._stop.set()

    def pause(self, seconds: float) -> None:
        """Wait, unless the job is cancelled meanwhile.

        Raises:
            Cancelled
        """
        self._stop.wait(seconds)
        self.check()
