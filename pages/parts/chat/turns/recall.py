"""Earlier questions close to the one just answered: one line above the answer that unfolds."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from core.answers.provenance.earlier import EarlierAnswer
from core.answers.provenance.since import Change
from core.domain.conversations import Turn
from core.errors import MateriaError
from core.logs import get_logger
from pages.parts.chat.asking import ask
from pages.parts.shared.state import open_chat_session, workspace
from pages.parts.shared.text import counted, plain, short

_QUESTION = 90  # characters of a question that are shown
_CONTEXT_HELP = (
    "Asks this question once more and gives the language model that earlier question with its answer. It is no "
    "evidence: what rests on it alone still counts as not supported."
)
_log = get_logger("recall")


def earlier_answers(turn: Turn) -> None:
    """Draw the earlier questions that are close to a turn's, with what changed since; nothing where there
    are none, recall is off or the embedding model is not in memory yet."""
    if not workspace().recall.is_ready:
        return
    try:
        found = workspace().earlier.beside(turn)
    except MateriaError as error:  # the answer stands without
        _log.warning("recall_failed", code=error.code)
        return
    if found:
        with st.expander(_headline(found), icon=":material/history:", key=f"recall_{turn.id}"):
            for one in found:
                _earlier(turn, one)


def context_note(turn: Turn) -> None:
    """Say that a language model was given earlier answers, where the analyst wanted it."""
    given = len(turn.answer.trace.context) if turn.answer.trace is not None else 0
    if given:
        st.caption(
            f":material/history: The model was given {counted(given, 'earlier answer')} as context, not as "
            "evidence."
        )


def _headline(found: list[EarlierAnswer]) -> str:
    nearest = found[0].found
    told = f"You asked something close {when(nearest.asked_at)}"
    if len(found) > 1:
        told += ", and once more" if len(found) == 2 else f", and {len(found) - 1} times more"
    # Another answer to other words says little by itself.
    changed = any(each.what is not Change.ANSWER for one in found for each in one.changed)
    return f"{told} · changed since" if changed else told


def _earlier(turn: Turn, one: EarlierAnswer) -> None:
    found = one.found
    with st.container(gap=None):
        st.button(
            plain(short(found.question, _QUESTION)),
            key=f"recall_open_{turn.id}_{found.turn_id}",
            type="tertiary",
            help="Open that conversation at this question",
            on_click=open_chat_session,
            args=(found.session_id, found.turn_id),
        )
        st.caption(plain(" · ".join(_facts(one))))
        if workspace().models.current is not None and one.is_quotable:
            st.button(
                "Use as context",
                key=f"recall_use_{turn.id}_{found.turn_id}",
                type="tertiary",
                icon=":material/forum:",
                help=_CONTEXT_HELP,
                on_click=_ask_with,
                args=(turn.answer.read_as, found.turn_id),
            )


def _facts(one: EarlierAnswer) -> list[str]:
    facts = [when(one.found.asked_at).removeprefix("on ")]
    changed = [each.text for each in one.changed]
    if one.found.refused:  # it rests on nothing that could have stayed as it was
        return [*facts, "not answered then", *changed]
    return [*facts, *(changed or ["its sources are as they were"])]


def when(moment: datetime) -> str:
    """``on 3 May``, with the year where it is another; ``today at 14:05``."""
    then, now = moment.astimezone(), datetime.now().astimezone()
    if then.date() == now.date():
        return f"today at {then:%H:%M}"
    year = "" if then.year == now.year else f" {then.year}"
    return f"on {then.day} {then:%B}{year}"


def _ask_with(question: str, turn_id: str) -> None:
    ask(question, context=(turn_id,))
