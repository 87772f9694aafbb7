"""What is looked for in the history."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.domain.conversations import AnswerSubject, Rating, SessionFilter
from pages.parts.shared.links import asked_for, drop_from_address
from pages.parts.shared.state import workspace
from pages.parts.shared.text import short

SHOWN = 25  # conversations at first, and more at each click
_MORE = "history_more"
_LONGEST = 40  # characters of a name in a list
_RATINGS = {Rating.UP: "Rated good", Rating.DOWN: "Rated wrong"}
_ANSWERS = {  # label -> refused, may not answer
    "Answered": (False, False),
    "May not answer": (False, True),
    "Not answered": (True, None),
}


def shown() -> int:
    """How many conversations are drawn."""
    return SHOWN * (1 + int(st.session_state.get(_MORE, 0)))


def show_more() -> None:
    """Draw more; a callback of widgets."""
    st.session_state[_MORE] = int(st.session_state.get(_MORE, 0)) + 1


def chosen_filter() -> tuple[str, SessionFilter]:
    """The fields to search and filter by; the words, and the filter. They stand in the address, so that a
    reload keeps them."""
    search = st.text_input(
        "Search questions and answers", key="history_search", bind="query-params"
    )
    known = workspace().conversations
    entities, documents, tags = known.entities(), known.documents(), known.tags()
    with st.container(key="fields_history"):
        entity = _subject("About", entities, "history_entity")
        document = _subject("Rests on", documents, "history_document")
        rating = st.selectbox(
            "Rating",
            list(_RATINGS),
            index=None,
            format_func=lambda one: _RATINGS[one],
            placeholder="Any",
            key="history_rating",
            bind="query-params",
        )
        answers = st.selectbox(
            "Answers",
            list(_ANSWERS),
            index=None,
            placeholder="Any",
            key="history_answers",
            bind="query-params",
        )
        tag = st.selectbox(
            "Tag", tags, index=None, placeholder="Any", key="history_tag", bind="query-params"
        )
    refused, unsure = _ANSWERS[answers] if answers else (None, None)
    return search, SessionFilter(entity, document, refused, rating, tag or "", unsure)


def _subject(label: str, subjects: Sequence[AnswerSubject], key: str) -> str:
    """A choice among entities or documents, the most frequent first; the id of the chosen one, or ""."""
    names = {one.id: one for one in subjects}

    def told(subject_id: str) -> str:
        one = names[subject_id]
        kind = f" ({one.type})" if one.type else ""
        return f"{short(one.name, _LONGEST)}{kind} · {one.answers}"

    # In the address by its id and not as it is told, and told anew when counts grow with the next question: the
    # browser knows a choice by its words, and one that is told otherwise would be lost.
    asked = asked_for(key)
    if key not in st.session_state and asked in names:
        st.session_state[key] = asked
    words = [told(one) for one in names]
    if st.session_state.get(key) in names and st.session_state.get(f"{key}_told") != words:
        st.session_state[key] = st.session_state[key]
    st.session_state[f"{key}_told"] = words
    chosen: str = (
        st.selectbox(label, list(names), index=None, format_func=told, placeholder="Any", key=key)
        or ""
    )
    if chosen:
        st.query_params[key] = chosen
    else:
        drop_from_address(key)
    return chosen
