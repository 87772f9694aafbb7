"""The rows that lines are in whose cells stand below each other, where nothing speaks against a table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, takewhile

from core.documents.reading.tables.aligned.strips import (
    WordRun,
    aligned_columns,
    order_of,
    phrases_of,
)
from core.documents.reading.tables.columns import Columns
from core.documents.reading.tables.layout import words_of
from core.documents.reading.tables.parted.drawn import (
    IsBold,
    are_surely_several,
    line_step,
    rows_as_drawn,
)
from core.documents.reading.tables.rows import Cell, Row, begins_small
from core.documents.reading.tables.ruled.rules import Rule
from core.documents.reading.tables.spaced import has_values
from core.documents.reading.tables.words import PlacedWord

_FEWEST_ROWS = 3
_FEWEST_HEADED = 2  # rows below heads
_MOST_HEADS = 2  # rows above a rule that name columns
_LEVEL = 0.5  # line heights by which words of one line may stand above each other
_NEAR_RULE = 1.0  # line heights between heads and the rule below them
_TOUCHING = 1.0  # points by which letters may reach over a rule
_BULLET = re.compile(r"[^\w\s]{1,2}|o|\(?\w{1,3}[.)]")
_NUMBER = re.compile(r"\d{1,4}(?:\.\d+)*(?: \d{1,4})*")
_LEADERS = re.compile(r"\.{4,}|(?:\. ){3,}|…{2,}|_{3,}")


@dataclass(frozen=True)
class PageOfLines:
    """What a page has beside its tables so far.

    Attributes:
        words: those of no table yet.
        across: rules across the page, from the top.
        is_bold: whether a word is in bold type.
    """

    words: Sequence[PlacedWord]
    across: Sequence[Rule]
    is_bold: IsBold

    @cached_property
    def order(self) -> dict[int, int]:
        """The place of each word in the file, by where it begins."""
        return order_of(self.words)

    def rows(self, lines: Sequence[Sequence[WordRun]]) -> list[Row]:
        """Lines as the rows of one table, with what the file draws among them; none where that is in doubt."""
        begins = aligned_columns(lines)
        several = [line for line in lines if len(line) > 1]
        if not begins or 2 * sum(map(leads_on, several)) >= len(several):
            return []
        own = self._drawn_among([word for line in lines for one in line for word in one.words])
        left, right = min(one.left for ln in lines for one in ln), max(w.box[2] for w in own)
        columns = Columns.begun_at(left, begins, right + 1)
        if not all(columns.touches(word) and not columns.is_in_two(word) for word in own):
            return []
        rows = rows_as_drawn(columns, own, self.is_bold, line_step(columns, own))
        while rows and rows[-1].filled < 2:  # a heading, or a short sentence
            rows.pop()
        if not rows or not (are_surely_several(rows, columns) or _are_whole_lines(rows)):
            return []
        if _is_numbered(rows) or not all(
            is_one_cell(c, self.order) for row in rows for c in row.cells
        ):
            return []
        return rows if self._is_table(rows) else []

    def _drawn_among(self, own: Sequence[PlacedWord]) -> list[PlacedWord]:
        """The words of lines, with those that the file draws between them: a head may begin above those beside
        it."""
        first, last = min(word.start for word in own), max(word.start for word in own)
        return [word for word in self.words if first <= word.start <= last]

    def _is_table(self, rows: Sequence[Row]) -> bool:
        """Whether rows that stand side by side are surely a table's, of which the heads are marked: those above
        the only rule, or bold ones or three columns with a column of values, or below bold ones a cell of
        several lines. Else a form or a list of names would be one."""
        ruled = _rows_over_rule(rows, self.across)
        heads = self._bold_rows(rows) or ruled
        for row in rows[:heads]:
            row.head = True
        body = rows[heads:]
        if sum(row.filled > 1 for row in body) < (_FEWEST_HEADED if heads else _FEWEST_ROWS):
            return False
        wrapped = any(len(cell.lines) > 1 for row in body for cell in row.cells)
        several = heads > 0 or len(rows[0].cells) > 2
        return ruled > 0 or (heads > 0 and wrapped) or (several and has_values(body))

    def _bold_rows(self, rows: Sequence[Row]) -> int:
        """How many of the first rows are bold and name the columns of others."""
        bold = list(takewhile(lambda row: all(map(self.is_bold, words_of(row))), rows))
        return len(bold) % len(rows)


def is_one_cell(cell: Cell, order: Mapping[int, int]) -> bool:
    """Whether the file draws a cell from its first line to its last, and no wide space parts one; else a column
    was not seen.

    Args:
        order: the place of each word in the file, by where it begins.
    """
    words = sorted((word for line in cell.lines for word in line), key=lambda one: one.start)
    drawn_down = all(low.y <= high.y + _LEVEL * high.height for high, low in pairwise(words))
    return drawn_down and all(
        len(phrases_of(line, order)) == 1 or _BULLET.fullmatch(line[0].text) for line in cell.lines
    )


def leads_on(line: Sequence[WordRun]) -> bool:
    """Whether what stands first on a line is a bullet, or the number of an item or of the line, or the line
    leads to a page of the document."""
    first = line[0].text
    numbered = len(line) == 2 and _NUMBER.fullmatch(first)
    return bool(
        _BULLET.fullmatch(first) or numbered or any(_LEADERS.search(one.text) for one in line)
    )


def _are_whole_lines(rows: Sequence[Row]) -> bool:
    """Whether each row is one line with a cell in all of its columns, the first begun as labels are, and one
    column has values: lines of a single row are not alike so."""
    return (
        all(len(cell.lines) == 1 for row in rows for cell in row.cells)
        and not any(begins_small(row.cells[0].text) for row in rows)
        and has_values(rows)
    )


def _is_numbered(rows: Sequence[Row]) -> bool:
    """Whether rows are lines or headings of a document with their numbers, and pages behind them."""
    numbered = sum(bool(_NUMBER.fullmatch(row.cells[0].text)) for row in rows)
    last = [row.cells[-1].text for row in rows]
    pages = all(text.isdecimal() for text in last) and last == sorted(last, key=int)
    # The lines of a draft, some with the number of an empty one before their own.
    drafted = any(" " in row.cells[0].text for row in rows)
    return 2 * numbered >= len(rows) and (len(rows[0].cells) == 2 or pages or drafted)


def _rows_over_rule(rows: Sequence[Row], across: Sequence[Rule]) -> int:
    """How many of the first rows stand above the only rule inside the table; 0 without such."""
    parted = [
        number
        for number, (above, below) in enumerate(pairwise(rows), 1)
        if _is_ruled_between(words_of(above), words_of(below), across)
    ]
    return parted[0] if len(parted) == 1 and parted[0] <= _MOST_HEADS else 0


def _is_ruled_between(
    above: Sequence[PlacedWord], below: Sequence[PlacedWord], across: Sequence[Rule]
) -> bool:
    """Whether a rule as wide as two rows, or wider, stands between them."""
    bottom, top = min(w.box[1] for w in above), max(w.box[3] for w in below)
    lefts = [word.box[0] for word in (*above, *below)]
    near = _NEAR_RULE * above[0].height
    return any(
        top - _TOUCHING <= rule.at <= bottom + _TOUCHING
        and rule.start <= min(lefts) + near
        and rule.end >= max(lefts)
        for rule in across
    )
