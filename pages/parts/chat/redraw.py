"""How a part of the chat panel that refreshes itself has the whole panel drawn anew.

Not by ``st.rerun`` with the panel's key in a callback, and not while something is being clicked (`QUIETLY`): an
event that is handled together with a click on the page would draw the panel alone, and the click would lead
nowhere.
"""

from __future__ import annotations

import time
from pathlib import Path

import streamlit as st

from pages.parts.shared.assets import asset

# Stands before a script: its function `quietly` waits for a moment in which nobody clicks.
QUIETLY = asset(str(Path(__file__).with_name("quietly.py")), ".js")

_component = st.components.v2.component("materia_redraw", js=QUIETLY + asset(__file__, ".js"))


def redraw_listener() -> None:
    """Draw, in the panel itself, what hears `redraw_panel`."""
    _component(key="chat_redraw", data={"ended": ""}, height=0, on_wanted_change=lambda: None)


def redraw_panel(key: str, ended: str) -> None:
    """Ask for it from a part of the panel; the same but once in some seconds.

    Args:
        key: of the asking part.
        ended: what is over, and to be drawn: another text for each.
    """
    _component(key=key, data={"ended": ended, "at": time.monotonic()}, height=0)
