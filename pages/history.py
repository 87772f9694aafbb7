"""Earlier conversations: find, reopen, pin, tag, rename, delete, save, import."""

from __future__ import annotations

import streamlit as st

from core.domain.conversations import Session
from pages.parts.history.deleting import confirm_delete
from pages.parts.history.filters import SHOWN, chosen_filter, show_more, shown
from pages.parts.history.following import follow_new_answers
from pages.parts.history.row import conversation_row
from pages.parts.history.selecting import is_selecting, selecting_switch, selection_actions
from pages.parts.history.usage import show_usage
from pages.parts.shared.importing import import_form, import_outcome
from pages.parts.shared.state import workspace
from pages.parts.shared.text import counted


def _limits() -> None:
    """What is removed by itself, and what was."""
    known = workspace().conversations
    limits, gone = known.limits, known.purged
    rules = []
    if limits.conversations:
        rules.append(f"{counted(limits.conversations, 'conversation')} at most")
    if limits.days:
        rules.append(f"until {counted(limits.days, 'day')} after the last question")
    if rules:
        removed = f" Removed since the start: {gone.conversations:,}." if gone.conversations else ""
        st.caption(f":material/auto_delete: Kept: {', '.join(rules)}; pinned ones always.{removed}")


def _nothing(filtered: bool) -> None:
    st.info(
        "No conversation is like this. Take a filter away or search for fewer words."
        if filtered
        else "No conversations yet. Ask something in the chat; it is kept here.",
        icon=":material/history:",
    )


with st.container(horizontal=True, vertical_alignment="center"):
    st.title("History", width="stretch")
    selecting_switch()
    import_form()
import_outcome()
search, only = chosen_filter()
filtered = bool(search.strip()) or only.of_turns or bool(only.tag)
_limits()
show_usage(lambda: workspace().conversations.usage(search, only), filtered)
found: list[Session] = workspace().conversations.list(search, only, limit=shown() + 1)
if not found:
    _nothing(filtered)
if found and is_selecting():
    selection_actions(found[: shown()])
hits = workspace().conversations.found_turns(found[: shown()], search, only)
for session in found[: shown()]:
    conversation_row(session, only.rating, hits.get(session.id, ()))
if len(found) > shown():
    st.button(f"Show {SHOWN} more", icon=":material/expand_more:", on_click=show_more)
confirm_delete()
follow_new_answers(found, search, only)
