"""The Library page's address: it names the document that is open, and a link opens one at a page."""

from __future__ import annotations

import streamlit as st

from core.domain.documents import Document, DocumentState
from pages.parts.evidence.copying import copy_text
from pages.parts.library.opened import close_document, open_document
from pages.parts.shared.links import (
    DOCUMENT,
    PAGE,
    asked_for,
    drop_from_address,
    link_to,
    tell_link_problem,
)
from pages.parts.shared.state import workspace

# Document and page that the address bar had when it was last looked at.
_FOLLOWED = "library_address"


def follow_document_address() -> None:
    """Open the document that the address bar names, at its page, if somebody else wrote it there: a link, or
    the browser's Back. Where it names none any more, the table is shown."""
    asked = _address()
    if asked == st.session_state.get(_FOLLOWED, ("", "")):
        return
    st.session_state[_FOLLOWED] = asked
    document_id, page = asked
    close_document()
    if not document_id:
        return
    document = workspace().catalogue.document(document_id)
    if document is None or document.state is not DocumentState.READY:
        tell_link_problem("The document of this link is not in the library any more.")
        return
    open_document(document.id)
    number = int(page) if page.isascii() and page.isdigit() else 0
    if 1 <= number <= document.pages:
        st.session_state[page_key(document.id)] = number


def write_document_address(opened: Document | None) -> None:
    """Have the address bar name the document that is open: a reload keeps it, and Back leads to the table."""
    shown = opened.id if opened is not None else ""
    if shown != _address()[0]:
        drop_from_address(PAGE, DOCUMENT)
        if shown:
            st.query_params[DOCUMENT] = shown
    st.session_state[_FOLLOWED] = _address()


def _address() -> tuple[str, str]:
    """The document and the page that the address bar names."""
    return asked_for(DOCUMENT), asked_for(PAGE)


def copy_document_link(document: Document) -> None:
    """A button that copies the link to the document at the page that is shown."""
    page = st.session_state.get(page_key(document.id), 1) if document.pages else ""
    copy_text(
        f"link_{document.id}",
        link_to("", {DOCUMENT: document.id, PAGE: str(page)}),
        "Copy link",
        title="A link to this document at this page",
    )


def page_key(document_id: str) -> str:
    """Of the field with the page that is shown."""
    return f"page_{document_id}"
