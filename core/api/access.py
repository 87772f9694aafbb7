"""Who may speak to the server at all: asked before a request's body is read, and before Streamlit.

Three questions, in this order, for every request and for the page's WebSocket:

1. **By which name?** Loopback's, or one of `Settings.allowed_hosts`. A name that somebody else's DNS
   points to this machine (DNS rebinding) is none of them, whatever its origin says.
2. **Over which network?** A server that listens beyond loopback without an access token serves nobody.
3. **With the token?** Where one is set: in the header ``Authorization: Bearer``, or in the cookie that
   the sign-in form gives the browser.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Iterable
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from typing import Literal
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from core.hosts import host_of, is_loopback
from core.logs import get_logger

BY_HEADER = "materia.by_header"  # in a request's scope: the header has the access token
_COOKIE = "materia_access"
_SIGN_IN = "/api/sign-in"
_ALIVE = "/_stcore/health"  # says "ok" and nothing else; what watches a container asks it
_LONGEST_FORM = 4_096  # bytes of the sign-in form
_PAUSE = 0.5  # seconds that a wrong token costs
_FORM = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Materia: sign in</title>
<style>body{font:16px system-ui,sans-serif;max-width:22rem;margin:20vh auto;padding:0 1rem;color:#1c2b2a}
input,button{font:inherit;padding:.5rem;width:100%;box-sizing:border-box;margin-top:.5rem}
button{background:#0f766e;color:#fff;border:0;border-radius:8px}</style>
<h1>Materia</h1><form method="post" action="/api/sign-in">
<label>Access token<input type="password" name="token" autocomplete="current-password" autofocus required>
</label><button>Sign in</button></form>
<p>It is the value of MATERIA_ACCESS_TOKEN on the machine that runs Materia.</p></html>"""
_log = get_logger("access")


class Access:
    """ASGI middleware that lets in who may come in.

    Args:
        allowed_hosts: host names beside loopback's, without ports.
        token: what requests must bring; empty: nothing, and then only loopback is served.
        same_site: of the sign-in's cookie; "lax" where browsers come back from a login elsewhere.
    """

    def __init__(
        self,
        app: ASGIApp,
        allowed_hosts: Iterable[str] = (),
        token: str = "",
        same_site: Literal["strict", "lax"] = "strict",
    ) -> None:
        self._app = app
        self._same_site = same_site
        self._allowed = {name.casefold() for name in allowed_hosts}
        self._token = token.encode()
        self._cookie = hmac.digest(self._token, b"materia browser", hashlib.sha256).hex()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None and scope["type"] == "http" and scope["path"] == _SIGN_IN:
            refusal = await self._signed_in(scope, receive)
        elif refusal is None and self._token and not self._has_token(scope):
            refusal = _asked_for_token(scope)
        if refusal is None:
            await self._app(scope, receive, send)
            return
        if refusal.status_code >= HTTPStatus.BAD_REQUEST:
            _log.warning("request_refused", status=refusal.status_code, type=scope["type"])
        await refusal(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        names = Headers(scope=scope).getlist("host")
        host = host_of(f"//{names[0]}") if len(names) == 1 else ""
        if not is_loopback(host) and host not in self._allowed:
            return _problem(
                HTTPStatus.BAD_REQUEST,
                "HOST_NOT_ALLOWED",
                "This server does not answer under this name.",
                "Open it by an address like http://127.0.0.1:8501, or add the name to "
                "MATERIA_ALLOWED_HOSTS on the machine that runs Materia.",
            )
        reached = scope.get("server") or ("", None)
        if not self._token and not is_loopback(str(reached[0])):
            return _problem(
                HTTPStatus.FORBIDDEN,
                "ACCESS_TOKEN_MISSING",
                "Materia listens on a network without an access token.",
                "Set MATERIA_ACCESS_TOKEN on the machine that runs Materia, and start it again.",
            )
        return None

    def _has_token(self, scope: Scope) -> bool:
        if scope["path"] == _ALIVE:
            return True
        headers = Headers(scope=scope)
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.casefold() == "bearer" and self._is_token(given.strip()):
            scope[BY_HEADER] = True
            return True
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(_COOKIE)
        except CookieError:
            return False
        return cookie is not None and hmac.compare_digest(
            cookie.value.encode(), self._cookie.encode()
        )

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token)

    async def _signed_in(self, scope: Scope, receive: Receive) -> Response:
        """The answer to the sign-in form: a cookie for this browser, or the form again."""
        origin = Headers(scope=scope).get("origin")
        if scope["method"] != "POST" or (origin and host_of(origin) != _own_host(scope)):
            return HTMLResponse(_FORM, HTTPStatus.UNAUTHORIZED)
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > _LONGEST_FORM or not message.get("more_body"):
                break
        given = parse_qs(body[:_LONGEST_FORM].decode("utf-8", "replace")).get("token", [""])[0]
        if not self._token or not self._is_token(given):
            await asyncio.sleep(_PAUSE)
            return HTMLResponse(_FORM, HTTPStatus.UNAUTHORIZED)
        response = RedirectResponse("/", HTTPStatus.SEE_OTHER)
        response.set_cookie(_COOKIE, self._cookie, httponly=True, samesite=self._same_site)
        return response


def _asked_for_token(scope: Scope) -> Response:
    """The sign-in form for a browser that wants a page, words for everybody else."""
    wants = Headers(scope=scope).get("accept", "")
    if scope["type"] == "http" and scope["method"] == "GET" and "text/html" in wants:
        return HTMLResponse(_FORM, HTTPStatus.UNAUTHORIZED)
    return _problem(
        HTTPStatus.UNAUTHORIZED,
        "ACCESS_TOKEN_REQUIRED",
        "This server asks for an access token.",
        "Send the header “Authorization: Bearer …” with the value of MATERIA_ACCESS_TOKEN.",
    )


def _problem(status: HTTPStatus, code: str, message: str, advice: str) -> Response:
    body = {"error": message, "details": f"{message} {advice}", "code": code, "retryable": False}
    headers = {"WWW-Authenticate": "Bearer"} if status is HTTPStatus.UNAUTHORIZED else None
    return JSONResponse(body, status, headers)


def _own_host(scope: Scope) -> str:
    return host_of(f"//{Headers(scope=scope).get('host', '')}")
