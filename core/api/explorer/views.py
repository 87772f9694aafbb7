"""Saved views of the graph: listed, read, kept, removed."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from core.api.guard import Body, Served, declared_json, in_thread, text_of, with_json_about, wrong
from core.graph.views.public import opened_to_public, saved_to_public
from core.graph.views.service import checked_view
from core.workspace import Workspace

_ONE = "/api/graph/views/{view_id}"


def views(workspace: Workspace, _request: Request) -> Response:
    """GET: the user's saved views, by name."""
    return JSONResponse({"views": [saved_to_public(one) for one in workspace.views.list()]})


def view(workspace: Workspace, request: Request) -> Response:
    """GET: a saved view over the graph as it is now."""
    saved = workspace.views.get(_id(request))
    return JSONResponse(opened_to_public(saved, workspace.views.opened(saved.view)))


def keep(workspace: Workspace, request: Request, body: Body) -> Response:
    """PUT `name` and `view`: kept under the id, in place of what is there; without `view` it is renamed."""
    name = text_of(body, "name")
    shown = body.get("view")
    if shown is None:
        return JSONResponse(saved_to_public(workspace.views.rename(_id(request), name)))
    if not isinstance(shown, dict):
        raise wrong("“view” must be an object.")
    saved = workspace.views.save(name, checked_view(json.dumps(shown)), _id(request))
    return JSONResponse(saved_to_public(saved))


def remove(workspace: Workspace, request: Request) -> Response:
    """DELETE: a saved view; the graph stays."""
    workspace.views.delete(_id(request))
    return JSONResponse({"success": True})


def _id(request: Request) -> str:
    return str(request.path_params["view_id"])


TABLE: tuple[Served, ...] = (
    Served("GET", "/api/graph/views", in_thread(views)),
    Served("GET", _ONE, in_thread(view)),
    Served("PUT", _ONE, declared_json(with_json_about(keep))),
    Served("DELETE", _ONE, in_thread(remove)),
)
