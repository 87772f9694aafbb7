"""Rows and cells of one table, from the rules around them.

Cells that no rule parts are one: its text stands in its first row and column, the others know that they
are joined to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from core.documents.reading.tables.entries import parted_by_entries
from core.documents.reading.tables.free_strips import parted_by_strips
from core.documents.reading.tables.rules import Rule
from core.documents.reading.tables.words import Line, PlacedWord, distance, lines_of

SAME = 4.0  # points by which rules of one table may begin or end apart
_MOST_EDGES = 21  # of columns; with more it is a chart's grid
_EDGE = 3.0  # points by which a rule may miss a column's edge
LEAST_BAND = 4.0  # points between two rules; nearer ones are a double rule
_CROSSING = 2.0  # points on either side of a column's edge
_WORD_GAP = 0.45  # line heights; words of one phrase stand nearer
_NEAR = 0.8  # line heights between a rule and an open row, or between the row's lines
_FEWEST_LINES = 3  # without a value, that are rows of their own although no rule parts them
_MARGIN = 1.5  # line heights of a cell that are no room for words
_VALUE = re.compile(r"[<>≤≥±~(–−-]?\s*\d|[–—−-]$")
# "48", "68.6%", "48 (68.6)", "−0.92 (−1.20 to −0.64)"
_NOTHING_ELSE = re.compile(
    r"[<>≤≥±~(–−+-]?\s?\d[\d.,·/]*\s?%?(?:\s?[(\[][^)\]]*\d[^)\]]*[)\]])?[*†‡§]?|[–—−-]"
)


@dataclass(slots=True)
class Cell:
    """Lines of words; `above` or `left`: the cell is one with that neighbour, and empty."""

    lines: list[Line] = field(default_factory=list)
    above: bool = False
    left: bool = False

    @property
    def text(self) -> str:
        return " ".join(word.text for line in self.lines for word in line)


@dataclass(slots=True)
class Row:
    """Cells from left to right; `head` says that they name the columns, `indented` that its label is set in
    below that of a row before it."""

    cells: list[Cell]
    head: bool = False
    indented: bool = False

    @property
    def filled(self) -> int:
        return sum(bool(cell.lines) for cell in self.cells)

    @property
    def joined(self) -> int:
        return sum(cell.above or cell.left for cell in self.cells)


@dataclass(frozen=True, slots=True)
class RuledGrid:
    """Edges of columns from the left and of rows from the top; which cells no rule parts.

    Attributes:
        columns, levels: in points, one more than there are columns and rows.
        owners: of each cell (row, column), the first one that it is one with.
        open: whether no rules down the page part the columns.
    """

    columns: tuple[float, ...]
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
        columns = _by_rules(rules[0], dividers)
        is_open = not columns
        columns = columns or _by_borders(rules)
        if not columns and columns_begin:
            columns = [rules[0].start, *(one - _CROSSING for one in columns_begin), rules[0].end]
        if not columns or len(columns) > _MOST_EDGES:
            return None
        partial = [one for one in across if bottom < one.at < top and _parts_cells(one, columns)]
        levels: list[float] = []
        for rule in sorted([*rules, *partial], key=lambda one: -one.at):
            if not levels or levels[-1] - rule.at >= LEAST_BAND:
                levels.append(rule.at)
        owners: dict[tuple[int, int], tuple[int, int]] = {}
        for i, (high, low) in enumerate(pairwise(levels)):
            over = [one for one in (*rules, *partial) if abs(one.at - high) < LEAST_BAND]
            for j, (left, right) in enumerate(pairwise(columns)):
                owners[i, j] = (i, j)
                if i and not any(one.covers(left, right) for one in over):
                    owners[i, j] = owners[i - 1, j]
                elif j and not is_open and not _is_parted(dividers, left, low, high):
                    owners[i, j] = owners[i, j - 1]
        return cls(tuple(columns), tuple(levels), owners, is_open)

    def rows(self, words: Sequence[PlacedWord]) -> list[Row]:
        """The rows with their words; empty where a word stands in two columns that are parted."""
        top, bottom = self.levels[0], self.levels[-1]
        inside = [w for w in words if bottom < w.y < top and self._column(w) is not None]
        if self.open and any(self._crosses(word.box[0], word.box[2]) for word in inside):
            return []
        members: dict[tuple[int, int], list[PlacedWord]] = {}
        for word in inside:
            row = next(i for i, low in enumerate(self.levels[1:]) if word.y >= low)
            members.setdefault(self.owners[row, self._column(word) or 0], []).append(word)
        rows: list[Row] = []
        for i in range(len(self.levels) - 1):
            cells = []
            for j in range(len(self.columns) - 1):
                first = self.owners[i, j]
                own = members.get(first, []) if first == (i, j) else []
                cells.append(Cell(lines_of(own), above=first[0] < i, left=first[1] < j))
            found = self._between_rules(cells)
            if found is None:
                return []
            rows += found
        if self.open:
            above = self._open_row(words, top, upwards=True)
            below = self._open_row(words, bottom, upwards=False)
            rows = [*above, *rows, *below]
        return [row for row in rows if row.filled]

    def _between_rules(self, cells: Sequence[Cell]) -> list[Row] | None:
        """The rows between two rules; None where nobody can tell. A free strip surely parts rows, so that lines
        between two of them are one where they may be either."""
        widths = [right - left for left, right in pairwise(self.columns)]
        strips = parted_by_strips([cell.lines for cell in cells])
        rows: list[Row] = []
        for lines in strips:
            for number, each in enumerate(parted_by_entries(lines, widths)):
                row = Row([*map(_with_lines, cells, each)])
                row.cells[0].above |= number > 0
                parts = _parted(row, self.columns)
                if parts is None and len(strips) == 1:
                    return None
                rows += parts or [row]
        return rows

    def _column(self, word: PlacedWord) -> int | None:
        spans = enumerate(pairwise(self.columns))
        return next((j for j, (left, right) in spans if left <= word.x < right), None)

    def _crosses(self, left: float, right: float) -> bool:
        inner = self.columns[1:-1]
        return any(_reaches_over(left, right, edge) for edge in inner)

    def _open_row(self, words: Sequence[PlacedWord], edge: float, *, upwards: bool) -> list[Row]:
        """The row beyond the first rule or the last one: lines near it that keep to the columns, in two
        of them at least; none where that is in doubt."""
        sign = 1 if upwards else -1
        beyond = [w for w in words if (w.y - edge) * sign > 0 and self._touches(w)]
        lines = lines_of(beyond)
        taken: list[Line] = []
        for line in reversed(lines) if upwards else lines:
            if taken:
                pair = (line, taken[-1]) if upwards else (taken[-1], line)
                if distance(*pair) > _NEAR:
                    break
            elif _from_edge(line, edge) > _NEAR:
                break
            taken.append(line)
        kept = [line for line in taken if self._keeps_to_columns(line)]
        if not all(line in kept or self._is_parted_like(line, kept) for line in taken):
            return []
        row = Row(self._in_columns(taken), head=upwards)
        return [row] if row.filled > 1 else []

    def heads(self, lines: Sequence[Line]) -> list[Row]:
        """Lines above the first rule as the heads of the columns; none where they are no such."""
        if not all(map(self._keeps_to_columns, lines)):
            return []
        row = Row(self._in_columns(lines), head=True)
        return [row] if row.filled > 1 else []

    def _in_columns(self, lines: Sequence[Line]) -> list[Cell]:
        own = [word for line in lines for word in line]
        by_column = [[w for w in own if self._column(w) == j] for j in range(len(self.columns) - 1)]
        return [Cell(lines_of(members)) for members in by_column]

    def _keeps_to_columns(self, line: Line) -> bool:
        """Whether no phrase of a line stands in two columns, and nothing beside them."""
        return not self._crossed(line) and all(self._column(word) is not None for word in line)

    def _is_parted_like(self, line: Line, others: Sequence[Line]) -> bool:
        """Whether a line whose cells stand close to each other begins a word at each column's edge that it
        crosses, where two other lines at least, whose cells stand apart, begin cells."""
        return all(self._column(word) is not None for word in line) and all(
            _begins_at(line, edge) and sum(_begins_at(one, edge) for one in others) > 1
            for edge in self._crossed(line)
        )

    def _crossed(self, line: Line) -> set[float]:
        return crossed(line, self.columns[1:-1])

    def _touches(self, word: PlacedWord) -> bool:
        return word.box[2] > self.columns[0] and word.box[0] < self.columns[-1]


def crossed(line: Line, edges: Sequence[float]) -> set[float]:
    """Those of the edges of columns that phrases of a line reach over."""
    found: set[float] = set()
    begin, end = line[0].box[0], line[0].box[2]
    for word in line:
        if word.box[0] - end > _WORD_GAP * word.height:
            begin = word.box[0]
        end = word.box[2]
        found |= {one for one in edges if _reaches_over(begin, end, one)}
    return found


def shared_borders(one: Rule, other: Rule, known: Sequence[float]) -> list[float]:
    """Where pieces of two rules meet, the borders of single cells; none where each has one that the other
    lacks: these are of two tables. A cell over several columns has fewer.

    Args:
        known: those of the rules above; a dotted rule has none of its own.
    """
    pieced = [inner_borders(rule) for rule in (one, other) if not rule.dotted]
    few, *others = sorted([*pieced, *([list(known)] if known else [])], key=len) or [[]]
    same = all(any(abs(a - b) <= _EDGE for b in each) for each in others for a in few)
    return list(few) if same else []


def inner_borders(rule: Rule) -> list[float]:
    """Where the pieces of a rule meet."""
    found: list[float] = []
    for place in rule.parts:
        if rule.start + SAME < place < rule.end - SAME and not (
            found and place - found[-1] <= _EDGE
        ):
            found.append(place)
    return found


def _reaches_over(left: float, right: float, edge: float) -> bool:
    return left < edge - _CROSSING and right > edge + _CROSSING


def _begins_at(line: Line, edge: float) -> bool:
    return any(abs(word.box[0] - edge) <= _CROSSING for word in line)


def _by_rules(first: Rule, dividers: Sequence[Rule]) -> list[float]:
    """Edges of columns from the rules down the page; empty where none stands inside."""
    inner: list[float] = []
    for one in dividers:
        is_inside = first.start + SAME < one.at < first.end - SAME
        if is_inside and (not inner or one.at - inner[-1] > _EDGE):
            inner.append(one.at)
    return [first.start, *inner, first.end] if inner else []


def _by_borders(rules: Sequence[Rule]) -> list[float]:
    """Edges of columns where the pieces of most rules meet: the borders of single cells."""
    left, right = rules[0].start, rules[0].end
    ends = sorted((place, rule.at) for rule in rules for place in rule.parts)
    groups: list[list[tuple[float, float]]] = []
    for place, at in ends:
        if left + SAME < place < right - SAME:
            if groups and place - groups[-1][-1][0] <= _EDGE:
                groups[-1].append((place, at))
            else:
                groups.append([(place, at)])
    pieced = sum(not rule.dotted for rule in rules)
    inner = [one[0][0] for one in groups if 2 * len({at for _, at in one}) > max(pieced, 2)]
    return [left, *inner, right] if inner else []


def _parts_cells(rule: Rule, columns: Sequence[float]) -> bool:
    return any(
        rule.start <= left + _EDGE and rule.end >= right - _EDGE
        for left, right in pairwise(columns)
    )


def _is_parted(dividers: Sequence[Rule], at: float, low: float, high: float) -> bool:
    return any(abs(one.at - at) <= _EDGE and one.covers(low, high) for one in dividers)


def _from_edge(line: Line, edge: float) -> float:
    """Line heights between a line and a rule, above or below it."""
    height = max(word.height for word in line)
    return min(abs(end - edge) for word in line for end in (word.box[1], word.box[3])) / height


def _parted(row: Row, columns: Sequence[float]) -> list[Row] | None:
    """What stands between two rules: one row, or as many as there are lines; None where it may be either.

    Lines of one cell go on where the next word found no room on the line before. Where there was room in
    all cells, and all have as many lines, these are rows: of values, or of three at least. Two columns of
    nothing but values are rows in any case, also beside one that has a value for some of them.
    """
    several = [
        (cell, right - left)
        for cell, (left, right) in zip(row.cells, pairwise(columns), strict=True)
        if len(cell.lines) > 1
    ]
    cells = [cell for cell, _ in several]
    count = max((len(cell.lines) for cell in cells), default=0)
    full = [cell for cell in cells if len(cell.lines) == count]
    if len(full) < 2 or not _are_level(full):
        return [row]
    rows = [Row([_nth(cell, k, full[0]) for cell in row.cells]) for k in range(count)]
    if sum(map(_is_of_values, full)) > 1 and all(
        cell in full or (_is_of_values(cell) and _stands_beside(cell, full[0])) for cell in cells
    ):
        return rows
    if len(full) < len(cells) or not all(
        _has_room(*pair, width) for cell, width in several for pair in pairwise(cell.lines)
    ):
        return [row]
    begun = [[line[0].text for line in cell.lines] for cell in cells]
    goes_on = any(word[0].islower() for words in begun for word in words)
    valued = any(all(map(_VALUE.match, words)) for words in begun)
    if goes_on or not (valued or count >= _FEWEST_LINES):
        return None
    return rows


def _with_lines(cell: Cell, lines: Sequence[Line]) -> Cell:
    return Cell(list(lines), above=cell.above, left=cell.left)


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


def _has_room(line: Line, following: Line, width: float) -> bool:
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
