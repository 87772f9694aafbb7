"""What the explorer's buttons do.

A callback that reads a store could not tell of its failure: it notes what to do, and the page does it
in the run that follows.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.graph.walks.expand import expand
from pages.parts.graph.canvas.component import fit_canvas
from pages.parts.graph.canvas.places import centre_on
from pages.parts.graph.filters import drawn_facts, graph_filters
from pages.parts.graph.view_state import choose_layout, current_view
from pages.parts.shared.state import (
    MOST_NODES,
    can_step_back,
    can_step_forward,
    grow_graph,
    leave_out,
    neighbourhood,
    select_entity,
    selected_entity,
    show_graph,
    shown_graph,
    step_back,
    step_forward,
    workspace,
)
from pages.parts.shared.text import counted, plain

_TODO = "graph_todo"
_NOTICE = "graph_notice"
_LAYOUT = "graph_layout"
_BROUGHT = "graph_brought"  # id -> id of the entity whose expansion brought it
_LAYOUTS = {"force": "Free layout", "type": "By type", "around": "Around selection"}


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
    acts: dict[str, Callable[[str], None]] = {
        "open": show_entity,
        "add": _add,
        "expand": surroundings,
    }
    if what:
        acts[what](entity_id)


def show_notice() -> None:
    """The line that was noted, once."""
    text = st.session_state.pop(_NOTICE, "")
    if text:
        st.toast(plain(text), icon=":material/hub:")


def canvas_tools() -> None:
    """Back and forward, and an empty canvas."""
    for name, icon, act, args, off, help_ in (
        ("back", "undo", back, (), not can_step_back(), "Undo (Ctrl+Z)"),
        ("forward", "redo", forward, (), not can_step_forward(), "Redo (Ctrl+Y)"),
        ("clear", "delete_sweep", show_graph, ([],), not shown_graph(),
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


def layout_choice() -> None:
    """How the canvas is laid out."""
    # It was undone, or a view was opened.
    if st.session_state.get(_LAYOUT) != current_view().layout:
        st.session_state[_LAYOUT] = current_view().layout
    st.selectbox(
        "Layout",
        list(_LAYOUTS),
        key=_LAYOUT,
        format_func=lambda name: _LAYOUTS.get(name, name),
        on_change=_lay_out,
        label_visibility="collapsed",
        width=150,
    )


def _lay_out() -> None:
    centre_on(selected_entity())
    choose_layout(st.session_state[_LAYOUT])
    fit_canvas()


def back() -> None:
    """Undo the last change of the canvas, all of it in sight."""
    step_back()
    fit_canvas()


def forward() -> None:
    """Redo what was undone last, all of it in sight."""
    step_forward()
    fit_canvas()


def show_entity(entity_id: str) -> None:
    """Show an entity with its most important neighbours, and nothing else."""
    show_graph(neighbourhood(entity_id), entity_id)


def _add(entity_id: str) -> None:
    if entity_id not in shown_graph() and not grow_graph([entity_id]):
        tell(f"The canvas is full: it holds {MOST_NODES} entities. Clear it, or take some off.")
        return
    select_entity(entity_id)


def surroundings(entity_id: str) -> None:
    """Add an entity's surroundings to the canvas, as far as the filters say; note what came of it."""
    filters, shown = graph_filters(), shown_graph()
    select_entity(entity_id)
    free = MOST_NODES - len(shown)
    if free <= 0:
        tell(f"The canvas is full: it holds {MOST_NODES} entities. Clear it, or take some off.")
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
    brought: dict[str, str] = st.session_state.setdefault(_BROUGHT, {})
    brought |= dict.fromkeys(new[:added], entity_id)
    if not added:
        more = " that pass the filters" if filters.active else ""
        tell(f"It has no more neighbours{more}.")
    elif added < len(new):
        tell(f"{added} of {len(new)} were added: the canvas holds {MOST_NODES} entities.")
    else:
        tell(f"{added} {'entity' if added == 1 else 'entities'} added.")


def collapse(entity_id: str) -> None:
    """Take off what an expansion of an entity brought, and the neighbours that hang on it alone.

    Raises:
        StoreError: the graph cannot be read.
    """
    shown = shown_graph()
    facts, _ = drawn_facts(shown, ())
    near: dict[str, set[str]] = {one: set() for one in shown}
    for fact in facts:
        near[fact.source.id].add(fact.target.id)
        near[fact.target.id].add(fact.source.id)
    brought: dict[str, str] = st.session_state.get(_BROUGHT, {})
    pinned = current_view().pinned
    off = {
        one
        for one in shown
        if one != entity_id
        and one not in pinned
        and (brought.get(one) == entity_id or near[one] - {one} == {entity_id})
    }
    if not off:
        tell("Nothing hangs on it alone.")
        return
    leave_out(off)
    tell(f"{counted(len(off), 'entity') if len(off) == 1 else f'{len(off)} entities'} taken off.")


def tell(text: str) -> None:
    """Note a line for the analyst; the page shows it in this run."""
    st.session_state[_NOTICE] = text
