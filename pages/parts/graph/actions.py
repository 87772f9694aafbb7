"""What the explorer's buttons do.

A callback that reads a store could not tell of its failure: it notes what to do, and the page does it
in the run that follows.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.parts.graph.controls import expand_entity, tell
from pages.parts.shared.state import (
    MOST_NODES,
    grow_graph,
    neighbourhood,
    select_entity,
    show_graph,
    shown_graph,
)

_TODO = "graph_todo"


def open_entity_later(entity_id: str) -> None:
    """Show an entity with its most important neighbours, instead of what is shown."""
    st.session_state[_TODO] = ("open", entity_id)


def add_entity_later(entity_id: str) -> None:
    """Put an entity beside what is shown."""
    st.session_state[_TODO] = ("add", entity_id)


def expand_entity_later(entity_id: str) -> None:
    """Add an entity's surroundings to what is shown."""
    st.session_state[_TODO] = ("expand", entity_id)


def is_noted() -> bool:
    """Whether a button asked for something that is not done yet."""
    return _TODO in st.session_state


def do_noted() -> None:
    """Do what a button asked for, once.

    Raises:
        StoreError: the graph cannot be read.
    """
    what, entity_id = st.session_state.pop(_TODO, ("", ""))
    acts: dict[str, Callable[[str], None]] = {"open": _open, "add": _add, "expand": expand_entity}
    if what:
        acts[what](entity_id)


def _open(entity_id: str) -> None:
    show_graph(neighbourhood(entity_id), entity_id)


def _add(entity_id: str) -> None:
    if entity_id not in shown_graph() and not grow_graph([entity_id]):
        tell(f"The canvas is full: it holds {MOST_NODES} entities. Clear it, or take some off.")
        return
    select_entity(entity_id)
