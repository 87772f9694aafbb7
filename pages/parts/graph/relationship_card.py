"""A relationship that was clicked on the canvas: a citation like any other."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.domain.graph import Fact
from core.graph.phrases import relationship_phrase
from pages.parts.evidence.copying import copy_button
from pages.parts.graph.entity_card import property_label
from pages.parts.shared.entity_types import type_mark, type_name
from pages.parts.shared.text import plain, short


def relationship_card(fact: Fact, on_select: Callable[[str], None]) -> None:
    """What it says, what the graph knows of it, both ends; `on_select` gets an entity's id."""
    verb = relationship_phrase(fact.type, True)
    st.markdown(f"**{plain(fact.source.name)}** {plain(verb)} **{plain(fact.target.name)}**")
    told = f"Relationship {fact.type} of the graph, from {fact.source.id} to {fact.target.id}"
    st.caption(plain(told))
    for name, value in fact.properties.items():
        st.caption(plain(property_label(name)))
        st.text(value)
    if not fact.properties:
        st.caption("The graph names no source and no property of it.")
    copy_button(
        f"{fact.source.name} {verb} {fact.target.name}",
        told,
        "Copy with its reference",
        "relationship_copy",
    )
    for end in (fact.source, fact.target):
        st.button(
            f"{type_mark(end.type)} {plain(short(end.name, 48))} "
            f":gray[· {plain(type_name(end.type))}]",
            key=f"end_{end.id}",
            type="tertiary",
            on_click=on_select,
            args=(end.id,),
        )
