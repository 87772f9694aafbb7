"""A relationship of the graph as evidence: what it says, its properties, both its ends."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.domain.answers import Citation, GraphCitation
from core.graph.phrases import relationship_phrase
from pages.parts.evidence.copying import copy_button
from pages.parts.graph.picture.picture import graph_part, graph_picture
from pages.parts.shared.entity_types import type_name
from pages.parts.shared.state import open_entity, workspace
from pages.parts.shared.text import plain


def relationship(citation: GraphCitation, among: Sequence[Citation] = ()) -> None:
    """Draw it; each end opens in the explorer.

    Args:
        among: the citations of the same answer: what of them the graph has is drawn as a picture.
    """
    verb = relationship_phrase(citation.relationship, True)
    st.markdown(f"**{plain(citation.source)}** {plain(verb)} **{plain(citation.target)}**")
    told = (
        f"Relationship {citation.relationship} of the graph, from {citation.source_id} to "
        f"{citation.target_id}"
    )
    st.caption(plain(told))
    for name, value in citation.properties.items():
        st.text(f"{name.replace('_', ' ')}: {value}")
    part = graph_part(among, citation)
    if len(part) > 1:
        st.caption("What this answer took from the graph")
        clicked = graph_picture(part, citation, "evidence_picture")
        if clicked:
            open_entity(clicked, [end for one in part for end in (one.source_id, one.target_id)])
    if citation.relevance:  # of what was found for a question
        st.caption(f"Relevance {citation.relevance:.2f} of 1")
    copy_button(f"{citation.source} {verb} {citation.target}", told, "Copy with its reference")
    ends = (
        (citation.source_id, citation.source, citation.source_type),
        (citation.target_id, citation.target, citation.target_type),
    )
    for column, (entity_id, name, kind) in zip(st.columns(2), ends, strict=True):
        with column, st.container(border=True, height="stretch"):
            _end(entity_id, name, kind, [end[0] for end in ends])


def _end(entity_id: str, name: str, kind: str, both: list[str]) -> None:
    st.caption(plain(type_name(kind)))
    st.markdown(f"**{plain(name)}**")
    entity = workspace().graph.entity(entity_id)
    if entity is None:
        st.caption("No longer in the graph.")
        return
    for value in (entity.properties.get("description"), entity.properties.get("definition")):
        if value:
            st.text(value)
            break
    if st.button("Open in the explorer", key=f"open_{entity_id}", icon=":material/hub:"):
        open_entity(entity_id, both)
