"""Runs of the open conversation that have no answer yet: being written, waiting, failed, stopped."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import streamlit as st

from core.errors import ModelError
from core.runs import Run, RunState, RunView
from pages.parts.chat.asking import ask_again, edit_question
from pages.parts.chat.redraw import redraw_panel
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import SYSTEM, dialog_is_open, workspace
from pages.parts.shared.text import counted, plain

_REFRESH_SECONDS = 0.4
PANEL = "chat"  # the key of the fragment that draws the whole panel


@st.fragment(run_every=_REFRESH_SECONDS)
def live_runs(runs: Sequence[Run]) -> None:
    """Runs that were active when the panel was drawn; draws it anew as soon as one of them ends."""
    for run in runs:
        _active(run.snapshot())
    ended = [run.id for run in runs if not run.active]
    # Drawing the panel closes a dialog that was opened from it.
    if ended and not dialog_is_open():
        redraw_panel("chat_run_ended", " ".join(ended))


def question_bubble(text: str) -> None:
    """A question, as it was asked."""
    with st.chat_message("user", avatar=":material/person:"):
        st.text(text)


def ended_run(run: RunView) -> None:
    """A question that got no answer, with what can be done about it."""
    question_bubble(run.question)
    with st.chat_message("assistant", avatar=":material/biotech:"):
        if run.error is not None:
            show_error(run.error)
            st.caption(f"Number in the log: {run.correlation_id}")
        else:
            st.caption(":material/stop_circle: Stopped before there was an answer.")
        with st.container(horizontal=True):
            failed = isinstance(run.error, ModelError)
            if run.error is None or run.error.retryable or failed:
                st.button(
                    "Ask again" if run.error is None else "Retry",
                    key=f"retry_{run.id}",
                    icon=":material/refresh:",
                    on_click=ask_again,
                    args=(run.id,),
                )
            st.button(
                "Edit the question",
                key=f"edit_{run.id}",
                icon=":material/edit:",
                on_click=edit_question,
                args=(run.id,),
            )
            if failed:
                model_settings(run.id)


def model_settings(key: str) -> None:
    """Draw the way to where the language model is chosen, or none."""
    if st.button(
        "Model settings",
        key=f"model_settings_{key}",
        icon=":material/settings:",
        help="Key, address and model; or none: answers quote the evidence then",
    ):
        st.switch_page(SYSTEM)


def _active(run: RunView) -> None:
    question_bubble(run.question)
    with st.chat_message("assistant", avatar=":material/biotech:"):
        if run.state is RunState.WAITING:
            st.caption(":material/hourglass_top: Waits for the answer before it.")
        else:
            # Not as a context manager: that would mark it as complete at its end.
            steps = st.status(plain(_step(run)), type="compact")
            for line in _so_far(run):
                steps.caption(plain(line))
            if run.text:
                st.text(run.text)
        if run.active:
            _stop_button(run)


def _step(run: RunView) -> str:
    if run.stopping:
        return "Stopping ..."
    if run.text:
        return "Writing; not checked yet ..."
    if run.pause:
        return f"The language model's provider asks to wait; it is asked again in {ceil(run.pause)} s ..."
    if run.entities is not None:
        return "Choosing what to say ..."
    if run.passages is not None:
        return "Asking the graph ..."
    if run.query_type:
        return "Searching ..."
    return "Reading the question ..."


def _so_far(run: RunView) -> list[str]:
    """What the steps before brought."""
    lines = []
    if run.query_type:
        lines.append(f"Read as: {run.read_as} ({run.query_type} question)")
    if run.passages is not None:
        lines.append(f"{counted(run.passages, 'passage')} found in {run.searched or 0:,}")
    if run.entities is not None:
        around = "1 entity" if run.entities == 1 else f"{run.entities:,} entities"
        lines.append(f"{around} of the graph around them")
    return lines


def _stop_button(run: RunView) -> None:
    running = run.state is RunState.RUNNING
    st.button(
        "Stop" if running else "Remove",
        key=f"stop_{run.id}",
        icon=":material/stop_circle:" if running else ":material/close:",
        disabled=run.stopping,
        on_click=workspace().runs.stop,
        args=(run.id,),
    )
