"""How many reactions of the sample's leaflets stand on the signal board, with which class:
``python -m bench.boards``.

The reactions were listed by hand from the leaflets' texts (bench/questions/sample_reactions.tsv), all of five
leaflets. A cell is right where its words, or its row's name, hold a listed reaction of its leaflet.
"""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bench.inputs import ROOT
from core.domain.boards.records import BoardCell, BoardSource, SignalRow
from core.settings import load_settings
from core.workspace import Workspace, open_workspace

_LISTED = ROOT / "bench" / "questions" / "sample_reactions.tsv"


@dataclass(frozen=True, slots=True)
class Listed:
    """A reaction of a leaflet, and the class that it stands under."""

    words: str
    level: str


@dataclass
class Score:
    """Counts of a leaflet: `cells` of the board that it speaks in, those that are `right`, listed reactions,
    those that were `found`, and right cells with the right class."""

    cells: int = 0
    right: int = 0
    listed: int = 0
    found: int = 0
    classed: int = 0


def main(
    wrong: Annotated[bool, typer.Option(help="List what is wrong and what is missing.")] = False,
) -> None:
    """Load the sample into a temporary folder, make a board of each medicine, print the measures."""
    listed = _listed()
    with tempfile.TemporaryDirectory() as folder, closing(_sample(Path(folder))) as workspace:
        table = Table(
            "leaflet", "cells", "precision", "listed", "recall", "classes right", box=None
        )
        whole = Score()
        for name, reactions in listed.items():
            score, told = _score(workspace, name, reactions)
            for field in ("cells", "right", "listed", "found", "classed"):
                setattr(whole, field, getattr(whole, field) + getattr(score, field))
            table.add_row(name, *_figures(score))
            if wrong:
                typer.echo(f"{name}: {'; '.join(told)}")
        table.add_row("all", *_figures(whole))
        Console().print(table)


def _listed() -> dict[str, list[Listed]]:
    found: dict[str, list[Listed]] = {}
    with _LISTED.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            reactions = [Listed(one.strip(), row["class"]) for one in row["reactions"].split(";")]
            found.setdefault(row["leaflet"], []).extend(reactions)
    return found


def _sample(folder: Path) -> Workspace:
    workspace = open_workspace(
        load_settings(data_dir=folder, warm_up=False, log_level="WARNING", reserve_mb=0)
    )
    workspace.sample.load()
    return workspace


def _score(workspace: Workspace, name: str, reactions: Sequence[Listed]) -> tuple[Score, list[str]]:
    score, told, found = Score(listed=len(reactions)), [], set[int]()
    for row in workspace.boards.signals([name]).rows:
        for cell in row.cells.values():
            if not cell.count(BoardSource.LEAFLET):
                continue
            score.cells += 1
            meant = [n for n, one in enumerate(reactions) if _says(row, cell, one.words)]
            if not meant:
                told.append(f"not listed: {row.name}")
                continue
            found.update(meant)
            score.right += 1
            levels = {reactions[n].level for n in meant}
            given = {str(one.level) for one in cell.frequencies}
            score.classed += given <= levels
            if not given <= levels:
                told.append(f"class of {row.name}: {', '.join(sorted(given))}")
    score.found = len(found)
    told += [f"missing: {one.words}" for n, one in enumerate(reactions) if n not in found]
    return score, told


def _says(row: SignalRow, cell: BoardCell, words: str) -> bool:
    wanted = words.casefold()
    said = [one.words.casefold() for one in cell.passages if not one.denied]
    return wanted == row.name.casefold() or any(wanted in one or one in wanted for one in said)


def _figures(score: Score) -> tuple[str, ...]:
    return (
        str(score.cells),
        f"{score.right / max(score.cells, 1):.2f}",
        str(score.listed),
        f"{score.found / max(score.listed, 1):.2f}",
        f"{score.classed / max(score.right, 1):.2f}",
    )


if __name__ == "__main__":
    typer.run(main)
