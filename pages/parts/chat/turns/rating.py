"""The analyst's rating of an answer: a thumb, and of a wrong one why."""

from __future__ import annotations

import streamlit as st

from core.domain.conversations import LONGEST_COMMENT, Fault, Feedback, Rating, Turn
from core.errors import MateriaError
from pages.parts.chat.asking import forget_problem, tell_problem
from pages.parts.shared.assets import asset
from pages.parts.shared.ratings import FAULTS
from pages.parts.shared.state import workspace

_in_sight = st.components.v2.component("materia_rated", js=asset(__file__, ".js"))
_THUMBS = (Rating.DOWN, Rating.UP)  # as `st.feedback` counts them
_JUST_RATED = "chat_just_rated"  # id of the turn that was rated last


def thumbs(turn: Turn) -> None:
    """Two thumbs; a click keeps the rating, another on the same thumb takes it back."""
    given = turn.feedback
    st.feedback(
        "thumbs",
        key=_key("thumbs", turn),
        default=None if given is None else _THUMBS.index(given.rating),
        on_change=_rate,
        args=(turn,),
    )


def reasons(turn: Turn) -> None:
    """What is wrong with an answer that was rated down, and a comment on any that is rated."""
    given = turn.feedback
    if given is None:
        return
    just_now = st.session_state.get(_JUST_RATED) == turn.id
    if given.rating is Rating.DOWN:
        st.pills(
            "What is wrong?",
            list(Fault),
            format_func=lambda fault: FAULTS[fault],
            default=given.fault,
            key=_key("fault", turn),
            on_change=_rate,
            args=(turn,),
        )
    elif not (given.comment or just_now):
        return
    st.text_input(
        "Comment",
        given.comment,
        max_chars=LONGEST_COMMENT,
        key=_key("comment", turn),
        placeholder="What should it say?"
        if given.rating is Rating.DOWN
        else "A comment, if you like",
        label_visibility="collapsed",
        on_change=_rate,
        args=(turn,),
    )
    if just_now:
        _in_sight(key=_key("rated", turn), data={"rated": f"{turn.id} {given.rating}"}, height=1)


def _rate(turn: Turn) -> None:
    """Keep what the widgets say; a callback of each of them."""
    thumb = st.session_state.get(_key("thumbs", turn))
    known = workspace().conversations
    forget_problem()
    try:
        if thumb is None:
            known.take_rating_back(turn.id)
            return
        rating = _THUMBS[thumb]
        before = turn.feedback or Feedback(rating, None, "", turn.created_at)
        fault = st.session_state.get(_key("fault", turn), before.fault)
        comment = st.session_state.get(_key("comment", turn), before.comment)
        known.rate(turn.id, rating, fault if rating is Rating.DOWN else None, str(comment or ""))
        st.session_state[_JUST_RATED] = turn.id
    except MateriaError as error:
        tell_problem(error)


def _key(what: str, turn: Turn) -> str:
    return f"{what}_{turn.id}"
