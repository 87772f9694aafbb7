"""The document that stands open on the Library page, in the place of the table."""

from __future__ import annotations

import streamlit as st

from core.domain.documents import Document, DocumentState
from pages.parts.shared.state import workspace

_OPENED = "library_document"


def open_document(document_id: str) -> None:
    """Open a document when the page is drawn next; a callback of widgets."""
    st.session_state[_OPENED] = document_id


def close_document() -> None:
    """Show the table again; a callback of widgets."""
    st.session_state.pop(_OPENED, None)


def opened_document() -> Document | None:
    """The document that is open; one that has gone meanwhile is not."""
    document_id = st.session_state.get(_OPENED, "")
    document = workspace().catalogue.document(document_id) if document_id else None
    if document is None or document.state is not DocumentState.READY:
        close_document()
        return None
    return document


def back_button() -> None:
    """The way back to the table."""
    st.button(
        "All documents",
        key="close_document",
        type="tertiary",
        icon=":material/arrow_back:",
        on_click=close_document,
    )
