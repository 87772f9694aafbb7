"""Boards: what leaflets, papers and the graph say of several medicines, side by side."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.parts.boards.choosing import chosen_medicines
from pages.parts.boards.interactions import interactions
from pages.parts.boards.signals import signals
from pages.parts.shared.state import workspace

_SIGNALS, _INTERACTIONS = "Side effects", "Interactions"
_STYLE = Path(__file__).parent / "parts" / "boards" / "boards.css"

st.html(_STYLE)
with st.container(horizontal=True, vertical_alignment="center"):
    st.title("Boards", width="stretch")
    view = st.segmented_control(
        "View",
        (_SIGNALS, _INTERACTIONS),
        default=_SIGNALS,
        required=True,
        key="board",
        bind="query-params",
        persist_state="session",
        label_visibility="collapsed",
    )
names = chosen_medicines(workspace().boards.medicines())
if not names:
    st.info(
        "Choose medicines to see their adverse reactions side by side: with the frequency that each leaflet "
        "gives, and what papers and the graph say.",
        icon=":material/grid_on:",
    )
elif view == _INTERACTIONS:
    interactions(names)
else:
    signals(names)
