"""How a part of the chat panel that refreshes itself has the whole panel drawn anew.

Not by ``st.rerun`` with the panel's key in a callback: an event that the browser sends together with a click
on the page would draw the panel alone then, and the click would lead nowhere.
"""

from __future__ import annotations

import time

import streamlit as st

from pages.parts.shared.assets import asset

_component = st.components.v2.component("materia_redraw", js=asset(__file__, ".js"))


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
