"""The few rules that Streamlit's theme has no setting for. Constant text, nothing from outside."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

# Files of our own: a named icon as page icon would be fetched from the internet.
_HERE = Path(__file__).parent
LOGO = _HERE / "logo.svg"
ICON = _HERE / "icon.png"

_CSS = """<style>
/* The chat fills the sidebar: the log scrolls, the input stays at the bottom. */
[data-testid="stSidebarHeader"] { padding-bottom: 0; height: 3.2rem; margin: 0; }
[data-testid="stSidebarUserContent"] { padding-bottom: .5rem; }
div:has(> .st-key-chat_log) {
  flex: 0 0 calc(100vh - 13.5rem) !important; height: calc(100vh - 13.5rem) !important; min-height: 0;
}
.st-key-chat_log { height: 100% !important; min-height: 0; }
.st-key-chat_log [data-testid="stChatMessage"] { padding: .4rem .5rem; gap: .5rem; }
[data-testid="stMainBlockContainer"] { padding: 4.2rem clamp(1rem, 3vw, 5rem) 2rem; }
[data-testid="stMainBlockContainer"] h2 { padding-top: 0; }
</style>"""


def apply_style() -> None:
    """Put the rules on the page."""
    st.html(_CSS)
