"""Finding entities by name: results with their type, and what a misspelt name may have meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.domain.graph import Entity
from pages.parts.shared.entity_types import type_mark, type_name
from pages.parts.shared.state import shown_graph, workspace
from pages.parts.shared.text import plain, short

_RESULTS = 8
_KEEP = "graph_search_keeps"


def entity_label(entity: Entity, most: int = 48) -> str:
    """``● Metformin · Drug`` as Markdown."""
    name = plain(short(entity.name, most))
    return f"{type_mark(entity.type)} {name} :gray[· {plain(type_name(entity.type))}]"


def entity_search(on_open: Callable[[str], None], on_add: Callable[[str], None]) -> None:
    """The search box and what it finds.

    Args:
        on_open, on_add: called with an entity's id: show it instead of what is shown, or beside it.
    """
    query = st.text_input(
        "Search the graph",
        placeholder="A drug, disease, protein or side effect: metformin, asthma, PPARG ...",
        key="entity_search",
        icon=":material/search:",
        label_visibility="collapsed",
    )
    if not query.strip():
        return
    found = workspace().graph.search_entities(query, limit=_RESULTS + 1)
    if found:
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            keep = bool(shown_graph()) and bool(st.session_state.get(_KEEP))
            _buttons(found[:_RESULTS], "found", on_add if keep else on_open)
            if len(found) > _RESULTS:
                st.caption(f"the best {_RESULTS}; type more for others", width="content")
            if shown_graph():
                st.toggle("Add to the canvas", key=_KEEP, persist_state="session")
        return
    nearly = workspace().names.suggest(query)
    st.warning(
        f"Nothing in the graph is called “{plain(short(query, 80))}”."
        + ("" if nearly else " Check the spelling."),
        icon=":material/search_off:",
    )
    if nearly:
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.markdown("Did you mean", width="content")
            _buttons(nearly, "meant", on_open)


def _buttons(entities: Sequence[Entity], what: str, on_click: Callable[[str], None]) -> None:
    for entity in entities:
        st.button(
            entity_label(entity),
            key=f"{what}_{entity.id}",
            on_click=on_click,
            args=(entity.id,),
            help=plain(entity.name) if len(entity.name) > 48 else None,
        )
