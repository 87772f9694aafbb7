"""What surrounds every handler: origin, correlation id, errors as bodies, JSON that comes in."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from math import ceil
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Message

from core.api.users import NO_LOGIN, Login
from core.errors import (
    DocumentError,
    InputError,
    MateriaError,
    ModelError,
    NotFound,
    RateLimited,
    TooLarge,
)
from core.logs import correlation, current_correlation_id, get_logger
from core.user_workspace import workspace_of
from core.workspace import Workspace

_log = get_logger("api")
_RETRY_AFTER = 60  # seconds, where a provider names none; what its per-minute limit asks for
_LONGEST_WAIT = 30 * 86_400  # seconds; beyond it a provider does not mean what it says
_USER = "materia.user"  # in a request's scope, once it is known
_LONGEST_BODY = 64_000  # bytes of a JSON request
_MISSING = {
    "DOCUMENT_NOT_FOUND": "Document not found",
    "INDEX_NOT_FOUND": "Index not found",
    "FILE_NOT_FOUND": "File not found",
    "FOLDER_NOT_FOUND": "Folder not found",
    "JOB_NOT_FOUND": "Job not found",
    "MEDICINE_NOT_FOUND": "Medicine not found",
    "CONVERSATION_NOT_FOUND": "Conversation not found",
    "ANSWER_NOT_FOUND": "Answer not found",
    "VIEW_NOT_FOUND": "View not found",
}
_FOREIGN_SITES = (
    "cross-site",
    "same-site",
)  # the latter is another port, or a name beside this one
_FILES = dict.fromkeys(
    ("NOT_A_CONVERSATION", "NEWER_EXPORT", "EXPORT_CHANGED", "INVALID_EXPORT"),
    "Invalid conversation file",
)
_NUMBER = re.compile(r"[0-9]{1,9}")
Handler = Callable[[Request], Awaitable[Response]]
Told = Callable[[MateriaError], JSONResponse]
Body = dict[str, Any]


class ProcessingFailed(MateriaError):
    """A good file did not get in, and Materia is at fault."""


class Forbidden(MateriaError):
    """Whoever asks may not have this."""

    status = 403
    default_code = "FORBIDDEN"


class ForeignOrigin(Forbidden):
    """Another web page in the analyst's browser asks."""

    default_code = "FOREIGN_ORIGIN"


class NoJson(InputError):
    """A body that does not say it is JSON: what a form of another web page could send."""

    status = 415
    default_code = "JSON_REQUIRED"


def guarded(handler: Handler, tell: Told | None = None, login: Login = NO_LOGIN) -> Handler:
    """Give a request a correlation id and its user, refuse foreign origins, turn errors into bodies.

    Args:
        tell: makes an error's status and body; None: `error_response`.
    """
    told = tell or error_response

    async def guarded(request: Request) -> Response:
        with correlation():
            try:
                _check_origin(request)
                request.scope[_USER] = login.user_of(request)
                response = await handler(request)
            except MateriaError as error:
                _log.info("refused", code=error.code, status=error.status, path=request.url.path)
                response = told(error)
            except Exception:
                _log.exception("api_crashed", path=request.url.path)
                response = told(
                    MateriaError("Something went wrong inside Materia.", advice="See the log.")
                )
            response.headers["X-Correlation-Id"] = current_correlation_id()
            return response

    return guarded


def _check_origin(request: Request) -> None:
    """Let in what names this server as its origin, or none.

    A browser says beside the origin where a request comes from, also where it leaves the origin out; only
    looking is free to a link on another page.

    Raises:
        ForeignOrigin: it names another, or what is no address.
    """
    origin = request.headers.get("origin")
    try:
        own = not origin or urlsplit(origin).netloc == request.headers.get("host")
    except ValueError:
        own = False
    changes = request.method not in ("GET", "HEAD", "OPTIONS")
    if not own or (changes and request.headers.get("sec-fetch-site") in _FOREIGN_SITES):
        raise ForeignOrigin(
            "This request comes from another web page.", advice="Open Materia's own address."
        )


def error_response(error: MateriaError) -> JSONResponse:
    """Status and body of an error: the seeds' fields (error, details, fallback, retryAfter) and ours."""
    titles: list[tuple[type[MateriaError], str]] = [
        (RateLimited, "Rate limit exceeded"),
        (ModelError, "AI service unavailable"),
        (TooLarge, "Too large"),
        (DocumentError, _FILES.get(error.code, "Invalid PDF file")),
        (InputError, "Invalid request"),
        (NotFound, _MISSING.get(error.code, "Not found")),
        (ProcessingFailed, "Document processing failed"),
        (ForeignOrigin, "Foreign origin"),
        (Forbidden, "Forbidden"),
    ]
    title = next((title for kind, title in titles if isinstance(error, kind)), None)
    body: dict[str, Any] = {
        "error": title or error.message,
        "details": str(error),
        "code": error.code,
        "retryable": error.retryable,
        "correlationId": current_correlation_id(),
    }
    headers = {}
    if isinstance(error, RateLimited):
        body["retryAfter"] = seconds_to_wait(error)
        headers["Retry-After"] = str(body["retryAfter"])
    elif isinstance(error, ModelError):
        body["fallback"] = error.fallback or "Search still works; try again later."
    return JSONResponse(body, status_code=error.status, headers=headers)


def seconds_to_wait(error: RateLimited) -> int:
    """Whole seconds after which to ask again: as the provider says, else a minute."""
    asked = error.retry_after
    if asked is None or asked > _LONGEST_WAIT:
        return _RETRY_AFTER
    return max(1, ceil(asked))


class Served(NamedTuple):
    """A route: its errors are told by `tell`, as `error_response` does where it is None."""

    method: str
    path: str
    handler: Handler
    tell: Told | None = None


def declared_json(handler: Handler) -> Handler:
    """A handler that is asked with a body that says it is JSON.

    What a form, a picture or a script of another page can send without asking first does not say so.
    """

    async def declared(request: Request) -> Response:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().casefold()
        if kind != "application/json":
            raise NoJson(
                "The request does not say that it is JSON.",
                advice="Send the header “Content-Type: application/json”.",
            )
        return await handler(request)

    return declared


def in_thread(work: Callable[[Workspace, Request], Response]) -> Handler:
    """A handler that blocks: it works in a thread, so that other requests go on."""

    async def handler(request: Request) -> Response:
        return await run_in_threadpool(lambda: work(_workspace(request), request))

    return handler


def with_file(most: int, work: Callable[[Workspace, bytes], Response]) -> Handler:
    """A handler that blocks and is sent one file of `most` bytes as its body."""

    async def handler(request: Request) -> Response:
        data = await capped(request, most).body()
        return await run_in_threadpool(lambda: work(_workspace(request), data))

    return handler


def with_json(work: Callable[[Workspace, Body], Response]) -> Handler:
    """A handler that blocks and is asked with a JSON object."""

    async def handler(request: Request) -> Response:
        body = await _json_object(request)
        return await run_in_threadpool(lambda: work(_workspace(request), body))

    return handler


def with_json_about(work: Callable[[Workspace, Request, Body], Response]) -> Handler:
    """As `with_json`, about something that the path names."""

    async def handler(request: Request) -> Response:
        body = await _json_object(request)
        return await run_in_threadpool(lambda: work(_workspace(request), request, body))

    return handler


def user_of(request: Request) -> str:
    """The key of the user who asks."""
    return str(request.scope[_USER])


def _workspace(request: Request) -> Workspace:
    """The workspace as the request's user sees it."""
    return workspace_of(user_of(request))


async def _json_object(request: Request) -> Body:
    """The JSON object that a request holds.

    Raises:
        TooLarge: it is over the limit; nothing beyond that was read.
        InputError: it holds none (``INVALID_REQUEST``), or half a character (``INVALID_TEXT``).
    """
    raw = await capped(request, _LONGEST_BODY).body()
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise wrong("The request needs a JSON object.")
    try:
        # "\\ud800" alone is good JSON and no text: no store takes it, and no answer could repeat it.
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InputError(
            "The request holds a broken character.",
            advice="Write characters beyond U+FFFF as a pair of escapes, or in UTF-8.",
            code="INVALID_TEXT",
        ) from None
    return body


def capped(request: Request, most: int) -> Request:
    """The request, whose body may have `most` bytes; reading more fails with `TooLarge`.

    Raises:
        TooLarge: the request says itself that it is longer; nothing of it is read.
    """
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > most:
        raise _too_long(most)
    left = most

    async def receive() -> Message:
        nonlocal left
        message = await request.receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise _too_long(most)
        return message

    return Request(request.scope, receive)


def _too_long(most: int) -> TooLarge:
    return TooLarge(
        f"The request is over the limit of {most:,} bytes.", advice="Send less at once."
    )


def text_of(body: Body, field: str, default: str | None = None) -> str:
    """A text field.

    Raises:
        InputError: it is no text, or missing without a default (``INVALID_REQUEST``).
    """
    value = body.get(field, default)
    if not isinstance(value, str):
        raise wrong(f"The request needs a JSON object with a text “{field}”.")
    return value


def optional_text(body: Body, field: str) -> str | None:
    """A text field that may be missing or null.

    Raises:
        InputError: it is something else (``INVALID_REQUEST``).
    """
    return None if body.get(field) is None else text_of(body, field)


def texts_of(body: Body, field: str) -> tuple[str, ...]:
    """A field with a list of texts; empty when it is missing.

    Raises:
        InputError: it is something else (``INVALID_REQUEST``).
    """
    value = body.get(field, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise wrong(f"“{field}” must be a list of texts.")
    return tuple(value)


def flag_of_query(request: Request, name: str) -> bool | None:
    """``?name=true`` or ``false``; None when it is missing.

    Raises:
        InputError: it is something else (``INVALID_REQUEST``).
    """
    given = request.query_params.getlist(name)
    if not given:
        return None
    if given not in (["true"], ["false"]):
        raise wrong(f"“{name}” must be true or false.")
    return given == ["true"]


def number_of_query(request: Request, name: str, least: int, most: int, default: int) -> int:
    """``?name=`` with a whole number between `least` and `most`.

    Raises:
        InputError: it is something else (``INVALID_REQUEST``).
    """
    given = request.query_params.getlist(name)
    if not given:
        return default
    number = int(given[0]) if _NUMBER.fullmatch(given[0]) and len(given) == 1 else most + 1
    if not least <= number <= most:
        raise wrong(f"“{name}” must be a whole number between {least} and {most:,}.")
    return number


def flag_of(body: Body, field: str, default: bool = False) -> bool:
    """A field that is true or false.

    Raises:
        InputError: it is something else (``INVALID_REQUEST``).
    """
    value = body.get(field, default)
    if not isinstance(value, bool):
        raise wrong(f"“{field}” must be true or false.")
    return value


def whole_number(value: object) -> int | None:
    """A whole number of JSON, in which 5.0 is one and true is none; None for anything else."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def wrong(message: str) -> InputError:
    return InputError(message, code="INVALID_REQUEST")
