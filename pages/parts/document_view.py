"""A look into one document: its pages as pictures, its sections, the entities it mentions."""

from __future__ import annotations

import streamlit as st

from core.domain.documents import Document
from core.errors import MateriaError
from pages.parts.problems import show_error
from pages.parts.state import workspace
from pages.parts.text import plain, section_name


def document_view(document: Document) -> None:
    """Page picture on the left, what was read from it on the right."""
    st.subheader(plain(document.file))
    page = 1
    if document.pages > 1:
        page = int(
            st.number_input("Page", 1, document.pages, 1, key=f"page_{document.id}", width=140)
        )
    picture, reading = st.columns([3, 2])
    with picture:
        try:
            st.image(workspace().library.page_image(document.id, page), width="stretch")
        except MateriaError as error:
            show_error(error)
    with reading:
        chunks = [
            chunk
            for chunk in workspace().library_store.document_chunks(document.id)
            if chunk.page == page
        ]
        st.caption(f"{len(chunks)} chunks on this page")
        for chunk in chunks:
            title = section_name(chunk.section, chunk.heading) or "Text"
            with st.expander(plain(title)):
                st.text(chunk.text)
