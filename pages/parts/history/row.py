"""One conversation in the history."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.conversations.summaries import LONG
from core.domain.conversations import LONGEST_TAG, MOST_TAGS, FoundTurn, Rating, Session
from core.errors import MateriaError
from pages.parts.evidence.copying import copy_text
from pages.parts.history.deleting import ask_to_delete
from pages.parts.history.ledger import ledger_button
from pages.parts.history.selecting import is_selecting, selection_box
from pages.parts.shared.downloads import download_menu
from pages.parts.shared.links import CONVERSATION, link_to
from pages.parts.shared.problems import show_error
from pages.parts.shared.ratings import ICONS, rating_words
from pages.parts.shared.state import chat_session, open_chat_session, workspace
from pages.parts.shared.text import counted, plain, short

_HITS = 3  # of a search told under a conversation
_RATED = 3  # rated answers told under a conversation
_QUESTION = 90  # characters of a question that are told


def conversation_row(
    session: Session, rating: Rating | None, found: Sequence[FoundTurn] = ()
) -> None:
    """A conversation: what it is, and what can be done with it; with the answers of a rating, if one is
    looked for, and the turns that were found."""
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            if is_selecting():
                selection_box(session)
            _pin(session)
            with st.container(width="stretch", gap=None):
                st.markdown(f"**{plain(session.title)}**{_tags(session)}")
                st.caption(" · ".join(_facts(session)))
                if rating is not None:
                    _rated(session, rating)
            st.button(
                "Reopen",
                key=f"reopen_{session.id}",
                icon=":material/forum:",
                on_click=open_chat_session,
                args=(session.id,),
                disabled=session.id == chat_session(),
            )
            ledger_button(session.id, session.id)
            download_menu(session.id, session.title)
            with st.popover(
                "",
                icon=":material/more_horiz:",
                help="Rename, tag, link or delete",
                key=_menu_key(session.id),
                on_change="rerun",
            ):
                _menu(session)
        if found:
            _hits(session, found)
        if session.turns > LONG:
            _summary(session)


def _hits(session: Session, found: Sequence[FoundTurn]) -> None:
    """The turns that were found, each to be opened where it stands."""
    with st.container(gap=None):
        for turn in found[:_HITS]:
            st.button(
                f"{turn.position + 1} · {plain(short(turn.question, _QUESTION))}",
                key=f"hit_{turn.turn_id}",
                icon=":material/subdirectory_arrow_right:",
                type="tertiary",
                help="Open the conversation at this answer",
                on_click=open_chat_session,
                args=(session.id, turn.turn_id),
            )
        if len(found) > _HITS:
            st.caption(f"and {len(found) - _HITS:,} more")


def _pin(session: Session) -> None:
    st.button(
        f":{'primary' if session.pinned else 'gray'}[:material/keep:]",
        key=f"pin_{session.id}",
        type="tertiary",
        help="Pinned: listed first, and never removed by a limit. Click to unpin."
        if session.pinned
        else "Pin: listed first, and never removed by a limit.",
        on_click=workspace().conversations.pin,
        args=(session.id, not session.pinned),
    )


def _tags(session: Session) -> str:
    return "".join(f" :gray-badge[{plain(tag)}]" for tag in session.tags)


def _facts(session: Session) -> list[str]:
    facts = ["pinned"] if session.pinned else []
    facts += [
        counted(session.turns, "question"),
        f"{session.updated_at.astimezone():%Y-%m-%d %H:%M}",
    ]
    facts += [f"{ICONS[Rating.UP]} {session.rated_up}"] if session.rated_up else []
    facts += [f"{ICONS[Rating.DOWN]} {session.rated_down}"] if session.rated_down else []
    facts += ["open in the chat"] if session.id == chat_session() else []
    return facts


def _rated(session: Session, rating: Rating) -> None:
    """The conversation's answers that are rated so, the newest last."""
    turns = workspace().conversations.history(session.id)
    rated = [turn for turn in turns if turn.feedback and turn.feedback.rating is rating]
    lines = [
        f"{plain(short(turn.question, _QUESTION))} {rating_words(turn.feedback)}"
        for turn in rated[-_RATED:]
        if turn.feedback
    ]
    more = [f"and {len(rated) - _RATED} more"] if len(rated) > _RATED else []
    st.caption("  \n".join(lines + more))


def _summary(session: Session) -> None:
    """What a long conversation was about."""
    summary = workspace().conversations.summary(session.id)
    if summary is not None:
        with st.expander(f"Summary of questions {summary.first + 1} to {summary.last + 1}"):
            st.text(summary.text)


def _menu(session: Session) -> None:
    known = workspace().conversations
    title = st.text_input("Title", session.title, key=f"title_{session.id}")
    if st.button("Rename", key=f"rename_{session.id}"):
        known.rename(session.id, title)
        st.rerun()
    tags = st.multiselect(
        "Tags",
        sorted({*known.tags(), *session.tags}),
        list(session.tags),
        key=f"tags_{session.id}",
        accept_new_options=True,
        max_selections=MOST_TAGS,
        placeholder="Choose or type",
        help=f"At most {LONGEST_TAG} characters each.",
    )
    if sorted(tags) != list(session.tags):
        try:
            known.tag(session.id, tags)
        except MateriaError as error:
            show_error(error)
        else:
            st.rerun()
    copy_text(
        f"link_{session.id}",
        link_to("", {CONVERSATION: session.id}),
        "Copy link",
        title="A link that opens this conversation in the chat",
    )
    st.button(
        "Delete this conversation",
        key=f"delete_{session.id}",
        icon=":material/delete:",
        on_click=_ask_to_delete,
        args=(session.id,),
    )


def _ask_to_delete(session_id: str) -> None:
    """Close the menu and ask; a callback of widgets."""
    st.session_state[_menu_key(session_id)] = False
    ask_to_delete(session_id)


def _menu_key(session_id: str) -> str:
    return f"menu_{session_id}"
