"""The canvas in the page, and what the analyst did on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from pages.parts.graph.canvas.drawing import Drawing, drawing_data
from pages.parts.graph.canvas.library import graph_library
from pages.parts.shared.assets import asset

_HERE = Path(__file__).parent
# One module in the browser, in this order.
_SCRIPTS = ("paint", "lines", "parts", "stage", "hands", "graph")
_DONE = "graph_asks_done"  # canvas -> number of its last ask that was heard
_FITS = "graph_fits"
_MOST_ASKS = 200

_component = st.components.v2.component(
    "materia_graph",
    css=asset(str(_HERE / "canvas.py"), ".css"),
    js="\n".join(asset(str(_HERE / "script" / name), ".js") for name in _SCRIPTS),
    isolate_styles=False,
)


@dataclass(frozen=True, slots=True)
class Ask:
    """Something that the analyst did on the canvas; nothing of it is checked.

    Attributes:
        what: ``select``, ``line``, ``expand``, ``pin``, ...
        said: the rest of it, as the browser said it.
    """

    what: str
    said: Mapping[str, Any]

    def text(self, name: str) -> str:
        return str(self.said.get(name) or "")

    def place(self) -> tuple[float, float]:
        """Pixels of the drawing; raises ValueError for what is no place."""
        return round(float(self.said["x"]), 1), round(float(self.said["y"]), 1)


def graph_canvas(drawn: Drawing, view: str, name: str = "graph") -> None:
    """Draw it.

    Args:
        view: zoom and what is in sight are kept while it stays the same.
        name: of the canvas; each has its own zoom.
    """
    graph_library()
    data = {
        **drawing_data(drawn),
        "name": name,
        "view": view,
        "fit": st.session_state.get(_FITS, 0),
        "done": _done().get(name, 0),
    }
    _component(key=_key(name), data=data, height="stretch", on_asked_change=_heard)


def new_asks(name: str = "graph") -> list[Ask]:
    """What was done on the canvas since it was last asked for, each once, in its order.

    The browser says everything that it has no answer to yet, with numbers that grow.
    """
    state = st.session_state.get(_key(name)) or {}
    asked = state.get("asked") or []
    done = _done().get(name, 0)
    asks = []
    for one in asked[:_MOST_ASKS] if isinstance(asked, list) else []:
        number = int(one["number"])
        if number > done:
            done = number
            asks.append(Ask(str(one["what"]), one))
    _done()[name] = done
    return asks


def fit_canvas() -> None:
    """Have all of it in sight in the next run."""
    st.session_state[_FITS] = int(st.session_state.get(_FITS, 0)) + 1


def _done() -> dict[str, int]:
    done: dict[str, int] = st.session_state.setdefault(_DONE, {})
    return done


def _key(name: str) -> str:
    return f"canvas_{name}"


def _heard() -> None:
    """A run follows; `new_asks` tells what it is for."""
