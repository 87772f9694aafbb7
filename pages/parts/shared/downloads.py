"""Buttons that save a conversation, or one answer of it, as a file; it is made when one is clicked."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.conversations.exporting.exports import MEDIA_TYPES, ExportFormat, Exports, file_name
from pages.parts.shared.state import workspace

LABELS = {
    ExportFormat.PDF: "PDF",
    ExportFormat.WORD: "Word",
    ExportFormat.MARKDOWN: "Markdown",
    ExportFormat.JSON: "JSON",
}
_HELP = {
    ExportFormat.JSON: "Without loss; it can be imported again on the History page.",
}


def download_menu(session_id: str, title: str) -> None:
    """A menu with the buttons of a whole conversation, which are drawn when it is opened."""
    menu = st.popover(
        "Export", icon=":material/download:", key=f"files_{session_id}", on_change="rerun"
    )
    if menu.open:
        with menu:
            st.caption("All questions with their answers and all evidence, as a file.")
            download_buttons(session_id, title, session_id)


def download_buttons(session_id: str, title: str, key: str, turn_id: str = "") -> None:
    """One button for each format.

    Args:
        title: of the conversation or of the one question, for the file's name.
    """
    exports = workspace().exports  # now: who clicks later is known here alone
    with st.container(horizontal=True):
        for form, label in LABELS.items():
            st.download_button(
                label,
                data=partial(_made, exports, session_id, form, turn_id),
                file_name=file_name(title, form),
                mime=MEDIA_TYPES[form],
                key=f"export_{form}_{key}",
                help=_HELP.get(form),
                on_click="ignore",
            )


def _made(exports: Exports, session_id: str, form: ExportFormat, turn_id: str) -> bytes:
    return exports.written(session_id, form, turn_id).content
