"""Earlier conversations: find, reopen, rename, delete."""

from __future__ import annotations

import streamlit as st

from core.domain.conversations import Session
from pages.parts.shared.downloads import download_menu
from pages.parts.shared.importing import import_form
from pages.parts.shared.state import chat_session, open_chat_session, workspace
from pages.parts.shared.text import plain


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
        download_menu(session.id, session.title)
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


st.header("History")
import_form()
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
