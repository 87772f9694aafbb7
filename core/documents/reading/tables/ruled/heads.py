"""Which rows of a ruled table name its columns, and which cells its rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import takewhile

from core.documents.reading.tables.parted.level_lines import is_one_label
from core.documents.reading.tables.rows import Cell, Row
from core.documents.reading.tables.ruled.rules import Rule
from core.documents.reading.tables.words import Line, PlacedWord

MOSTLY = 0.5  # of a row's cells, and of the rows below
_UNDER = 0.35  # line heights by which an underline stands from the line's lower end
_BESIDE = 0.5  # line heights that an underline may be longer; a longer rule is the cell's
_MOST_OF_LABEL = 2  # lines of a label that a rule parts from the next one, on the average
_FEWEST_ROWS = 3  # of a table with longer labels, or without heads
_DIGIT = re.compile(r"(?<![^\W\d_])\d")

StandsOut = Callable[[Line], bool]


def mark_heads(
    rows: Sequence[Row],
    stands_out: StandsOut,
    is_shaded: Callable[[PlacedWord], bool] = lambda _word: False,
) -> None:
    """Say which of the first rows name the columns: those that the page sets off from the others.

    A first row that only has no numbers may be "Adults, not recommended": nothing tells.

    Args:
        stands_out: whether a line is set off by its type.
        is_shaded: whether a word stands on a coloured area.
    """
    while len(rows) > 1 and rows[0].filled == 1:  # its title
        rows = rows[1:]
    shares = [share_set_off(row, stands_out) for row in rows]
    others = [share for row, share in zip(rows[1:], shares[1:], strict=True) if row.filled > 1]
    is_set_off = shares[0] >= MOSTLY and sum(one < MOSTLY for one in others) >= MOSTLY * len(others)
    rows[0].head = rows[0].filled > 1 and (is_set_off or _is_alone_shaded(rows, is_shaded))
    if not rows[0].head or len(rows) < 3:
        return
    below = rows[1]
    spans = any(cell.left for cell in rows[0].cells)
    if any(cell.above for cell in below.cells) or (
        spans and (shares[1] >= MOSTLY or not any(_DIGIT.search(c.text) for c in below.cells))
    ):
        below.head = True


def mark_heads_below(rows: Sequence[Row], stands_out: StandsOut) -> None:
    """Say that rows below a label over all columns name them anew: those set off, unlike the next."""
    for label, row, after in zip(rows, rows[1:], rows[2:], strict=False):
        is_new = label.filled < 2 and row.filled > 1 and share_set_off(row, stands_out) >= MOSTLY
        row.head |= is_new and share_set_off(after, stands_out) < MOSTLY


def _is_alone_shaded(rows: Sequence[Row], is_shaded: Callable[[PlacedWord], bool]) -> bool:
    """Whether the first row stands on colour, and none of two others at least does; not with numbers in all of
    the columns in which they have some."""
    first, *others = [
        [is_shaded(word) for cell in row.cells for line in cell.lines for word in line]
        for row in rows
    ]
    numbered = [[bool(_DIGIT.search(cell.text)) for cell in row.cells] for row in rows]
    columns = [j for j in range(len(rows[0].cells)) if all(row[j] for row in numbered[1:])]
    is_like = bool(columns) and all(numbered[0][j] for j in columns)
    is_alone = bool(first) and all(first) and not any(map(any, others))
    return is_alone and len(others) > 1 and not is_like


def head_apart(rows: list[Row], stands_out: StandsOut) -> list[Row]:
    """The rows, the first one parted where each of its cells begins with lines that are set off, and goes on
    with others, as no other row's does."""
    first = [cell for cell in rows[0].cells if cell.lines]
    heads = [list(takewhile(stands_out, cell.lines)) for cell in first]
    rests = [cell.lines[len(head) :] for cell, head in zip(first, heads, strict=True)]
    if len(first) < 2 or not all(heads) or not all(rests):
        return rows
    begins = [rest[0][0].text[:1] for rest in rests]
    if any(one == "(" or one.islower() for one in begins) or any(
        stands_out(cell.lines[0]) for row in rows[1:] for cell in row.cells if cell.lines
    ):
        return rows
    parts = {
        id(cell): part for cell, part in zip(first, zip(heads, rests, strict=True), strict=True)
    }
    above, below = (
        [
            Cell(parts[id(cell)][place] if cell.lines else [], cell.above, cell.left)
            for cell in rows[0].cells
        ]
        for place in (0, 1)
    )
    return [Row(above, head=True), Row(below), *rows[1:]]


def has_labels(rows: Sequence[Row], is_bold: Callable[[PlacedWord], bool]) -> bool:
    """Whether the first cell of each row is bold and no other one is: labels, in a table without heads."""
    return len(rows) >= _FEWEST_ROWS and all(
        row.filled > 1
        and bool(row.cells[0].lines)
        and all(
            is_bold(line[0]) == (cell is row.cells[0]) for cell in row.cells for line in cell.lines
        )
        for row in rows
    )


def has_short_labels(rows: Sequence[Row], width: float) -> bool:
    """Whether a row has no more lines of its first cell than a label has: with more, several rows were taken
    for one.

    Args:
        width: of the first column, in points.
    """
    labels = [row.cells[0] for row in rows]
    return sum(len(one.lines) for one in labels) <= _MOST_OF_LABEL * len(rows) or (
        len(rows) >= _FEWEST_ROWS and all(is_one_label(one, width) for one in labels)
    )


def share_set_off(row: Row, stands_out: StandsOut) -> float:
    """Of a row's cells with text, the share with a line that stands out."""
    cells = [cell for cell in row.cells if cell.lines]
    out = sum(any(stands_out(line) for line in cell.lines) for cell in cells)
    return out / len(cells) if cells else 0.0


def is_underlined(line: Line, across: Sequence[Rule]) -> bool:
    left, right = line[0].box[0], line[-1].box[2]
    bottom, height = min(word.box[1] for word in line), line[0].height
    return any(
        abs(rule.at - bottom) <= _UNDER * height
        and rule.covers(left, right)
        and rule.start > left - _BESIDE * height
        and rule.end < right + _BESIDE * height
        for rule in across
    )
