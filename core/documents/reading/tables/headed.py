"""Finds the tables whose columns are told by their heads alone, as papers set them: a rule or two at the heads,
none between the rows, cells that wrap and cells that are empty.

Where columns stand and which rows there are is told twice, by the page and by the file: a table is drawn row by
row, each cell with all of its lines, while columns of prose are drawn one after the other. What the two tell
differently is no table. Heads are in bold type, one over each column but the first, which may have none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from core.documents.reading.reading_order import around
from core.documents.reading.tables.head_columns import (
    CORRIDOR,
    IN_CELL,
    OVERLAP,
    HeadColumn,
    follows,
    head_rows,
    take_heads_below,
)
from core.documents.reading.tables.rows import Cell, Row
from core.documents.reading.tables.spaced import IsBold, are_in_line, has_values
from core.documents.reading.tables.words import PlacedWord
from core.text.tables.lines import is_caption

_MOST_SEGMENTS = 1500  # of a page; one with more is a drawing
_FEWEST_HEADS = 2
_MOST_COLUMNS = 10
_FARTHEST = 2.0  # and between two rows
_IN_LINE = 0.4  # line heights by which a label may stand out of line
_SET_IN = 3.0  # line heights by which a label may be set in below another
_BESIDE = 3  # segments behind a label, of which one stands beside it
_FEWEST_ROWS = 3
_FEWEST_CAPTIONED = 2
_VALUE = re.compile(r"[<>≤≥±~(–−-]?\s*\d")


def find_headed_tables(
    segments: Sequence[PlacedWord], is_bold: IsBold, words: Callable[[], Sequence[PlacedWord]]
) -> list[list[Row]]:
    """The tables of an upright page as rows; every segment stands in one cell at most, or is parted where the
    next column begins.

    Args:
        segments: what stands together on a line, wide spaces around it, in the file's order.
        is_bold: whether a segment begins in bold type.
        words: gives what stands between white space; asked only where a segment may be of two cells.
    """
    if len(segments) > _MOST_SEGMENTS:
        return []
    segments = list(segments)
    found: list[list[Row]] = []
    place = 0
    while place < len(segments):
        table = _Table.of(segments, place, is_bold)
        if table is not None:
            heads = head_rows(table.columns)
            table.goes_on = any(_texts(heads[-1]) == _texts(_last_head(rows)) for rows in found)
        rows = table.read(segments, words) if table is not None else None
        if table is not None and rows:
            found.append(rows)
            place = table.after
        else:
            place += 1
    return found


@dataclass(slots=True)
class _Table:
    """A table on its way from its heads down.

    Attributes:
        after: the segment behind what has been read.
        captioned: whether a caption stands before it.
        goes_on: whether a table before it, on the same page, has its heads.
        rows: their cells' lines, by column.
    """

    columns: list[HeadColumn]
    after: int
    is_bold: IsBold
    captioned: bool
    goes_on: bool = False
    rows: list[dict[int, list[PlacedWord]]] = field(default_factory=list)

    @classmethod
    def of(cls, segments: Sequence[PlacedWord], first: int, is_bold: IsBold) -> _Table | None:
        """The heads that begin with a segment; None where it begins none."""
        before = segments[max(first - 1, 0) : first]
        goes_on = any(is_bold(one) and _are_beside([one], segments[first]) for one in before)
        if goes_on or is_caption(segments[first].text):
            return None
        columns: list[HeadColumn] = []
        after = first
        while after < len(segments) and is_bold(segments[after]):
            one = segments[after]
            if columns and _is_next_line(columns[-1].head[-1], one, columns[-1]):
                columns[-1].head.append(one)
                columns[-1].left = min(columns[-1].left, one.box[0])
                columns[-1].right = max(columns[-1].right, one.box[2])
            elif not columns or (
                one.box[0] >= columns[-1].right + CORRIDOR * one.height
                and _are_beside(columns[-1].head, one)
            ):
                columns.append(HeadColumn(one.box[0], one.box[2], [one]))
            else:
                break
            after += 1
        after = take_heads_below(columns, segments, after, is_bold)
        if not _FEWEST_HEADS <= len(columns) <= _MOST_COLUMNS:
            return None
        captioned = any(is_caption(one.text) for one in segments[max(first - 3, 0) : first])
        return cls(columns, after, is_bold, captioned)

    def read(
        self, segments: list[PlacedWord], words: Callable[[], Sequence[PlacedWord]]
    ) -> list[Row] | None:
        """The rows, the heads first; None where what stands below them is none. A segment of two cells is put
        into `segments` as two."""
        last = -1  # column
        while self.after < len(segments):
            one = segments[self.after]
            if (place := self._begun_inside(one)) is not None:
                parts = _parted(one, self.columns[place].left, words())
                if place > 1 or self._is_label_with_value(
                    parts, segments[self.after + 1 :][:_BESIDE]
                ):
                    segments[self.after : self.after + 1] = parts
                one = segments[self.after]
            column = self._column(one)
            is_label = column is None and self._is_label(one)
            column = 0 if is_label else column
            if column is None or not self._is_below_heads(one) or is_caption(one.text):
                if self._is_inside(one):
                    return None
                break
            if column and not self.rows and self._take_second_heads(segments):
                continue
            if last < 0 or self._begins_row(one, column, last):
                if (column and not self.rows) or (self.rows and not self._is_next_row(one)):
                    if self._is_inside(one):
                        return None
                    break
                self.rows.append({column: [one]})
            elif not self._belongs(one, column):
                return None
            else:
                self.rows[-1].setdefault(column, []).append(one)
            last = column
            if not is_label:
                self._widen(one, column)
            self.after += 1
            if self._is_bold_row():  # the heads of another table
                break
        return self._checked()

    def _take_second_heads(self, segments: Sequence[PlacedWord]) -> bool:
        """Take words below the heads of most columns, but not the first, as what their values are ("number of
        patients (percent)"); whether there are such."""
        found: dict[int, list[PlacedWord]] = {}
        after = self.after
        while after < len(segments):
            one = segments[after]
            column = self._column(one)
            if not column:
                break
            above = found[column][-1] if column in found else self.columns[column].head[-1]
            if not (-OVERLAP <= (above.box[1] - one.box[3]) / one.height <= _FARTHEST):
                return False
            found.setdefault(column, []).append(one)
            after += 1
        lettered = all(any(map(str.isalpha, one.text)) for lines in found.values() for one in lines)
        if not lettered or len(found) < max(_FEWEST_HEADS, len(self.columns) // 2):
            return False
        for column, lines in found.items():
            self.columns[column].head += lines
            for one in lines:
                self._widen(one, column)
        self.after = after
        return True

    def _is_label(self, one: PlacedWord) -> bool:
        """Whether a segment that reaches over several columns is the label of the rows below it."""
        first = self.columns[0]
        return self.is_bold(one) and abs(one.box[0] - first.left) <= _IN_LINE * one.height

    def _is_bold_row(self) -> bool:
        own = self.rows[-1]
        return len(own) > 1 and all(self.is_bold(one) for lines in own.values() for one in lines)

    def _column(self, one: PlacedWord) -> int | None:
        """The column that a segment stands in; None where it stands in none, or in two."""
        first = self.columns[0]
        if not self.rows and one.box[2] + CORRIDOR * one.height <= first.left:
            self.columns.insert(0, HeadColumn(one.box[0], one.box[2]))
            return 0
        found = None
        for place, column in enumerate(self.columns):
            following = self.columns[place + 1].left if place + 1 < len(self.columns) else None
            before = self.columns[place - 1].right if place else None
            reach = CORRIDOR * one.height
            if one.box[0] < column.right and one.box[2] > column.left:
                if following is not None and one.box[2] > following - reach:
                    return None
                if before is not None and one.box[0] < before + reach:
                    return None
                found = place
                break
        return found

    def _begun_inside(self, one: PlacedWord) -> int | None:
        """The column that begins within a segment of the column before it; None where none does."""
        reach = CORRIDOR * one.height
        for place, (own, following) in enumerate(pairwise(self.columns), 1):
            begins = own.left - reach < one.box[0] < own.right + reach
            if begins and following.left < one.box[2] - reach:
                return place
        return None

    def _is_label_with_value(
        self, parts: Sequence[PlacedWord], after: Sequence[PlacedWord]
    ) -> bool:
        """Whether what reaches out of the first column is a label that all but touches a value, or what begins
        where the cells of rows above do: the row goes on beside that. Else it is a long label, or a line of
        prose below the table."""
        if len(parts) == 1 or not (self._has_cells(1) or _VALUE.match(parts[-1].text)):
            return False
        value = parts[-1]
        return any(
            abs(one.y - value.y) < 0.5 * value.height
            and one.box[0] >= value.box[2] + CORRIDOR * value.height
            and (self._column(one) or 0) > 1
            for one in after
        )

    def _has_cells(self, column: int) -> bool:
        return sum(column in row for row in self.rows) >= _FEWEST_CAPTIONED

    def _is_below_heads(self, one: PlacedWord) -> bool:
        bottom = min(each.box[1] for column in self.columns for each in column.head)
        return one.box[3] <= bottom + OVERLAP * one.height

    def _begins_row(self, one: PlacedWord, column: int, last: int) -> bool:
        """Whether a segment begins a row: it stands to the left of the one before it, or too far below it."""
        if column != last:
            return column < last
        above = self.rows[-1][column][-1]
        if column == 0 and self.is_bold(above) != self.is_bold(one):
            return True
        return (above.box[1] - one.box[3]) / one.height > IN_CELL

    def _is_next_row(self, one: PlacedWord) -> bool:
        """Whether a segment stands below the row before, and not too far."""
        gap = (self._bottom(-1) - one.box[3]) / one.height
        return -OVERLAP <= gap <= _FARTHEST

    def _is_inside(self, one: PlacedWord) -> bool:
        """Whether what is no cell stands in the last row all the same."""
        if not self.rows:
            return False
        own = [each.box for lines in self.rows[-1].values() for each in lines]
        across = one.box[0] < self.columns[-1].right and one.box[2] > self.columns[0].left
        return across and min(b[1] for b in own) < one.y < max(b[3] for b in own)

    def _belongs(self, one: PlacedWord, column: int) -> bool:
        """Whether a segment stands beside the row that it is drawn with, or is the next line of its cell."""
        own = self.rows[-1].get(column)
        if own:
            return follows(own[-1], one)
        above = self._bottom(-2) if len(self.rows) > 1 else self._head_bottom()
        return one.box[3] <= above + OVERLAP * one.height and one.box[3] > self._bottom(-1)

    def _head_bottom(self) -> float:
        return min(each.box[1] for column in self.columns for each in column.head)

    def _bottom(self, row: int) -> float:
        return min(one.box[1] for lines in self.rows[row].values() for one in lines)

    def _widen(self, one: PlacedWord, column: int) -> None:
        own = self.columns[column]
        own.left, own.right = min(own.left, one.box[0]), max(own.right, one.box[2])

    def _parted_labels(self) -> Iterator[dict[int, list[PlacedWord]]]:
        """The rows, those apart whose label is one of its own and the label of the row that is set in below it:
        the values stand beside the latter."""
        for row in self.rows:
            labels, values = row.get(0, []), [one[0] for place, one in row.items() if place]
            level = [
                place
                for place, one in enumerate(labels)
                if values and abs(one.y - values[0].y) < 0.5 * one.height
            ]
            first = level[0] if level else 0
            if first and all(
                labels[first].box[0] - one.box[0] > _IN_LINE * one.height for one in labels[:first]
            ):
                yield {0: labels[:first]}
                yield {**row, 0: labels[first:]}
            else:
                yield row

    def _checked(self) -> list[Row] | None:
        # What stands below the table.
        while self.rows and (self.rows[-1].keys() == {0} or self._is_bold_row()):
            self.after -= sum(map(len, self.rows.pop().values()))
        self.rows = list(self._parted_labels())
        count = len(self.columns)
        several = sum(len(row) > 1 for row in self.rows)
        fewest = _FEWEST_CAPTIONED if self.captioned else _FEWEST_ROWS
        fewest = 1 if self.goes_on else fewest
        used = {column for row in self.rows for column in row}
        parted = all(b.left - a.right >= CORRIDOR * 0.5 for a, b in pairwise(self.columns))
        if several < fewest or len(used) < 2 or not parted:
            return None
        rows = [
            Row([_cell(row, place) for place in range(count)], indented=self._is_set_in(row))
            for row in self.rows
        ]
        # Two columns may be anything that stands side by side, unless each row has both, and lines of a cell
        # that would be torn from it.
        whole = len(self.rows) >= _FEWEST_ROWS and all(row.filled == count for row in rows)
        whole = whole and any(len(cell.lines) > 1 for row in rows for cell in row.cells)
        if len(used) == 2 and not (self.captioned or self.goes_on or whole or has_values(rows)):
            return None
        height = self.columns[-1].head[0].height
        return [*head_rows(self.columns), *rows] if are_in_line(rows, height) else None

    def _is_set_in(self, row: Mapping[int, list[PlacedWord]]) -> bool:
        """Whether a row's label begins to the right of the others', by no more than a few letters; in a column
        whose labels neither end nor have their middle in one place."""
        if 0 not in row or len(row) < 2:
            return False
        own, labels = row[0][0], [each[0][0].box for each in self.rows if 0 in each]
        apart = min(
            max(edge) - min(edge)
            for edge in ([box[2] for box in labels], [box[0] + box[2] for box in labels])
        )
        by = own.box[0] - min(box[0] for box in labels)
        return apart > _IN_LINE * own.height < by <= _SET_IN * own.height


def _cell(row: Mapping[int, list[PlacedWord]], place: int) -> Cell:
    """A cell; one with that above where the row begins to the right of it."""
    return Cell([[one] for one in row.get(place, [])], above=place < min(row))


def _parted(segment: PlacedWord, left: float, words: Sequence[PlacedWord]) -> list[PlacedWord]:
    """A segment as two where one of its words begins with a column; else as it is.

    Args:
        left: of the column, in points.
    """
    own = [one for one in words if segment.start <= one.start and one.end <= segment.end]
    for place, one in enumerate(own):
        if place and abs(one.box[0] - left) <= _IN_LINE * segment.height:
            return [_joined(own[:place]), _joined(own[place:])]
    return [segment]


def _joined(words: Sequence[PlacedWord]) -> PlacedWord:
    text = " ".join(one.text for one in words)
    return PlacedWord(words[0].start, words[-1].end, text, around([one.box for one in words]))


def _last_head(rows: Sequence[Row]) -> Row:
    return next(row for row in reversed(rows) if row.head)


def _texts(heads: Row) -> list[str]:
    """What the heads say, without that of the first column where it has none."""
    return [cell.text for cell in heads.cells if cell.lines]


def _is_next_line(above: PlacedWord, one: PlacedWord, column: HeadColumn) -> bool:
    """Whether a head goes on in a segment."""
    over = one.box[0] < column.right and one.box[2] > column.left
    return over and follows(above, one)


def _are_beside(head: Sequence[PlacedWord], one: PlacedWord) -> bool:
    """Whether a segment stands at the height of one of the lines of a head."""
    return any(abs(each.y - one.y) < 0.5 * one.height for each in head) or (
        min(each.box[1] for each in head) < one.y < max(each.box[3] for each in head)
    )
