"""The panel itself: where it stands, its head with the way through the citations, and what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from core.domain.answers import Answer, DocumentCitation, GraphCitation
from core.domain.conversations import Turn
from core.errors import MateriaError
from pages.parts.chat.lists import list_table
from pages.parts.evidence.keys import evidence_keys
from pages.parts.evidence.opened import (
    Opened,
    close_evidence,
    open_sentences,
    opened,
    show_sentences,
    step,
)
from pages.parts.evidence.passage import passage
from pages.parts.evidence.relationship import relationship
from pages.parts.evidence.sentences import sentences
from pages.parts.shared.problems import show_error
from pages.parts.shared.text import plain, short

_STYLE = Path(__file__).with_suffix(".css")
_QUESTION = 120  # characters of a question that are shown


@st.fragment(key="evidence")
def evidence_panel(turns: Sequence[Turn]) -> None:
    """The panel beside the chat; its clicks run neither the chat nor the page.

    Args:
        turns: of the conversation. While nothing is open, the wide chat shows on what the sentences of the
            last one rest.
    """
    shown = opened()
    of = next((one for one in reversed(turns) if shown and one.answer == shown.answer), None)
    st.html(_STYLE)
    with st.container(key="evidence_panel"):
        if shown is not None:
            with st.container(key="evidence_shown"):
                _head(shown)
                if of is not None and len(turns) > 1:
                    _asked(of, of is turns[-1])
                _body(shown)
        else:
            with st.container(key="evidence_offered"):
                _nothing_open(turns)
    evidence_keys(shown, f"answer_{of.id}" if of else "")


def _asked(turn: Turn, newest: bool = True) -> None:
    """Which of several answers this belongs to; one that is not the newest says so."""
    question = plain(short(turn.question, _QUESTION))
    if newest:
        st.caption(f":material/subdirectory_arrow_right: {question}")
    else:
        st.info(f"From an earlier answer: {question}", icon=":material/history:")


def _head(shown: Opened) -> None:
    with st.container(key="evidence_back"):
        st.button(
            "Back to the page" if shown.session is None else "Back to the answer",
            key="evidence_back_button",
            icon=":material/arrow_back:",
            on_click=close_evidence,
        )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if shown.listed is not None:
            listed = shown.listed
            st.markdown(f"**{plain(listed.title)}** ({listed.size:,})", width="stretch")
        elif shown.at < 0:
            st.markdown("**What each sentence rests on**", width="stretch")
        else:
            _way(shown)
        st.button(
            "Close the evidence",
            key="evidence_close",
            icon=":material/close:",
            type="tertiary",
            help="Close (Esc)",
            on_click=close_evidence,
        )


def _way(shown: Opened) -> None:
    """Previous and next citation, and back to all of them."""
    citation = shown.citation
    number = f"Evidence {citation.n}" if citation else "Evidence"
    if len(shown.citations) > 1:
        for by, name, icon, key in (
            (-1, "Previous citation", ":material/chevron_left:", "["),
            (1, "Next citation", ":material/chevron_right:", "]"),
        ):
            st.button(
                name,
                key=f"evidence_{'next' if by > 0 else 'previous'}",
                icon=icon,
                type="tertiary",
                help=f"{name} ({key})",
                disabled=not 0 <= shown.at + by < len(shown.citations),
                on_click=step,
                args=(by,),
            )
        number += f" · {shown.at + 1} of {len(shown.citations)}"
    st.markdown(f"**{number}**", width="stretch")
    if shown.answer is not None and shown.answer.sentences and not shown.answer.refused:
        st.button(
            "All sentences",
            key="evidence_all",
            icon=":material/view_list:",
            type="tertiary",
            on_click=show_sentences,
        )


def _body(shown: Opened) -> None:
    citation = shown.citation
    try:
        if isinstance(citation, DocumentCitation):
            passage(shown, citation)
        elif isinstance(citation, GraphCitation):
            relationship(citation, shown.citations)
        elif shown.listed is not None and shown.answer is not None:
            list_table(shown.listed, shown.answer, "evidence")
        elif shown.answer is not None:
            sentences(shown.answer)
    except MateriaError as error:
        show_error(error)


def _nothing_open(turns: Sequence[Turn]) -> None:
    newest = turns[-1] if turns else None
    if newest is None or newest.answer.refused or not newest.answer.sentences:
        st.caption("What an answer rests on will stand here.")
        return
    st.markdown("**What each sentence rests on**")
    if len(turns) > 1:
        _asked(newest)
    sentences(newest.answer)


def evidence_view_button(answer: Answer, key: str) -> None:
    """Under an answer: shows it sentence by sentence, each beside what it rests on."""
    if answer.sentences and not answer.refused:
        st.button(
            "Evidence view",
            key=f"evidence_view_{key}",
            icon=":material/splitscreen_right:",
            help="Each sentence beside what it rests on, those without support first",
            on_click=open_sentences,
            args=(answer,),
        )
