"""A button that copies a text: a quote with its reference, or an answer with all of them."""

from __future__ import annotations

import streamlit as st

from pages.parts.shared.assets import asset

_component = st.components.v2.component(
    "materia_copying", css=asset(__file__, ".css"), js=asset(__file__, ".js")
)


def copy_button(quote: str, reference: str, label: str, key: str = "evidence_copy") -> None:
    """Copies the quote in quotation marks, and on the next line where it stands."""
    copy_text(f"“{quote}”\n{reference}", label, key)


def copy_text(text: str, label: str, key: str) -> None:
    """Copies a text as it is."""
    _component(key=key, data={"text": text, "label": label}, width="content")
