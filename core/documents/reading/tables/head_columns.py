"""The heads of a table that tell its columns: one over each, or over several that have heads of their own."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from core.documents.reading.tables.rows import Cell, Row
from core.documents.reading.tables.words import PlacedWord

IN_CELL = 0.85  # line heights of free space between two lines of a cell, at most
_FEWEST_BELOW = 2  # heads below one that is over several columns
_FARTHEST = 1.5  # line heights of free space between that and these
OVERLAP = 0.3  # line heights by which the boxes of two lines may overlap
CORRIDOR = 0.5  # line heights that stay free between two columns


@dataclass(slots=True)
class HeadColumn:
    """Where the cells of a column begin and end, wider with each of them.

    Attributes:
        head: its lines.
        over: those of the head that it has in common with its neighbours.
    """

    left: float
    right: float
    head: list[PlacedWord] = field(default_factory=list)
    over: list[PlacedWord] = field(default_factory=list)


def take_heads_below(
    columns: list[HeadColumn],
    segments: Sequence[PlacedWord],
    after: int,
    is_bold: Callable[[PlacedWord], bool],
) -> int:
    """Put in place of each column whose head is over several their own, if the bold segments from a place on
    are such heads; the place behind them."""
    found: list[HeadColumn] = []
    place = after
    while place < len(segments) and is_bold(segments[place]):
        one = segments[place]
        if found and follows(found[-1].head[-1], one) and one.box[0] < found[-1].right:
            found[-1].head.append(one)
            found[-1].right = max(found[-1].right, one.box[2])
        elif any(_is_below(one, column) for column in columns):
            found.append(HeadColumn(one.box[0], one.box[2], [one]))
        else:
            break
        place += 1
    # A single head over all of them is the table's heading.
    below = _heads_below(columns, found) if len(columns) >= _FEWEST_BELOW else {}
    if sum(map(len, below.values())) < len(found) or not all(map(_are_apart, below.values())):
        return after
    for own, heads in below.items():
        for head in heads:
            head.over = columns[own].head
    columns[:] = [one for own, column in enumerate(columns) for one in below.get(own) or [column]]
    return place


def _heads_below(
    columns: Sequence[HeadColumn], found: Sequence[HeadColumn]
) -> dict[int, list[HeadColumn]]:
    """The heads below each column whose own is over several: those clear of its neighbours', with its middle
    among them; of two such columns each head is the nearer one's."""

    def clear(place: int) -> list[HeadColumn]:
        left = columns[place - 1].right if place else -math.inf
        right = columns[place + 1].left if place + 1 < len(columns) else math.inf
        return [one for one in found if left < one.left and one.right < right]

    def is_over(place: int) -> bool:
        own = clear(place)
        return len(own) >= _FEWEST_BELOW and own[0].left <= _middle(columns[place]) <= own[-1].right

    over = [place for place in range(len(columns)) if is_over(place)]
    below: dict[int, list[HeadColumn]] = {}
    for one in found:
        near = [place for place in over if any(one is each for each in clear(place))]
        if near:
            nearest = min(near, key=lambda at: abs(_middle(columns[at]) - _middle(one)))
            below.setdefault(nearest, []).append(one)
    return {} if any(len(heads) < _FEWEST_BELOW for heads in below.values()) else below


def _middle(column: HeadColumn) -> float:
    return (column.left + column.right) / 2


def _is_below(one: PlacedWord, column: HeadColumn) -> bool:
    """Whether a segment stands right below the height of a head."""
    gap = (min(each.box[1] for each in column.head) - one.box[3]) / one.height
    return -OVERLAP <= gap <= _FARTHEST


def _are_apart(heads: Sequence[HeadColumn]) -> bool:
    return all(b.left >= a.right + CORRIDOR * b.head[0].height for a, b in pairwise(heads))


def head_rows(columns: Sequence[HeadColumn]) -> list[Row]:
    """The heads as rows, those over several columns first."""
    if not any(one.over for one in columns):
        return [Row([Cell(_lines(one.head)) for one in columns], head=True)]
    before = [None, *columns[:-1]]
    over = Row(
        [
            Cell([], left=True)
            if one.over and last is not None and last.over is one.over
            else Cell(_lines(one.over or one.head))
            for last, one in zip(before, columns, strict=True)
        ],
        head=True,
    )
    below = Row(
        [Cell(_lines(one.head)) if one.over else Cell([], above=True) for one in columns], head=True
    )
    return [over, below]


def follows(above: PlacedWord, one: PlacedWord) -> bool:
    """Whether a segment is the next line of a cell by the space between them."""
    gap = (above.box[1] - one.box[3]) / one.height
    return -OVERLAP <= gap <= IN_CELL


def _lines(words: Sequence[PlacedWord]) -> list[list[PlacedWord]]:
    return [[one] for one in words]
