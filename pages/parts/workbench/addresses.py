"""The explorer's address: a link opens an entity or a saved view, and the address bar follows what is shown."""

from __future__ import annotations

import streamlit as st

from core.errors import NotFound
from pages.parts.graph.view_state import show_view
from pages.parts.shared.links import ENTITY, VIEW, asked_for, link_to, tell_link_problem
from pages.parts.shared.state import (
    graph_view,
    neighbourhood,
    select_entity,
    selected_entity,
    show_graph,
    shown_graph,
    workspace,
)

_FOLLOWED = (
    "explorer_address"  # entity and view that the address bar had when it was last looked at
)
_OPEN = "explorer_open_view"  # id of the saved view that is open, and the number of its drawing


def follow_address() -> None:
    """Open what the address bar names, if somebody else wrote it there: a link, or the browser's Back.

    Raises:
        StoreError: the graph cannot be read.
    """
    asked = address()
    if asked == st.session_state.get(_FOLLOWED, ("", "")):
        return
    st.session_state[_FOLLOWED] = asked
    entity_id, view_id = asked
    if view_id and view_id != open_view():
        _open_linked_view(view_id)
    if entity_id and entity_id not in shown_graph():
        if workspace().graph.entity(entity_id) is None:
            tell_link_problem(
                "The graph has no entity of this link; an import may have removed it."
            )
            return
        if not view_id:
            show_graph(neighbourhood(entity_id))
    if entity_id in shown_graph():
        select_entity(entity_id)


def address() -> tuple[str, str]:
    """Entity and saved view that the address bar names."""
    return asked_for(ENTITY), asked_for(VIEW)


def write_address() -> None:
    """Have the address bar name what is selected and the saved view that is open."""
    shown = (selected_entity(), open_view())
    st.session_state[_FOLLOWED] = shown
    if shown == address():
        return
    others = {
        key: st.query_params.get_all(key) for key in st.query_params if key not in (ENTITY, VIEW)
    }
    named = {key: one for key, one in zip((ENTITY, VIEW), shown, strict=True) if one}
    st.query_params.from_dict({**others, **named})


def explorer_link() -> str:
    """The address that opens what is shown now."""
    return link_to("explorer", {ENTITY: selected_entity(), VIEW: open_view()})


def open_view() -> str:
    """Id of the saved view that is open, also where it was changed since; "" where there is none."""
    view_id, drawing = st.session_state.get(_OPEN, ("", -1))
    return str(view_id) if drawing == graph_view() else ""


def note_open_view(view_id: str) -> None:
    """What is on the canvas is this saved view from now on."""
    st.session_state[_OPEN] = (view_id, graph_view())


def open_saved_view(view_id: str) -> int:
    """Show a saved view; how many of its entities the graph has no longer.

    Raises:
        NotFound: the user has none of this id.
        StoreError: the graph or the views cannot be read.
    """
    opened = workspace().views.opened(workspace().views.get(view_id).view)
    show_view(opened.view)
    note_open_view(view_id)
    return opened.gone


def _open_linked_view(view_id: str) -> None:
    try:
        gone = open_saved_view(view_id)
    except NotFound:
        tell_link_problem(
            "The view of this link does not exist any more, or it is somebody else's."
        )
        return
    if gone:
        tell_link_problem(gone_words(gone))


def gone_words(gone: int) -> str:
    """What is said of entities of a view that an import removed."""
    entities = "1 entity of this view is" if gone == 1 else f"{gone:,} entities of this view are"
    return f"{entities} no longer in the graph and left out."
