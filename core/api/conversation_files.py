"""Conversations as files: out in every format, in again from JSON."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from core.api.conversations import choice
from core.conversations.exporting.exports import ExportFormat
from core.conversations.public import session_to_public
from core.workspace import Workspace


def export(workspace: Workspace, request: Request) -> Response:
    """GET ``?format=md|pdf|docx|json``: a conversation as a file, or one answer of it."""
    asked = request.path_params
    form = choice(request.query_params.get("format", ExportFormat.JSON), ExportFormat, "format")
    conversation = workspace.conversations.get(str(asked["conversation_id"]))
    turn_id = str(asked.get("turn_id", ""))
    if turn_id:
        workspace.conversations.turn(conversation.id, turn_id)
    made = workspace.exports.written(conversation.id, form, turn_id)
    # The name has letters, digits, hyphens and one point, whatever the title is.
    headers = {
        "Content-Disposition": f'attachment; filename="{made.name}"',
        "X-Content-Type-Options": "nosniff",
    }
    return Response(made.content, media_type=made.media_type, headers=headers)


def read_in(workspace: Workspace, data: bytes) -> Response:
    """POST a JSON file that was exported, as the body: the conversation, and whether it is new."""
    done = workspace.exports.read_in(data)
    body = {"conversation": session_to_public(done.session), "new": done.new}
    return JSONResponse(body, 201 if done.new else 200)
