"""What one needs in trouble: errors of the log by their correlation id, and backups as files."""

from __future__ import annotations

from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from core.api.guard import Forbidden, Served, in_thread, number_of_query, user_of
from core.domain.conversations import LOCAL_USER
from core.maintenance.backup.writing import kept_backup
from core.recent_errors import MOST, errors_with, latest_errors
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


TABLE = (
    Served("GET", "/api/system/errors", in_thread(errors)),
    Served("GET", "/api/system/backups/{name}", in_thread(backup)),
)
