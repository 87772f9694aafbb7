"""Rows that no rule parts, told by the free strips between them: of tables with rules by their heads alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from core.documents.reading.tables.words import Line

_WIDER = 0.25  # heights of a line by which a strip between rows is wider than those between lines
_LEVEL = 0.5  # heights of a line by which lines side by side may stand apart

Lines = Sequence[Line]


def parted_by_strips(cells: Sequence[Lines]) -> list[list[Lines]]:
    """The rows of what stands between two rules, each with the lines of its cells.

    A strip that no word stands in, in any cell, parts two rows where it is wider than those between the lines,
    and the lower one begins with its first cell, level with another one, with all of several others, or with
    its first cell alone, as a label does: what stands apart in another cell alone is its next paragraph.

    Args:
        cells: of the first column on, the lines of each from the top.
    """
    lines = sorted((line for cell in cells for line in cell), key=_top, reverse=True)
    strips: list[tuple[float, float]] = []  # how wide, and where each ends
    bottom = _bottom(lines[0]) if lines else 0.0
    for above, line in pairwise(lines):
        if not _is_level(above, line):
            strips.append((max(bottom - _top(line), 0.0), _top(line)))
        bottom = min(bottom, _bottom(line))
    if not strips:
        return [list(cells)]
    height = min(_top(line) - _bottom(line) for line in lines)
    least = min(wide for wide, _ in strips) + _WIDER * height
    ends = [end for wide, end in strips if wide > least]
    rows: list[list[Lines]] = []
    for upper, lower in zip([math.inf, *ends], [*ends, -math.inf], strict=True):
        row: list[Lines] = [
            [line for line in cell if upper >= _top(line) > lower] for cell in cells
        ]
        if rows and not (_begins_together(row) or _is_label(row)):
            row = [[*above, *own] for above, own in zip(rows.pop(), row, strict=True)]
        rows.append(row)
    return rows


def _begins_together(row: Sequence[Lines]) -> bool:
    """Whether a row begins with its first cell, and with another one beside that; or with all of several
    others, whose label is that of the row above."""
    first, *others = row
    begun = [other[0] for other in others if other]
    if not first:
        return len(begun) > 1 and all(_is_level(begun[0], one) for one in begun[1:])
    return any(_is_level(first[0], one) for one in begun)


def _is_label(row: Sequence[Lines]) -> bool:
    """Whether a row has its first cell alone, begun with a capital: the label of the rows below."""
    first, *others = row
    return bool(first) and not any(others) and first[0][0].text[:1].isupper()


def _is_level(one: Line, other: Line) -> bool:
    return abs(_top(one) - _top(other)) <= _LEVEL * (_top(one) - _bottom(one))


def _top(line: Line) -> float:
    return max(word.box[3] for word in line)


def _bottom(line: Line) -> float:
    return min(word.box[1] for word in line)
