"""The list follows what is asked in the chat beside it, which draws itself alone."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.domain.conversations import Session, SessionFilter
from core.errors import StoreError
from pages.parts.shared.state import dialog_is_open, rerun_page, workspace

_SECONDS = 3.0


@st.fragment(run_every=_SECONDS)
def follow_new_answers(drawn: Sequence[Session], search: str, only: SessionFilter) -> None:
    """Draw the page anew once its conversations are others than these.

    Args:
        drawn: what was listed.
        search, only: what they were found with.
    """
    if dialog_is_open():
        return
    try:
        now = workspace().conversations.list(search, only, limit=max(1, len(drawn)))
    except StoreError:
        return  # the page says so when it is drawn next
    if _marks(now) != _marks(drawn):
        rerun_page()


def _marks(sessions: Sequence[Session]) -> list[tuple[str, str, int]]:
    """What asking changes: not what the page itself does, which draws it anew."""
    return [(one.id, one.updated_at.isoformat(), one.turns) for one in sessions]
