"""A conversation that was exported as JSON, taken in again."""

from __future__ import annotations

import streamlit as st

from core.conversations.exporting.json_file import MOST_BYTES
from core.errors import MateriaError, TooLarge
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import workspace
from pages.parts.shared.text import plain

_UPLOAD = "history_upload"
_OUTCOME = "history_imported"  # what came of it, or why there is none


def import_form() -> None:
    """Draw a button with a field for the file."""
    with st.popover("Import a conversation", icon=":material/upload:"):
        st.file_uploader(
            "A file that was exported as JSON", type="json", key=_UPLOAD, on_change=_import
        )


def import_outcome() -> None:
    """Say what became of the file that was dropped last."""
    outcome = st.session_state.get(_OUTCOME)
    if isinstance(outcome, MateriaError):
        show_error(outcome)
    elif outcome is not None:
        title = plain(outcome.session.title)
        if outcome.new:
            st.success(f"Imported: {title}", icon=":material/check:")
        else:
            st.info(f"This is here already: {title}", icon=":material/info:")


def _import() -> None:
    """Read in the file that was dropped; a callback, so that a list drawn after it has it already."""
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
