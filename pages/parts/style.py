"""The few rules that Streamlit's theme has no setting for. Constant text, nothing from outside."""

from __future__ import annotations

import streamlit as st

_CSS = """<style>
/* The chat fills the sidebar: the log scrolls, the input stays at the bottom. */
section[data-testid="stSidebar"] [data-testid="stSidebarUserContent"] { padding-bottom: .5rem; }
section[data-testid="stSidebar"] .st-key-chat_log { height: calc(100vh - 15.5rem) !important; }
[data-testid="stMainBlockContainer"] { padding-top: 4.2rem; padding-bottom: 2rem; }
.st-key-chat_log [data-testid="stChatMessage"] { padding: .5rem .6rem; }
</style>"""


def apply_style() -> None:
    """Put the rules on the page."""
    st.html(_CSS)
