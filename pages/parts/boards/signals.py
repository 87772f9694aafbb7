"""The signal board: filters, table, evidence of the selected cell, CSV."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.boards.filtering import NO_CLASS, Order, RowFilter, filtered, level_name
from core.boards.public import frequency_words, signals_to_csv
from core.domain.boards.records import BoardSource, FrequencyClass, SignalBoard, SignalRow
from pages.parts.boards.evidence import cell_evidence
from pages.parts.boards.grid import LETTERS, GridRow, grid, sources_line
from pages.parts.shared.state import ask_about, open_entity, workspace
from pages.parts.shared.text import counted, plain

_SOURCES = {
    BoardSource.LEAFLET: "Leaflets",
    BoardSource.PAPER: "Papers",
    BoardSource.GRAPH: "Graph",
}
_ORDERS = {
    Order.FREQUENCY: "Frequency",
    Order.MEDICINES: "Number of medicines",
    Order.NAME: "Name",
}


_LEGEND = (
    f"In a cell: the frequency that a leaflet gives; {LETTERS}, each with the number of passages or "
    "relationships; **≠** sources differ. An empty cell: not found in any source, which does not mean that it "
    "does not occur. A reaction in “quotation marks” stands in a leaflet's own words, not linked to the graph."
)


def signals(names: Sequence[str]) -> None:
    """Draw the board of the named medicines."""
    board = workspace().boards.signals(names)
    only = _filter()
    shown = filtered(board, only)
    for note in board.notes:
        st.info(plain(note), icon=":material/info:")
    differing = sum(row.differs for row in board.rows)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"{counted(len(shown.rows), 'reaction')}"
            + (f" of {len(board.rows):,}" if len(shown.rows) < len(board.rows) else "")
            + f"; sources differ in {differing:,}",
            width="stretch",
        )
        st.caption(":material/touch_app: Select a cell to see what it rests on", width="content")
        st.download_button(
            "CSV",
            signals_to_csv(shown).encode("utf-8-sig"),
            file_name="materia-signals.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            help="The rows that are shown",
        )
    if not shown.rows:
        st.info(
            "No reaction is left. Take a filter away."
            if board.rows
            else "No source has a reaction of these medicines.",
            icon=":material/filter_alt_off:",
        )
        return
    with st.container(key="board_with_evidence"), st.container(key="board_parts"):
        with st.container(key="board_table"):
            picked = grid(
                [_row(row) for row in shown.rows],
                shown.medicines,
                "Reaction",
                "Adverse reactions by medicines",
                "board_signals",
            )
            st.caption(_LEGEND)
        if picked is not None:
            row = next(one for one in shown.rows if one.key == picked[0])
            with st.container(key="board_evidence"):
                _selected(shown, row, picked[1])


def _row(row: SignalRow) -> GridRow:
    cells = {
        key: (cell, ", ".join(frequency_words(one) for one in cell.frequencies))
        for key, cell in row.cells.items()
    }
    return GridRow(row.key, row.name, cells, quoted=not row.linked)


def _filter() -> RowFilter:
    with st.container(key="fields_board"):
        text = st.text_input("Reaction", placeholder="Any", key="board_text")
        sources = st.pills(
            "Said by",
            list(BoardSource),
            selection_mode="multi",
            format_func=lambda one: _SOURCES[one],
            key="board_sources",
        )
        classes = st.multiselect(
            "Frequency",
            [*(str(one) for one in FrequencyClass), NO_CLASS],
            format_func=level_name,
            placeholder="Any",
            key="board_classes",
        )
        order = st.selectbox(
            "Sort by",
            list(Order),
            format_func=lambda one: _ORDERS[one],
            key="board_order",
        )
    differing = st.toggle(
        "Only where sources differ",
        key="board_differing",
        help="The graph has it and the leaflet's side effects were read without finding it; a text denies "
        "it; the graph says that the medicine is used against it; or leaflets give different frequencies.",
    )
    return RowFilter(text, sources, classes, differing, order or Order.FREQUENCY)


def _selected(board: SignalBoard, row: SignalRow, key: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"#### {plain(row.name)}", width="stretch")
        if row.linked and st.button(
            "Explorer",
            key="board_entity",
            icon=":material/hub:",
            type="tertiary",
            help="Open it in the explorer",
        ):
            open_entity(row.entity_ids[0])
    if not row.linked:
        st.caption("In a leaflet's own words; the graph has nothing that is called so.")
    medicines = [one for one in board.medicines if key in ("", one.key)]
    for one in medicines:
        cell = row.cells.get(one.key)
        st.markdown(f"**{plain(one.name)}**")
        if cell is None:
            read = [file for each, file in one.leaflets.items() if each in one.with_reactions]
            where = f", nor in the side effects of {', '.join(read)}" if read else ""
            st.caption(
                plain(f"Not found in the graph{where}. That does not mean that it does not occur.")
            )
            continue
        st.caption(sources_line(cell))
        cell_evidence(cell, f"{one.key}")
        if st.button(
            "Ask about this", key=f"board_ask_{one.key}", icon=":material/chat:", type="tertiary"
        ):
            ask_about(f"Can {one.name} cause {row.name}, and how often?")
