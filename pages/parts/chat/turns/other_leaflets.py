"""Other leaflets on the medicine that an answer is about, each a click away."""

from __future__ import annotations

import streamlit as st

from core.domain.conversations import Turn
from core.domain.provenance.within import Within
from pages.parts.chat.asking import ask
from pages.parts.shared.text import plain

_MOST = 6


def other_leaflets(turn: Turn) -> None:
    """Draw the leaflets that the answer does not quote; a click asks one of them alone."""
    answer = turn.answer
    others = [one for one in answer.leaflets if not one.told]
    if not others:
        return
    st.caption("Not quoted; ask one of them alone:")
    for number, one in enumerate(others[:_MOST]):
        same = "says the same" if one.same else ""
        said = ", ".join(filter(None, (one.file, one.issued, same)))
        st.button(
            f"{plain(one.subject)} :gray[{plain(said)}]",
            key=f"leaflet_{turn.id}_{number}",
            icon=":material/subdirectory_arrow_right:",
            on_click=ask,
            args=(answer.read_as, False, None, (), Within((one.document_id,))),
        )
    if len(others) > _MOST:
        st.caption(f"and {len(others) - _MOST} more; choose them with Scope beside the input.")
