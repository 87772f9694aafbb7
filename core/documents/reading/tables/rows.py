"""Rows of a table, and their cells."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.documents.reading.tables.words import Line


@dataclass(slots=True)
class Cell:
    """Lines of words; `above` or `left`: the cell is one with that neighbour, and empty."""

    lines: list[Line] = field(default_factory=list)
    above: bool = False
    left: bool = False

    @property
    def text(self) -> str:
        return " ".join(word.text for line in self.lines for word in line)


@dataclass(slots=True)
class Row:
    """Cells from left to right; `head` says that they name the columns, `indented` that its label is set in
    below that of a row before it, `cut` that the page's end cuts it."""

    cells: list[Cell]
    head: bool = False
    indented: bool = False
    cut: bool = False

    @property
    def filled(self) -> int:
        return sum(bool(cell.lines) for cell in self.cells)

    @property
    def joined(self) -> int:
        return sum(cell.above or cell.left for cell in self.cells)


def begins_small(text: str) -> bool:
    """Whether a text begins with a word in small letters, as the next line of a sentence does; "cIAI" begins
    something."""
    first, *_ = text.split(None, 1) or [""]
    return first[:1].islower() and first == first.lower()
