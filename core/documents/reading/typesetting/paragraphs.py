"""Where the paragraphs of a page end, told from where its lines stand.

A line ends because the paragraph does, or because the paper did; the words alone do not tell which. A wider
gap, another size of letters, a heading's bold type, the way out of a list's indent, or room that the next word
would have had say that the paragraph ended; a line that is full and goes on below says that it did not. What is
neither is left as it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from core.documents.reading.reading_order import Box
from core.text.layout.open_ends import leaves_open

_MOST_LINES = 400  # of a page; one with more is a drawing, or words without order
_SAME_SIZE = 0.08  # by which the heights of letters of one paragraph may differ
_CLOSE = (0.6, 2.6)  # heights of a line from one line to the next of a column
_ALIKE = 0.04  # share by which the steps of one paragraph may differ
_FEWEST = 3  # steps, and their share, that make a step usual
_USUAL_SHARE = 0.1
_WIDE = 1.2  # usual steps; a wider one parts paragraphs
_VERY_WIDE = 1.5  # and one in the middle of a sentence
_WIDER = 1.1  # and one that does where a capital begins what would have fitted, or stands out of its item
_AMPLE = 3.0  # heights of a line that are left where a line set with blank ones between ended for its words
_IN_ITEM = 2.3  # usual steps, at most, between two paragraphs of one item
_INDENT = 0.5  # heights of a line by which what stands inside an item is set in
_BENEATH = 0.1  # heights of a line by which what goes on below an item's text may stand out of line
_ROOM = 0.5  # heights of a line that a word must have had beside itself to have fitted
_SPACE = 0.25  # heights of a line between two words
_ENDS = (".", "!", "?", ":", ";")


class LineEnd(Enum):
    """What a line's end is: of a paragraph, of the room alone, or not known."""

    PARTED = "parted"
    WRAPPED = "wrapped"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class SetLine:
    """A line as it is set, in points.

    Attributes:
        left, right: of its first and last character.
        base, height: where its letters stand, and how high they are.
        word: width of its first word.
        bold: whether its first and its last letter are bold.
        mark: whether it begins with a bullet or a number of an item; `left` is the mark's then.
        body: where the text behind the mark begins; `left` without one.
        fixed: whether its ends are not to be told: a row of a table, a line that does not run across.
    """

    text: str
    left: float
    right: float
    base: float
    height: float
    word: float
    bold: tuple[bool, bool] = (False, False)
    mark: bool = False
    body: float = 0.0
    fixed: bool = False

    def is_of_size(self, other: SetLine) -> bool:
        return abs(self.height - other.height) <= _SAME_SIZE * max(self.height, other.height)

    def is_in(self, item: SetLine) -> bool:
        """Whether it is set in below the mark of an item; where that all but touches its text, below this."""
        beneath = item.body > item.left and abs(self.left - item.body) <= _BENEATH * self.height
        return beneath or self.left > item.left + _INDENT * self.height

    def is_above(self, other: SetLine) -> bool:
        """Whether `other` stands farther down in the same column."""
        shared = min(self.right, other.right) - max(self.left, other.left)
        step = self.base - other.base
        return step >= _CLOSE[0] * max(self.height, other.height) and shared > 0

    def is_over(self, other: SetLine) -> bool:
        """Whether `other` is the next line of the same column."""
        near = self.base - other.base <= _CLOSE[1] * max(self.height, other.height)
        return near and self.is_above(other)


def turned(box: Box, angle: float) -> Box:
    """A box as it stands where text that runs at an angle (in radians) is upright."""
    if not angle:
        return box
    across, up = math.cos(angle), -math.sin(angle)  # pdfium counts clockwise
    corners = [(x * across + y * up, y * across - x * up) for x in box[::2] for y in box[1::2]]
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def line_ends(lines: Sequence[SetLine]) -> list[LineEnd]:
    """What the end of each line is; the last one's is not known, and none of a drawing's."""
    if not 1 < len(lines) <= _MOST_LINES:
        return [LineEnd.UNKNOWN] * len(lines)
    return _Page(lines).ends()


def depths(lines: Sequence[SetLine]) -> list[int]:
    """Of each line that begins an item, in how many other items of its list that one stands; 0 of any other."""
    if len(lines) > _MOST_LINES:
        return [0] * len(lines)
    found: list[int] = []
    outer: list[_Level] = []
    items = _items(lines)
    for place, (line, item) in enumerate(zip(lines, items, strict=True)):
        tops = bool(place) and _tops_column(lines[place - 1], line)
        if item is None and not (tops and _goes_over(lines, items, place)):
            outer = []
        elif tops:
            by = _column_step(lines, place, outer)
            outer = [] if by is None else [_Level(each.left + by, each.sign) for each in outer]
        if line.mark:
            near = _INDENT * line.height
            while outer and outer[-1].left > line.left + near:
                outer.pop()
            if not outer or line.left > outer[-1].left + near:
                outer.append(_Level(line.left, _sign(line)))
        found.append(max(len(outer) - 1, 0) if line.mark else 0)
    return found


def _column_step(lines: Sequence[SetLine], place: int, levels: Sequence[_Level]) -> float | None:
    """How far a column stands from the one before it: by its first mark, which items of `levels` have, or by
    the edges of both; None where the mark is another one.

    Args:
        place: of the column's first line.
    """
    start = place - 1
    while start and not _tops_column(lines[start - 1], lines[start]):
        start -= 1
    end = place + 1
    while end < len(lines) and not _tops_column(lines[end - 1], lines[end]):
        end += 1
    by = min(one.left for one in lines[place:end]) - min(one.left for one in lines[start:place])
    first = next((one for one in lines[place:end] if one.mark), None)
    if first is None:
        return by
    steps = [first.left - each.left for each in levels if each.sign == _sign(first)]
    return min(steps, key=lambda each: abs(each - by), default=None)


def _goes_over(lines: Sequence[SetLine], items: Sequence[SetLine | None], place: int) -> bool:
    """Whether a column's first line, without a mark, goes on with the last item of the column before: it is set
    in as that one's further lines are, or begins in lower case."""
    line, item = lines[place], items[place - 1]
    if item is None or line.mark:
        return False
    if line.text[:1].islower():
        return True
    levels = [_Level(one.left, _sign(one)) for one in items[:place] if one is not None and one.mark]
    by = _column_step(lines, place, levels)
    near = _INDENT * line.height
    return (
        by is not None and item.body > item.left + near and abs(line.left - item.body - by) <= near
    )


def _tops_column(before: SetLine, line: SetLine) -> bool:
    """Whether a line begins a further column, above what stands before it."""
    return line.base > before.base + before.height and line.left > before.left


def _sign(line: SetLine) -> str:
    """What kind of mark a line begins with: the bullet, or that it is a number or a letter."""
    first = line.text.lstrip("(")[:1]
    return "1" if first.isdecimal() else "a" if first.isalpha() and first != "o" else first


class _Level(NamedTuple):
    """Where the marks of a list's items stand, and what they are."""

    left: float
    sign: str


class _Page:
    def __init__(self, lines: Sequence[SetLine]) -> None:
        self._lines = lines
        self._usual = _usual_steps(lines)
        self._runs = self._margins()
        self._items = _items(lines)

    def ends(self) -> list[LineEnd]:
        found = [self._end(place) for place in range(len(self._lines) - 1)]
        return [*found, LineEnd.UNKNOWN]

    def _end(self, place: int) -> LineEnd:
        line, after = self._lines[place], self._lines[place + 1]
        if line.fixed or after.fixed:
            return LineEnd.UNKNOWN
        if not line.is_above(after):
            return LineEnd.WRAPPED if self._goes_over(place) else LineEnd.UNKNOWN
        opens = leaves_open(line.text)
        runs_on = opens or (after.text[:1].islower() and not line.text.endswith(_ENDS))
        if not line.is_over(after):
            return LineEnd.UNKNOWN if runs_on else LineEnd.PARTED
        step = self._step(place)
        if not line.is_of_size(after):
            # A formula in the middle of a sentence is of another size, too.
            begins = after.text[:1].isupper() or line.text.endswith(_ENDS) or step > _WIDE
            alike = LineEnd.WRAPPED if opens else LineEnd.UNKNOWN
            return LineEnd.PARTED if begins and not runs_on else alike
        if after.mark:  # which says by itself that something begins
            return LineEnd.UNKNOWN
        item = self._items[place]
        inside = item is not None and after.is_in(item)
        fits = self._fits(line, after, self._margin(line))
        full = line.text.endswith(_ENDS) or not fits
        if inside and item and full and step < _IN_ITEM and self._goes_on(place, item):
            return LineEnd.WRAPPED
        if step > (_VERY_WIDE if runs_on else _WIDE):
            spaced = runs_on and self._is_spaced(place)
            return LineEnd.UNKNOWN if spaced else LineEnd.PARTED
        outside = item is not None and not inside
        if step > _WIDER and after.text[:1].isupper() and (fits or outside):
            return LineEnd.PARTED
        if item is not None and not inside:
            is_out = after.left < item.left - self._in(line)
            if is_out or self._hangs(item):
                return LineEnd.PARTED
        reweighted = self._changes_weight(line, after)
        # Short lines below each other may as well be a list without bullets.
        ends = (item is not None and after.text[:1].isupper()) or reweighted
        if ends and not runs_on and self._fits(line, after, self._runs[place]):
            return LineEnd.PARTED
        if (reweighted or fits) and not opens:
            return LineEnd.UNKNOWN
        return LineEnd.WRAPPED

    def _goes_over(self, place: int) -> bool:
        """Whether the last line of a column goes on at the top of the next one."""
        line, after = self._lines[place], self._lines[place + 1]
        if not (_tops_column(line, after) and line.is_of_size(after)) or after.mark:
            return False
        if self._changes_weight(line, after):
            return False
        if self._items[place] is not None:
            return _goes_over(self._lines, self._items, place + 1)
        if line.text.endswith(_ENDS) or self._fits(line, after, self._margin(line)):
            return False
        # The labels of a drawing stand alone.
        near = self._lines[max(place - 1, 0) : place + 3]
        return len(near) > _FEWEST and near[0].is_over(line) and after.is_over(near[-1])

    def _in(self, line: SetLine) -> float:
        return _INDENT * line.height

    def _step(self, place: int) -> float:
        """From a line to the next one, in usual steps."""
        line, after = self._lines[place], self._lines[place + 1]
        return (line.base - after.base) / (self._usual[place] * line.height)

    def _is_spaced(self, place: int) -> bool:
        """Whether a sentence may go on below a blank line: the page has many lines set with one between them,
        and this one is about as long as these are."""
        line, after = self._lines[place], self._lines[place + 1]
        step = line.base - after.base
        alike = [
            upper
            for upper, lower in pairwise(self._lines)
            if upper.is_over(lower)
            and upper.is_of_size(line)
            and abs(upper.base - lower.base - step) <= _ALIKE * step
        ]
        reach = max(one.right for one in alike)
        used = line.right + _SPACE * line.height + after.word
        return len(alike) >= _FEWEST and used + _AMPLE * line.height >= reach

    @staticmethod
    def _fits(line: SetLine, after: SetLine, margin: float) -> bool:
        """Whether the next line's first word would have stood on a line."""
        height = line.height
        return line.right + _SPACE * height + after.word + _ROOM * height < margin

    @staticmethod
    def _changes_weight(line: SetLine, after: SetLine) -> bool:
        """Whether one of two lines is bold as a whole and the other does not go on so."""
        return (all(line.bold) and not after.bold[0]) or (all(after.bold) and not line.bold[1])

    def _goes_on(self, place: int, item: SetLine) -> bool:
        """Whether the list of an item goes on below, with no line farther out before that."""
        for line in self._lines[place + 1 :]:
            if line.fixed or line.left < item.left - self._in(line):
                return False
            if abs(line.left - item.left) <= self._in(line):
                return line.mark
        return False

    def _hangs(self, item: SetLine) -> bool:
        """Whether items with their kind of mark in this place have their further lines under their text."""
        lines = self._lines
        same = [
            after.left
            for place, after in enumerate(lines[1:])
            if (own := self._items[place]) is not None
            and not after.mark
            and _sign(own) == _sign(item)
            and abs(own.left - item.left) <= self._in(item)
            and lines[place].is_over(after)
            and abs(after.left - own.body) <= self._in(item)
        ]
        return bool(same)

    def _margin(self, line: SetLine) -> float:
        """How far the lines reach that begin where this one does: those of its size, unless they are few. A
        header reaches over several columns."""
        near = [one for one in self._lines if abs(one.left - line.left) <= 2 * line.height]
        alike = [one for one in near if one.is_of_size(line)]
        return max(one.right for one in (alike if len(alike) >= _FEWEST else near))

    def _margins(self) -> list[float]:
        """How far the lines reach among which each line stands without a gap."""
        margins: list[float] = []
        run: list[SetLine] = []
        for place, line in enumerate(self._lines):
            run.append(line)
            last = place + 1 == len(self._lines)
            if not last:
                after = self._lines[place + 1]
                joined = line.is_over(after) and line.is_of_size(after)
                last = not joined or self._step(place) > _WIDE
            if last:
                margins += [max(one.right for one in run)] * len(run)
                run = []
        return margins


def _usual_steps(lines: Sequence[SetLine]) -> list[float]:
    """For each line, the step to the next one of a paragraph in letters of its size, in heights: the smallest
    one that is frequent."""
    steps = [
        ((line.base - after.base) / line.height, line.height)
        for line, after in pairwise(lines)
        if line.is_over(after) and line.is_of_size(after) and not after.mark
    ]
    page = _smallest_frequent([step for step, _ in steps]) or 1.2
    known: dict[float, float] = {}
    for line in lines:
        if line.height not in known:
            own = [s for s, height in steps if abs(height - line.height) <= _SAME_SIZE * height]
            known[line.height] = _smallest_frequent(own) or page
    return [known[line.height] for line in lines]


def _smallest_frequent(steps: Sequence[float]) -> float | None:
    needed = max(_FEWEST, _USUAL_SHARE * len(steps))
    ordered = sorted(steps)
    for step in ordered:
        near = [one for one in ordered if step <= one <= step * (1 + _ALIKE)]
        if len(near) >= needed:
            return median(near)
    return None


def _items(lines: Sequence[SetLine]) -> list[SetLine | None]:
    """For each line the first line of the item that it may belong to."""
    found: list[SetLine | None] = []
    item: SetLine | None = None
    for place, line in enumerate(lines):
        if line.mark:
            item = line
        elif item is not None:
            before = lines[place - 1]
            is_in = line.is_in(item) and before.is_over(line)
            item = item if is_in and not line.fixed else None
        found.append(item)
    return found
