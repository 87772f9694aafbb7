"""The interaction matrix: whose leaflets speak, of which other medicine; evidence of the selected pair."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.boards.public import actions_of, interactions_to_csv
from core.domain.boards import BoardMedicine, Cell, InteractionBoard
from pages.parts.boards.cells import LETTERS, column_names, marks, same
from pages.parts.boards.evidence import cell_evidence, sources_line
from pages.parts.boards.inks import cell_ink, name_ink
from pages.parts.shared.state import ask_about, workspace
from pages.parts.shared.text import counted, plain

_OF = "Leaflet of"
_ROW, _HEAD = 35, 40  # pixels
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
            picked = _table(board)
            st.caption(_LEGEND)
        if picked is not None:
            with st.container(key="board_evidence"):
                _selected(board, *picked)


def _table(board: InteractionBoard) -> tuple[BoardMedicine, BoardMedicine] | None:
    """Draw it; the pair whose cell is selected."""
    names = column_names(board.medicines)
    cells = [
        [board.cells.get((row.key, column.key)) for column in board.medicines]
        for row in board.medicines
    ]
    table = pd.DataFrame(
        [
            [
                names[row.key],
                *(
                    "—" if row is column else _text(cell)
                    for column, cell in zip(board.medicines, line, strict=True)
                ),
            ]
            for row, line in zip(board.medicines, cells, strict=True)
        ],
        columns=[_OF, *names.values()],
    )
    inks = pd.DataFrame(
        [[name_ink(), *map(cell_ink, line)] for line in cells], columns=table.columns
    )
    shown = st.dataframe(
        table.style.apply(lambda _table: inks, axis=None),
        hide_index=True,
        height=_HEAD + _ROW * len(board.medicines),
        key=f"interactions_{same(board.medicines)}",
        on_select="rerun",
        selection_mode="single-cell",
        column_config={_OF: st.column_config.TextColumn(pinned=True, width=150)},
        alt="What leaflets and the graph say of each medicine with each other",
    )
    found = shown["selection"]["cells"]
    if not found:
        return None
    place, column = found[0]
    other = next((one for one in board.medicines if names[one.key] == column), None)
    row = board.medicines[place]
    return None if other is None or other is row else (row, other)


def _text(cell: Cell | None) -> str:
    if cell is None:
        return ""
    return " · ".join(filter(None, (marks(cell), ", ".join(actions_of(cell)))))


def _selected(board: InteractionBoard, one: BoardMedicine, other: BoardMedicine) -> None:
    st.markdown(f"#### {plain(one.name)} with {plain(other.name)}")
    cell = board.cells.get((one.key, other.key))
    if cell is None:
        read = ", ".join(one.leaflets.values())
        where = (
            f" in the contraindications, warnings and interactions of {read}, nor" if read else ""
        )
        st.caption(
            plain(f"{other.name} was not found{where} in the graph's interactions of {one.name}. ")
            + "That does not mean that there is none\\."
        )
        return
    st.caption(sources_line(cell))
    cell_evidence(cell, f"{one.key}_{other.key}")
    if st.button("Ask about this", key="board_ask_pair", icon=":material/chat:", type="tertiary"):
        ask_about(f"Does {one.name} interact with {other.name}?")
