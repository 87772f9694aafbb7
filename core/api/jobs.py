"""Work in the background: list, look, cancel."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from core.documents.public import result_to_public
from core.domain.jobs import Job
from core.errors import NotFound
from core.workspace import Workspace


def jobs(workspace: Workspace, _request: Request) -> Response:
    """GET: all known jobs, newest first."""
    return JSONResponse({"jobs": [_public(job) for job in workspace.jobs.jobs()]})


def job(workspace: Workspace, request: Request) -> Response:
    """GET: one job with what became of each file so far."""
    return JSONResponse(_public(_job(workspace, request)))


def cancel(workspace: Workspace, request: Request) -> Response:
    """DELETE: stop a job at its next step; what it has added already stays."""
    found = _job(workspace, request)
    workspace.jobs.cancel(found.id)
    return JSONResponse(_public(_job(workspace, request)), status_code=202)


def _job(workspace: Workspace, request: Request) -> Job:
    found = workspace.jobs.job(str(request.path_params["job_id"]))
    if found is None:
        raise NotFound("There is no such job.", advice="List the jobs.", code="JOB_NOT_FOUND")
    return found


def _public(job: Job) -> dict[str, Any]:
    """A job without its parameters, which hold places on this machine's disk."""
    return {
        "id": job.id,
        "kind": job.kind,
        "name": job.name,
        "state": job.state,
        "code": job.code,
        "message": job.message,
        "progress": asdict(job.progress),
        "submitted": job.submitted,
        "seconds": round(job.seconds, 3),
        "seconds_left": job.seconds_left,
        "files": [result_to_public(item) for item in job.items],
    }
