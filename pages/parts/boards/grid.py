"""A board as a table of cells that can be selected, by mouse and by keyboard.

The component builds its elements with `textContent` alone: whatever a document or the graph says stays
text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.domain.boards.records import BoardCell, BoardMedicine, BoardSource
from pages.parts.shared.assets import asset
from pages.parts.shared.text import counted

LETTERS = "**L** leaflet, **P** paper, **G** graph"
_MARKS = {
    BoardSource.LEAFLET: ("L", "leaflet passage"),
    BoardSource.PAPER: ("P", "paper passage"),
    BoardSource.GRAPH: ("G", "relationship"),
}
_component = st.components.v2.component(
    "materia_board", css=asset(__file__, ".css"), js=asset(__file__, ".js")
)


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row: what its cells say beside the marks of their sources.

    Attributes:
        quoted: its name is a document's words, not the graph's.
        cells: by column's key: the cell, and what stands in it.
        own: the column of the row itself, in which nothing can stand.
    """

    key: str
    name: str
    cells: Mapping[str, tuple[BoardCell, str]]
    quoted: bool = False
    own: str = ""


def grid(
    rows: Sequence[GridRow], medicines: Sequence[BoardMedicine], corner: str, label: str, key: str
) -> tuple[str, str] | None:
    """Draw it; the keys of the selected row and column, None without. The column is "" where the row's
    name is selected. It stays selected while the page is left.

    Args:
        corner: what the rows are.
        label: what the table is read out as.
    """
    picked = f"{key}_picked"

    def pick() -> None:
        clicked = st.session_state[key].get("picked") or {}
        st.session_state[picked] = str(clicked.get("row", "")), str(clicked.get("column", ""))

    selected: tuple[str, str] | None = st.session_state.get(picked)
    here = {row.key for row in rows}, {"", *(one.key for one in medicines)}
    if selected is not None and (selected[0] not in here[0] or selected[1] not in here[1]):
        selected = None
    _component(
        key=key,
        data={
            "label": label,
            "corner": corner,
            "columns": [
                {"key": one, "name": name} for one, name in column_names(medicines).items()
            ],
            "rows": [_row(row, medicines) for row in rows],
            "selected": list(selected or ()),
        },
        on_picked_change=pick,
    )
    return selected


def column_names(medicines: Sequence[BoardMedicine]) -> dict[str, str]:
    """Key -> what the column is called; namesakes are told apart by their ids."""
    names = [one.name for one in medicines]
    return {
        one.key: one.name if names.count(one.name) == 1 else f"{one.name} ({one.key})"
        for one in medicines
    }


def sources_line(cell: BoardCell) -> str:
    """ "1 leaflet passage, 1 relationship"."""
    said = [counted(cell.count(one), _MARKS[one][1]) for one in cell.sources]
    return ", ".join(said) or "denied"


def _row(row: GridRow, medicines: Sequence[BoardMedicine]) -> dict[str, Any]:
    return {
        "key": row.key,
        "name": row.name,
        "quoted": row.quoted,
        "cells": [
            {"own": True}
            if one.key == row.own
            else _cell(*row.cells[one.key])
            if one.key in row.cells
            else None
            for one in medicines
        ],
    }


def _cell(cell: BoardCell, said: str) -> dict[str, Any]:
    differs = bool(cell.differences)
    spoken = [said, sources_line(cell), "sources differ" if differs else ""]
    return {
        "said": said,
        "marks": [f"{_MARKS[one][0]}{cell.count(one)}" for one in cell.sources] or ["denied"],
        "differs": differs,
        "support": _support(cell),
        "spoken": "; ".join(filter(None, spoken)),
    }


def _support(cell: BoardCell) -> str:
    """The name of the hue that stands for it beside an answer's sentences too."""
    if BoardSource.GRAPH in cell.sources:
        return "both" if len(cell.sources) > 1 else "graph"
    return "document"
