"""What the browser knows and the server does not: the tab's open conversation, what is typed in the input,
and how far the conversation was read.

A reload starts a new session on the server; the tab keeps all three over it.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.parts.shared.assets import asset

_component = st.components.v2.component("materia_browser_memory", js=asset(__file__, ".js"))


_KEY = "browser_memory"


def browser_memory(
    session_id: str, turns: int, fresh: bool, offered: str, take: Callable[[str], None]
) -> str:
    """Have the tab remember the open conversation, and show it where it was left: one that the tab did not
    show last, at its newest question.

    Args:
        session_id: of the open conversation, or "".
        turns: its answers; none while it is asked for the first time.
        fresh: nothing was opened in this session yet, so that the tab may say what it remembers.
        offered: id of a run whose question may go back into the input, or "".
        take: is called with the id that was offered when the input is empty, before the page is drawn
            anew: a run of the page may end before it has read anything.

    Returns:
        The conversation that the tab remembers from before a reload, or "", never checked.
    """

    def taken() -> None:
        run_id = str(st.session_state[_KEY].get("taken") or "")
        if run_id:
            take(run_id)

    result = _component(
        key=_KEY,
        data={"session": session_id, "turns": turns, "fresh": fresh, "offered": offered},
        on_kept_change=lambda: None,
        on_taken_change=taken,
    )
    return str(result.get("kept") or "")
