"""What the browser knows and the server does not: the tab's open conversation, and whether anything is
typed in the input.

A reload starts a new session on the server; the tab keeps the conversation's id over it.
"""

from __future__ import annotations

import streamlit as st

from pages.parts.shared.assets import asset

_component = st.components.v2.component("materia_browser_memory", js=asset(__file__, ".js"))


def browser_memory(session_id: str, fresh: bool, offered: str) -> tuple[str, str]:
    """Have the tab remember the open conversation.

    Args:
        session_id: of the open conversation, or "".
        fresh: nothing was opened in this session yet, so that the tab may say what it remembers.
        offered: id of a run whose question may go back into the input, or "".

    Returns:
        The conversation that the tab remembers from before a reload, or "", never checked; and `offered`
        when the input is empty, or "".
    """
    result = _component(
        key="browser_memory",
        data={"session": session_id, "fresh": fresh, "offered": offered},
        on_kept_change=lambda: None,
        on_taken_change=lambda: None,
    )
    return str(result.get("kept") or ""), str(result.get("taken") or "")
