"""What pages share in the browser's session, under one name each."""

from __future__ import annotations

import streamlit as st

from core.domain.answers import Citation
from core.workspace import Workspace, shared_workspace

_SESSION = "chat_session"  # id of the open conversation, or ""
_SHOWN_GRAPH = "graph_shown"  # entity ids on the canvas, in the order they came
_SELECTED = "graph_selected"  # id of the selected entity, or ""
_EVIDENCE = "evidence_open"  # the citation whose evidence is to be shown
EXPLORER = "pages/explorer.py"


def workspace() -> Workspace:
    """The server's workspace."""
    return shared_workspace()


def chat_session() -> str:
    return str(st.session_state.get(_SESSION, ""))


def open_chat_session(session_id: str) -> None:
    st.session_state[_SESSION] = session_id


def shown_graph() -> list[str]:
    return list(st.session_state.get(_SHOWN_GRAPH, []))


def show_graph(entity_ids: list[str], selected: str = "") -> None:
    """Put these entities on the explorer's canvas, one of them selected."""
    st.session_state[_SHOWN_GRAPH] = list(dict.fromkeys(entity_ids))
    st.session_state[_SELECTED] = selected


def selected_entity() -> str:
    return str(st.session_state.get(_SELECTED, ""))


def select_entity(entity_id: str) -> None:
    st.session_state[_SELECTED] = entity_id


def request_evidence(citation: Citation) -> None:
    """Show a citation's evidence in this run."""
    st.session_state[_EVIDENCE] = citation


def take_evidence_request() -> Citation | None:
    """The citation to show, once."""
    citation: Citation | None = st.session_state.pop(_EVIDENCE, None)
    return citation
