"""Whose conversations a request is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from core.api.access import BY_HEADER
from core.domain.conversations import LOCAL_USER, UNNAMED_USER, user_key
from core.errors import MateriaError


class LoginRequired(MateriaError):
    """Nobody is logged in, and the server has a login."""

    status = 401
    default_code = "LOGIN_REQUIRED"


@dataclass(frozen=True, slots=True)
class Login:
    """The login of the dashboard, as far as requests know of it.

    Attributes:
        configured: whether there is one.
        claims: what a request's cookies say about their user, their signature verified; empty where they
            say nothing that can be believed.
    """

    configured: Callable[[], bool] = lambda: False
    claims: Callable[[Mapping[str, str]], Mapping[str, Any]] = lambda _cookies: {}

    def user_of(self, request: Request) -> str:
        """The key of the user who asks.

        Without a login, the local user. With one, whom the login's cookie names; who brings the access
        token in a header and no such cookie has conversations of its own.

        Raises:
            LoginRequired: there is a login, and the request has neither.
        """
        if not self.configured():
            return LOCAL_USER
        user = user_key(self.claims(request.cookies))
        if not user and request.scope.get(BY_HEADER):
            user = UNNAMED_USER
        if not user:
            raise LoginRequired(
                "Nobody is logged in.",
                advice="Log in on the dashboard, or send the access token in the header “Authorization”.",
            )
        return user


NO_LOGIN = Login()
