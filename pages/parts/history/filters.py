"""What is looked for in the history."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.domain.conversations import AnswerSubject, Rating, SessionFilter
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

    return (
        st.selectbox(
            label,
            list(names),
            index=None,
            format_func=told,
            placeholder="Any",
            key=key,
            bind="query-params",
        )
        or ""
    )
