"""Who asks: the key under which a user's conversations are kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

LOCAL_USER = "analyst"  # the one user where no login is configured
UNNAMED_USER = "unnamed"  # whoever brings the server's access token and no login of a user's own


def user_key(claims: Mapping[str, Any]) -> str:
    """The key of the user whom verified claims name: by issuer and subject, by the email address where
    there are not both; "" where they name nobody.

    It has 69 characters at most, none of which is of the claims themselves, and is never `LOCAL_USER` or
    `UNNAMED_USER`.
    """
    issuer, subject, email = (_text(claims.get(name)) for name in ("iss", "sub", "email"))
    if issuer and subject:
        named = ["subject", issuer, subject]
    elif email and claims.get("email_verified") is not False:
        named = ["email", email.casefold()]
    else:
        return ""
    return f"oidc-{hashlib.sha256(json.dumps(named).encode()).hexdigest()}"


def user_name(claims: Mapping[str, Any]) -> str:
    """What a user is called on the page."""
    found = (_text(claims.get(name)) for name in ("name", "preferred_username", "email", "sub"))
    return next(filter(None, found), "")


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
