"""An answered question in the panel: the answer, what it rests on, what it was made with."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.answers.confidence import ANSWERED_FROM
from core.answers.leaflets.of_each import less_certain
from core.answers.prompts import CLOSING
from core.conversations.exporting.told import plain_text
from core.domain.answers import Answer, DocumentCitation, State
from core.domain.conversations import Turn
from core.domain.plans import Correction
from pages.parts.chat.answer_view import answer_view
from pages.parts.chat.asking import ask, ask_anew
from pages.parts.chat.lists import answer_lists, graph_button, instead, open_rest, understood
from pages.parts.chat.live_answer import model_settings, question_bubble
from pages.parts.chat.provenance import answer_files, came_about
from pages.parts.chat.turns.other_leaflets import other_leaflets
from pages.parts.chat.turns.rating import reasons, thumbs
from pages.parts.chat.turns.recall import context_note, earlier_answers
from pages.parts.chat.turns.sources import answer_sources, nearest_passages
from pages.parts.chat.turns.unasked import unasked_documents
from pages.parts.evidence.copying import copy_text
from pages.parts.evidence.opened import open_citation
from pages.parts.evidence.panel import evidence_view_button
from pages.parts.shared.links import ANSWER, CONVERSATION, link_to
from pages.parts.shared.notices import show_notices
from pages.parts.shared.state import open_named, workspace
from pages.parts.shared.text import plain

_COST_HELP = (
    "What the language model's provider counts; the cost follows from the price in the settings."
)
_ESTIMATE_HELP = "The provider did not say how many tokens it used: the number is an estimate."
_CONFIDENCE_HELP = (
    "Of 100 answers with a confidence of 0.90, about 90 were right, page and content, when questions with "
    "known answers were asked. It rests on how likely the best cited passage answers; relationships "
    "of the graph that the question asks for count as sure. Of several documents it is the surest one's: what "
    "may say something else is marked. Sentences without support lower it, and a number "
    f"without evidence leaves 0.05 at most. Passages alone with less than {ANSWERED_FROM:.2f} are told as "
    "the closest ones, which may not answer. It does not say that the answer is complete, and nothing about a "
    "patient."
)


def show_turn(turn: Turn, newest: bool = False) -> None:
    """Draw a question with its answer. Above the newest stands what was asked before and is close to it."""
    question_bubble(turn.question)
    with st.chat_message("assistant", avatar=":material/biotech:"):
        # A place of its own, also without any: what stands below is not moved, nor shown twice meanwhile.
        with st.container():
            if newest:
                earlier_answers(turn)
        _answer(turn)


def _answer(turn: Turn) -> None:
    answer, key = turn.answer, turn.id
    # A corrected plan says itself what was read in place of the question.
    if answer.read_as != answer.question and answer.plan_as_read is None:
        st.caption(f"Read as: {plain(answer.read_as)}")
    understood(turn)
    if answer.wider:
        st.caption(":material/travel_explore: Searched in all indexes and sections.")
    context_note(turn)
    _notice(turn)
    _deleted_sources(answer)
    entity_id = answer_view(
        answer,
        workspace().names.mentions_in,
        partial(open_citation, answer=answer),
        f"answer_{key}",
        partial(open_rest, answer=answer),
    )
    if entity_id:
        open_named(entity_id)
    instead(turn)
    other_leaflets(turn)
    unasked_documents(turn)
    answer_lists(answer, key)
    if answer.refused:
        _nearest(turn)
    else:
        if answer.state is State.MAY_NOT_ANSWER:
            _wider(turn)
        answer_sources(answer, key)
    came_about(turn)
    with st.container(horizontal=True, key=f"actions_{key}", gap="xsmall"):
        graph_button(answer, key)
        evidence_view_button(answer, key)
        copy_text(f"copy_{key}", plain_text(turn), "Copy")
        copy_text(
            f"link_{key}",
            link_to("", {CONVERSATION: turn.session_id, ANSWER: turn.id}),
            "Copy link",
            title="A link that opens this conversation at this answer",
        )
        answer_files(turn)
    with st.container(key=f"closing_{key}"):
        st.caption(plain(CLOSING))
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            _provenance(answer)
        thumbs(turn)
    reasons(turn)


def _again(turn: Turn, wider: bool) -> tuple[str, bool, Correction | None]:
    """What `ask` is given to ask once more: the question as it was read, as after further questions the
    words alone may mean something else; or as it was asked, with its corrected plan."""
    answer = turn.answer
    if answer.plan_as_read is None or answer.plan is None:
        return answer.read_as, wider, None
    changed = answer.each_plan[answer.corrected].plan
    return answer.question, wider, Correction(changed, turn.id, answer.corrected)


def _notice(turn: Turn) -> None:
    """What the reader must know, and another try where a language model failed."""
    answer, key = turn.answer, turn.id
    failure = answer.failure
    if failure is None:
        show_notices(answer.notice)
        return
    st.warning(
        f"{plain(answer.notice)} {plain(failure.advice)} ({plain(failure.code)})",
        icon=":material/cloud_off:",
    )
    with st.container(horizontal=True):
        _once_more(turn, "Retry", "Asks the language model again")
        model_settings(key)


def _nearest(turn: Turn) -> None:
    """What came nearest to a question that the evidence does not answer, and a wider search."""
    answer, key = turn.answer, turn.id
    if answer.nearest:
        nearest_passages(answer, key)
    if answer.suggestions:
        st.caption("\n".join(f"- {plain(suggestion)}" for suggestion in answer.suggestions))
    if answer.state is State.GRAPH_UNAVAILABLE:
        _once_more(turn, "Ask again", "Asks the same once more")
    else:
        _wider(turn)
    if turn.position and answer.read_as != answer.question and answer.plan_as_read is None:
        st.button(
            "Ask it by itself",
            key=f"alone_{key}",
            icon=":material/add_comment:",
            help="As it was typed, without what was spoken of before, in a new conversation",
            on_click=ask_anew,
            args=(answer.question,),
        )


def _once_more(turn: Turn, label: str, tip: str) -> None:
    """The question again, as it was asked."""
    st.button(
        label,
        key=f"retry_{turn.id}",
        icon=":material/refresh:",
        help=tip,
        on_click=ask,
        args=_again(turn, turn.answer.wider),
    )


def _wider(turn: Turn) -> None:
    """A wider search, where there was none."""
    answer, key = turn.answer, turn.id
    if not answer.wider:
        st.button(
            "Search wider",
            key=f"wider_{key}",
            icon=":material/travel_explore:",
            help="Asks again in all indexes, the abstracts too, and in every section.",
            on_click=ask,
            args=_again(turn, True),
        )


def _deleted_sources(answer: Answer) -> None:
    """Say which documents behind an earlier answer are no longer in the library."""
    deleted, replaced = workspace().catalogue.lost_sources(answer.cited_files)
    quoted = {
        citation.file
        for citation in answer.citations
        if isinstance(citation, DocumentCitation) and citation.quote
    }
    kept = workspace().catalogue.superseded(answer.cited_files)
    another = "replaced by another version"
    for files, what in ((deleted, "deleted"), (replaced - kept, another), (kept, another)):
        if files:
            left = (
                "The one that is quoted is kept as an earlier version."
                if files is kept
                else "What is quoted from it can no longer be checked."
                if quoted.intersection(files)
                else "What was quoted from it has been taken out of this answer."
            )
            st.warning(
                f"Source {what}: {plain(', '.join(sorted(files)))}. {left}",
                icon=":material/history:" if files is kept else ":material/delete:",
            )


def _provenance(answer: Answer) -> None:
    """Who wrote it, how long that took, what it used, how sure it is."""
    seconds = sum(answer.timings_ms.values()) / 1000
    by = "Quoted, no model" if answer.model == "extractive" else f"Model: {plain(answer.model)}"
    parts = [by, f"{seconds:.1f} s"]
    helps = []
    usage = answer.usage
    if usage is not None:
        about = "" if usage.counted else "about "
        tokens = f"{about}{usage.prompt_tokens:,} + {usage.completion_tokens:,} tokens"
        parts.append(plain(tokens if usage.cost is None else f"{tokens}, {_money(usage.cost)}"))
        helps.append(_COST_HELP if usage.counted else _ESTIMATE_HELP)
    if answer.confidence is not None:
        is_low = answer.state is State.MAY_NOT_ANSWER or answer.confidence < ANSWERED_FROM
        told = f"{'low ' if is_low else ''}confidence {answer.confidence:.2f}"
        if less := less_certain(answer.blocks):
            told += f", less for {len(less)} of {len({one.subject for one in answer.blocks})}"
        parts.append(f":orange-badge[:material/warning: {told}]" if is_low else told)
        helps.append(f"Confidence: {_CONFIDENCE_HELP}")
    st.caption(f"{' · '.join(parts)}", help="\n\n".join(helps) or None)


def _money(dollars: float) -> str:
    """``$0.0042``: two digits that say something, however little it is."""
    if dollars and dollars < 0.01:
        return f"${dollars:.2g}" if dollars >= 0.0001 else "less than $0.0001"
    return f"${dollars:.2f}"
