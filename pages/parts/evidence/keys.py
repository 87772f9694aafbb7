"""Keys of the evidence panel, and where the keyboard is when it opens and closes."""

from __future__ import annotations

import streamlit as st

from pages.parts.evidence.opened import Opened
from pages.parts.shared.assets import asset

_component = st.components.v2.component("materia_evidence_keys", js=asset(__file__, ".js"))


def evidence_keys(shown: Opened | None, answer: str) -> None:
    """Next and previous citation by ``]`` and ``[`` or the arrows, Esc closes; drawn below the panel.

    An opening takes the keyboard into the panel, closing gives it back; another place of the document is
    shown from the panel's top. The mark of what is shown is lit in its answer.

    Args:
        answer: key of the element of the answer that it belongs to, or "".
    """
    data: dict[str, object] = {"time": 0}
    if shown:
        number = shown.citation.n if shown.citation else 0
        place = str((shown.page, shown.found))
        data = {"time": shown.time, "place": place, "answer": answer, "n": number}
    _component(key="evidence_keys", data=data, height=0)
