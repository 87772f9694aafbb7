"""How an answer came about, and the same question asked again: what would it be today?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st

from core.answers.provenance.comparison import Comparison, compare
from core.answers.provenance.rerun import Rerun
from core.conversations.exporting.outline import trace_facts
from core.conversations.exporting.passages import ORDER, cited_as, passages_grid
from core.domain.answers import Answer, Citation, DocumentCitation
from core.domain.conversations import Turn
from core.domain.provenance.trace import Trace
from core.errors import MateriaError
from pages.parts.chat.answer_view import answer_view
from pages.parts.shared.downloads import download_buttons
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import close_dialog, open_dialog, workspace
from pages.parts.shared.text import citation_label, plain

_REQUESTED = "rerun_requested"  # id of the turn whose question is to be asked again
_RUNNING = "rerun_running"
_DONE = "rerun_done"
_LOOKED_AT = "rerun_citation"  # whose mark was clicked in the dialog
_AT_ONCE_SECONDS = 0.3  # an answer without a model is often there by then
_REFRESH_SECONDS = 0.4


@dataclass(frozen=True)
class _Compared:
    """A question that was asked again."""

    answer: Answer
    differences: Comparison


def answer_files(turn: Turn) -> None:
    """Draw a menu that saves one answer as a file."""
    menu = st.popover(
        "Export", icon=":material/download:", key=f"files_{turn.id}", on_change="rerun"
    )
    if menu.open:  # its buttons are drawn for no answer but this one
        with menu:
            st.caption("This question with its answer and all evidence, as a file.")
            download_buttons(turn.session_id, turn.question, turn.id, turn.id)


def came_about(turn: Turn) -> None:
    """Draw what an answer was made with, folded away until it is asked for."""
    details = st.expander("How this answer came about", key=f"trace_{turn.id}", on_change="rerun")
    if not details.open:
        return
    with details:
        if turn.answer.trace is None:
            st.caption("What this answer was made with was not kept.")
        else:
            _trace(turn, turn.answer.trace)
        st.button(
            "Run again",
            key=f"again_{turn.id}",
            icon=":material/replay:",
            help="Asks the same question as it was asked then, over what is there today, and shows what "
            "differs. The conversation stays as it is.",
            on_click=_request,
            args=(turn.id,),
        )


def _trace(turn: Turn, trace: Trace) -> None:
    for name, value in trace_facts(turn.answer, trace):
        st.caption(f"**{plain(name)}:** {plain(value)}")
    if trace.passages:
        grid = passages_grid(trace)
        st.caption(f"{ORDER}{_left_out(trace.passages_left_out)}")
        _table(grid.head, grid.rows, f"passages_{turn.id}")
    if trace.prompt:
        rows = [(str(one.number), one.what, cited_as(one.citation)) for one in trace.prompt]
        _table(("Prompt", "Evidence given to the model", "Cited as"), rows, f"prompt_{turn.id}")
    if trace.documents:
        documents = [(one.file, one.title, one.sha256) for one in trace.documents]
        _table(("Document", "About", "SHA-256"), documents, f"versions_{turn.id}")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], key: str) -> None:
    table = pd.DataFrame(rows, columns=list(head))
    st.dataframe(table, hide_index=True, key=key)


def _left_out(number: int) -> str:
    return f" {number:,} more are not listed." if number else ""


def _request(turn_id: str) -> None:
    _forget()
    st.session_state[_REQUESTED] = turn_id


def show_requested_rerun(turns: Sequence[Turn]) -> bool:
    """Open the dialog on one of the turns, if it was asked for and is not closed; whether it is open."""
    wanted = st.session_state.get(_REQUESTED)
    turn = next((one for one in turns if one.id == wanted), None)
    if turn is not None:
        _rerun(turn)
    return turn is not None


def _closed() -> None:
    _forget()
    close_dialog()


def _forget() -> None:
    running: Rerun | None = st.session_state.get(_RUNNING)
    if running is not None:
        running.stop()
    for name in (_REQUESTED, _RUNNING, _DONE, _LOOKED_AT):
        st.session_state.pop(name, None)


@st.dialog("Run again", width="large", on_dismiss=_closed)
def _rerun(turn: Turn) -> None:
    open_dialog()
    st.markdown(f"**{plain(turn.question)}**")
    running: Rerun | None = st.session_state.get(_RUNNING)
    if running is None:
        again = partial(workspace().chat.again, turn.session_id, turn.id)
        running = st.session_state[_RUNNING] = Rerun(again)
    if running.wait(_AT_ONCE_SECONDS):
        _outcome(turn, running)
    else:
        _waiting(running)


@st.fragment(run_every=_REFRESH_SECONDS)
def _waiting(running: Rerun) -> None:
    """Until it has ended: that it goes on, and a button that ends it."""
    if not running.active:
        st.rerun()  # the panel opens the dialog again, with what came of it
    with st.container(horizontal=True, vertical_alignment="center"):
        st.status("Stopping ..." if running.stopping else "Asking again ...", type="compact")
        st.button(
            "Stop",
            key="stop_rerun",
            icon=":material/stop_circle:",
            disabled=running.stopping,
            on_click=running.stop,
        )


def _outcome(turn: Turn, running: Rerun) -> None:
    """Both answers and what differs, or why there is none of today."""
    try:
        done = _compared(turn, running)
    except MateriaError as error:
        show_error(error)
        return
    if done is None:
        st.info("Stopped. The conversation is as it was.", icon=":material/stop_circle:")
        return
    _differences(done.differences)
    then, today = st.columns(2)
    for column, name, answer in (
        (then, f"Answer of {turn.created_at.astimezone():%Y-%m-%d %H:%M}", turn.answer),
        (today, "Answer of today", done.answer),
    ):
        with column, st.container(border=True, height="stretch"):
            st.caption(name)
            answer_view(answer, lambda _text: [], _look_at, f"compared_{name}_{turn.id}")
            for line in answer.notice.splitlines():
                st.caption(f":material/info: {plain(line)}")
    looked_at: Citation | None = st.session_state.get(_LOOKED_AT)
    if looked_at is not None:  # a dialog opens no other
        with st.container(border=True):
            st.caption(f"[{looked_at.n}] {plain(citation_label(looked_at))}")
            if isinstance(looked_at, DocumentCitation):
                st.text(looked_at.quote)
    st.caption("The answer of today is kept nowhere. Ask the question in the chat to keep one.")


def _look_at(citation: Citation) -> None:
    st.session_state[_LOOKED_AT] = citation


def _compared(turn: Turn, running: Rerun) -> _Compared | None:
    """Once for each opening of the dialog, however often that is drawn; None where it was stopped."""
    done: _Compared | None = st.session_state.get(_DONE)
    if done is None:
        answer = running.answer()
        if answer is None:
            return None
        deleted, replaced = workspace().catalogue.lost_sources(turn.answer.cited_files)
        found = compare(turn.answer, answer, deleted, replaced)
        done = st.session_state[_DONE] = _Compared(answer, found)
    return done


def _differences(found: Comparison) -> None:
    if found.same:
        st.success("The answer and its evidence are the same.", icon=":material/check:")
    for title, lines in (
        ("What is said", found.answer),
        ("Evidence", found.evidence),
        ("Changed since then", found.since),
    ):
        if lines:
            st.markdown(f"**{title}**")
            st.markdown("\n".join(f"- {plain(line)}" for line in lines))
