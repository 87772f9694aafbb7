"""Errors as a person should read them."""

from __future__ import annotations

import streamlit as st

from core.errors import MateriaError
from core.logs import get_logger
from pages.parts.text import plain

_log = get_logger("pages")


def show_error(error: MateriaError) -> None:
    """What happened, what to do next, and the code; the log has the rest."""
    _log.warning("shown_error", code=error.code, message=error.message)
    advice = f" {plain(error.advice)}" if error.advice else ""
    st.error(f"{plain(error.message)}{advice} ({plain(error.code)})", icon=":material/error:")
