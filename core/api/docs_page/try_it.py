"""The page on which the API is read and tried, from its own document; nothing of it comes from elsewhere."""

from __future__ import annotations

from functools import cache

from starlette.requests import Request
from starlette.responses import Response

from core.api.guard import Handler, Served
from core.resources import read_text

_NAME = "try_it"
# Scripts, styles and requests of this server alone; no frame around it, no form that goes elsewhere.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


@cache
def _read(name: str) -> str:
    return read_text(__file__, name)


def _file(name: str, kind: str) -> Handler:
    async def handler(_request: Request) -> Response:
        return Response(_read(name), media_type=kind, headers=_HEADERS)

    return handler


TABLE = (
    Served("GET", "/api/docs", _file(f"{_NAME}.html", "text/html")),
    Served("GET", f"/api/docs/{_NAME}.js", _file(f"{_NAME}.js", "text/javascript")),
    Served("GET", f"/api/docs/{_NAME}.css", _file(f"{_NAME}.css", "text/css")),
)
