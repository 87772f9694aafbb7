"""The chat panel: the open conversation, the answers being written, the input."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.answers.prompts import BANNER
from core.errors import MateriaError, NotFound
from core.runs import Run, RunState
from pages.parts.chat.asking import (
    INPUT,
    ask_typed,
    await_runs,
    edit_question,
    fill_input,
    filling,
    input_filled,
    take_answered,
    tell_problem,
    told_problem,
)
from pages.parts.chat.browser_memory import browser_memory
from pages.parts.chat.correcting import show_requested_correction
from pages.parts.chat.live_answer import PANEL, ended_run, live_runs
from pages.parts.chat.modes import chat_modes
from pages.parts.chat.provenance import show_requested_rerun
from pages.parts.chat.redraw import redraw_listener
from pages.parts.chat.scope import choose_scope, chosen_scope, scope_choice
from pages.parts.chat.turns.suggestions import offer_follow_ups, offer_starters
from pages.parts.chat.turns.turn import show_turn
from pages.parts.evidence.panel import evidence_panel
from pages.parts.graph.vector_note import vector_note
from pages.parts.history.ledger import ledger_button
from pages.parts.library.jobs import reading_note
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import (
    chat_session,
    close_dialog,
    has_opened_chat,
    leave_no_dialog,
    open_chat_session,
    rerun_explorer,
    restore_chat_session,
    take_chat_place,
    workspace,
)
from pages.parts.shared.text import plain, short

_ANSWERED = "chat_answered"  # id of the turn whose answer came last
_REOPENED = "chat_reopened"


@st.fragment(key=PANEL)
def chat() -> None:
    """The whole panel; its clicks do not run the page beside it."""
    close_dialog()  # drawing the panel anew closes what was opened from it
    # What runs is asked first: see `take_answered`.
    runs = workspace().runs.of(chat_session()) if chat_session() else []
    answered, reopened = take_answered(), st.session_state.pop(_REOPENED, False)
    turns = workspace().conversations.history(chat_session()) if chat_session() else []
    if chat_session() in answered and turns:
        st.session_state[_ANSWERED] = turns[-1].id
    if not (show_requested_rerun(turns) or show_requested_correction(turns)):
        leave_no_dialog()
    _ask_browser(runs, len(turns), take_chat_place(), st.session_state.get(_ANSWERED, ""))
    redraw_listener()
    with st.container(key="chat_header", horizontal=True, vertical_alignment="center"):
        st.markdown("#### Ask Materia", width="stretch")
        st.button(
            "New",
            icon=":material/add_comment:",
            key="new_chat",
            help="New conversation",
            on_click=open_chat_session,
            args=("",),
        )
        if turns:
            ledger_button(chat_session(), "chat")
        chat_modes(chat_session(), len(turns))
    fill_input()
    st.chat_input("Ask documents and graph ...", key=INPUT, on_submit=ask_typed)
    scope_choice()
    # Beside the input, where the eye is, however long the log is.
    with st.container(key="chat_problem"):
        problem = told_problem()
        if problem is not None:
            show_error(problem)
    with st.container(key="chat_note"):
        st.caption(BANNER)
    with st.container(key="chat_log", height=520, autoscroll=True, border=False):
        if not turns and not runs:
            _welcome()
        for turn in turns:
            show_turn(turn, newest=turn is turns[-1])
        _runs(runs)
        offer_follow_ups(turns, runs)
        reading_note()
        vector_note("chat")
    input_filled()
    evidence_panel(turns)
    if answered or reopened:  # last: what was clicked here is done by then
        rerun_explorer()


def _runs(runs: Sequence[Run]) -> None:
    """What has no answer: first what will get none, then what is still being made."""
    views = [(run, run.snapshot()) for run in runs]
    for _, view in views:
        if not view.active and view.state is not RunState.ANSWERED:
            ended_run(view)
    # Also one whose answer was kept after the turns above were read: it has the panel drawn anew.
    active = [run for run, view in views if view.active or view.state is RunState.ANSWERED]
    if active:
        await_runs(active)
        live_runs(active)


def _ask_browser(runs: Sequence[Run], turns: int, place: str, answered: str) -> None:
    """Go on with the conversation that was open before a reload, and give a stopped question back."""
    stopped = [run.id for run in runs if run.snapshot().state is RunState.STOPPED]

    def give_back(run_id: str) -> None:
        if run_id in stopped:
            edit_question(run_id)

    offered = stopped[-1] if stopped else ""
    scope = chosen_scope()
    fresh = not has_opened_chat() and not scope
    browser_memory(
        chat_session(), turns, fresh, scope, offered, give_back, _reopen, place, answered, filling()
    )


def _reopen(kept: str, scope: object) -> None:
    """Open the conversation of before a reload; a callback."""
    if has_opened_chat():
        return
    try:
        restore_chat_session(workspace().conversations.get(kept).id if kept else "")
    except NotFound:
        restore_chat_session("")
    except MateriaError as error:  # a store that cannot be reached: try again at the next click
        tell_problem(error)
        return
    choose_scope(scope)
    st.session_state[_REOPENED] = True


def _welcome() -> None:
    st.markdown(
        "Every sentence of an answer shows what it rests on: :blue[▌]a document, :violet[▌]the graph, "
        ":green[▌]both, :red[▌]nothing. Click a number to see the evidence."
    )
    offer_starters()
    for run in workspace().runs.active():
        st.button(
            f"Being answered: {plain(short(run.question, 60))}",
            key=f"watch_{run.id}",
            icon=":material/pending:",
            type="tertiary",
            help="Open its conversation",
            on_click=open_chat_session,
            args=(run.session,),
        )
