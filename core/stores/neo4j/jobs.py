"""Background jobs in Neo4j; implements `core.documents.store.jobs.SharedJobStore`.

(:Job {id, submitted, active, cancel, body}), `body` is JSON; (:JobsLease {name, owner, until}), the one process
that works on jobs, by the server's clock.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core.domain.documents import IngestResult
from core.domain.jobs import Job, JobProgress, JobState
from core.errors import Conflict
from core.stores.neo4j.connection import Neo4j
from core.stores.neo4j.schema import Schema, unique

_SCHEMA = (unique("job_id", "Job", "id"), unique("jobs_lease_name", "JobsLease", "name"))
# Setting a property first takes the node's lock: two that claim at once come one after the other.
_CLAIM = """
MERGE (l:JobsLease {name: 'jobs'}) SET l.asked = $owner
WITH l WHERE l.owner IS NULL OR l.owner = $owner OR l.until < datetime.realtime()
SET l.owner = $owner, l.until = datetime.realtime() + duration({milliseconds: $milliseconds})
RETURN count(l) AS claimed
"""
_RELEASE = "MATCH (l:JobsLease {name: 'jobs', owner: $owner}) REMOVE l.owner"
# A job in work is its worker's alone: who has lost the lease must not write over what another does.
_SAVE = """
MERGE (j:Job {id: $id}) SET j.submitted = $submitted
WITH j OPTIONAL MATCH (l:JobsLease {name: 'jobs', owner: $owner})
WITH j, l WHERE j.body IS NULL OR NOT j.active OR l IS NOT NULL
SET j.body = $body, j.active = $active
RETURN count(j) AS saved
"""
_JOBS = "MATCH (j:Job) RETURN j.body AS body ORDER BY j.submitted, j.id"
_FORGET = "MATCH (j:Job) WHERE j.id IN $ids DETACH DELETE j"
_CANCEL = "MATCH (j:Job {id: $id}) WHERE j.active SET j.cancel = true"
_CANCELLED = "MATCH (j:Job) WHERE j.cancel AND j.active RETURN j.id AS id"


class Neo4jJobs:
    """The queue of all processes, its history, and who works on it.

    Args:
        owner: this process, by a name that no other has.
    """

    def __init__(self, neo4j: Neo4j, owner: str) -> None:
        self._schema = Schema(neo4j, _SCHEMA)
        self._owner = owner

    def claim(self, seconds: float) -> bool:
        row = {"owner": self._owner, "milliseconds": int(seconds * 1000)}
        return bool(self._schema.ensure().write(_CLAIM, row)[0]["claimed"])

    def release(self) -> None:
        self._schema.ensure().write(_RELEASE, {"owner": self._owner})

    def save(self, job: Job) -> None:
        row = {
            "id": job.id,
            "submitted": job.submitted,
            "active": job.active,
            "body": json.dumps(asdict(job)),
            "owner": self._owner,
        }
        if not self._schema.ensure().write(_SAVE, row)[0]["saved"]:
            raise Conflict("Another process works on this job.", code="LEASE_LOST")

    def jobs(self) -> list[Job]:
        return [_job(json.loads(row["body"])) for row in self._schema.ensure().read(_JOBS)]

    def forget(self, job_ids: Sequence[str]) -> None:
        self._schema.ensure().write(_FORGET, {"ids": list(job_ids)})

    def ask_cancel(self, job_id: str) -> None:
        self._schema.ensure().write(_CANCEL, {"id": job_id})

    def to_cancel(self) -> set[str]:
        return {row["id"] for row in self._schema.ensure().read(_CANCELLED)}


def _job(body: Mapping[str, Any]) -> Job:
    return Job(
        **{
            **body,
            "state": JobState(body["state"]),
            "progress": JobProgress(**body["progress"]),
            "items": tuple(IngestResult(**item) for item in body["items"]),
        }
    )
