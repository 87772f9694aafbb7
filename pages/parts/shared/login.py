"""Streamlit's login, where `[auth]` in secrets.toml configures one: who uses a page, who sends a request.

A user is whom the identity provider's claims name. They reach a page and a request in the same cookie, which
Streamlit signs with `cookie_secret`: nothing else that a browser sends says who it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.auth_util import (
    get_cookie_with_chunks,
    get_origin_from_redirect_uri,
    get_secrets_auth_section,
)
from streamlit.config import get_option
from streamlit.errors import StreamlitAuthError, StreamlitMissingAuthlibError
from streamlit.runtime.secrets import secrets_singleton
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from core.api.users import LoginRequired
from core.domain.conversations import LOCAL_USER, user_key, user_name
from core.logs import get_logger
from core.settings import ConfigError
from pages.parts.shared.problems import show_error
from pages.parts.shared.text import plain, short

_LOGIN_FIELDS = ("client_id", "server_metadata_url")
_LONGEST_NAME = 40  # characters of a user's name on the page
_log = get_logger("login")


def login_is_configured() -> bool:
    """Whether there is a login at all; a secrets.toml that cannot be read is taken to have one."""
    if secrets_singleton.load_if_toml_exists():
        return bool(get_secrets_auth_section())
    return any(Path(path).exists() for path in get_option("secrets.files"))


def page_user() -> str:
    """The key of the page's user.

    Raises:
        LoginRequired: there is a login, and nobody is logged in, or nobody whom the claims name.
    """
    if not login_is_configured():
        return LOCAL_USER
    user = user_key(_page_claims())
    if not user:
        raise LoginRequired("Nobody is logged in.", advice="Log in.")
    return user


def page_user_name() -> str:
    """What the page's user is called; "" where there is no login."""
    return user_name(_page_claims()) if login_is_configured() else ""


def _page_claims() -> Mapping[str, Any]:
    claims = st.user.to_dict()
    return claims if claims.get("is_logged_in") is True else {}


def cookie_claims(cookies: Mapping[str, str]) -> Mapping[str, Any]:
    """The claims in a request's cookies, verified as Streamlit does for a page: signed by this server, not
    too old, made for this address; empty where they are not."""
    secret = get_cookie_secret()
    if not secret:  # then anybody could sign
        return {}

    def verified(name: str) -> bytes | None:
        value = cookies.get(name)
        if value is None or not value.isascii():  # what is signed is base64
            return None
        return decode_signed_value(secret, name, value)

    found = get_cookie_with_chunks(verified, USER_COOKIE_NAME)
    try:
        claims = json.loads(found or b"null")
    except ValueError:
        return {}
    known = isinstance(claims, dict) and claims.get("is_logged_in") is True
    return claims if known and claims.get("origin") == get_origin_from_redirect_uri() else {}


def login_page() -> None:
    """What is shown to who is not logged in: a button for each identity provider."""
    st.title("Materia")
    section = get_secrets_auth_section().to_dict()
    named = [name for name, value in section.items() if _is_provider(value)]
    pressed = None
    if _is_provider(section) or not named:
        pressed = st.button("Log in", type="primary", icon=":material/login:") and "default"
    for name in named:
        if st.button(f"Log in with {plain(name)}", key=f"login_{name}", icon=":material/login:"):
            pressed = name
    if pressed:
        _log_in(pressed)


def _is_provider(section: object) -> bool:
    return isinstance(section, dict) and all(name in section for name in _LOGIN_FIELDS)


def _log_in(provider: str) -> None:
    try:
        st.login(provider)
    except (StreamlitAuthError, StreamlitMissingAuthlibError) as error:
        _log.warning("login_not_configured", provider=provider, reason=str(error))
        show_error(
            ConfigError(
                "The login is not configured completely.",
                advice="The log says what is missing in the section [auth] of secrets.toml.",
                code="LOGIN_NOT_CONFIGURED",
            )
        )


def log_out_button() -> None:
    """The user's name, and a button that ends the login; nothing where there is no login."""
    name = page_user_name()
    if name:
        st.caption(
            f":material/account_circle: {plain(short(name, _LONGEST_NAME))}", width="content"
        )
        st.button(
            "Log out", key="log_out", type="tertiary", icon=":material/logout:", on_click=st.logout
        )
