"""An OpenID Connect provider on loopback: discovery, authorization, token and keys, with real signatures."""

from __future__ import annotations

import secrets
import time
from typing import Any
from urllib.parse import urlencode

from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

CLIENT, CLIENT_SECRET = "materia", secrets.token_hex()


class Provider:
    """Logs in whoever `who` names, without asking for a password.

    Attributes:
        who: claims of the next one who comes, `sub` and `name` at least.
    """

    def __init__(self) -> None:
        self.who: dict[str, Any] = {}
        self._key = RSAKey.generate_key(2048, {"kid": "tests", "use": "sig", "alg": "RS256"})
        self._codes: dict[str, dict[str, Any]] = {}
        self.application = Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._discovery),
                Route("/authorize", self._authorize),
                Route("/token", self._token, methods=["POST"]),
                Route("/jwks", self._jwks),
            ]
        )

    async def _discovery(self, request: Request) -> Response:
        own = str(request.base_url).rstrip("/")
        return JSONResponse(
            {
                "issuer": own,
                "authorization_endpoint": f"{own}/authorize",
                "token_endpoint": f"{own}/token",
                "jwks_uri": f"{own}/jwks",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
            }
        )

    async def _authorize(self, request: Request) -> Response:
        asked = request.query_params
        code = secrets.token_hex()
        self._codes[code] = {**self.who, "nonce": asked["nonce"]}
        back = urlencode({"code": code, "state": asked["state"]})
        return RedirectResponse(f"{asked['redirect_uri']}?{back}", 302)

    async def _token(self, request: Request) -> Response:
        form = await request.form()
        now = int(time.time())
        claims = self._codes.pop(str(form["code"])) | {
            "iss": str(request.base_url).rstrip("/"),
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
        }
        token = jwt.encode({"alg": "RS256", "kid": "tests"}, claims, self._key)
        return JSONResponse(
            {"access_token": "access", "token_type": "Bearer", "expires_in": 300, "id_token": token}
        )

    async def _jwks(self, _request: Request) -> Response:
        return JSONResponse({"keys": [self._key.as_dict(private=False)]})
