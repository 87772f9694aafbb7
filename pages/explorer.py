"""The graph: search, click, expand, look at every property."""

from __future__ import annotations

import streamlit as st

from core.domain.graph import Entity
from pages.parts.canvas import graph_canvas, type_colour
from pages.parts.entity_card import entity_card
from pages.parts.state import (
    chat_session,
    graph_view,
    grow_graph,
    neighbourhood,
    select_entity,
    selected_entity,
    show_graph,
    shown_graph,
    workspace,
)
from pages.parts.text import plain

_MOST_NODES = 150  # on the canvas; more cannot be read and slows the browser down
_RESULTS = 8


def _open(entity_id: str) -> None:
    """Show an entity with its most important neighbours."""
    show_graph(neighbourhood(entity_id), entity_id)


def _expand(entity_id: str) -> None:
    """Add an entity's neighbours to what is shown."""
    grow_graph(neighbourhood(entity_id, without=shown_graph()), _MOST_NODES)


def _search() -> None:
    query = st.text_input(
        "Search the graph",
        placeholder="A drug, disease, protein or side effect: metformin, asthma, PPARG ...",
        key="entity_search",
    )
    if not query.strip():
        return
    found = workspace().graph.search_entities(query, limit=_RESULTS)
    if not found:
        st.warning(f"Nothing in the graph is called “{plain(query)}”. Check the spelling.")
        return
    with st.container(horizontal=True):
        for entity in found:
            label = f":{type_colour(entity.type)}[●] {plain(entity.name)}"
            st.button(label, key=f"found_{entity.id}", on_click=_open, args=(entity.id,))


def _filter(entities: list[Entity]) -> list[Entity]:
    """The legend, which is the filter too: entities of the chosen types."""
    counts: dict[str, int] = {}
    for entity in entities:
        counts[entity.type] = counts.get(entity.type, 0) + 1
    chosen = st.pills(
        "Types",
        sorted(counts),
        selection_mode="multi",
        default=sorted(counts),
        format_func=lambda kind: f":{type_colour(kind)}[⬤] {plain(kind)} ({counts[kind]})",
        label_visibility="collapsed",
        key=f"types_{'_'.join(sorted(counts))}",
    )
    return [entity for entity in entities if entity.type in chosen]


def _highlighted() -> set[str]:
    """Entities that the open conversation speaks of."""
    if not chat_session():
        return set()
    answers = [turn.answer for turn in workspace().conversations.history(chat_session())]
    listed = {entity.id for answer in answers for entity in answer.entities}
    return listed | {str(key) for answer in answers for key in answer.subgraph.get("entities", [])}


def _canvas() -> None:
    known = workspace().graph.entities(shown_graph())
    entities = [known[key] for key in shown_graph() if key in known][:_MOST_NODES]
    if not entities:
        counts = workspace().graph.counts_by_type()
        if counts:
            held = ", ".join(f"{count:,} {plain(kind)}" for kind, count in sorted(counts.items()))
            st.info(
                f"The graph holds {held}. Search an entity above, or press “Show in graph” under an "
                "answer.",
                icon=":material/hub:",
            )
        else:
            st.info(
                "The graph is empty. Import one: python -m core import-graph FOLDER",
                icon=":material/hub:",
            )
        return
    visible = _filter(entities)
    drawing, details = st.columns([5, 3], gap="medium")
    with drawing, st.container(border=True):
        facts = workspace().graph.facts_between([entity.id for entity in visible])
        clicked = graph_canvas(visible, facts, selected_entity(), _highlighted(), graph_view())
        st.caption(
            f"{len(visible)} entities, {len(facts)} relationships. Click a node for its details; "
            "a golden ring marks what the conversation speaks of."
        )
    # The component gives back its last click in every run; only a new one selects.
    click = (graph_view(), clicked)
    if clicked and click != st.session_state.get("graph_clicked"):
        st.session_state["graph_clicked"] = click
        select_entity(clicked)
        st.rerun()
    with details:
        entity = known.get(selected_entity())
        if entity is None:
            st.caption("Click a node to see all that the graph knows of it.")
        else:
            entity_card(entity, on_expand=_expand, on_open=_open)


st.header("Explorer")
_search()
_canvas()
