"""Finds the tables of a page whose columns are told by nothing but the space between them.

Words far apart on a line may be a form, a table of contents or two columns of prose, and a row taken wrongly
gives a patient another's dose. So a table is only what the page itself says is one, by a head in bold type or
a caption, whose cells stand in line below each other, whose rows are told apart, and which has values in a
column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.documents.reading.tables.rows import Cell, Row
from core.documents.reading.tables.words import Line, PlacedWord, distance, lines_of
from core.text.tables.lines import is_caption

_MOST_LINES = 400  # of a page; one with more is a drawing
_MOST_COLUMNS = 8
_FARTHEST = 1.8  # line heights of free space between two lines of a table
_CAPTION = 2.5  # line heights of free space between a caption and its table
_CORRIDOR = 0.8  # line heights that stay free between two columns
_IN_LINE = 0.4  # line heights by which cells of one column may stand out of line
_IN_HEAD = 0.85  # line heights of free space between the lines of a head
_TIGHT = 0.1  # line heights of free space between the lines of a cell, at least
_NEW_ROW = 0.35  # more line heights of free space begin a row
_BEHIND = 0.2  # more line heights of free space than between rows: a paragraph behind the table
_SAME_LINE = 0.5  # line heights by which words of one line may stand above each other
_FEWEST_ROWS = 2
_MOSTLY = 0.6  # of a column's cells that are values
_NOTE = re.compile(r"([a-z*†‡§¶‖])\s+\S")
_DIGIT = re.compile(r"\d|[–—-]$")

IsBold = Callable[[PlacedWord], bool]


def find_spaced_tables(segments: Sequence[PlacedWord], is_bold: IsBold) -> list[list[Row]]:
    """The tables of an upright page as rows; every segment stands in one cell at most.

    Args:
        segments: what stands together on a line, wide spaces around it; its words are the cells'.
        is_bold: whether a segment begins in bold type.
    """
    lines = lines_of(segments)
    if len(lines) > _MOST_LINES or sum(len(line) > 1 for line in lines) <= _FEWEST_ROWS:
        return []
    found: list[list[Row]] = []
    place = 0
    while place < len(lines):
        rows, after = _table(lines, place, is_bold)
        if rows:
            found.append(rows)
        place = after if rows else place + 1
    return found


@dataclass(slots=True)
class _Columns:
    """Where the columns of a table begin and end, wider with each line."""

    bands: list[tuple[float, float]]
    height: float

    def places(self, line: Line) -> list[int] | None:
        """The column of each cell of a line, from the left; None where one stands in none or in two."""
        found = []
        for cell in line:
            over = [
                place
                for place, (left, right) in enumerate(self.bands)
                if cell.box[0] < right + self._free(place) and cell.box[2] > left
            ]
            if len(over) != 1 or over[0] in found:
                return None
            found.append(over[0])
        return found

    def _free(self, place: int) -> float:
        """How far a column may reach into the space behind it."""
        if place + 1 == len(self.bands):
            return 0.0
        return self.bands[place + 1][0] - self.bands[place][1] - _CORRIDOR * self.height

    def take(self, line: Line, places: Sequence[int]) -> bool:
        """Widen the columns by a line's cells; whether they stay apart."""
        for cell, place in zip(line, places, strict=True):
            left, right = self.bands[place]
            self.bands[place] = min(left, cell.box[0]), max(right, cell.box[2])
        return all(b[0] - a[1] >= _CORRIDOR * self.height for a, b in pairwise(self.bands))


def _table(lines: Sequence[Line], first: int, is_bold: IsBold) -> tuple[list[Row], int]:
    """The rows of the table that begins with a line, and the place of the line behind it; none where the
    line begins no table."""
    head = lines[first]
    if not 1 < len(head) <= _MOST_COLUMNS:
        return [], first
    bold = all(map(is_bold, head))
    if not bold and not _has_caption(lines, first):
        return [], first
    columns = _Columns([(cell.box[0], cell.box[2]) for cell in head], head[0].height)
    body: list[tuple[Line, list[int]]] = [] if bold else [(head, list(range(len(head))))]
    after = first + 1
    while after < len(lines) and distance(lines[after - 1], lines[after]) <= _FARTHEST:
        line = lines[after]
        places = columns.places(line)
        if all(map(is_bold, line)):
            break
        if places is None or not columns.take(line, places):
            if len(line) > 1:  # which may be a row all the same
                return [], first
            break
        body.append((line, places))
        after += 1
    notes = _start_of_notes(body)
    after -= len(body) - notes
    del body[notes:]
    gaps = [distance(a, b) for (a, _), (b, _) in pairwise(body)]
    while body and body[-1][1] == [0] and gaps and gaps[-1] > min(gaps) + _BEHIND:
        del body[-1], gaps[-1]
        after -= 1
    rows = _rows(body, len(head))
    if (
        rows is None
        or not are_in_line(rows, columns.height)
        or not has_values(rows)
        or not _is_drawn_in_order(rows)
        or _are_several(rows)
    ):
        return [], first
    return [*([_heads(lines, first, columns, is_bold)] if bold else []), *rows], after


def _heads(lines: Sequence[Line], first: int, columns: _Columns, is_bold: IsBold) -> Row:
    """The cells of a line of heads, with the bold lines above that the file draws among them: a head of several
    lines may begin above the others."""
    cells = [Cell([[cell]]) for cell in lines[first]]
    drawn = [one.start for one in lines[first]]
    for place in range(first - 1, -1, -1):
        line = lines[place]
        places = columns.places(line)
        if (
            places is None
            or distance(line, lines[place + 1]) > _IN_HEAD
            or not all(is_bold(one) and min(drawn) < one.start < max(drawn) for one in line)
        ):
            break
        for one, column in zip(line, places, strict=True):
            cells[column].lines.insert(0, [one])
    return Row(cells, head=True)


def _start_of_notes(body: Sequence[tuple[Line, list[int]]]) -> int:
    """The place of the first line that is the note of a mark behind a value ("7.1a", "a p=0.041"); behind the
    last line where none is."""
    for number, (line, places) in enumerate(body):
        begins = _NOTE.match(line[0].text) if places == [0] else None
        cells = (cell.text for above, _ in body[:number] for cell in above)
        if begins and any(_ends_with_mark(text, begins[1]) for text in cells):
            return number
    return len(body)


def _ends_with_mark(text: str, mark: str) -> bool:
    return len(text) > 1 and text.endswith(mark) and not text[-2].isalpha()


def _has_caption(lines: Sequence[Line], first: int) -> bool:
    if not first:
        return False
    above = lines[first - 1]
    near = distance(above, lines[first]) <= _CAPTION
    return near and len(above) == 1 and is_caption(above[0].text)


def _rows(body: Sequence[tuple[Line, list[int]]], count: int) -> list[Row] | None:
    """The rows that lines below each other are; None where that is in doubt: a line begins a row where all of
    them are whole, or where it stands farther below than the lines of a cell do."""
    if len(body) < _FEWEST_ROWS:
        return None
    gaps = [distance(a, b) for (a, _), (b, _) in pairwise(body)]
    are_whole = all(len(places) == count for _, places in body)
    least = max(_TIGHT, min(gaps, default=0.0)) + _NEW_ROW
    begins = [True, *(are_whole or gap >= least for gap in gaps)]
    rows: list[Row] = []
    for (line, places), is_first in zip(body, begins, strict=True):
        if is_first:
            rows.append(Row([Cell() for _ in range(count)]))
        for cell, place in zip(line, places, strict=True):
            rows[-1].cells[place].lines.append([cell])
    full = [row for row in rows if row.filled == count]
    labels = [row for row in rows if row.filled == 1 and row.cells[0].lines]
    if len(full) < _FEWEST_ROWS or len(full) + len(labels) < len(rows):
        return None
    if are_whole and not any(all(_is_value(row, place) for row in rows) for place in range(count)):
        return None
    return rows


def _is_value(row: Row, place: int) -> bool:
    return bool(_DIGIT.search(row.cells[place].text))


def has_values(rows: Sequence[Row]) -> bool:
    """Whether a column behind the first one mostly holds values."""
    full = [row for row in rows if row.filled > 1]
    return any(
        sum(_is_value(row, place) for row in full) >= _MOSTLY * len(full)
        for place in range(1, len(full[0].cells) if full else 0)
    )


def _is_drawn_in_order(rows: Sequence[Row]) -> bool:
    """Whether the file has the rows one after the other; it has columns of prose so."""
    spans = [[one.start for one in _segments([row])] for row in rows]
    return all(max(above) < min(below) for above, below in pairwise(spans))


def _are_several(rows: Sequence[Row]) -> bool:
    """Whether some of the rows are two for sure: the file draws a cell with its next line before what stands
    beside it, so that it draws cells whole, and draws another one's lines with other cells between them."""
    drawn = sorted(_segments(rows), key=lambda one: one.start)
    order = {one.start: place for place, one in enumerate(drawn)}
    whole = torn = False
    for row in rows:
        for place, cell in enumerate(row.cells):
            behind = [
                one for other in row.cells[place + 1 :] for line in other.lines for one in line
            ]
            for (above,), (below,) in pairwise(cell.lines):
                if order[below.start] != order[above.start] + 1:
                    torn = True
                elif any(abs(one.y - above.y) < _SAME_LINE * above.height for one in behind):
                    whole = True
    return whole and torn


def _segments(rows: Sequence[Row]) -> list[PlacedWord]:
    return [one for row in rows for cell in row.cells for line in cell.lines for one in line]


def are_in_line(rows: Sequence[Row], height: float) -> bool:
    """Whether the cells of each column begin, end or have their middle in one place; of rows that are set in,
    what stands behind their labels."""
    for place, column in enumerate(zip(*(row.cells for row in rows), strict=True)):
        if not place:
            column = tuple(row.cells[0] for row in rows if not row.indented)
        boxes = [line[0].box for cell in column for line in cell.lines[:1]]
        if not boxes:
            continue
        edges = (
            [box[0] for box in boxes],
            [box[2] for box in boxes],
            [(box[0] + box[2]) / 2 for box in boxes],
        )
        if min(max(edge) - min(edge) for edge in edges) > _IN_LINE * height:
            return False
    return True
