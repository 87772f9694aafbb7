"""The few rules that Streamlit's theme has no setting for. Constant text, nothing from outside."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

# Files of our own: a named icon as page icon would be fetched from the internet.
_HERE = Path(__file__).parent
LOGO = _HERE / "logo.svg"
ICON = _HERE / "icon.png"


def apply_style() -> None:
    """Put the rules on the page."""
    st.html(_HERE / "style.css")
