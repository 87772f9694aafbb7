"""Errors as a person should read them."""

from __future__ import annotations

import streamlit as st

from core.errors import MateriaError, StoreUnavailable
from core.logs import correlation, get_logger
from pages.parts.shared.text import plain

_log = get_logger("pages")


def show_error(error: MateriaError) -> None:
    """What happened, what to do next, and the code with the id under which the log has it."""
    with correlation() as identifier:
        _log.warning("shown_error", code=error.code, message=error.message)
    advice = f" {plain(error.advice)}" if error.advice else ""
    told = f"{plain(error.message)}{advice} ({plain(error.code)}, {plain(identifier)})"
    st.error(told, icon=":material/error:")


def graph_unavailable(error: StoreUnavailable) -> None:
    """Say calmly that the graph cannot be reached, and offer to try again."""
    _log.warning("graph_unavailable", message=error.message)
    with st.container(border=True):
        st.markdown("## :material/cloud_off: The graph cannot be reached at the moment")
        st.markdown(
            f"{plain(error.message)} {plain(error.advice)}".strip()
            + " Documents, search and chat go on without it."
        )
        st.button("Try again", key="graph_retry", icon=":material/refresh:")
        st.caption(f"{plain(error.code)}; see System for the state of every part.")
