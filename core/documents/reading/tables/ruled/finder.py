"""Finds the tables of a page that several rules tell.

A table that is missed reads as it always did; one that is none would tear sentences apart, and one whose
rows are taken wrongly gives a patient another's dose. So what is not clear is no table: rules of one
width stand one below the other, or the edges of coloured cells do, and its columns are told by rules down
the page or by the borders of the cells that the rules were drawn of. A page may end in the middle of one, and
begin with its last row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Protocol

from core.documents.reading.tables.parted.level_lines import is_one_label, may_be_several
from core.documents.reading.tables.rows import Cell, Row
from core.documents.reading.tables.ruled.borders import shared_borders
from core.documents.reading.tables.ruled.grid import RuledGrid
from core.documents.reading.tables.ruled.groups import (
    FEWEST_BANDS,
    alike,
    are_of_cells,
    bands_of,
    beside_ruled,
    by_starts,
    groups,
    inside,
    of_one_width,
    uncrossed,
    whole_first,
)
from core.documents.reading.tables.ruled.heads import (
    MOSTLY,
    StandsOut,
    has_labels,
    has_short_labels,
    head_apart,
    is_underlined,
    mark_heads,
    mark_heads_below,
    share_set_off,
)
from core.documents.reading.tables.ruled.page_ends import MOST_OVER, go_on, to_the_ends
from core.documents.reading.tables.ruled.rules import MOST_RULES, Rule
from core.documents.reading.tables.ruled.starts import heads_above
from core.documents.reading.tables.words import Line, PlacedWord, lines_of

_LONGEST_CELL = 120  # words; a longer one is a page's layout
_MOST_JOINED = 0.4  # of the cells; with more the frame holds several tables, or a form
_LEVEL = 0.3  # line heights by which a label may stand out of line
_FEWEST_DOTTED = 3  # rules of a table whose columns no rule tells
_FEWEST_GOING_ON = 4  # rules of a table that goes on from the page before
_TITLE = re.compile(
    r"\b(?:page|seite|pagina|blz|version|rev)\b|\b\d+\s*(?:of|von|van|/)\s*\d+\s*$|^\W*\d{1,3}\W*$",
    re.IGNORECASE,
)


class AlignedCells(Protocol):
    """Tells the columns of ruled rows by where their cells stand."""

    def columns(
        self, rules: Sequence[Rule], bands: Sequence[Sequence[Line]]
    ) -> Iterator[tuple[Sequence[Rule], Sequence[float]]]:
        """Runs of rules between which rows stand, with where the columns behind the first may begin, likeliest
        first.

        Args:
            bands: the lines between each two of the rules.
        """

    def is_one(self, cell: Cell) -> bool:
        """Whether a cell is surely no two."""


def has_grid(across: Sequence[Rule], down: Sequence[Rule]) -> bool:
    """Whether the rules of a page part columns and rows, so that a table may be found among them."""
    if max(len(across), len(down)) > MOST_RULES:
        return False
    widths = of_one_width(across)
    return (
        _is_one_grid(across, down)
        or any(shared_borders(*pair, known=()) for rules in widths for pair in pairwise(rules))
        or any(sum(one.dotted for one in rules) >= _FEWEST_DOTTED for rules in widths)
        or any(len(rules) > FEWEST_BANDS for rules in widths)
    )


def _is_one_grid(across: Sequence[Rule], down: Sequence[Rule]) -> bool:
    """Whether all rules of one width part the same columns."""
    return any(RuledGrid.of(rules, across, down) for rules in of_one_width(across))


def find_tables(
    words: Sequence[PlacedWord],
    across: Sequence[Rule],
    down: Sequence[Rule],
    is_bold: Callable[[PlacedWord], bool],
    is_shaded: Callable[[PlacedWord], bool],
    aligned: AlignedCells,
    *,
    shaded: bool = False,
) -> list[list[Row]]:
    """The tables of an upright page as rows; every word stands in one cell at most.

    Args:
        across: rules across the page, from the top (`page_rules`).
        down: rules down the page, from the left.
        is_bold: whether a word is in bold type; heads are, or stand over a rule of their own.
        is_shaded: whether a word stands on a coloured area; heads may, where no other row does.
        aligned: tells columns by their cells, where nothing else does.
        shaded: whether `across` are the edges of areas: tables without heads are none then, nor are those with
            labels beside them that stand on no colour.
    """
    found: list[list[Row]] = []
    taken: set[int] = set()

    def stands_out(line: Line) -> bool:
        return is_bold(line[0]) or is_underlined(line, across)

    def take(
        rules: Sequence[Rule],
        *,
        headed: bool,
        columns: Sequence[float] = (),
        joining: bool = False,
        by_cells: bool = False,
    ) -> bool:
        free = [word for word in words if word.start not in taken]
        rules, is_cut = to_the_ends(rules, across, down, words)
        grid = RuledGrid.of(rules, across, down, columns)
        rows = grid.rows(free, joining=joining) if grid else []
        if not grid or not rows:
            return False
        if by_cells and not all(aligned.is_one(cell) for row in rows for cell in row.cells):
            return False  # a column was not seen
        is_rest = _is_rest(grid, rows, words, stands_out)
        rows = head_apart(rows, stands_out) if grid.open else rows
        mark_heads(rows, stands_out, is_shaded)
        mark_heads_below(rows, stands_out)
        if not grid.open:
            go_on(rows, rules[0], words)
        if not (_is_table(rows) or is_rest):
            return False
        if not rows[0].head:
            over = [word for word in free if inside(word.x, rules[0], 0)]
            highest = max(word.box[3] for cell in rows[0].cells for ln in cell.lines for word in ln)
            lines = heads_above(
                over, max(grid.levels[0], highest), is_bold, beyond=highest > grid.levels[0]
            )
            rows = [*grid.columns.heads(lines), *rows]
        is_known = rows[0].head or _goes_on(rules, words) or has_labels(rows, is_bold)
        left, right = grid.columns.spans[0]
        if headed and not (has_short_labels(rows, right - left) and is_known):
            return False
        if grid.open and any(may_be_several(row.cells[0], right - left) for row in rows):
            return False
        if shaded and _have_labels_beside(grid, rows, free):
            return False
        rows[-1].cut = is_cut
        found.append(rows)
        taken.update(w.start for row in rows for c in row.cells for ln in c.lines for w in ln)
        return True

    whole = _is_one_grid(across, down)
    every = whole_first(groups(across, down, words))
    for rules in every:
        if not (whole and take(rules, headed=shaded)):
            # Several tables in one frame or of one width, or a form: those parts that are tables of their own.
            for part in alike(rules, down):
                take(part, headed=True)
            for part in uncrossed(rules, words):
                take(part, headed=True, joining=True)
            for part, columns in by_starts(rules, words):
                take(part, headed=True, columns=columns)
            bands = [] if any(are_of_cells(rules, one) for one in every) else bands_of(rules, words)
            for run, begins in aligned.columns(rules, bands):
                take(run, headed=True, columns=begins, joining=True, by_cells=True)
    for rules in beside_ruled(across, down, words):
        for part in uncrossed(rules, words):
            take(part, headed=True, joining=True)
    return found


def _goes_on(rules: Sequence[Rule], words: Sequence[PlacedWord]) -> bool:
    """Whether rules begin a page, or a column of it, so that the heads of their rows may stand before that:
    above them is nothing but a running title, or the end of a row."""
    over = [w for w in words if w.y > rules[0].at and inside(w.x, rules[0], 0)]
    return len(rules) >= _FEWEST_GOING_ON and len(lines_of(over)) <= MOST_OVER


def _is_rest(
    grid: RuledGrid, rows: Sequence[Row], words: Sequence[PlacedWord], stands_out: StandsOut
) -> bool:
    """Whether a single row with rules between its cells begins a page, or a column of it: the last one of a
    table on the page before, and no running title."""
    if grid.open or len(rows) != 1 or rows[0].filled < len(rows[0].cells):
        return False
    left, right = grid.columns.spans[0]
    over = [w for w in words if w.y > grid.levels[0] and grid.columns.touches(w)]
    return (
        len(lines_of(over)) <= MOST_OVER
        and share_set_off(rows[0], stands_out) < MOSTLY
        and is_one_label(rows[0].cells[0], right - left)
        and not any(_TITLE.search(cell.text) for cell in rows[0].cells)
    )


def _have_labels_beside(grid: RuledGrid, rows: Sequence[Row], words: Sequence[PlacedWord]) -> bool:
    """Whether a line to the left of the columns stands beside each row."""
    beside = [line[0] for line in lines_of([w for w in words if w.x < grid.columns.edges[0]])]
    first = [
        next(line[0] for cell in row.cells for line in cell.lines) for row in rows if not row.head
    ]
    return all(any(abs(one.y - word.y) <= _LEVEL * word.height for one in beside) for word in first)


def _is_table(rows: Sequence[Row]) -> bool:
    """Whether rows side by side say something that single lines would not."""
    # What begins with one cell over all columns may be a form.
    labels = [row for row in rows if _is_label(row)] if rows and not _is_label(rows[0]) else []
    parted = [row for row in rows if not any(row is one for one in labels)]
    several = [row for row in parted if row.filled + sum(cell.above for cell in row.cells) > 1]
    if len(several) < max(2, len(labels) - 1) or 2 * len(several) < len(parted):
        return False
    if sum(row.joined for row in parted) > _MOST_JOINED * len(rows[0].cells) * len(parted):
        return False
    columns = {j for row in rows for j, cell in enumerate(row.cells) if cell.lines}
    longest = max(sum(map(len, cell.lines)) for row in rows for cell in row.cells)
    return len(columns) > 1 and longest <= _LONGEST_CELL


def _is_label(row: Row) -> bool:
    """Whether a row is one cell over all columns."""
    return len(row.cells) > 1 and all(cell.left for cell in row.cells[1:])
