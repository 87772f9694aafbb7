"""The few rules that Streamlit's theme has no setting for. Constant text, nothing from outside."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

# Files of our own: a named icon as page icon would be fetched from the internet.
_HERE = Path(__file__).parent
ICON = _HERE / "icon.png"


def is_dark() -> bool:
    """Whether the browser shows the page dark; not known in a session's first moment."""
    return st.context.theme.type == "dark"


def logo() -> Path:
    """The name in letters that can be read on the page as the browser shows it."""
    return _HERE / ("logo_dark.svg" if is_dark() else "logo.svg")


def apply_style() -> None:
    """Put the rules on the page."""
    st.html(_HERE / "style.css")
