"""The ASGI application: Streamlit's pages and Materia's API on one server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import streamlit as st
from starlette.middleware import Middleware

from core.api import routes
from core.api.access import Access
from core.api.users import Login
from core.errors import MateriaError
from core.settings import load_settings
from core.workspace import close_shared_workspace, shared_workspace
from pages.parts.shared.login import cookie_claims, login_is_configured
from pages.parts.shared.page_runs import keep_runs_whole


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[dict[str, Any] | None]:
    """Open the workspace, go on with its jobs, load the sample on a first start; close it at the end."""
    try:
        workspace = shared_workspace()
        workspace.resume_jobs()
    except MateriaError as error:
        # The pages say it too; the server stays up so that they can.
        print(f"{error} ({error.code})")
    yield None
    close_shared_workspace()


_settings = load_settings()
keep_runs_whole()
app = st.App(
    "pages/frame.py",
    routes=routes(Login(login_is_configured, cookie_claims)),
    lifespan=lifespan,
    middleware=[
        Middleware(
            Access,
            allowed_hosts=_settings.host_names,
            token=_settings.access_token.get_secret_value(),
            same_site="lax" if login_is_configured() else "strict",
        )
    ],
)
