"""What the queue asks of the store that keeps jobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.domain.jobs import Job


class JobStore(Protocol):
    """Jobs that outlive the process."""

    def save(self, job: Job) -> None:
        """Add a job, or write its present state over the kept one."""
        ...

    def jobs(self) -> list[Job]:
        """All kept jobs, oldest first."""
        ...

    def forget(self, job_ids: Sequence[str]) -> None: ...
