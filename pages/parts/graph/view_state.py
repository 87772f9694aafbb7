"""The canvas's state as one record: what is shown, hidden, pinned, laid out and filtered."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from core.domain.explored.views import GraphView
from pages.parts.shared.state import (
    MOST_NODES,
    change_graph,
    graph_record,
    put_graph_record,
    remember_graph,
    select_entity,
    selected_entity,
)

_LINE = "graph_line"
FactKey = tuple[str, str, str]


def current_view() -> GraphView:
    """What the canvas shows now, enough to draw it again."""
    return graph_record()


def show_view(view: GraphView) -> None:
    """Put a record on the canvas in place of what is there, as one step that can be undone.

    Of more entities than the canvas holds the first are shown; what is said of entities that are not
    shown is left out.
    """
    shown = tuple(dict.fromkeys(view.shown))[:MOST_NODES]
    known = set(shown)
    remember_graph()
    put_graph_record(
        GraphView(
            shown,
            view.selected if view.selected in known else "",
            tuple(one for one in view.hidden if one in known),
            {one: place for one, place in view.pinned.items() if one in known},
            view.layout,
            view.hidden_types,
            view.relationship_types,
        ),
        anew=True,
    )


def hide(entity_ids: Collection[str]) -> None:
    """Draw these no more; they stay on the canvas, and can be shown again."""
    record = graph_record()
    hidden = dict.fromkeys((*record.hidden, *(one for one in record.shown if one in entity_ids)))
    selected = "" if record.selected in entity_ids else record.selected
    change_graph(hidden=tuple(hidden), selected=selected)


def show_hidden() -> None:
    """Draw again what was hidden one by one."""
    change_graph(hidden=())


def pin(entity_id: str, place: tuple[float, float]) -> None:
    """Keep an entity where the analyst put it, in pixels of the drawing."""
    record = graph_record()
    if entity_id in record.shown:
        change_graph(pinned={**record.pinned, entity_id: place})


def unpin(entity_id: str) -> None:
    """Let the layout place an entity again."""
    change_graph(pinned={k: at for k, at in graph_record().pinned.items() if k != entity_id})


def choose_layout(name: str) -> None:
    """Lay the canvas out anew: ``force``, ``type`` or ``around`` the selected entity."""
    change_graph(layout=name)


def select_line(key: FactKey | None) -> None:
    """Select a relationship that is drawn, in place of an entity; None: no relationship."""
    st.session_state[_LINE] = key
    if key is not None:
        select_entity("")


def selected_line() -> FactKey | None:
    """The selected relationship; none while an entity is selected."""
    key: FactKey | None = st.session_state.get(_LINE)
    return None if selected_entity() else key
