"""Requests under ``/api`` that no route serves: without this, the dashboard's page would be the answer."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import Receive, Scope, Send

from core.api.guard import error_response, guarded
from core.errors import MateriaError, NotFound


class WrongMethod(MateriaError):
    """The path is served, not with this method."""

    status = 405
    default_code = "METHOD_NOT_ALLOWED"


class Unserved:
    """An ASGI endpoint that answers every method: 405 where `routes` know the path, else 404."""

    def __init__(self, routes: Sequence[Route]) -> None:
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await guarded(self._refusal)(Request(scope, receive))
        await response(scope, receive, send)

    async def _refusal(self, request: Request) -> Response:
        allowed = sorted(
            method
            for route in self._routes
            if route.matches(request.scope)[0] is not Match.NONE
            for method in route.methods or ()
        )
        if not allowed:
            raise NotFound(
                "The API has no such path.",
                advice="GET /api/openapi.json lists all of them.",
                code="PATH_NOT_FOUND",
            )
        response = error_response(
            WrongMethod("This path does not take this method.", advice=f"Use {', '.join(allowed)}.")
        )
        response.headers["Allow"] = ", ".join(allowed)
        return response
