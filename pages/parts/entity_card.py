"""An entity with all its properties, relationships and the documents that mention it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.domain.graph import Entity
from core.graph.phrases import relationship_phrase
from pages.parts.canvas import type_colour
from pages.parts.state import workspace
from pages.parts.text import plain

_NAMES = 12  # neighbours listed per relationship type


def entity_card(
    entity: Entity, on_expand: Callable[[str], None], on_open: Callable[[str], None]
) -> None:
    """Draw the card; `on_expand` and `on_open` get an entity's id."""
    st.markdown(f"### {plain(entity.name)}")
    st.markdown(f":{type_colour(entity.type)}-badge[{plain(entity.type)}] {plain(entity.id)}")
    with st.container(horizontal=True):
        st.button(
            "Expand",
            key="expand_entity",
            type="primary",
            icon=":material/add_circle:",
            on_click=on_expand,
            args=(entity.id,),
            help="Add its most important neighbours to the canvas",
        )
        st.button(
            "Only this",
            key="open_entity",
            icon=":material/center_focus_strong:",
            on_click=on_open,
            args=(entity.id,),
            help="Show this entity and its neighbours, nothing else",
        )
    if entity.synonyms:
        st.caption("Also called")
        st.text(", ".join(entity.synonyms))
    for name, value in entity.properties.items():
        st.caption(plain(name.replace("_", " ").capitalize()))
        st.text(value)
    _relationships(entity, on_open)
    _documents(entity)


def _relationships(entity: Entity, on_open: Callable[[str], None]) -> None:
    for kind, count in workspace().graph.relationship_counts(entity.id).items():
        facts = workspace().graph.facts(entity.id, kind, _NAMES)
        forward = facts[0].source.id == entity.id
        with st.expander(f"{plain(relationship_phrase(kind, forward))} ({count})"):
            for fact in facts:
                other = fact.target if fact.source.id == entity.id else fact.source
                st.button(
                    f":{type_colour(other.type)}[●] {plain(other.name)}",
                    key=f"go_{kind}_{fact.source.id}_{fact.target.id}",
                    type="tertiary",
                    on_click=on_open,
                    args=(other.id,),
                )
            if count > len(facts):
                st.caption(f"and {count - len(facts)} more")


def _documents(entity: Entity) -> None:
    mentioned = workspace().library_store.documents_mentioning(entity.id, limit=10)
    if not mentioned:
        return
    st.caption("Mentioned in")
    for document, count in mentioned:
        st.text(f"{document.file} ({count})")
