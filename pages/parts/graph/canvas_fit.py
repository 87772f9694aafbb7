"""Fits the drawing of the graph anew when the page gives its canvas another width."""

from __future__ import annotations

import streamlit as st

from pages.parts.shared.assets import asset

_component = st.components.v2.component("materia_canvas_fit", js=asset(__file__, ".js"))


def fit_to_width() -> None:
    """Watch the canvas of this page in the browser; the server is not asked."""
    _component(key="canvas_fit")
