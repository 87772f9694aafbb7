"""The evidence behind a citation: the passage marked on its page, or the relationship."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.domain.answers import Citation, DocumentCitation, GraphCitation
from core.errors import MateriaError, StoreUnavailable
from core.graph.phrases import relationship_phrase
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import (
    EXPLORER,
    close_dialog,
    neighbourhood,
    open_dialog,
    show_graph,
    workspace,
)
from pages.parts.shared.text import plain, section_name

_AROUND = 1_500  # characters shown before and after a passage of a text without pages


@st.dialog("Evidence", width="large", on_dismiss=close_dialog)
def show_evidence(citation: Citation) -> None:
    """Open the evidence of one citation above the page."""
    open_dialog()
    if isinstance(citation, DocumentCitation):
        _passage(citation)
    else:
        _relationship(citation)


def _passage(citation: DocumentCitation) -> None:
    section = section_name(citation.section, citation.heading)
    page = f", page {citation.page}" if citation.page else ""
    st.markdown(f"**{plain(citation.file)}**{page}" + (f" · {plain(section)}" if section else ""))
    document = workspace().catalogue.document(citation.document_id)
    if document is None:
        st.warning(
            "Source deleted: the document of this passage is no longer in the library.",
            icon=":material/delete:",
        )
    if citation.orders:
        st.warning(
            "Sentences of this passage are addressed to language models. They count as no evidence.",
            icon=":material/warning:",
        )
    if citation.quote:
        with st.container(border=True, key="evidence_quote"):
            st.text(citation.quote)
    else:
        st.caption("What was quoted from it has been taken out of this answer.")
    st.caption(f"Relevance {citation.relevance:.2f} of 1")
    if document is None:
        return
    if not citation.page:
        _around(citation)
        url = document.metadata.get("url", "")
        if url:
            st.link_button("Open the paper's page", url, icon=":material/open_in_new:")
        return
    try:
        with st.spinner("Drawing the page ..."):
            image = workspace().library.page_image(
                document.id, citation.page, [(citation.start, citation.end)]
            )
        st.image(image, width="stretch")
    except MateriaError as error:
        show_error(error)


def _around(citation: DocumentCitation) -> None:
    """The passage in the text around it, for a document that has no pages to draw."""
    page = workspace().catalogue.page(citation.document_id, 0)
    if page is None:
        return
    start = max(0, citation.start - _AROUND)
    end = min(len(page.text), citation.end + _AROUND)
    before, after = page.text[start : citation.start], page.text[citation.end : end]
    passage = page.text[citation.start : citation.end]
    # Markdown marks the passage; all three parts are escaped line by line.
    marked = "  \n".join(
        f":orange-background[{plain(line)}]" for line in passage.splitlines() if line.strip()
    )
    with st.container(border=True, height=420):
        st.text(("… " if start else "") + before)
        st.markdown(marked)
        st.text(after + (" …" if end < len(page.text) else ""))


def _relationship(citation: GraphCitation) -> None:
    verb = relationship_phrase(citation.relationship, True)
    st.markdown(f"**{plain(citation.source)}** {plain(verb)} **{plain(citation.target)}**")
    st.caption(
        f"Relationship {plain(citation.relationship)} of the graph, from "
        f"{plain(citation.source_id)} to {plain(citation.target_id)}"
    )
    for name, value in citation.properties.items():
        st.text(f"{name.replace('_', ' ')}: {value}")
    columns = st.columns(2)
    ends = (
        (citation.source_id, citation.source, citation.source_type),
        (citation.target_id, citation.target, citation.target_type),
    )
    for column, (entity_id, name, kind) in zip(columns, ends, strict=True):
        with column, st.container(border=True, height="stretch"):
            st.caption(plain(kind))
            st.markdown(f"**{plain(name)}**")
            entity = workspace().graph.entity(entity_id)
            if entity is None:
                st.caption("No longer in the graph.")
                continue
            description = entity.properties.get("description") or entity.properties.get(
                "definition"
            )
            if description:
                st.text(description)
            if st.button("Open in the explorer", key=f"open_{entity_id}", icon=":material/hub:"):
                open_entity(entity_id, [end[0] for end in ends])


def open_named(entity_id: str) -> None:
    """Go to the explorer with an entity that an answer names, if the graph still has it."""
    try:
        gone = workspace().graph.entity(entity_id) is None
    except StoreUnavailable:  # the explorer says so
        gone = False
    if gone:
        st.toast("This entity is no longer in the graph.", icon=":material/link_off:")
        return
    open_entity(entity_id)


def open_entity(entity_id: str, together_with: Sequence[str] = ()) -> None:
    """Go to the explorer with an entity selected and its neighbourhood shown."""
    close_dialog()
    show_graph([*together_with, *neighbourhood(entity_id)], entity_id)
    st.switch_page(EXPLORER)
