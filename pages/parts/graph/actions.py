"""What the explorer's buttons do.

A callback that reads a store could not tell of its failure: it notes what to do, and the page does it
in the run that follows.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.graph.walks.expand import expand
from pages.parts.graph.canvas import fit_canvas
from pages.parts.graph.filters import graph_filters
from pages.parts.shared.state import (
    MOST_NODES,
    can_step_back,
    grow_graph,
    neighbourhood,
    select_entity,
    show_graph,
    shown_graph,
    step_back,
    workspace,
)
from pages.parts.shared.text import plain

_TODO = "graph_todo"
_NOTICE = "graph_notice"


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
    acts: dict[str, Callable[[str], None]] = {"open": _open, "add": _add, "expand": _expand}
    if what:
        acts[what](entity_id)


def show_notice() -> None:
    """The line that was noted, once."""
    text = st.session_state.pop(_NOTICE, "")
    if text:
        st.toast(plain(text), icon=":material/hub:")


def canvas_tools() -> None:
    """Back, all of it in sight, and an empty canvas."""
    for name, icon, act, args, off, help_ in (
        ("back", "undo", step_back, (), not can_step_back(), "Back: what was on the canvas before"),
        ("fit", "fit_screen", fit_canvas, (), not shown_graph(), "Fit the graph into the canvas"),
        ("clear", "delete_sweep", show_graph, ([],), False,
         "Take everything off the canvas; the graph itself stays"),
    ):  # fmt: skip
        st.button(
            "",
            icon=f":material/{icon}:",
            key=f"graph_{name}",
            type="tertiary",
            on_click=act,
            args=args,
            disabled=off,
            help=help_,
        )


def _open(entity_id: str) -> None:
    show_graph(neighbourhood(entity_id), entity_id)


def _add(entity_id: str) -> None:
    if entity_id not in shown_graph() and not grow_graph([entity_id]):
        _tell(f"The canvas is full: it holds {MOST_NODES} entities. Clear it, or take some off.")
        return
    select_entity(entity_id)


def _expand(entity_id: str) -> None:
    """Add an entity's surroundings to the canvas, as far as the filters say; note what came of it."""
    filters, shown = graph_filters(), shown_graph()
    select_entity(entity_id)
    free = MOST_NODES - len(shown)
    if free <= 0:
        _tell(f"The canvas is full: it holds {MOST_NODES} entities. Clear it, or take some off.")
        return
    near = filters.hops == 1
    found = expand(
        workspace().graph,
        {entity_id: 1.0},
        {},
        hops=filters.hops,
        # Those on the canvas already do not count.
        per_entity=filters.neighbours + (len(shown) if near else 0),
        limit=len(shown) + MOST_NODES,
        relationship_types=filters.relationship_types,
        entity_types=filters.entity_types(),
    )
    new = [one for one in found.entity_ids if one not in shown and one != entity_id]
    new = new[: filters.neighbours] if near else new
    grow_graph([entity_id])
    added = grow_graph(new)
    if not added:
        more = " that pass the filters" if filters.active else ""
        _tell(f"It has no more neighbours{more}.")
    elif added < len(new):
        _tell(f"{added} of {len(new)} were added: the canvas holds {MOST_NODES} entities.")
    else:
        _tell(f"{added} {'entity' if added == 1 else 'entities'} added.")


def _tell(text: str) -> None:
    """Note a line for the analyst; the page shows it in this run."""
    st.session_state[_NOTICE] = text
