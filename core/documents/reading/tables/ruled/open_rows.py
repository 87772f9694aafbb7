"""Rows above the first rule of a table, or below the last one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from core.documents.reading.tables.columns import Columns
from core.documents.reading.tables.rows import Row
from core.documents.reading.tables.ruled.starts import is_numbered
from core.documents.reading.tables.words import NEAR_LINE, Line, PlacedWord, distance, lines_of

_NEAR_RULE = 0.8  # line heights between a rule and such a row


def row_above(columns: Columns, words: Sequence[PlacedWord], edge: float) -> list[Row]:
    """The row above a rule, as heads: lines near it that keep to the columns, in two of them at least; none
    where that is in doubt."""
    taken = _near(lines_of([w for w in words if w.y > edge and columns.touches(w)])[::-1], edge)
    is_heading = bool(taken) and is_numbered(taken[-1])
    row = columns.row(taken, head=True) if _keep(columns, taken) and not is_heading else None
    return [row] if row else []


def row_below(
    columns: Columns, words: Sequence[PlacedWord], edge: float, inside: Sequence[Line]
) -> list[Row]:
    """The row below a rule. What does not keep to the columns may follow it, where its first line has a cell in
    each, begun where those of the rows above begin.

    Args:
        inside: the lines of the rows above.
    """
    taken = _near(lines_of([w for w in words if w.y < edge and columns.touches(w)]), edge)
    if not _keep(columns, taken):
        taken = list(takewhile(columns.keep, taken)) if columns.fill(taken[0], inside) else []
    row = columns.row(taken, head=False)
    return [row] if row else []


def _near(lines: Sequence[Line], edge: float) -> list[Line]:
    """Lines beyond a rule up to the first that stands apart, from the rule on."""
    taken: list[Line] = []
    for line in lines:
        if not taken:
            near = _from_edge(line, edge) <= _NEAR_RULE
        else:
            pair = sorted((line, taken[-1]), key=lambda one: -one[0].y)
            near = distance(*pair) <= NEAR_LINE
        if not near:
            break
        taken.append(line)
    return taken


def _keep(columns: Columns, lines: Sequence[Line]) -> bool:
    kept = [line for line in lines if columns.keep(line)]
    return all(line in kept or columns.part_like(line, kept) for line in lines)


def _from_edge(line: Line, edge: float) -> float:
    """Line heights between a line and a rule, above or below it."""
    height = max(word.height for word in line)
    return min(abs(end - edge) for word in line for end in (word.box[1], word.box[3])) / height
