"""Boards on the command line: `board signals`, `board interactions`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from core.boards.filtering import Order, RowFilter, filtered
from core.boards.public import (
    actions_of,
    frequency_words,
    interactions_to_csv,
    interactions_to_public,
    signals_to_csv,
    signals_to_public,
)
from core.cli.common import Json, opened, plain, print_json, valid
from core.domain.boards.records import BoardCell, BoardSource

app = typer.Typer(
    no_args_is_help=True, help="What leaflets, papers and the graph say of several medicines."
)
_WIDTH = 160  # columns where nothing tells how wide the output is
_MARKS = {BoardSource.LEAFLET: "L", BoardSource.PAPER: "P", BoardSource.GRAPH: "G"}

Medicines = Annotated[
    list[str], typer.Argument(metavar="DRUG...", help="Ids, names or synonyms of medicines.")
]
Csv = Annotated[bool, typer.Option("--csv", help="Print a table for spreadsheets.")]


@app.command()
def signals(
    names: Medicines,
    text: Annotated[str, typer.Option(help="Only reactions whose name has this.")] = "",
    source: Annotated[list[str] | None, typer.Option(help="leaflet, paper or graph.")] = None,
    frequency: Annotated[
        list[str] | None, typer.Option("--class", help="very_common ... not_known, or none.")
    ] = None,
    differing: Annotated[bool, typer.Option(help="Only where sources differ.")] = False,
    sort: Annotated[str, typer.Option(help="frequency, medicines or name.")] = str(Order.FREQUENCY),
    as_csv: Csv = False,
    as_json: Json = False,
) -> None:
    """Adverse reactions of medicines, with the frequency that leaflets give and who says so (L leaflet, P
    paper, G graph; ≠ sources differ). What is not found is not said to be absent."""
    with opened(as_json, sample=True, beside=True) as workspace:
        only = RowFilter.read(valid(text), source or (), frequency or (), differing, sort)
        board = filtered(workspace.boards.signals([valid(one) for one in names]), only)
        if as_json:
            print_json(signals_to_public(board))
        elif as_csv:
            sys.stdout.write(signals_to_csv(board))
        else:
            _print(
                ["reaction", *(one.name for one in board.medicines)],
                [
                    [
                        row.name if row.linked else f"“{row.name}”",
                        *(_cell(row.cells.get(one.key)) for one in board.medicines),
                    ]
                    for row in board.rows
                ],
            )
            _tell(board.notes)


@app.command()
def interactions(names: Medicines, as_csv: Csv = False, as_json: Json = False) -> None:
    """What the leaflets on each medicine, and the graph, say of it with each other."""
    with opened(as_json, sample=True, beside=True) as workspace:
        board = workspace.boards.interactions([valid(one) for one in names])
        if as_json:
            print_json(interactions_to_public(board))
        elif as_csv:
            sys.stdout.write(interactions_to_csv(board))
        else:
            told = {one.key: one.name for one in board.medicines}
            _print(
                ["leaflet of", "with", "sources", "what to do, as quoted"],
                [
                    [told[of], told[other], _cell(cell), ", ".join(actions_of(cell))]
                    for (of, other), cell in board.cells.items()
                ],
            )
            _tell(board.notes)


def _cell(cell: BoardCell | None) -> str:
    if cell is None:
        return ""
    said = [frequency_words(one) for one in cell.frequencies]
    marks = " ".join(f"{_MARKS[one]}{cell.count(one)}" for one in cell.sources) or "denied"
    differs = " ≠" if cell.differences else ""
    return " · ".join(filter(None, (", ".join(said), marks))) + differs


def _print(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(box=None, pad_edge=False, header_style="")
    for head in heads:
        table.add_column(plain(head), overflow="fold")
    for row in rows:
        table.add_row(*(Text(plain(cell)) for cell in row))
    Console(file=sys.stdout, width=None if sys.stdout.isatty() else _WIDTH).print(table)


def _tell(notes: Sequence[str]) -> None:
    for note in notes:
        typer.echo(plain(note), err=True)
