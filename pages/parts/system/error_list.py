"""Errors of the log: by the id that a message showed, and the latest."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import pandas as pd
import streamlit as st

from core.domain.conversations import LOCAL_USER
from core.errors import InputError
from core.maintenance.state.recent_errors import LoggedError, errors_with, latest_errors
from pages.parts.shared.login import page_user
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import workspace
from pages.parts.shared.text import plain


def errors() -> None:
    """A field for an id, and the last errors where there is one user."""
    folder = workspace().settings.root / "logs"
    wanted = st.text_input(
        "Correlation id",
        key="error_id",
        placeholder="As a message shows it, like 3f9c2a71b0de",
        max_chars=80,
    )
    try:
        if wanted.strip():
            _of_one(errors_with(folder, wanted), wanted)
        elif page_user() == LOCAL_USER:
            _latest(latest_errors(folder))
        else:
            st.caption("Several people share this Materia: type the id that your message shows.")
    except InputError as error:
        show_error(error)


def _of_one(found: Sequence[LoggedError], wanted: str) -> None:
    if found:
        _table(found)
    else:
        st.caption(
            f"The log has nothing under {plain(wanted)}; lines older than some weeks may be gone."
        )


def _latest(found: Sequence[LoggedError]) -> None:
    if not found:
        st.caption("No error is in the log.")
        return
    st.caption(
        "The latest warnings and errors, newest first. Texts and questions are never in the log."
    )
    _table(found)


def _table(found: Sequence[LoggedError]) -> None:
    rows = [
        {
            "When (UTC)": _moment(one.when),
            "What": one.what,
            "Code": one.code,
            "Where": one.where,
            "Correlation id": one.correlation_id,
        }
        for one in found
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True)


def _moment(when: str) -> str:
    try:
        return f"{datetime.fromisoformat(when):%Y-%m-%d %H:%M:%S}"
    except ValueError:
        return when
