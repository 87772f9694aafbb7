"""vis-network as it is published: one file, unchanged, handed to the browser without a network."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

VERSION = "10.1.5"
SHA256 = "b427322ad953d70ab75d1b798ebb8349863502f244e02de3e12a4ab7dfeddf2c"
FILE = Path(__file__).with_name("vis-network.min.js")

# On its own, so that what is drawn can change without the library being sent again.
_component = st.components.v2.component(
    "materia_graph_library",
    js=f"{FILE.read_text('utf-8')}\n"
    "export default () => { dispatchEvent(new Event('materia-graph-library')); };",
)


def graph_library() -> None:
    """Have the browser load the library, unless it has it."""
    _component(key="graph_library", height=1)
