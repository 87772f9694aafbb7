"""Offered questions: what a conversation may begin with, and what may be asked after its newest answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Literal

import streamlit as st

from core.domain.conversations import Turn
from core.errors import MateriaError, StoreUnavailable
from core.runs import Run
from core.suggestions.service import Offered
from pages.parts.chat.asking import ask
from pages.parts.chat.redraw import redraw_panel
from pages.parts.shared.state import dialog_is_open, workspace
from pages.parts.shared.text import plain

_REFRESH_SECONDS = 0.7


def offer_starters() -> None:
    """Questions to begin with; where there is nothing to ask about, what to do first."""
    offered = _now(workspace().suggestions.starters)
    empty, filling = _is_empty(), workspace().jobs.busy
    if offered:
        st.caption("Try:")
        _buttons(offered, "example", "stretch")
    elif empty and filling:
        st.caption(":material/hourglass_top: The library is being filled; then there is more here.")
    elif empty:
        st.info(
            "There is nothing to ask about yet. Put documents into the library first, or import a graph.",
            icon=":material/inbox:",
        )
        st.page_link("library.py", label="Add documents", icon=":material/upload_file:")
        st.page_link("explorer.py", label="Import a graph", icon=":material/hub:")
    if offered is None or (not offered and filling):
        _await(workspace().suggestions.starters, "starters")


def _is_empty() -> bool:
    """Whether there is neither a document nor a graph; a graph that cannot be reached may hold something."""
    try:
        return not workspace().catalogue.has_documents() and workspace().graph.version() == 0
    except StoreUnavailable:
        return False


def offer_follow_ups(turns: Sequence[Turn], runs: Sequence[Run]) -> None:
    """What may be asked after the newest answer, unless a question is waiting for one."""
    if not turns or any(run.active for run in runs):
        return

    def found() -> Future[Offered]:
        return workspace().suggestions.follow_ups(turns)

    offered = _now(found)
    if offered:
        with st.container(key="follow_ups", gap="xsmall"):
            st.caption(":material/subdirectory_arrow_right: Ask next")
            _buttons(offered, f"follow_up_{turns[-1].id}", "content")
    elif offered is None:
        _await(found, turns[-1].id)


def _buttons(offered: Offered, key: str, width: Literal["stretch", "content"]) -> None:
    for number, one in enumerate(offered):
        st.button(
            plain(one.question),
            key=f"{key}_{number}",
            width=width,
            on_click=ask,
            args=(one.question,),
        )


def _now(found: Callable[[], Future[Offered]]) -> Offered | None:
    """What is offered; None while it is being looked for. Nothing where a store is away, which is told
    elsewhere."""
    try:
        future = found()
    except MateriaError:
        return ()
    return future.result() if future.done() and not future.cancelled() else None


@st.fragment(run_every=_REFRESH_SECONDS)
def _await(found: Callable[[], Future[Offered]], what: str) -> None:
    """Draws the panel anew as soon as there is something to offer; not under an open dialog, which that would
    close."""
    offered = _now(found)
    if (offered or (offered is not None and not workspace().jobs.busy)) and not dialog_is_open():
        redraw_panel("chat_offered", f"{what} {hash(offered)}")
