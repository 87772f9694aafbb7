"""Several conversations at once: chosen, exported, deleted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.conversations.exporting.exports import ExportFormat, Exports
from core.domain.conversations import Session
from pages.parts.history.deleting import ask_to_delete
from pages.parts.shared.downloads import LABELS
from pages.parts.shared.state import workspace
from pages.parts.shared.text import counted, plain, short

_ON = "history_selecting"
_LONGEST = 80  # characters of a title beside its box


def selecting_switch() -> None:
    """Draw the switch that gives each conversation a box."""
    st.toggle("Select several", key=_ON)


def is_selecting() -> bool:
    return bool(st.session_state.get(_ON))


def selection_box(session: Session) -> None:
    """The box of a conversation."""
    label = f"Select {plain(short(session.title, _LONGEST))}"
    st.checkbox(label, key=_key(session.id), label_visibility="collapsed")


def selection_actions(listed: Sequence[Session]) -> None:
    """What can be done with those that are chosen of the listed ones; nothing while none is."""
    chosen = [session.id for session in listed if st.session_state.get(_key(session.id))]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"{counted(len(chosen), 'conversation')} selected."
            if chosen
            else "Nothing is selected yet.",
            width="content",
        )
        st.button(
            "Select all shown",
            key="select_all",
            type="tertiary",
            on_click=_choose,
            args=([session.id for session in listed], len(chosen) < len(listed)),
        )
        if not chosen:
            return
        form = st.selectbox(
            "Format",
            list(LABELS),
            format_func=lambda one: LABELS[one],
            key="selection_format",
            label_visibility="collapsed",
            width=140,
        )
        st.download_button(
            "Export as ZIP",
            data=partial(_made, workspace().exports, chosen, form),
            file_name="materia-conversations.zip",
            mime="application/zip",
            icon=":material/download:",
            on_click="ignore",
        )
        st.button(
            "Delete selected",
            key="delete_selected",
            icon=":material/delete:",
            on_click=ask_to_delete,
            args=tuple(chosen),
        )


def _made(exports: Exports, session_ids: Sequence[str], form: ExportFormat) -> bytes:
    return exports.archive(session_ids, form).content


def _choose(session_ids: Sequence[str], chosen: bool) -> None:
    for session_id in session_ids:
        st.session_state[_key(session_id)] = chosen


def _key(session_id: str) -> str:
    return f"selected_{session_id}"
