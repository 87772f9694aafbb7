"""Rows that no rule parts, told by lines side by side: a row of values, or a cell that goes on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from core.documents.reading.tables.rows import Cell, Row
from core.documents.reading.tables.words import Line

_FEWEST_LINES = 3  # without a value, that are rows of their own although no rule parts them
_MARGIN = 1.5  # line heights of a cell that are no room for words
_VALUE = re.compile(r"[<>≤≥±~(–−-]?\s*\d|[–—−-]$")
# "48", "68.6%", "48 (68.6)", "−0.92 (−1.20 to −0.64)"
_NOTHING_ELSE = re.compile(
    r"[<>≤≥±~(–−+-]?\s?\d[\d.,·/]*\s?%?(?:\s?[(\[][^)\]]*\d[^)\]]*[)\]])?[*†‡§]?|[–—−-]"
)


def parted_by_lines(row: Row, spans: Sequence[tuple[float, float]]) -> list[Row] | None:
    """What stands between two rules: one row, or as many as there are lines; None where it may be either.

    Lines of one cell go on where the next word found no room on the line before. Where there was room in
    all cells, and all have as many lines, these are rows: of values, or of three at least. Two columns of
    nothing but values are rows in any case, also beside one that has a value for some of them.
    """
    several = [
        (cell, right - left)
        for cell, (left, right) in zip(row.cells, spans, strict=True)
        if len(cell.lines) > 1
    ]
    cells = [cell for cell, _ in several]
    count = max((len(cell.lines) for cell in cells), default=0)
    full = [cell for cell in cells if len(cell.lines) == count]
    if len(full) < 2 or not _are_level(full):
        return [row]
    if any(map(_has_open_bracket, cells)):
        return [row]
    rows = [Row([_nth(cell, k, full[0]) for cell in row.cells]) for k in range(count)]
    if sum(map(_is_of_values, full)) > 1 and all(
        cell in full or (_is_of_values(cell) and _stands_beside(cell, full[0])) for cell in cells
    ):
        return rows
    if len(full) < len(cells) or not all(
        has_room(*pair, width) for cell, width in several for pair in pairwise(cell.lines)
    ):
        return [row]
    begun = [[line[0].text for line in cell.lines] for cell in cells]
    goes_on = any(word[0].islower() for words in begun for word in words)
    valued = any(all(map(_VALUE.match, words)) for words in begun)
    if goes_on or not (valued or count >= _FEWEST_LINES):
        return None
    return rows


def _is_of_values(cell: Cell) -> bool:
    texts = (" ".join(word.text for word in line) for line in cell.lines)
    return all(map(_NOTHING_ELSE.fullmatch, texts))


def _stands_beside(cell: Cell, full: Cell) -> bool:
    """Whether each line of a cell stands side by side with one of another cell."""
    return all(_beside(line, full) is not None for line in cell.lines)


def _beside(line: Line, full: Cell) -> int | None:
    """Which line of a cell one stands side by side with."""
    return next((k for k, one in enumerate(full.lines) if _is_level(line, one)), None)


def _is_level(one: Line, other: Line) -> bool:
    return abs(one[0].y - other[0].y) <= one[0].height / 2


def _are_level(cells: Sequence[Cell]) -> bool:
    """Whether the lines of cells stand side by side."""
    first, *others = cells
    return all(
        _is_level(a, b) for cell in others for a, b in zip(first.lines, cell.lines, strict=True)
    )


def _has_open_bracket(cell: Cell) -> bool:
    """Whether a line but the last ends within brackets."""
    texts = ["".join(word.text for word in line) for line in cell.lines[:-1]]
    return any(text.count("(") > text.count(")") for text in texts)


def is_one_label(cell: Cell, width: float) -> bool:
    """Whether the lines of a cell are one label: none would have found room on the line before."""
    return not any(has_room(*pair, width) for pair in pairwise(cell.lines))


def may_be_several(cell: Cell, width: float) -> bool:
    """Whether lines of a cell may be labels of their own: begun with a capital or a digit, with room above."""
    return any(
        has_room(above, line, width) and (line[0].text[:1].isupper() or line[0].text[:1].isdigit())
        for above, line in pairwise(cell.lines)
    )


def has_room(line: Line, following: Line, width: float) -> bool:
    """Whether the next line's first word would have fitted on a line of a cell."""
    used = line[-1].box[2] - line[0].box[0]
    word = following[0].box[2] - following[0].box[0]
    return used + word + _MARGIN * line[0].height < width


def _nth(cell: Cell, place: int, full: Cell) -> Cell:
    """The cell of one line among those of a full one; a cell of a single line is the same for all of them."""
    if len(cell.lines) > 1:
        return Cell([line for line in cell.lines if _beside(line, full) == place])
    if place == 0 or not cell.lines:
        return Cell(cell.lines if place == 0 else [], above=cell.above, left=cell.left)
    return Cell(above=True)
