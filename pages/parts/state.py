"""What pages share in the browser's session, under one name each."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st
from streamlit.errors import StreamlitAPIException

from core.domain.answers import Citation
from core.workspace import Workspace, shared_workspace

_SESSION = "chat_session"  # id of the open conversation, or ""
_SHOWN_GRAPH = "graph_shown"  # entity ids on the canvas, in the order they came
_VIEW = "graph_view"
_SELECTED = "graph_selected"  # id of the selected entity, or ""
_EVIDENCE = "evidence_open"  # the citation whose evidence is to be shown
_DIALOG = "dialog_open"
_NEIGHBOURS = 25  # of one entity, added to the canvas at a time
EXPLORER = "explorer.py"


def workspace() -> Workspace:
    """The server's workspace."""
    return shared_workspace()


def rerun_part() -> None:
    """Run the part that is running again: the fragment, or the whole page when it runs as a whole."""
    try:
        st.rerun(scope="fragment")
    except StreamlitAPIException:  # this run is not one of a fragment
        st.rerun()


def chat_session() -> str:
    return str(st.session_state.get(_SESSION, ""))


def open_chat_session(session_id: str) -> None:
    st.session_state[_SESSION] = session_id


def shown_graph() -> list[str]:
    return list(st.session_state.get(_SHOWN_GRAPH, []))


def show_graph(entity_ids: list[str], selected: str = "") -> None:
    """Put these entities, and no others, on the explorer's canvas, one of them selected."""
    st.session_state[_SHOWN_GRAPH] = list(dict.fromkeys(entity_ids))
    st.session_state[_SELECTED] = selected
    st.session_state[_VIEW] = graph_view() + 1


def neighbourhood(entity_id: str, without: Collection[str] = ()) -> list[str]:
    """Ids of an entity and of its most important neighbours, those that are shown left out."""
    facts = workspace().graph.neighbours([entity_id], _NEIGHBOURS + len(without))
    ends = dict.fromkeys(end.id for fact in facts for end in (fact.source, fact.target))
    new = [end for end in ends if end != entity_id and end not in without]
    return [entity_id, *new[:_NEIGHBOURS]]


def grow_graph(entity_ids: list[str], most: int) -> None:
    """Add entities to those shown, up to `most` in all; the view stays."""
    shown = shown_graph()
    added = [entity_id for entity_id in dict.fromkeys(entity_ids) if entity_id not in shown]
    st.session_state[_SHOWN_GRAPH] = (shown + added)[: max(most, len(shown))]


def graph_view() -> int:
    """A number that changes when the canvas is filled anew."""
    return int(st.session_state.get(_VIEW, 0))


def selected_entity() -> str:
    return str(st.session_state.get(_SELECTED, ""))


def select_entity(entity_id: str) -> None:
    st.session_state[_SELECTED] = entity_id


def open_dialog() -> None:
    """Note that a dialog is open: running the whole page again would close it."""
    st.session_state[_DIALOG] = True


def close_dialog() -> None:
    st.session_state[_DIALOG] = False


def dialog_is_open() -> bool:
    return bool(st.session_state.get(_DIALOG, False))


def request_evidence(citation: Citation) -> None:
    """Show a citation's evidence in this run."""
    st.session_state[_EVIDENCE] = citation


def take_evidence_request() -> Citation | None:
    """The citation to show, once."""
    citation: Citation | None = st.session_state.pop(_EVIDENCE, None)
    return citation
