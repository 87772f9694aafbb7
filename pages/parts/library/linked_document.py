"""The document that a link names, opened at the link's page; and such a link."""

from __future__ import annotations

import streamlit as st

from core.domain.documents import Document, DocumentState
from pages.parts.evidence.copying import copy_text
from pages.parts.library.opened import open_document
from pages.parts.shared.links import (
    DOCUMENT,
    PAGE,
    asked_for,
    drop_from_address,
    link_to,
    tell_link_problem,
)
from pages.parts.shared.state import workspace


def follow_document_link() -> None:
    """Note the document of a link, and turn to its page, once; then the link has done its work."""
    document_id, page = asked_for(DOCUMENT), asked_for(PAGE)
    if not document_id:
        return
    drop_from_address(DOCUMENT, PAGE)
    document = workspace().catalogue.document(document_id)
    if document is None or document.state is not DocumentState.READY:
        tell_link_problem("The document of this link is not in the library any more.")
        return
    open_document(document.id)
    number = int(page) if page.isascii() and page.isdigit() else 0
    if 1 <= number <= document.pages:
        st.session_state[page_key(document.id)] = number


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
