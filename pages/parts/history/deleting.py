"""Deleting a conversation: asked first, with what goes."""

from __future__ import annotations

import streamlit as st

from core.domain.conversations import Session
from core.errors import MateriaError, NotFound
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import (
    chat_session,
    close_dialog,
    open_chat_session,
    open_dialog,
    workspace,
)
from pages.parts.shared.text import counted, plain

_ASKED = "history_delete"  # id of the conversation that is to go


def ask_to_delete(session_id: str) -> None:
    """Ask when the page is drawn next; a callback of widgets."""
    st.session_state[_ASKED] = session_id


def _ask_no_more() -> None:
    st.session_state.pop(_ASKED, None)
    close_dialog()


def confirm_delete() -> None:
    """The question whether a conversation is to go, if one is."""
    session_id = st.session_state.get(_ASKED, "")
    if not session_id:
        return
    try:
        session = workspace().conversations.get(session_id)
    except NotFound:  # deleted elsewhere
        _ask_no_more()
        return
    _confirm(session)


@st.dialog("Delete this conversation?", icon=":material/delete:", on_dismiss=_ask_no_more)
def _confirm(session: Session) -> None:
    open_dialog()
    st.markdown(f"**{plain(session.title)}**")
    ratings = session.rated_up + session.rated_down
    rated = f" and {counted(ratings, 'rating')}" if ratings else ""
    answers = "its answer" if session.turns == 1 else "their answers"
    st.text(f"This removes {counted(session.turns, 'question')} with {answers}{rated}, for good.")
    if session.pinned:
        st.caption(":material/keep: It is pinned.")
    with st.container(horizontal=True):
        pressed = st.button("Delete", type="primary", icon=":material/delete:", key="confirm")
        if st.button("Cancel", key="confirm_not"):
            _ask_no_more()
            st.rerun()
    if pressed:
        _delete(session)


def _delete(session: Session) -> None:
    workspace().runs.forget(session.id)
    try:
        workspace().conversations.delete(session.id)
    except MateriaError as error:
        show_error(error)
        return
    if chat_session() == session.id:
        open_chat_session("")
    _ask_no_more()
    st.rerun()
