"""The server itself: work in the background, errors of the log by their correlation id, backups as files."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from core.api.guard import Forbidden, Served, in_thread, number_of_query, user_of
from core.documents.public import result_to_public
from core.domain.conversations import LOCAL_USER
from core.domain.jobs import Job
from core.errors import NotFound
from core.maintenance.backup.writing import kept_backup
from core.maintenance.state.recent_errors import MOST, errors_with, latest_errors
from core.workspace import Workspace


def errors(workspace: Workspace, request: Request) -> Response:
    """GET: what the log has under `id`; without it the latest errors, which are everybody's and so only told
    where there is one user."""
    folder = workspace.settings.root / "logs"
    wanted = request.query_params.get("id")
    limit = number_of_query(request, "limit", 1, MOST, MOST)
    if wanted is None:
        _require_alone(request)
        found = latest_errors(folder, limit)
    else:
        found = errors_with(folder, wanted, limit)
    return JSONResponse({"errors": [asdict(one) for one in found]})


def backup(workspace: Workspace, request: Request) -> Response:
    """GET: a backup of the data folder, as a file; it holds everybody's conversations."""
    _require_alone(request)
    found = kept_backup(workspace.settings, str(request.path_params["name"]))
    return FileResponse(found.path, media_type="application/zip", filename=found.name)


def _require_alone(request: Request) -> None:
    if user_of(request) != LOCAL_USER:
        raise Forbidden(
            "Several people share this Materia, and this is about all of them.",
            advice="Ask whoever runs it: it is on the command line of that machine.",
        )


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


TABLE = (
    Served("GET", "/api/jobs", in_thread(jobs)),
    Served("GET", "/api/jobs/{job_id}", in_thread(job)),
    Served("DELETE", "/api/jobs/{job_id}", in_thread(cancel)),
    Served("GET", "/api/system/errors", in_thread(errors)),
    Served("GET", "/api/system/backups/{name}", in_thread(backup)),
)
