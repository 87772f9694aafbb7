"""Earlier conversations: find, reopen, rename, delete."""

from __future__ import annotations

import streamlit as st

from core.conversations.exporting.json_file import MOST_BYTES
from core.domain.conversations import Session
from core.errors import MateriaError, TooLarge
from pages.parts.shared.downloads import download_buttons
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import chat_session, open_chat_session, workspace
from pages.parts.shared.text import plain

_UPLOAD = "history_upload"
_OUTCOME = "history_imported"  # the session, or why there is none


def _reopen(session_id: str) -> None:
    open_chat_session(session_id)


def _delete(session_id: str) -> None:
    workspace().runs.forget(session_id)
    workspace().conversations.delete(session_id)
    if chat_session() == session_id:
        open_chat_session("")


def _row(session: Session) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        turns = "1 question" if session.turns == 1 else f"{session.turns} questions"
        current = " · open in the chat" if session.id == chat_session() else ""
        with st.container(width="stretch"):
            st.markdown(f"**{plain(session.title)}**")
            st.caption(f"{turns} · {session.updated_at.astimezone():%Y-%m-%d %H:%M}{current}")
        st.button(
            "Reopen",
            key=f"reopen_{session.id}",
            icon=":material/forum:",
            on_click=_reopen,
            args=(session.id,),
            disabled=bool(current),
        )
        _files(session)
        with st.popover("", icon=":material/more_horiz:", help="Rename or delete"):
            title = st.text_input("Title", session.title, key=f"title_{session.id}")
            if st.button("Rename", key=f"rename_{session.id}"):
                workspace().conversations.rename(session.id, title)
                st.rerun()
            st.button(
                "Delete this conversation",
                key=f"delete_{session.id}",
                icon=":material/delete:",
                on_click=_delete,
                args=(session.id,),
            )


def _files(session: Session) -> None:
    menu = st.popover(
        "Export", icon=":material/download:", key=f"files_{session.id}", on_change="rerun"
    )
    if menu.open:  # drawn for no conversation but this one
        with menu:
            st.caption("All questions with their answers and all evidence, as a file.")
            download_buttons(session.id, session.title, session.id)


def _import() -> None:
    """Read in the file that was dropped; a callback, so that the list below has it already."""
    file = st.session_state[_UPLOAD]
    st.session_state[_OUTCOME] = None
    if file is None:
        return
    try:
        if file.size > MOST_BYTES:
            raise TooLarge("The file is too large.", advice="An import has 50 MB at most.")
        st.session_state[_OUTCOME] = workspace().exports.read_in(file.getvalue())
    except MateriaError as error:
        st.session_state[_OUTCOME] = error


def _importing() -> None:
    with st.expander("Import a conversation", icon=":material/upload:"):
        st.file_uploader(
            "A file that was exported as JSON", type="json", key=_UPLOAD, on_change=_import
        )
        outcome = st.session_state.get(_OUTCOME)
        if isinstance(outcome, MateriaError):
            show_error(outcome)
        elif outcome is not None:
            st.success(f"Imported: {plain(outcome.title)}", icon=":material/check:")


st.header("History")
_importing()
search = st.text_input("Search questions and answers", key="history_search")
sessions = workspace().conversations.list(search)
if not sessions:
    st.info(
        "No conversation contains these words."
        if search.strip()
        else "No conversations yet. Ask something in the chat; it is kept here.",
        icon=":material/history:",
    )
for item in sessions:
    _row(item)
