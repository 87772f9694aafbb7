"""A shelf whose jobs run."""

from __future__ import annotations

from pathlib import Path

from core.documents.jobs.runner import JobRunner
from core.documents.jobs.tasks import Tasks
from core.domain.jobs import Job, JobProgress
from tests.support.shelf import Shelf, open_shelf


class Work:
    """A shelf whose jobs run, with the progress that they told."""

    def __init__(self, folder: Path) -> None:
        self.shelf: Shelf = open_shelf(folder)
        self.tasks = Tasks(self.shelf.library, self.shelf.indexes, folder / "uploads")
        self.told: list[JobProgress] = []
        self.runner = JobRunner(self.tasks.handlers(), clean_up=self.tasks.forget)

    def run(self, kind: str, **params: object) -> Job:
        """A job at its end."""
        job_id = self.runner.submit(kind, "job", {"index": "leaflets", **params})
        job = self.runner.job(job_id)
        while job is not None and job.active:
            if not self.told or self.told[-1] != job.progress:
                self.told.append(job.progress)
            job = self.runner.wait(job_id, 0.002)
        assert job is not None
        return job
