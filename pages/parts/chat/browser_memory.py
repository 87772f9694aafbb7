"""What the browser knows and the server does not: the tab's open conversation with its scope, what is typed in
the input, and how far the conversation was read.

A reload starts a new session on the server; the tab keeps all of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import streamlit as st

from pages.parts.chat.redraw import QUIETLY
from pages.parts.shared.assets import asset

Scope = dict[str, list[str]]  # names and ids that were chosen, by kind

_component = st.components.v2.component(
    "materia_browser_memory", js=QUIETLY + asset(__file__, ".js")
)


_KEY = "browser_memory"


def browser_memory(
    session_id: str,
    turns: int,
    fresh: bool,
    scope: Scope,
    offered: str,
    take: Callable[[str], None],
    reopen: Callable[[str, object], None],
    place: str = "",
    answered: str = "",
    filled: str = "",
) -> None:
    """Have the tab remember the open conversation, and show it where it was left: one that the tab did not
    show last, at its newest question. Its callbacks are called before anything is drawn.

    Args:
        session_id: of the open conversation, or "".
        turns: its answers; none while it is asked for the first time.
        fresh: nothing was opened in this session yet, so that the tab may say what it remembers.
        scope: what the next questions are asked of, remembered with the conversation.
        offered: id of a run whose question may go back into the input, or "".
        take: is called with the id that was offered when the input is empty: a run of the page may end
            before it has read anything.
        reopen: is called with the conversation that the tab remembers from before a reload, or "", and with
            its scope; neither is checked.
        place: id of the turn that the conversation was opened at just now, or "".
        answered: id of the turn whose answer this session waited for and got last, or "": told in every run, so
            that a run which the page never shows takes nothing with it.
        filled: what the input is filled with in this run, or "".
    """

    def taken() -> None:
        run_id = str(st.session_state[_KEY].get("taken") or "")
        if run_id:
            take(run_id)

    def kept() -> None:
        told = st.session_state[_KEY].get("kept")
        if fresh and isinstance(told, dict):
            reopen(str(told.get("session") or ""), told.get("scope"))

    _component(
        key=_KEY,
        data={
            "session": session_id,
            "turns": turns,
            "fresh": fresh,
            "scope": scope,
            "offered": offered,
            "answered": answered,
            "place": {"turn": place, "told": time.time() if place else 0},
            "filled": {"text": filled, "told": time.time() if filled else 0},
        },
        on_kept_change=kept,
        on_taken_change=taken,
    )
