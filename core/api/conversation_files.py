"""Conversations as files: out in every format, in again from JSON."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from core.api.conversations import choice
from core.api.guard import flag_of_query
from core.conversations.exporting.exports import ExportFormat, file_name
from core.conversations.exporting.ledger import (
    Basis,
    LedgerFormat,
    ledger_csv,
    ledger_of,
    ledger_to_public,
)
from core.conversations.public import session_to_public
from core.text.tables.csv_file import CSV_TYPE
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
    return saved(made.content, made.name, made.media_type)


def ledger(workspace: Workspace, request: Request) -> Response:
    """GET ``?basis=&search=&changed=&format=json|csv``: every claim of a conversation, and what it rests on."""
    asked = request.query_params
    form = choice(asked.get("format", LedgerFormat.JSON), LedgerFormat, "format")
    bases = [choice(one, Basis, "basis") for one in asked.getlist("basis")]
    changed = flag_of_query(request, "changed") or False
    conversation = workspace.conversations.get(str(request.path_params["conversation_id"]))
    whole = ledger_of(workspace.exports.record(conversation.id))
    found = whole.only(bases, asked.get("search", ""), changed=changed)
    if form is LedgerFormat.CSV:
        return saved(ledger_csv(found), file_name(f"ledger {conversation.title}", "csv"), CSV_TYPE)
    return JSONResponse(ledger_to_public(found))


def saved(content: bytes, name: str, media_type: str) -> Response:
    """A file to be saved.

    Args:
        name: letters, digits, hyphens and one point, whatever a title is.
    """
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "X-Content-Type-Options": "nosniff",
    }
    return Response(content, media_type=media_type, headers=headers)


def read_in(workspace: Workspace, data: bytes) -> Response:
    """POST a JSON file that was exported, as the body: the conversation, and whether it is new."""
    done = workspace.exports.read_in(data)
    body = {"conversation": session_to_public(done.session), "new": done.new}
    return JSONResponse(body, 201 if done.new else 200)
