"""Buttons that copy: a quote with its reference, an answer with all of them, a link."""

from __future__ import annotations

import streamlit as st

from pages.parts.shared.assets import asset

_component = st.components.v2.component(
    "materia_copying", css=asset(__file__, ".css"), js=asset(__file__, ".js")
)


def copy_button(quote: str, reference: str, label: str, key: str = "evidence_copy") -> None:
    """Copies the quote in quotation marks, and on the next line where it stands."""
    copy_text(
        key,
        f"“{quote}”\n{reference}",
        label,
        "Could not copy: select the quote instead",
    )


def copy_text(
    key: str, text: str, label: str, failed: str = "Could not copy", title: str = ""
) -> None:
    """Copies a text.

    Args:
        failed: what the button says where the browser does not let it.
        title: what it copies, told when the mouse rests on it.
    """
    data = {"text": text, "label": label, "failed": failed, "title": title}
    _component(key=key, data=data, width="content")
