"""Background jobs in SQLite; implements `core.documents.store.jobs.JobStore`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from core.domain.documents import IngestResult
from core.domain.jobs import Job, JobState
from core.stores.sqlite.database import Database


class SqliteJobs:
    """The queue and its history."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, job: Job) -> None:
        row = (
            job.id,
            job.kind,
            job.name,
            json.dumps(dict(job.params)),
            job.state,
            json.dumps([asdict(item) for item in job.items]),
            job.message,
            job.code,
            job.attempts,
            job.submitted,
            job.seconds,
        )
        with self._database.write() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO jobs (id, kind, name, params, state, items, message, code, "
                "attempts, submitted, seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )

    def jobs(self) -> list[Job]:
        rows = self._database.connection.execute("SELECT * FROM jobs ORDER BY submitted, id")
        return [
            Job(
                id=row["id"],
                kind=row["kind"],
                name=row["name"],
                params=json.loads(row["params"]),
                state=JobState(row["state"]),
                items=tuple(IngestResult(**item) for item in json.loads(row["items"])),
                message=row["message"],
                code=row["code"],
                attempts=row["attempts"],
                submitted=row["submitted"],
                seconds=row["seconds"],
            )
            for row in rows
        ]

    def forget(self, job_ids: Sequence[str]) -> None:
        with self._database.write() as connection:
            connection.execute(
                "DELETE FROM jobs WHERE id IN (SELECT value FROM json_each(?))",
                (json.dumps(list(job_ids)),),
            )
