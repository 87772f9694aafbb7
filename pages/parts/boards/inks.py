"""The colours of cells; what they say stands in the cell too."""

from __future__ import annotations

from core.domain.boards import Cell, Source
from pages.parts.shared.style import is_dark

# Light and dark: background and letters, contrast 7 at least. Blue on a document, violet on the graph, green
# on both, as beside an answer's sentences; amber where sources differ.
_DOCUMENT = ("#e3eeff", "#10233f"), ("#16294a", "#e3eeff")
_GRAPH = ("#eee6ff", "#25123f"), ("#2b1d4d", "#efe6ff")
_BOTH = ("#dbf5ef", "#0b2f28"), ("#0f3a33", "#dff7f1")
_DIFFERS = ("#ffe3b3", "#3a2500"), ("#4d3500", "#fff0d6")


_NAME = "#1d2b29", "#e8f1ef"


def name_ink() -> str:
    """CSS of a row's name, which Streamlit would draw too pale."""
    return f"color: {_NAME[1] if is_dark() else _NAME[0]}"


def cell_ink(cell: Cell | None) -> str:
    """CSS of a cell; empty for one without anything."""
    if cell is None:
        return ""
    said = set(cell.sources)
    pair = _DOCUMENT
    if cell.differences:
        pair = _DIFFERS
    elif Source.GRAPH in said:
        pair = _BOTH if len(said) > 1 else _GRAPH
    background, letters = pair[1] if is_dark() else pair[0]
    return f"background-color: {background}; color: {letters}"
