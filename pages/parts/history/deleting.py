"""Deleting conversations: asked first, with what goes."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.domain.conversations import Session
from core.errors import MateriaError, NotFound
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import (
    chat_session,
    close_dialog,
    open_dialog,
    restore_chat_session,
    workspace,
)
from pages.parts.shared.text import counted, plain

_ASKED = "history_delete"  # ids of the conversations that are to go
_TITLES = 5  # that are told


def ask_to_delete(*session_ids: str) -> None:
    """Ask when the page is drawn next; a callback of widgets."""
    st.session_state[_ASKED] = session_ids


def _ask_no_more() -> None:
    st.session_state.pop(_ASKED, None)
    close_dialog()


def confirm_delete() -> None:
    """The question whether conversations are to go, if any are."""
    sessions = [found for one in st.session_state.get(_ASKED, ()) if (found := _session(one))]
    if sessions:
        title = "Delete this conversation?"
        if len(sessions) > 1:
            title = f"Delete {len(sessions):,} conversations?"
        st.dialog(title, icon=":material/delete:", on_dismiss=_ask_no_more)(_confirm)(sessions)
    elif _ASKED in st.session_state:  # deleted elsewhere
        _ask_no_more()


def _session(session_id: str) -> Session | None:
    try:
        return workspace().conversations.get(session_id)
    except NotFound:
        return None


def _confirm(sessions: Sequence[Session]) -> None:
    open_dialog()
    told = [f"**{plain(session.title)}**" for session in sessions[:_TITLES]]
    told += [f"and {len(sessions) - _TITLES:,} more"] if len(sessions) > _TITLES else []
    st.markdown("  \n".join(told))
    questions = sum(session.turns for session in sessions)
    ratings = sum(session.rated_up + session.rated_down for session in sessions)
    rated = f" and {counted(ratings, 'rating')}" if ratings else ""
    answers = "its answer" if questions == 1 else "their answers"
    st.text(f"This removes {counted(questions, 'question')} with {answers}{rated}, for good.")
    pinned = sum(session.pinned for session in sessions)
    if pinned:
        one = "It is pinned." if len(sessions) == 1 else f"{pinned:,} of them pinned."
        st.caption(f":material/keep: {one}")
    with st.container(horizontal=True):
        pressed = st.button("Delete", type="primary", icon=":material/delete:", key="confirm")
        if st.button("Cancel", key="confirm_not"):
            _ask_no_more()
            st.rerun()
    if pressed:
        _delete(sessions)


def _delete(sessions: Sequence[Session]) -> None:
    for session in sessions:
        workspace().runs.forget(session.id)
        try:
            workspace().conversations.delete(session.id)
        except MateriaError as error:
            show_error(error)
            return
        if chat_session() == session.id:
            restore_chat_session("")
    _ask_no_more()
    st.rerun()
