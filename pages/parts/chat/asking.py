"""Asking from the panel: starts a run, and remembers what this browser's session still has to show of it."""

from __future__ import annotations

import streamlit as st

from core.domain.plans import Correction
from core.domain.provenance.within import Within
from core.errors import MateriaError
from core.runs import Run
from pages.parts.chat.scope import asked_of, chosen_scope, keep_scope
from pages.parts.shared.state import chat_session, open_chat_session, times_called, workspace

INPUT = "chat_input"  # the widget's key
_AWAITED = "chat_awaited"  # runs whose answers this session has not drawn: id -> conversation
_PROBLEM = "chat_problem"  # why the last question could not be asked, or an answer not rated
_REFILL = "chat_refill"  # what the input is to be filled with
_AT_ONCE_SECONDS = (
    0.3  # an answer without a model is often there by then: no need to show its making
)


def ask(
    question: str,
    wider: bool = False,
    correction: Correction | None = None,
    context: tuple[str, ...] = (),
    only: Within | None = None,
) -> None:
    """Ask in the open conversation, in the background; a callback of widgets.

    A question that cannot be asked goes back into the input, with the reason beside it.

    Args:
        only: ask it of this part of the library, whatever the scope beside the input is.
    """
    try:
        scope = chosen_scope()
        indexes, within = asked_of() if only is None else (None, only)
        run = workspace().runs.start(
            question,
            chat_session(),
            wider=wider,
            correction=correction,
            context=context,
            indexes=indexes,
            within=within,
        )
    except MateriaError as error:
        tell_problem(error)
        refill(question)
        return
    open_chat_session(run.session)
    keep_scope(scope)
    await_runs([run])
    run.wait(_AT_ONCE_SECONDS)


def ask_anew(question: str) -> None:
    """Ask in a new conversation; a callback of widgets."""
    open_chat_session("")
    ask(question)


def ask_typed() -> None:
    """Ask what was typed; a callback of the input."""
    ask(str(st.session_state[INPUT] or ""))


def ask_again(run_id: str) -> None:
    """Ask the question of a run that ended without an answer; a callback of widgets."""
    run = workspace().runs.get(run_id)
    if run is not None:
        workspace().runs.dismiss(run_id)
        ask(run.question, run.wider, run.correction, run.context)


def edit_question(run_id: str) -> None:
    """Put the question of a run that ended without an answer into the input; a callback of widgets."""
    run = workspace().runs.get(run_id)
    if run is not None:
        workspace().runs.dismiss(run_id)
        refill(run.question)


def refill(question: str) -> None:
    """Fill the input when it is drawn next."""
    st.session_state[_REFILL] = question


def filling() -> str:
    """What is to come back into the input, or ""."""
    return str(st.session_state.get(_REFILL) or "")


def fill_input() -> None:
    """Fill the input that is drawn after this, if anything is to come back into it; then `input_filled`."""
    if question := filling():
        st.session_state[INPUT] = question


def input_filled() -> None:
    """The input has been drawn with what came back. Not before: a run that ends early has shown nothing."""
    st.session_state.pop(_REFILL, None)


def tell_problem(error: MateriaError) -> None:
    """Show why something did not work, beside the input; for callbacks of widgets.

    It stays there, however often the panel is drawn, until it is forgotten, or a conversation is opened to be
    seen, as it is with each question that is asked.
    """
    st.session_state[_PROBLEM] = (error, _what_is_open())


def forget_problem() -> None:
    """What did not work before does now."""
    st.session_state.pop(_PROBLEM, None)


def told_problem() -> MateriaError | None:
    """Why the last question could not be asked, or an answer not rated."""
    problem: tuple[MateriaError, tuple[str, int]] | None = st.session_state.get(_PROBLEM)
    if problem is None or problem[1] != _what_is_open():
        return None
    return problem[0]


def _what_is_open() -> tuple[str, int]:
    return chat_session(), times_called()


def await_runs(runs: list[Run]) -> None:
    """Note that this session waits for these."""
    awaited: dict[str, str] = st.session_state.setdefault(_AWAITED, {})
    awaited.update({run.id: run.session for run in runs})


def take_answered() -> set[str]:
    """The conversations in which an awaited answer came since the last time. Which runs are drawn is asked
    before: one that ends between the two is taken for answered then, or drawn as one that goes on."""
    awaited: dict[str, str] = st.session_state.get(_AWAITED, {})
    runs = {run_id: workspace().runs.get(run_id) for run_id in awaited}
    ended = [run_id for run_id, run in runs.items() if run is None or not run.active]
    sessions = {run_id: awaited.pop(run_id) for run_id in ended}
    # A run with an answer is forgotten at its end.
    return {sessions[run_id] for run_id in ended if workspace().runs.get(run_id) is None}
