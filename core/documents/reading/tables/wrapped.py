"""Finds the tables that nothing but space tells, whose cells go on over several lines.

A leaflet's directions often stand so: on the left who takes it, on the right what, and both wrap. Read line by
line, the words of one cell run into those of the other. Lines belong to one row where words show that a cell
goes on in them; a row begins where more space stands, or where the left column has words again. Where cells go
on but nothing tells the rows, the lines are `SpacedColumns.unclear`: they are no sentences, and no rows either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from core.documents.reading.tables.rows import Cell, Row
from core.documents.reading.tables.spaced import IsBold
from core.documents.reading.tables.words import Line, PlacedWord, distance, lines_of
from core.text.layout.line_marks import BULLET, NUMBER

_MOST_LINES = 400  # of a page; one with more is a drawing
_MOST_COLUMNS = 4
_FEWEST_LINES = 3  # of two rows, one of which goes on
_FARTHEST = 2.5  # line heights of free space between two lines of a table
_CORRIDOR = 1.5  # line heights that stay free between two columns
_ALIKE = 0.15  # line heights by which the spaces between the lines of a cell differ
_NEW_ROW = 0.35  # more line heights of free space begin a row
_SPACE = 0.25  # line heights between two words
_ROOM = 0.5  # line heights that a word must have had beside itself to have fitted
_LONGEST_CELL = 120  # words; a longer one is a column of a page
_SECTION = re.compile(r"\d{1,2}(?:\.\d{1,2})+\.?")  # the number of a heading
_LEADERS = re.compile(r"[._…·\s]{4,}")
_ENDS = (".", "!", "?", ":", ";")


@dataclass(slots=True)
class SpacedColumns:
    """What lines of a page are: rows of tables, or parts of tables whose rows are not told (segments)."""

    tables: list[list[Row]] = field(default_factory=list)
    unclear: list[list[PlacedWord]] = field(default_factory=list)


def find_wrapped_tables(
    text: Sequence[str], segments: Sequence[PlacedWord], is_bold: IsBold
) -> SpacedColumns:
    """The tables of an upright page; every segment stands in one cell at most.

    Args:
        text: the page's characters.
        segments: what stands together on a line, wide spaces around it.
        is_bold: whether a segment begins in bold type; a first row that is bold as a whole has heads.
    """
    found = SpacedColumns()
    lines = lines_of(segments)
    if len(lines) > _MOST_LINES or sum(len(line) > 1 for line in lines) < 2:
        return found
    place = 0
    while place < len(lines):
        region = _Region.of(text, lines, place)
        if region is None or not region.goes_on():
            place += 1
            continue
        above = region.begun_above(lines[place - 1]) if place else []
        rows = None if above else region.rows()
        if rows is not None:
            rows[0].head = len(rows) > 2 and all(map(is_bold, region.lines[0]))
            found.tables.append(rows)
        else:
            found.unclear.append([*above, *(one for line in region.lines for one in line)])
        place += len(region.lines)
    return found


@dataclass(slots=True)
class _Region:
    """Lines below each other whose segments keep to the same columns.

    Attributes:
        places: of each line, the columns that its segments stand in.
        bands: where each column begins and ends.
    """

    text: Sequence[str]
    lines: list[Line]
    places: list[list[int]]
    bands: list[tuple[float, float]]

    @classmethod
    def of(cls, text: Sequence[str], lines: Sequence[Line], first: int) -> _Region | None:
        """The region that begins with a line; None where it begins none."""
        head = lines[first]
        if not 1 < len(head) <= _MOST_COLUMNS or not _reads_across(text, head):
            return None
        found = cls(
            text, [head], [list(range(len(head)))], [(one.box[0], one.box[2]) for one in head]
        )
        if not found._are_apart():
            return None
        for before, line in pairwise(lines[first:]):
            if distance(before, line) > _FARTHEST or not found._take(line):
                break
        found._leave_what_is_below()
        return found if len(found.lines) > 1 else None

    @property
    def _height(self) -> float:
        return self.lines[0][0].height

    def _are_apart(self) -> bool:
        return all(b[0] - a[1] >= _CORRIDOR * self._height for a, b in pairwise(self.bands))

    def _take(self, line: Line) -> bool:
        """Take a line in; whether it keeps to the columns."""
        bands, places = list(self.bands), []
        for one in line:
            over = [j for j, (left, right) in enumerate(bands) if _touches(one, left, right)]
            # What stands before a column's other lines, and behind all of the one to the left, is in it.
            over = over or [j for j, (left, _) in enumerate(bands) if j and one.box[2] <= left][:1]
            if len(over) != 1 or over[0] in places:
                return False
            left, right = bands[over[0]]
            bands[over[0]] = min(left, one.box[0]), max(right, one.box[2])
            places.append(over[0])
        kept, self.bands = self.bands, bands
        if not self._are_apart() or (len(line) > 1 and not _reads_across(self.text, line)):
            self.bands = kept
            return False
        self.lines.append(line)
        self.places.append(places)
        return True

    def _leave_what_is_below(self) -> None:
        """Without the last lines where they stand in the left column alone and are not seen to go on there: a
        paragraph below the table."""
        while len(self.lines) > 1 and self.places[-1] == [0]:
            gaps = self._gaps()
            own = self.lines[-1][0]
            like_others = any(abs(gaps[-1] - gap) <= _ALIKE for gap in gaps[:-1])
            if like_others and own.text[:1].islower():
                break
            self.lines.pop()
            self.places.pop()
        # Nor does what was left out make a column wider.
        for j in range(len(self.bands)):
            own_boxes = [
                one.box
                for line, places in zip(self.lines, self.places, strict=True)
                for one, place in zip(line, places, strict=True)
                if place == j
            ]
            self.bands[j] = min(b[0] for b in own_boxes), max(b[2] for b in own_boxes)

    def begun_above(self, line: Line) -> Line:
        """The line above where it stands in a further column alone: the first row may begin there, with its
        left cell in the middle of its height."""
        apart = distance(line, self.lines[0]) > _FARTHEST
        beside = not apart and line[0].box[0] >= self.bands[0][1] + _CORRIDOR * self._height
        return line if beside else []

    def _gaps(self) -> list[float]:
        return [distance(a, b) for a, b in pairwise(self.lines)]

    def goes_on(self) -> bool:
        """Whether a cell that has another beside it is seen to go on in the next line."""
        if (
            len(self.lines) < _FEWEST_LINES
            or sum(len(line) > 1 for line in self.lines) < 2
            or self._is_marked()
            or any(_LEADERS.search(w.text) for ln in self.lines for w in ln)
        ):
            return False
        return any(
            len(self.places[i]) > 1 and self._continues(i, i + 1)
            for i in range(len(self.lines) - 1)
        )

    def _is_marked(self) -> bool:
        """Whether a column holds nothing but bullets and numbers, of items or of the page's lines; and that of
        the heading below a list."""
        columns: list[list[str]] = [[] for _ in self.bands]
        for line, places in zip(self.lines, self.places, strict=True):
            for one, place in zip(line, places, strict=True):
                columns[place].append(one.text)
        return any(
            any(map(_is_mark, texts))
            and all(_is_mark(text) or _SECTION.fullmatch(text) for text in texts)
            for texts in columns
        )

    def _cell(self, line: int, column: int) -> PlacedWord | None:
        if column not in self.places[line]:
            return None
        return self.lines[line][self.places[line].index(column)]

    def _continues(self, line: int, after: int) -> bool:
        """Whether words show that a cell of a line goes on in another one: they begin in lower case, in the
        middle of a sentence."""
        return any(
            upper is not None and lower is not None and _is_carried_on(upper.text, lower.text)
            for upper, lower in self._pairs(line, after)
        )

    def _pairs(self, line: int, after: int) -> list[tuple[PlacedWord | None, PlacedWord | None]]:
        return [(self._cell(line, j), self._cell(after, j)) for j in range(len(self.bands))]

    def _may_continue(self, line: int, after: int) -> bool:
        """Whether a cell of a line may go on in the next one: nothing ends it, and what follows may stand in
        the middle of a sentence, or there was no room for its first word."""
        for column, (upper, lower) in enumerate(self._pairs(line, after)):
            if upper is None or lower is None or upper.text.endswith(_ENDS):
                continue
            if not lower.text[:1].isupper():
                return True
            word = lower.text.split()[0]
            width = (lower.box[2] - lower.box[0]) * len(word) / len(lower.text)
            room = self.bands[column][1] - upper.box[2]
            if (_SPACE + _ROOM) * upper.height + width > room:
                return True
        return False

    def rows(self) -> list[Row] | None:
        """The rows; None where nothing tells them."""
        begins = self._by_space() or self._by_first_column()
        if begins is None:
            return None
        rows: list[Row] = []
        for place, (line, columns) in enumerate(zip(self.lines, self.places, strict=True)):
            if place in begins:
                rows.append(Row([Cell() for _ in self.bands]))
            for one, column in zip(line, columns, strict=True):
                rows[-1].cells[column].lines.append([one])
        longest = max(len(cell.text.split()) for row in rows for cell in row.cells)
        return rows if longest <= _LONGEST_CELL else None

    def _is_whole(self, line: int) -> bool:
        return len(self.places[line]) == len(self.bands)

    def _by_space(self) -> set[int] | None:
        """Lines that begin a row as more space stands above them; None where that is in doubt."""
        gaps = self._gaps()
        least = min(gaps)
        begins = {0} | {i + 1 for i, gap in enumerate(gaps) if gap >= least + _NEW_ROW}
        inside = [gap for i, gap in enumerate(gaps) if i + 1 not in begins]
        if len(begins) < 2 or max(inside) - least > _ALIKE:
            return None
        if not all(self._is_whole(i) for i in begins):
            return None
        for i in range(1, len(self.lines)):
            seen = self._continues(i - 1, i)
            if i in begins and seen:
                return None
            # Two rows without more space between them would be one here.
            both = len(self.places[i]) > 1 and 0 in self.places[i]
            if i not in begins and both and not seen:
                return None
        return begins

    def _by_first_column(self) -> set[int] | None:
        """Lines that begin a row as the first column has words again; None where these may belong to the row
        above, or those beside them to another one."""
        begins = {i for i, places in enumerate(self.places) if 0 in places}
        if len(begins) < 2 or 0 not in begins or len(begins) == len(self.lines):
            return None
        if not all(self._is_whole(i) for i in begins):
            return None
        return None if any(self._may_continue(i - 1, i) for i in begins - {0}) else begins


def _reads_across(text: Sequence[str], line: Line) -> bool:
    """Whether the segments of a line follow each other in the file, as typed columns do: those of a page set in
    columns are drawn one column after the other."""
    return all(
        one.end < after.start and "".join(text[one.end : after.start]).strip(" ") == ""
        for one, after in pairwise(line)
    )


def _touches(one: PlacedWord, left: float, right: float) -> bool:
    return one.box[0] < right and one.box[2] > left


def _is_mark(text: str) -> bool:
    # A hyphen is one only before white space.
    found = BULLET.match(f"{text} ") or NUMBER.match(f"{text} x")
    if text.isdecimal():
        return True
    return found is not None and found.end() >= len(text)


def _is_carried_on(above: str, below: str) -> bool:
    return below[:1].islower() and not above.endswith(_ENDS)
