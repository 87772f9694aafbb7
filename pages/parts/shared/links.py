"""Links that open something again: what they ask for, and how they are written.

What stands in a link is data: it is looked up, and nothing else is done with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit

import streamlit as st

from core.errors import NotFound
from pages.parts.shared.state import open_chat_session, workspace

ENTITY, VIEW = "entity", "view"
CONVERSATION, ANSWER = "conversation", "answer"
DOCUMENT, PAGE = "document", "page"
LEDGER_OF = "of"  # a conversation whose ledger is shown, not opened in the chat
_LONGEST = 200  # characters of an id in a link
_GONE = "link_problem"


def asked_for(name: str) -> str:
    """What the link has under a name; "" where there is nothing that could be an id."""
    given = st.query_params.get_all(name)
    value = given[0] if len(given) == 1 else ""
    return value if len(value) <= _LONGEST and value.isprintable() else ""


def drop_from_address(*names: str) -> None:
    """Take these out of the address bar."""
    for name in names:
        if name in st.query_params:
            del st.query_params[name]


def link_to(page: str, asked: Mapping[str, str]) -> str:
    """The whole address of a page (its name, "" for the first) with what it is to open."""
    here = urlsplit(st.context.url or "")
    origin = f"{here.scheme}://{here.netloc}" if here.netloc else ""
    return f"{origin}/{page}?{urlencode({key: one for key, one in asked.items() if one})}"


def open_linked_conversation() -> None:
    """Open the conversation of a link in the chat, at its answer, once; then the link has done its work."""
    session_id, turn_id = asked_for(CONVERSATION), asked_for(ANSWER)
    if not session_id:
        return
    drop_from_address(CONVERSATION, ANSWER)
    try:
        session = workspace().conversations.get(session_id)
    except NotFound:
        tell_link_problem(
            "The conversation of this link does not exist any more, or it is somebody else's."
        )
        return
    turn = workspace().conversations.find_turn(turn_id) if turn_id else None
    found = turn is not None and turn.session_id == session.id
    open_chat_session(session.id, turn_id if found else "")
    if turn_id and not found:
        tell_link_problem("The answer of this link is gone; its conversation is open in the chat.")


def tell_link_problem(words: str) -> None:
    """Note what is wrong with a link, for the page to show."""
    st.session_state[_GONE] = words


def show_link_problem() -> None:
    """What is wrong with the link, once."""
    words = st.session_state.pop(_GONE, "")
    if words:
        st.warning(words, icon=":material/link_off:")
