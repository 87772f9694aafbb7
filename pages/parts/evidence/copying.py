"""A button that copies a quote with its reference."""

from __future__ import annotations

import streamlit as st

from pages.parts.shared.assets import asset

_component = st.components.v2.component(
    "materia_copying", css=asset(__file__, ".css"), js=asset(__file__, ".js")
)


def copy_button(quote: str, reference: str, label: str, key: str = "evidence_copy") -> None:
    """Copies the quote in quotation marks, and on the next line where it stands."""
    _component(
        key=key,
        data={"text": f"“{quote}”\n{reference}", "label": label},
        width="content",
    )
