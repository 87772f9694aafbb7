"""Columns told by where the lines of cells begin, between rules that say nothing of cells: dotted ones; and the
bold heads above the first of these."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from core.documents.reading.tables.words import Line, PlacedWord, distance, lines_of

_SAME = 1.5  # points by which what begins in one column may begin apart
_MOST_BANDS = 0.6  # share of the rows in which something begins with a column
_APART = 0.5  # heights of a line between a column and the word before, on half of the lines
_ON_MOST_LINES = 0.5
_LEAST_BANDS = 2
_MOST_COLUMNS = 12
# Heights of a line between heads and the rule, and between their lines.
_NEAR_RULE, _NEAR_LINE = 0.8, 0.25
_NEAR_ROW = 1.6  # heights of a line between heads and a row
_NUMBERED = re.compile(r"[(§]?\s?(?:\d+(?:\.\d+)*|[IVX]+|[A-Z])[.)]?|§")


def columns_by_starts(bands: Sequence[Sequence[PlacedWord]]) -> list[float]:
    """Where the columns behind the first begin, in points from the left; none where nothing tells.

    In most rows something begins with a column, no word of any row reaches over it, and on half of the lines
    that have a word before it that stands apart: else the words of "20 mg" and "40 mg" would be columns.

    Args:
        bands: the words of each row.
    """
    filled = [lines_of(band) for band in bands if band]
    if len(filled) < _LEAST_BANDS:
        return []
    lefts = sorted(word.box[0] for lines in filled for line in lines for word in line)
    places: list[float] = []
    for left in lefts:
        if not places or left - places[-1] > _SAME:
            places.append(left)
    first = places[0]
    found = [
        place
        for place in places
        if place - first > _SAME
        and not any(_reaches_over(word, place) for lines in filled for ln in lines for word in ln)
        and sum(_begins(lines, place) for lines in filled) >= _MOST_BANDS * len(filled)
        and _stands_apart([line for lines in filled for line in lines], place)
    ]
    return found if len(found) < _MOST_COLUMNS else []


def heads_above(
    words: Sequence[PlacedWord],
    top: float,
    is_bold: Callable[[PlacedWord], bool],
    *,
    beyond: bool = False,
) -> list[Line]:
    """The lines of bold words right above a rule, from the top; none where there are no such, or a heading with
    a number stands there.

    Args:
        words: of the page, those that stand over the rule.
        top: of the rule, in points.
        beyond: whether it is the top of a row that has no rule above it.
    """
    most = _NEAR_ROW if beyond else _NEAR_RULE
    taken: list[Line] = []
    for line in reversed(lines_of([word for word in words if word.y > top])):
        if not all(map(is_bold, line)):
            break
        if taken:
            near = distance(line, taken[0]) <= _NEAR_LINE
        else:
            near = min(word.box[1] for word in line) - top <= most * line[0].height
        if not near:
            break
        taken.insert(0, line)
    return [] if taken and is_numbered(taken[0]) else taken


def is_numbered(line: Line) -> bool:
    """Whether a line begins with a section's number or letter, and goes on."""
    return len(line) > 1 and bool(_NUMBERED.fullmatch(line[0].text))


def _begins(lines: Sequence[Line], place: float) -> bool:
    return any(abs(word.box[0] - place) <= _SAME for line in lines for word in line)


def _reaches_over(word: PlacedWord, place: float) -> bool:
    return word.box[0] < place - _SAME and word.box[2] > place + _SAME


def _stands_apart(lines: Sequence[Line], place: float) -> bool:
    """Whether what begins at a place stands apart from what stands before it, on most lines that have both."""
    gaps = []
    for line in lines:
        before = [word for word in line if word.box[0] < place - _SAME]
        if before and any(abs(word.box[0] - place) <= _SAME for word in line):
            gaps.append((place - before[-1].box[2]) / before[-1].height)
    return sum(gap >= _APART for gap in gaps) >= max(1, _ON_MOST_LINES * len(gaps))
