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


class SharedJobStore(JobStore, Protocol):
    """Jobs of several processes, one of which works on them at a time.

    `save` of a job in work raises Conflict (``LEASE_LOST``) where another process does.
    """

    def claim(self, seconds: float) -> bool:
        """Become, or stay, the one that works, for so long by the store's clock; whether it is this one."""
        ...

    def release(self) -> None:
        """Let another work."""
        ...

    def ask_cancel(self, job_id: str) -> None:
        """Note that a job is to be cancelled."""
        ...

    def to_cancel(self) -> set[str]:
        """Ids of active jobs that are to be cancelled."""
        ...
