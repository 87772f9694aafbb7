"""Columns of text that stand beside each other on a page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from core.documents.reading.tables.words import PlacedWord

_HIGHER = 6.0  # line heights by which the file goes up again where the next column begins


def text_columns(words: Sequence[PlacedWord]) -> list[list[PlacedWord]]:
    """The words of each column of text that stands beside another, in the file's order; none of a page of one
    column. The file draws a column from its top to its end, then goes up to the next one.
    """
    drawn = sorted(words, key=lambda one: one.start)
    begins = [
        place
        for place in range(1, len(drawn))
        if drawn[place].y - drawn[place - 1].y > _HIGHER * drawn[place].height
    ]
    found: dict[int, list[PlacedWord]] = {}
    for number, place in enumerate(begins):
        before = drawn[begins[number - 1] if number else 0 : place]
        behind = drawn[place : begins[number + 1] if number + 1 < len(begins) else len(drawn)]
        if left := _before(behind[0].box[0], before):
            for column in (left, _behind(max(one.box[2] for one in left), behind)):
                found.setdefault(column[0].start, column)
    return list(found.values())


def _before(edge: float, words: Sequence[PlacedWord]) -> list[PlacedWord]:
    """The last of words that end before a place on the line."""
    return [*takewhile(lambda one: one.box[2] < edge, reversed(words))][::-1]


def _behind(edge: float, words: Sequence[PlacedWord]) -> list[PlacedWord]:
    """The first of words that begin behind a place on the line."""
    return [*takewhile(lambda one: one.box[0] > edge, words)]
