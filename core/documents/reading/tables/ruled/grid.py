"""Rows and cells of one table, from the rules around them.

Cells that no rule parts are one: its text stands in its first row and column, the others know that they
are joined to it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import neg

from core.documents.reading.tables.columns import (
    Columns,
    crossed,
    keeps_to,
    parts_at,
    reaches_over,
)
from core.documents.reading.tables.parted.drawn import are_surely_several, rows_as_drawn
from core.documents.reading.tables.parted.entries import parted_by_entries
from core.documents.reading.tables.parted.free_strips import Lines, parted_by_strips
from core.documents.reading.tables.parted.level_lines import parted_by_lines
from core.documents.reading.tables.rows import Cell, Row
from core.documents.reading.tables.ruled.borders import (
    LEAST_BAND,
    edges_by_borders,
    edges_by_rules,
    is_parted,
    parts_cells,
)
from core.documents.reading.tables.ruled.open_rows import row_above, row_below
from core.documents.reading.tables.ruled.rules import Rule
from core.documents.reading.tables.words import Line, PlacedWord, lines_of

_MOST_EDGES = 21  # of columns; with more it is a chart's grid


@dataclass(frozen=True, slots=True)
class RuledGrid:
    """Columns from the left and edges of rows from the top; which cells no rule parts.

    Attributes:
        levels: in points, one more than there are rows.
        owners: of each cell (row, column), the first one that it is one with.
        open: whether no rules down the page part the columns.
    """

    columns: Columns
    levels: tuple[float, ...]
    owners: dict[tuple[int, int], tuple[int, int]]
    open: bool

    @classmethod
    def of(
        cls,
        rules: Sequence[Rule],
        across: Sequence[Rule],
        down: Sequence[Rule],
        columns_begin: Sequence[float] = (),
    ) -> RuledGrid | None:
        """The grid of rules of one width; None where nothing tells the columns.

        Args:
            across, down: all rules of the page, among them those that part only some cells.
            columns_begin: where the columns behind the first begin, if no rule tells.
        """
        top, bottom = rules[0].at, rules[-1].at
        dividers = [one for one in down if min(one.end, top) - max(one.start, bottom) >= LEAST_BAND]
        edges = edges_by_rules(rules[0], dividers)
        is_open = not edges
        columns = Columns(tuple(edges or edges_by_borders(rules)))
        if not columns.edges and columns_begin:
            columns = Columns.begun_at(rules[0].start, columns_begin, rules[0].end)
        if not columns.edges or len(columns.edges) > _MOST_EDGES:
            return None
        spans = columns.spans
        partial = [one for one in across if bottom < one.at < top and parts_cells(one, spans)]
        levels: list[float] = []
        for rule in sorted([*rules, *partial], key=lambda one: -one.at):
            if not levels or levels[-1] - rule.at >= LEAST_BAND:
                levels.append(rule.at)
        owners: dict[tuple[int, int], tuple[int, int]] = {}
        for i, (high, low) in enumerate(pairwise(levels)):
            over = [one for one in (*rules, *partial) if abs(one.at - high) < LEAST_BAND]
            for j, (left, right) in enumerate(spans):
                owners[i, j] = (i, j)
                if i and not any(one.covers(left, right) for one in over):
                    owners[i, j] = owners[i - 1, j]
                elif j and not is_open and not is_parted(dividers, left, low, high):
                    owners[i, j] = owners[i, j - 1]
        return cls(columns, tuple(levels), owners, is_open)

    def rows(self, words: Sequence[PlacedWord], *, joining: bool = False) -> list[Row]:
        """The rows with their words; empty where a word stands in two columns that are parted.

        Args:
            joining: whether some cells that no rules part may be one, as their words reach over the edge.
        """
        top, bottom = self.levels[0], self.levels[-1]
        inside = [w for w in words if bottom < w.y < top and self.columns.of(w) is not None]
        owners: dict[tuple[int, int], tuple[int, int]] | None = self.owners
        if self.open and joining:
            owners = self._with_joined(inside)
        elif self.open and any(map(self.columns.is_in_two, inside)):
            owners = None
        if owners is None:
            return []
        members: dict[tuple[int, int], list[PlacedWord]] = {}
        for word in inside:
            members.setdefault(owners[self._level(word), self.columns.of(word) or 0], []).append(
                word
            )
        rows: list[Row] = []
        for i in range(len(self.levels) - 1):
            cells = []
            for j in range(len(self.columns.spans)):
                first = owners[i, j]
                own = members.get(first, []) if first == (i, j) else []
                cells.append(Cell(lines_of(own), above=first[0] < i, left=first[1] < j))
            found = self._between_rules(cells)
            if found is None:
                return []
            rows += found
        if self.open:
            above = row_above(self.columns, words, top)
            below = row_below(self.columns, words, bottom, lines_of(inside))
            rows = [*above, *rows, *below]
        return [row for row in rows if row.filled]

    def _level(self, word: PlacedWord) -> int:
        """Which row, counted from the top, a word stands in."""
        return bisect_left(self.levels, -word.y, key=neg) - 1

    def _with_joined(
        self, words: Sequence[PlacedWord]
    ) -> dict[tuple[int, int], tuple[int, int]] | None:
        """The owners of cells, those joined whose words reach over the edge between them; None where these are
        many, or others between the same rules are parted there."""
        owners = dict(self.owners)
        joined = 0
        every = lines_of(words)
        inner = self.columns.edges[1:-1]
        by_level: dict[int, list[PlacedWord]] = {}
        for word in words:
            by_level.setdefault(self._level(word), []).append(word)
        for i, own in by_level.items():
            lines = lines_of(own)
            wide = [
                (j, edge)
                for j, edge in enumerate(inner, start=1)
                if any(self._is_over(line, edge) for line in lines)
            ]
            for j, edge in wide:
                if any(parts_at(line, edge) for line in lines):
                    return None
                owners[i, j] = owners[i, j - 1]
            if not wide and not all(keeps_to(line, inner, every) for line in lines):
                return None  # two cells that all but touch, or one
            joined += bool(wide)
        return owners if 2 * joined < len(self.levels) else None

    def _is_over(self, line: Line, edge: float) -> bool:
        """Whether a word of a line reaches over an edge, or a label does that begins with the first column."""
        if any(map(reaches_over(edge), line)):
            return True
        return self._is_label(line) and bool(crossed(line, [edge]))

    def _is_label(self, line: Line) -> bool:
        """Whether a line begins with the first column and reaches over its end."""
        first, *_ = self.columns.edges[1:]
        return line[0].x < first and bool(crossed(line, [first]))

    def _between_rules(self, cells: Sequence[Cell]) -> list[Row] | None:
        """The rows between two rules; None where nobody can tell. A free strip surely parts rows, so that lines
        between two of them are one where they may be either."""
        widths = [right - left for left, right in self.columns.spans]
        strips = self._as_drawn(cells) or parted_by_strips([cell.lines for cell in cells])
        is_strip = len(strips) > 1
        rows: list[Row] = []
        for lines in strips:
            entries = parted_by_entries(lines, widths)
            found = self._rows_of(cells, entries, is_strip=is_strip)
            if found is None and len(entries) > 1:
                found = self._rows_of(cells, [lines], is_strip=is_strip)
            if found is None:
                return None
            found[0].cells[0].above |= bool(rows) and not found[0].cells[0].lines
            rows += found
        return rows

    def _as_drawn(self, cells: Sequence[Cell]) -> list[list[Lines]]:
        """The lines of each row between two rules, as the file draws them; none where that tells no several."""
        if not self.open or any(cell.above or cell.left for cell in cells):
            return []
        words = [word for cell in cells for line in cell.lines for word in line]
        rows = rows_as_drawn(self.columns, words, lambda _word: False)
        if not are_surely_several(rows, self.columns):
            return []
        return [[cell.lines for cell in row.cells] for row in rows]

    def _rows_of(
        self, cells: Sequence[Cell], entries: Sequence[Sequence[Lines]], *, is_strip: bool
    ) -> list[Row] | None:
        """The rows of entries below one label; None where nobody can tell. What a free strip parts is one row
        where it may be several."""
        rows: list[Row] = []
        for number, each in enumerate(entries):
            row = Row([*map(_with_lines, cells, each)])
            row.cells[0].above |= number > 0
            parts = parted_by_lines(row, self.columns.spans)
            if parts is None and not is_strip:
                return None
            rows += parts or [row]
        return rows


def _with_lines(cell: Cell, lines: Lines) -> Cell:
    return Cell(list(lines), above=cell.above, left=cell.left)
