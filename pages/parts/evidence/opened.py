"""Which evidence is open in this browser's session: one citation of an answer, or all its sentences."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from core.domain.answers import Answer, Citation, DocumentCitation
from core.domain.plans import AnswerList
from pages.parts.shared.state import chat_session

_OPENED = "evidence_opened"
_TIMES = "evidence_times"


@dataclass(frozen=True, slots=True)
class Opened:
    """What the panel shows.

    Attributes:
        citations: those that "previous" and "next" lead through.
        at: place in `citations` of the one that is shown; -1: the answer sentence by sentence.
        answer: that has them; None for a passage that was found by a search.
        session: the conversation it was opened in, which it is closed with; None: of no conversation.
        page: the page that was turned to; 0: that of the citation.
        whole: the whole page is shown, not the part around the passage.
        found: what a search inside the document led to, on `page`.
        listed: a list of the answer, shown as a table in place of its sentences.
        time: grows with each opening.
    """

    citations: tuple[Citation, ...]
    at: int
    answer: Answer | None
    session: str | None
    page: int = 0
    whole: bool = False
    found: tuple[int, int] | None = None
    listed: AnswerList | None = None
    time: int = 0

    @property
    def citation(self) -> Citation | None:
        """The citation that is shown; None where sentences are."""
        return self.citations[self.at] if self.at >= 0 else None

    @property
    def shown_page(self) -> int:
        """The page that is shown; 0 for a text without pages, and for a relationship."""
        citation = self.citation
        own = citation.page if isinstance(citation, DocumentCitation) else 0
        return self.page or own

    @property
    def is_turned(self) -> bool:
        """Whether another place of the document is shown than the cited one."""
        citation = self.citation
        own = citation.page if isinstance(citation, DocumentCitation) else 0
        return self.found is not None or self.shown_page != own


def opened() -> Opened | None:
    """What is open; nothing of another conversation than the present one."""
    shown: Opened | None = st.session_state.get(_OPENED)
    if shown is None or shown.session not in (None, chat_session()):
        return None
    return shown


def open_citation(citation: Citation, answer: Answer | None = None, in_chat: bool = True) -> None:
    """Open a citation; a callback of widgets.

    Args:
        answer: that the citation belongs to, and whose others lie beside it.
        in_chat: it is one of the open conversation.
    """
    citations: tuple[Citation, ...] = (citation,)
    if answer is not None:
        of_answer = answer.citations if citation in answer.citations else answer.nearest
        citations = of_answer if citation in of_answer else citations
    _show(Opened(citations, citations.index(citation), answer, _session(in_chat)))


def open_claim(cited: tuple[Citation, ...], at: int, answer: Answer) -> None:
    """Open what one sentence of an answer rests on, at one of its citations; all sentences where it cites
    nothing. A callback of widgets."""
    _show(Opened(cited or answer.citations, at if cited else -1, answer, None))


def open_citations(citations: tuple[Citation, ...], at: int) -> None:
    """Open one of several citations that belong to no answer; a callback of widgets."""
    _show(Opened(citations, at, None, None))


def open_sentences(answer: Answer, in_chat: bool = True) -> None:
    """Open an answer sentence by sentence; a callback of widgets."""
    _show(Opened(answer.citations, -1, answer, _session(in_chat)))


def open_list(listed: AnswerList, answer: Answer) -> None:
    """Open a list of an answer as a table; a callback of widgets."""
    _show(Opened(answer.citations, -1, answer, chat_session(), listed=listed))


def close_evidence() -> None:
    """A callback of widgets."""
    st.session_state.pop(_OPENED, None)


def step(by: int) -> None:
    """Show the next citation, or the one before; a callback of widgets."""
    shown = opened()
    if shown is not None and 0 <= shown.at + by < len(shown.citations):
        _show(Opened(shown.citations, shown.at + by, shown.answer, shown.session))


def show_sentences() -> None:
    """From a citation back to all sentences of its answer; a callback of widgets."""
    shown = opened()
    if shown is not None:
        _show(Opened(shown.citations, -1, shown.answer, shown.session))


def show_place(page: int, found: tuple[int, int] | None = None) -> None:
    """Turn to a whole page of the document, or to what was found on it; a callback of widgets."""
    shown = opened()
    if shown is not None:
        st.session_state[_OPENED] = replace(shown, page=page, found=found, whole=found is None)


def show_cited() -> None:
    """Turn back to the cited passage; a callback of widgets."""
    shown = opened()
    if shown is not None:
        st.session_state[_OPENED] = replace(shown, page=0, found=None, whole=False)


def show_whole(whole: bool) -> None:
    """Show the whole page, or the part around the passage; a callback of widgets."""
    shown = opened()
    if shown is not None:
        st.session_state[_OPENED] = replace(shown, whole=whole)


def _show(shown: Opened) -> None:
    st.session_state[_TIMES] = time = int(st.session_state.get(_TIMES, 0)) + 1
    st.session_state[_OPENED] = replace(shown, time=time)


def _session(in_chat: bool) -> str | None:
    return chat_session() if in_chat else None
