"""Columns of rows with a rule between each two, and none down the page, told by where their cells stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import groupby

from core.documents.reading.tables.aligned.lines_as_rows import is_one_cell, leads_on
from core.documents.reading.tables.aligned.strips import (
    WordRun,
    aligned_columns,
    order_of,
    phrases_of,
)
from core.documents.reading.tables.rows import Cell
from core.documents.reading.tables.ruled.groups import FEWEST_BANDS
from core.documents.reading.tables.ruled.rules import Rule
from core.documents.reading.tables.words import Line, PlacedWord

_MOST_ROWS = 30  # of a table; of one with more no row is left out, as each takes its time


class CellsAsDrawn:
    """What the places of a page's cells, and the file that draws them, tell of its columns.

    Args:
        words: gives what stands between white space.
    """

    def __init__(self, words: Callable[[], Sequence[PlacedWord]]) -> None:
        self._words = words

    @cached_property
    def _order(self) -> dict[int, int]:
        return order_of(self._words())

    def columns(
        self, rules: Sequence[Rule], bands: Sequence[Sequence[Line]]
    ) -> Iterator[tuple[Sequence[Rule], list[float]]]:
        """Runs of rules between which rows stand, with where the columns behind the first may begin, most
        columns first: by all rows, and by all but one, in which a cell may go over several.

        Args:
            bands: the lines between each two of the rules.
        """
        phrases = [[phrases_of(line, self._order) for line in band] for band in bands]
        first = 0
        for has_cells, run in groupby(phrases, lambda band: any(len(line) > 1 for line in band)):
            rows = list(run)
            if has_cells and len(rows) >= FEWEST_BANDS:
                own = rules[first : first + len(rows) + 1]
                yield from ((own, begins) for begins in _columns(rows))
            first += len(rows)

    def is_one(self, cell: Cell) -> bool:
        """Whether the file draws a cell from its first line to its last, and no wide space parts one."""
        return is_one_cell(cell, self._order)


def _columns(rows: Sequence[Sequence[Sequence[WordRun]]]) -> list[list[float]]:
    lines = [line for row in rows for line in row if len(line) > 1]
    if 2 * sum(map(leads_on, lines)) >= len(lines):  # a document's contents
        return []
    left_out = range(len(rows)) if len(rows) <= _MOST_ROWS else ()
    several = [rows, *([*rows[:place], *rows[place + 1 :]] for place in left_out)]
    found = [aligned_columns([line for row in own for line in row]) for own in several]
    most = sorted((begins for begins in found if begins), key=len, reverse=True)
    return [begins for number, begins in enumerate(most) if begins not in most[:number]]
