"""The columns of a table, and which words stand in them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.documents.reading.tables.rows import Cell, Row
from core.documents.reading.tables.words import Line, PlacedWord, lines_of
from core.text.tables.lines import is_caption

_CROSSING = 2.0  # points on either side of a column's edge
_MOST_PADDING = 12.0  # points between a column's edge and its words
_SAME_START = 1.0  # points by which what begins in one column may begin apart
_WORD_GAP = 0.45  # line heights; words of one phrase stand nearer
_FEWEST_ALIKE = 2  # other lines that begin a cell where a word begins


@dataclass(frozen=True, slots=True)
class Columns:
    """Edges of columns from the left, in points, one more than there are columns."""

    edges: tuple[float, ...]

    @classmethod
    def begun_at(cls, left: float, begins: Sequence[float], right: float) -> Columns:
        """Columns that begin at places behind the first."""
        return cls((left, *(one - _CROSSING for one in begins), right))

    @property
    def spans(self) -> list[tuple[float, float]]:
        return list(pairwise(self.edges))

    def of(self, word: PlacedWord) -> int | None:
        """The column of a word's middle, counted from 0; None beside all."""
        place = bisect_right(self.edges, word.x) - 1
        return place if 0 <= place < len(self.edges) - 1 else None

    def touches(self, word: PlacedWord) -> bool:
        """Whether a word stands in the columns, or reaches into them; none does where there are none."""
        return bool(self.edges) and word.box[2] > self.edges[0] and word.box[0] < self.edges[-1]

    def is_in_two(self, word: PlacedWord) -> bool:
        return any(_reaches_over(word.box[0], word.box[2], edge) for edge in self.edges[1:-1])

    def cells(self, lines: Sequence[Line], *, head: bool = False) -> Row:
        """Lines as the cells of one row."""
        own = [word for line in lines for word in line]
        members = [[w for w in own if self.of(w) == j] for j in range(len(self.edges) - 1)]
        return Row([Cell(lines_of(each)) for each in members], head=head)

    def row(self, lines: Sequence[Line], *, head: bool) -> Row | None:
        """Lines as the cells of one row; None where fewer than two have words."""
        row = self.cells(lines, head=head)
        return row if row.filled > 1 else None

    def heads(self, lines: Sequence[Line]) -> list[Row]:
        """Lines above the first rule as the heads of the columns; none where they are no such: what stands in
        two columns is none, unless a word of one line begins with each."""
        kept = all(map(self.keep, lines)) or any(map(self._begins_each, lines))
        row = self.row(lines, head=True) if kept and not self._reach_over(lines) else None
        return [row] if row else []

    def _begins_each(self, line: Line) -> bool:
        return not is_caption(" ".join(word.text for word in line)) and all(
            any(0 <= word.box[0] - begin + _CROSSING <= _MOST_PADDING for word in line)
            for begin in self.edges[:-1]
        )

    def _reach_over(self, lines: Sequence[Line]) -> bool:
        return any(self.is_in_two(word) or self.of(word) is None for ln in lines for word in ln)

    def keep(self, line: Line) -> bool:
        """Whether no phrase of a line stands in two columns, and nothing beside them."""
        return not crossed(line, self.edges[1:-1]) and all(
            self.of(word) is not None for word in line
        )

    def part_like(self, line: Line, others: Sequence[Line]) -> bool:
        """Whether a line whose cells stand close to each other begins a word at each column's edge that it
        crosses, where two other lines at least, whose cells stand apart, begin cells."""
        return all(self.of(word) is not None for word in line) and all(
            _begins_at(line, edge) and sum(_begins_at(one, edge) for one in others) >= _FEWEST_ALIKE
            for edge in crossed(line, self.edges[1:-1])
        )

    def fill(self, line: Line, others: Sequence[Line]) -> bool:
        """Whether a line has a cell in each column, begun where most of the other lines begin theirs."""
        if not (others and self.keep(line)):
            return False
        return all(
            begin is not None
            and 2 * sum(abs(begin - one) <= _CROSSING for one in theirs) >= len(theirs)
            for begin, theirs in zip(
                self._begun(line),
                (
                    [one for one in each if one is not None]
                    for each in zip(*map(self._begun, others), strict=True)
                ),
                strict=True,
            )
        )

    def _begun(self, line: Line) -> list[float | None]:
        """Where a line begins in each column."""
        places = [(self.of(word), word.box[0]) for word in line]
        return [
            min((x for column, x in places if column == j), default=None)
            for j in range(len(self.edges) - 1)
        ]


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


def reaches_over(edge: float) -> Callable[[PlacedWord], bool]:
    """Asks whether a word stands on both sides of an edge."""
    return lambda word: _reaches_over(word.box[0], word.box[2], edge)


def parts_at(line: Line, edge: float) -> bool:
    """Whether a line has words on both sides of an edge, and no phrase over it."""
    sides = {word.x < edge for word in line}
    return len(sides) > 1 and not crossed(line, [edge])


def keeps_to(line: Line, edges: Sequence[float], others: Sequence[Line]) -> bool:
    """Whether no phrase of a line reaches over an edge, unless a word begins behind it where two other lines at
    least begin one: cells may all but touch."""
    for edge in crossed(line, edges):
        behind = min((w.box[0] for w in line if w.box[0] > edge - _CROSSING), default=None)
        if (
            behind is None
            or any(_reaches_over(word.box[0], word.box[2], edge) for word in line)
            or behind - edge > _MOST_PADDING
            or sum(_begins_behind(one, edge, behind) for one in others if one is not line)
            < _FEWEST_ALIKE
        ):
            return False
    return True


def _begins_behind(line: Line, edge: float, place: float) -> bool:
    """Whether the first word of a line behind an edge begins at a place, apart from the word before."""
    before = [word for word in line if word.box[0] <= edge - _CROSSING]
    behind = [word for word in line if word.box[0] > edge - _CROSSING]
    return (
        bool(behind)
        and abs(behind[0].box[0] - place) <= _SAME_START
        and (not before or behind[0].box[0] - before[-1].box[2] > _WORD_GAP * behind[0].height)
    )


def _reaches_over(left: float, right: float, edge: float) -> bool:
    return left < edge - _CROSSING and right > edge + _CROSSING


def _begins_at(line: Line, edge: float) -> bool:
    return any(abs(word.box[0] - edge) <= _CROSSING for word in line)
