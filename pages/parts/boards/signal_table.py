"""The signal board as a table: a cell says how often, and which sources say it."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.boards.public import frequency_words
from core.domain.boards import Cell, SignalBoard, SignalRow
from pages.parts.boards.cells import LETTERS, column_names, marks, same
from pages.parts.boards.inks import cell_ink, name_ink

LEGEND = (
    f"In a cell: the frequency that a leaflet gives; {LETTERS}, each with the "
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
    names = column_names(board.medicines)
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
        key=f"signals_{same(board.medicines, (row.key for row in board.rows))}",
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
    return " · ".join(filter(None, (", ".join(said), marks(cell))))


def _name(row: SignalRow) -> str:
    return row.name if row.linked else f"“{row.name}”"
