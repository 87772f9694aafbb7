"""Work in the background, as it is kept and shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from core.domain.documents import IngestResult

_SURE = 0.03  # below this fraction an estimate of the time left would jump about


WAITING = "waiting. "  # a stage begins so when a job can go on only once something has passed


class JobState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class JobProgress:
    """How far a job is.

    Attributes:
        stage: what is being done, in words.
        file: the file in work.
        done, files: files (or records) finished, and how many there are; 0 when not known yet.
        pages, chunks: read and embedded so far, over all files.
        fraction: how much is done, in [0, 1].
    """

    stage: str = "waiting for its turn"
    file: str = ""
    done: int = 0
    files: int = 0
    pages: int = 0
    chunks: int = 0
    fraction: float = 0.0


@dataclass(frozen=True, slots=True)
class Job:
    """A snapshot of a piece of work.

    Attributes:
        kind: which handler does it (``files``, ``abstracts``, ``re-embed``, ...).
        params: what the handler needs, as JSON; never a password.
        items: what became of each file so far.
        attempts: how often it was begun; more than one after a crash.
        submitted: seconds since the epoch.
        seconds: how long it has been running, or ran.
    """

    id: str
    kind: str
    name: str
    params: Mapping[str, Any] = field(default_factory=dict)
    state: JobState = JobState.QUEUED
    progress: JobProgress = field(default_factory=JobProgress)
    items: tuple[IngestResult, ...] = ()
    message: str = ""
    code: str = ""
    attempts: int = 0
    submitted: float = 0.0
    seconds: float = 0.0

    @property
    def active(self) -> bool:
        return self.state in (JobState.QUEUED, JobState.RUNNING)

    @property
    def waits(self) -> bool:
        """Whether it goes on only when a server is back, or there is room on the disk."""
        return self.state is JobState.RUNNING and self.progress.stage.startswith(WAITING)

    @property
    def pages_per_second(self) -> float:
        """Pages read and embedded in a second; 0 when nothing is known yet."""
        return self.progress.pages / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Estimate from the rate so far; None while it would be a guess."""
        fraction = self.progress.fraction
        if self.state is not JobState.RUNNING or fraction < _SURE:
            return None
        return self.seconds * (1 - fraction) / fraction

    @property
    def questions(self) -> tuple[IngestResult, ...]:
        """Files that wait for the analyst's decision."""
        return tuple(item for item in self.items if item.state == "question")

    def ended(self, state: JobState, message: str, code: str = "OK") -> Job:
        """The job at its end."""
        return replace(self, state=state, message=message, code=code)
