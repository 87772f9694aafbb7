"""The canvas outlives a reload: the tab remembers it, another tab has its own."""

from __future__ import annotations

import json

import streamlit as st

from core.domain.explored.views import GraphView, view_to_json
from core.errors import InputError, StoreError
from core.graph.views.service import checked_view
from pages.parts.graph.view_state import current_view
from pages.parts.shared.assets import asset
from pages.parts.shared.state import MOST_NODES, put_graph_record, workspace
from pages.parts.workbench.addresses import note_open_view, open_view

_component = st.components.v2.component("materia_canvas_memory", js=asset(__file__, ".js"))
_KEY = "canvas_memory"
_BEGAN = "canvas_began"  # the address that this session of the browser began with
_AT_FIRST = "canvas_at_first"  # what its first run put on the canvas
_LONGEST = 1_000_000  # characters


def canvas_memory(asked: tuple[str, str], address: tuple[str, str]) -> None:
    """Have the tab remember the canvas, and bring back that of before a reload.

    Args:
        asked: entity and view that the address bar named when this run began. A link to something else than
            the tab showed is followed instead.
        address: that it names now.
    """
    fresh = _BEGAN not in st.session_state
    if fresh:
        st.session_state[_BEGAN] = asked
        st.session_state[_AT_FIRST] = current_view()

    def bring_back() -> None:
        text = str(st.session_state[_KEY].get("kept") or "")
        began: tuple[str, str] = st.session_state[_BEGAN]
        view = _kept(text, began)
        untouched = current_view() == st.session_state[_AT_FIRST]
        if view is not None and untouched:
            saved = open_view()
            put_graph_record(view, anew=True)
            note_open_view(saved)

    view = current_view()
    _component(
        key=_KEY,
        data={"fresh": fresh, "canvas": _written(view, address) if view.shown else ""},
        on_kept_change=bring_back,
        height=0,
    )


def _written(view: GraphView, address: tuple[str, str]) -> str:
    return json.dumps({"address": address, "view": view_to_json(view)})


def _kept(text: str, began: tuple[str, str]) -> GraphView | None:
    """The view that the tab remembers, over the graph as it is now; None where it remembers none for this
    address."""
    if len(text) > _LONGEST:
        return None
    try:
        kept = json.loads(text)
        if tuple(kept["address"]) != began and any(began):
            return None
        view = workspace().views.opened(checked_view(str(kept["view"]))).view
    except (ValueError, KeyError, TypeError, RecursionError, InputError, StoreError):
        return None
    return view if 0 < len(view.shown) <= MOST_NODES else None
