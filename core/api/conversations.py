"""Conversations: listed, read, renamed, marked, deleted, their answers rated."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from core.answers.provenance.earlier import earlier_to_public
from core.api.guard import Body, flag_of_query, number_of_query, text_of, texts_of, wrong
from core.conversations.public import (
    feedback_to_public,
    quoting_to_public,
    session_to_public,
    summary_to_public,
    turn_to_public,
)
from core.conversations.service import LISTED
from core.conversations.usage import usage_to_public
from core.domain.conversations import Fault, Rating, SessionFilter
from core.errors import NotFound
from core.workspace import Workspace

MOST_LISTED = 1_000
_Choice = TypeVar("_Choice", bound=StrEnum)


def conversations(workspace: Workspace, request: Request) -> Response:
    """GET ``?search=&entity=&document=&refused=&may_not_answer=&rating=&tag=&limit=``: pinned ones first, then
    the newest."""
    limit = number_of_query(request, "limit", 1, MOST_LISTED, LISTED)
    search, only = _filter(request)
    found, more = workspace.conversations.listed(search, only, limit)
    return JSONResponse({"conversations": [session_to_public(one) for one in found], "more": more})


def usage(workspace: Workspace, request: Request) -> Response:
    """GET ``?search=&entity=&document=&refused=&may_not_answer=&rating=&tag=``: how such answers were used, by
    day and together."""
    search, only = _filter(request)
    return JSONResponse(usage_to_public(workspace.conversations.usage(search, only)))


def _filter(request: Request) -> tuple[str, SessionFilter]:
    asked = request.query_params
    rating = asked.get("rating")
    return asked.get("search", ""), SessionFilter(
        entity=asked.get("entity", ""),
        document=asked.get("document", ""),
        refused=flag_of_query(request, "refused"),
        may_not_answer=flag_of_query(request, "may_not_answer"),
        rating=None if rating is None else choice(rating, Rating, "rating"),
        tag=asked.get("tag", ""),
    )


def similar(workspace: Workspace, request: Request) -> Response:
    """GET ``?q=``: the five earlier questions that are closest in meaning, with what changed since."""
    question = workspace.chat.checked(request.query_params.get("q", ""))
    found = workspace.earlier.like(question)
    return JSONResponse({"similar": [earlier_to_public(one) for one in found]})


def conversation(workspace: Workspace, request: Request) -> Response:
    """GET: one conversation with all its turns, in order."""
    session = workspace.conversations.get(_id(request))
    turns = workspace.conversations.history(session.id)
    return JSONResponse(
        {
            "conversation": session_to_public(session),
            "summary": summary_to_public(workspace.conversations.summary(session.id)),
            "turns": [turn_to_public(turn) for turn in turns],
        }
    )


def change(workspace: Workspace, request: Request, body: Body) -> Response:
    """PATCH any of `title`, `pinned` and `tags`; the conversation as it is then."""
    known = workspace.conversations
    session = known.get(_id(request))
    title = text_of(body, "title").strip() if "title" in body else None
    pinned, tags = body.get("pinned"), texts_of(body, "tags") if "tags" in body else None
    if title == "":
        raise wrong("The title is empty.")
    if "pinned" in body and not isinstance(pinned, bool):
        raise wrong("“pinned” must be true or false.")
    if title is None and tags is None and "pinned" not in body:
        raise wrong("The request needs a title, pinned or tags.")
    if tags is not None:
        known.tag(session.id, tags)
    if isinstance(pinned, bool):
        known.pin(session.id, pinned)
    if title:
        known.rename(session.id, title)
    return JSONResponse(session_to_public(known.get(session.id)))


def delete(workspace: Workspace, request: Request) -> Response:
    """DELETE: a conversation with its questions, answers and ratings; how many there were."""
    session = workspace.conversations.get(_id(request))
    workspace.runs.forget(session.id)
    questions = workspace.conversations.delete(session.id)
    ratings = session.rated_up + session.rated_down
    return JSONResponse({"success": True, "questions": questions, "ratings": ratings})


def rate(workspace: Workspace, request: Request, body: Body) -> Response:
    """POST `rating`, and of one down, `fault` and `comment`: in place of an earlier rating."""
    turn = workspace.conversations.turn(_id(request), str(request.path_params["turn_id"]))
    fault = None if body.get("fault") is None else text_of(body, "fault")
    feedback = workspace.conversations.rate(
        turn.id,
        choice(text_of(body, "rating"), Rating, "rating"),
        None if fault is None else choice(fault, Fault, "fault"),
        text_of(body, "comment", ""),
    )
    return JSONResponse(feedback_to_public(feedback))


def take_rating_back(workspace: Workspace, request: Request) -> Response:
    """DELETE: the answer has no rating then."""
    turn = workspace.conversations.turn(_id(request), str(request.path_params["turn_id"]))
    workspace.conversations.take_rating_back(turn.id)
    return JSONResponse({"success": True})


def quoting(workspace: Workspace, request: Request) -> Response:
    """GET: the kept answers that quote a document, also one that was deleted."""
    document_id = str(request.path_params["document_id"])
    found = workspace.conversations.quoting([document_id])
    if not found and workspace.catalogue.document(document_id) is None:
        raise NotFound(
            "This document is not in the library.",
            advice="List the documents for their ids.",
            code="DOCUMENT_NOT_FOUND",
        )
    return JSONResponse({"answers": [quoting_to_public(one) for one in found]})


def _id(request: Request) -> str:
    return str(request.path_params["conversation_id"])


def choice(value: str, kind: type[_Choice], field: str) -> _Choice:
    """The value of an enumeration that a field names.

    Raises:
        InputError: it names none (``INVALID_REQUEST``).
    """
    try:
        return kind(value)
    except ValueError:
        raise wrong(f"“{field}” must be one of {', '.join(kind)}.") from None
