"""The interaction matrix: whose leaflets speak, of which other medicine; evidence of the selected pair."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.boards.public import actions_of, interactions_to_csv
from core.domain.boards.records import BoardMedicine, InteractionBoard
from pages.parts.boards.evidence import cell_evidence
from pages.parts.boards.grid import LETTERS, GridRow, grid, sources_line
from pages.parts.shared.state import ask_about, workspace
from pages.parts.shared.text import counted, plain

_LEGEND = (
    f"A row is whose leaflets speak, a column the medicine they speak of. In a cell: {LETTERS} with the number "
    "of statements or relationships; then what a leaflet says to do, in its own words, which is no grade of "
    "severity; **≠** sources differ. An empty cell: not found in contraindications, warnings and interactions, "
    "nor in the graph, which does not mean that there is no interaction."
)


def interactions(names: Sequence[str]) -> None:
    """Draw the matrix of the named medicines."""
    if len(names) < 2:
        st.info("Choose a second medicine to see what is said of both.", icon=":material/add:")
        return
    board = workspace().boards.interactions(names)
    for note in board.notes:
        st.info(plain(note), icon=":material/info:")
    with st.container(horizontal=True, vertical_alignment="center"):
        differing = sum(bool(cell.differences) for cell in board.cells.values())
        st.caption(
            f"{counted(len(board.cells), 'pair')} of {len(board.medicines) * (len(board.medicines) - 1)} "
            f"with something said; sources differ in {differing}",
            width="stretch",
        )
        st.caption(":material/touch_app: Select a cell to see what it rests on", width="content")
        st.download_button(
            "CSV",
            interactions_to_csv(board).encode("utf-8-sig"),
            file_name="materia-interactions.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
        )
    with st.container(key="board_with_evidence"), st.container(key="board_parts"):
        with st.container(key="board_table"):
            picked = grid(
                [_row(board, one) for one in board.medicines],
                board.medicines,
                "Leaflet of",
                "What leaflets and the graph say of each medicine with each other",
                "board_interactions",
            )
            st.caption(_LEGEND)
        if picked is not None:
            with st.container(key="board_evidence"):
                _selected(board, *picked)


def _row(board: InteractionBoard, one: BoardMedicine) -> GridRow:
    cells = {
        other: (cell, ", ".join(actions_of(cell)))
        for (of, other), cell in board.cells.items()
        if of == one.key
    }
    return GridRow(one.key, one.name, cells, own=one.key)


def _selected(board: InteractionBoard, key: str, column: str) -> None:
    medicines = {one.key: one for one in board.medicines}
    one = medicines[key]
    for other in board.medicines:
        if other is one or column not in ("", other.key):
            continue
        st.markdown(f"#### {plain(one.name)} with {plain(other.name)}")
        cell = board.cells.get((key, other.key))
        if cell is None:
            _nothing(one, other)
            continue
        st.caption(sources_line(cell))
        cell_evidence(cell, f"{key}_{other.key}")
        if st.button(
            "Ask about this",
            key=f"board_ask_{key}_{other.key}",
            icon=":material/chat:",
            type="tertiary",
        ):
            ask_about(f"Does {one.name} interact with {other.name}?")


def _nothing(one: BoardMedicine, other: BoardMedicine) -> None:
    read = ", ".join(one.leaflets.values())
    where = f"in the contraindications, warnings and interactions of {read}, nor " if read else ""
    st.caption(
        plain(
            f"{other.name} was not found {where}in the graph's interactions of {one.name}. "
            "That does not mean that there is none."
        )
    )
