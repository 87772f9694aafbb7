"""The signal board as a table: a cell says how often, and which sources say it."""

from __future__ import annotations

import hashlib

import pandas as pd
import streamlit as st

from core.boards.public import frequency_words
from core.domain.boards import Cell, SignalBoard, SignalRow, Source
from pages.parts.boards.inks import cell_ink, name_ink

_MARKS = {Source.LEAFLET: "L", Source.PAPER: "P", Source.GRAPH: "G"}
LEGEND = (
    "In a cell: the frequency that a leaflet gives; **L** leaflet, **P** paper, **G** graph, each with the "
    "number of passages or relationships; **≠** sources differ. An empty cell: not found in any source, which "
    "does not mean that it does not occur. A reaction in “quotation marks” stands in a leaflet's words and "
    "is not linked to the graph."
)
_REACTION = "Reaction"
_TALLEST = 620  # pixels
_ROW = 35
_HEAD = 40
_WIDTH = 170  # pixels of a medicine's column


def signal_table(board: SignalBoard) -> tuple[SignalRow, str] | None:
    """Draw it; the row and the key of the medicine whose cell is selected ("" for the reaction itself)."""
    names = _columns(board)
    table = pd.DataFrame(
        [
            {
                _REACTION: _name(row),
                **{name: cell_text(row.cells.get(key)) for key, name in names.items()},
            }
            for row in board.rows
        ],
        columns=[_REACTION, *names.values()],
    )
    inks = pd.DataFrame(
        [[name_ink(), *(cell_ink(row.cells.get(key)) for key in names)] for row in board.rows],
        columns=table.columns,
    )
    shown = st.dataframe(
        table.style.apply(lambda _table: inks, axis=None),
        hide_index=True,
        height=min(_TALLEST, _HEAD + _ROW * len(board.rows)),
        key=f"signals_{_same(board)}",
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            _REACTION: st.column_config.TextColumn(pinned=True, width=210),
            **{name: st.column_config.TextColumn(width=_WIDTH) for name in names.values()},
        },
        alt="Adverse reactions by medicines, with frequency and sources",
    )
    cells = shown["selection"]["cells"]
    if not cells:
        return None
    place, column = cells[0]
    keys = {name: key for key, name in names.items()}
    return board.rows[place], keys.get(column, "")


def cell_text(cell: Cell | None) -> str:
    """ "common · L1 G1 ≠"; a denial alone is "denied"."""
    if cell is None:
        return ""
    said = [frequency_words(one) for one in cell.frequencies]
    marks = [f"{_MARKS[one]}{cell.count(one)}" for one in cell.sources]
    if not marks and any(one.denied for one in cell.passages):
        marks = ["denied"]
    if cell.differences:
        marks.append("≠")
    return " · ".join(filter(None, (", ".join(said), " ".join(marks))))


def _name(row: SignalRow) -> str:
    return row.name if row.linked else f"“{row.name}”"


def _columns(board: SignalBoard) -> dict[str, str]:
    """Key -> what the column is called; namesakes are told apart by their ids."""
    counted = pd.Series([one.name for one in board.medicines]).value_counts()
    return {
        one.key: one.name if counted[one.name] == 1 else f"{one.name} ({one.key})"
        for one in board.medicines
    }


def _same(board: SignalBoard) -> str:
    """Another one for other rows or columns: a selection is of a place."""
    keys = "\n".join([*(one.key for one in board.medicines), "", *(one.key for one in board.rows)])
    return hashlib.sha256(keys.encode()).hexdigest()[:16]
