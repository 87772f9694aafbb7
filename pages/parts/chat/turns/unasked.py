"""What something was asked of each of and that was not asked yet, a click away."""

from __future__ import annotations

import streamlit as st

from core.domain.conversations import Turn
from core.questions.library.one_by_one import MOST_CHOSEN
from pages.parts.chat.asking import ask
from pages.parts.shared.text import counted


def unasked_documents(turn: Turn) -> None:
    """Draw a button that asks the rest of the documents, or the next of them where these are too many."""
    rest = turn.answer.unasked
    number = len(rest.products or rest.documents)
    if not number:
        return
    thing = counted(number, "product" if rest.products else "document")
    label = f"Ask the remaining {thing}"
    if number > MOST_CHOSEN:
        label = f"Ask the next {MOST_CHOSEN} of {thing} that remain"
    st.button(
        label,
        key=f"unasked_{turn.id}",
        icon=":material/playlist_add_check:",
        help="Asks the same of each of those that were not asked, the closest first.",
        on_click=ask,
        args=(turn.answer.read_as, False, None, (), rest),
    )
