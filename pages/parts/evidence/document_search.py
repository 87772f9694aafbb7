"""Words looked for inside the document that is open: hits by page, each opens its place."""

from __future__ import annotations

from itertools import groupby

import streamlit as st

from core.domain.documents import Document
from core.search.in_document import FoundPlace, find_in_pages
from pages.parts.evidence.opened import show_place
from pages.parts.shared.state import workspace
from pages.parts.shared.text import counted, page_label, plain

_MOST = 50  # hits that are listed


def document_search(document: Document) -> None:
    """Draw the field and what it finds."""
    words = st.text_input(
        "Search in this document",
        key=f"evidence_search_{document.id}",
        placeholder="Search in this document",
        label_visibility="collapsed",
        icon=":material/search:",
    )
    if not words.strip():
        return
    found, more = find_in_pages(words, workspace().catalogue.pages(document.id), _MOST)
    if not found:
        st.caption("Nothing in this document reads so. Try fewer words, or a part of one.")
        return
    first = f"The first {len(found)} places" if more else counted(len(found), "place")
    st.caption(first)
    with st.container(key="evidence_hits", gap=None):
        for page, hits in groupby(found, key=lambda one: one.page):
            if page:
                st.markdown(f"**{page_label(page)}**")
            for hit in hits:
                st.button(
                    _label(hit),
                    key=f"evidence_hit_{hit.page}_{hit.start}",
                    type="tertiary",
                    on_click=show_place,
                    args=(hit.page, (hit.start, hit.end)),
                )


def _label(hit: FoundPlace) -> str:
    return f"{plain(hit.before)} **{plain(hit.words)}** {plain(hit.after)}"
