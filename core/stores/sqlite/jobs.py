"""Background jobs in SQLite; implements `core.documents.store.jobs.JobStore`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, fields

from core.domain.documents import IngestResult
from core.domain.jobs import Job, JobState
from core.stores.sqlite.database import Database, insert

_COLUMNS = tuple(field.name for field in fields(Job) if field.name != "progress")


class SqliteJobs:
    """The queue and its history."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, job: Job) -> None:
        row = {
            **{name: getattr(job, name) for name in _COLUMNS},
            "params": json.dumps(dict(job.params)),
            "items": json.dumps([asdict(item) for item in job.items]),
        }
        with self._database.write() as connection:
            insert(connection, "jobs", [row], "INSERT OR REPLACE")

    def jobs(self) -> list[Job]:
        rows = self._database.connection.execute("SELECT * FROM jobs ORDER BY submitted, id")
        return [
            Job(
                **{
                    **dict(row),
                    "params": json.loads(row["params"]),
                    "state": JobState(row["state"]),
                    "items": tuple(IngestResult(**item) for item in json.loads(row["items"])),
                }
            )
            for row in rows
        ]

    def forget(self, job_ids: Sequence[str]) -> None:
        with self._database.write() as connection:
            connection.execute(
                "DELETE FROM jobs WHERE id IN (SELECT value FROM json_each(?))",
                (json.dumps(list(job_ids)),),
            )
