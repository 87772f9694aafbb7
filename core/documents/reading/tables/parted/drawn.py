"""Rows in the order in which a file draws them: row by row, each cell with all of its lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median_low

from core.documents.reading.tables.columns import Columns
from core.documents.reading.tables.parted.level_lines import has_room, is_one_label
from core.documents.reading.tables.rows import Cell, Row, begins_small
from core.documents.reading.tables.words import NEAR_LINE, Line, PlacedWord, distance, lines_of

IsBold = Callable[[PlacedWord], bool]

_OVERLAP = 0.3  # line heights by which the boxes of two rows may overlap
_VALUE = re.compile(r"[<>≤≥±~(−–-]?\s*(?:\d\S*(?:\s\S+){0,2})?")
_LEVEL = 0.5  # line heights by which words of one line may stand above each other
_UNEVEN = 0.3  # line heights by which the space between lines differs, as their letters do
_APART = 0.1  # line heights by which rows stand farther apart than lines of a cell


def rows_as_drawn(
    columns: Columns, words: Sequence[PlacedWord], is_bold: IsBold, near: float = NEAR_LINE
) -> list[Row]:
    """Words as rows; none where the page tells otherwise.

    Args:
        is_bold: whether a word is in bold type; a label may be, unlike the cell below it.
        near: line heights between two lines of one cell, at most.
    """
    drawn: list[list[PlacedWord]] = []
    last = 0
    for word in sorted(words, key=lambda one: one.start):
        column = columns.of(word) or 0
        same = column == last
        if not drawn or column < last or (same and _begins(word, drawn[-1][-1], is_bold, near)):
            drawn.append([])
        drawn[-1].append(word)
        last = column
    if any(_top(low) > _bottom(high) + _OVERLAP * low[0].height for high, low in pairwise(drawn)):
        return []
    rows = [columns.cells(lines_of(own)) for own in drawn]
    if any(map(_is_part_of_cell, rows)) or any(
        _goes_on(*pair) and not _has_values_like(pair[1], rows) for pair in pairwise(rows)
    ):
        return []
    left, right = columns.spans[0]
    if any(not is_one_label(row.cells[0], right - left) for row in rows):
        return []
    for row in rows[1:]:
        row.cells[0].above = not row.cells[0].lines
    return rows


def are_surely_several(rows: Sequence[Row], columns: Columns) -> bool:
    """Whether rows are no lines of a single one.

    They are none where a cell goes on in another line before the next cell begins, so that the file draws cells
    whole, or where lines of a cell stand nearer to each other than rows; else where each row has several cells,
    one of which would have found room behind the one above it.
    """
    if len(rows) < 2:
        return False
    if any(len(cell.lines) > 1 for row in rows for cell in _all_but_last(row)):
        return True
    inside = [distance(*two) for row in rows for cell in row.cells for two in pairwise(cell.lines)]
    between = [distance(_lowest(high), _highest(low)) for high, low in pairwise(rows)]
    if inside and min(between) > max(inside) + _APART:
        return True
    return all(_is_next(*pair, columns) for pair in pairwise(rows))


def _all_but_last(row: Row) -> Sequence[Cell]:
    filled = [cell for cell in row.cells if cell.lines]
    return filled[:-1]


def _lowest(row: Row) -> Line:
    return min((line for cell in row.cells for line in cell.lines), key=_bottom)


def _highest(row: Row) -> Line:
    return max((line for cell in row.cells for line in cell.lines), key=_top)


def _is_next(above: Row, row: Row, columns: Columns) -> bool:
    """Whether what stands right below a row is another one, and not its next line."""
    return min(above.filled, row.filled) > 1 and any(
        has_room(high.lines[-1], low.lines[0], right - left)
        for high, low, (left, right) in zip(above.cells, row.cells, columns.spans, strict=True)
        if high.lines and low.lines
    )


def _is_part_of_cell(row: Row) -> bool:
    """Whether a row may be no more than a line of a cell of the one above."""
    label = row.cells[0].text
    return row.filled < 2 and (not label or begins_small(label))


def _goes_on(above: Row, row: Row) -> bool:
    """Whether a row's first cell may be the next line of the one above; not beside values alone ("p value")."""
    label = row.cells[0].text
    may = bool(above.cells[0].lines) and (label.startswith("(") or begins_small(label))
    return may and not all(_VALUE.fullmatch(cell.text) for cell in row.cells[1:])


def _has_values_like(row: Row, rows: Sequence[Row]) -> bool:
    """Whether a row has a cell in each column, and a number first where all others behind the first, which may
    be heads, have: "over 40 kg" is a label."""
    others = [one for one in rows[1:] if one is not row]
    columns = [
        place
        for place in range(1, len(row.cells))
        if all(one.cells[place].text[:1].isdigit() for one in others)
    ]
    whole = row.filled == len(row.cells) and len(others) > 1
    return whole and bool(columns) and all(row.cells[n].text[:1].isdigit() for n in columns)


def line_step(columns: Columns, words: Sequence[PlacedWord]) -> float:
    """The usual space between two lines of a column that a file draws one after the other, in heights of a
    line, and somewhat more: they are of one cell. `NEAR_LINE` at least."""
    steps = [
        (above.box[1] - below.box[3]) / below.height
        for above, below in pairwise(sorted(words, key=lambda one: one.start))
        if above.y - below.y > _LEVEL * below.height and columns.of(above) == columns.of(below)
    ]
    return max(NEAR_LINE, median_low(steps) + _UNEVEN) if steps else NEAR_LINE


def _begins(word: PlacedWord, before: PlacedWord, is_bold: IsBold, near: float) -> bool:
    """Whether a word begins the row below, and not the next line of a cell: it stands apart, or is bold unlike
    the one before."""
    is_below = before.box[1] - word.box[3] > -_OVERLAP * word.height
    apart = before.box[1] - word.box[3] > near * word.height
    return apart or (is_below and is_bold(word) != is_bold(before))


def _top(words: Sequence[PlacedWord]) -> float:
    return max(word.box[3] for word in words)


def _bottom(words: Sequence[PlacedWord]) -> float:
    return min(word.box[1] for word in words)
