"""Finds the tables of a page.

A table that is missed reads as it always did; one that is none would tear sentences apart, and one whose
rows are taken wrongly gives a patient another's dose. So what is not clear is no table: rules of one
width stand one below the other, and its columns are told by rules down the page or by the borders of the
cells that the rules were drawn of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from core.documents.reading.tables.grid import (
    LEAST_BAND,
    SAME,
    Row,
    RuledGrid,
    crossed,
    inner_borders,
    shared_borders,
)
from core.documents.reading.tables.rules import Rule
from core.documents.reading.tables.starts import columns_by_starts, heads_above
from core.documents.reading.tables.words import Line, PlacedWord, distance, lines_of
from core.text.tables.lines import is_caption

_BREAK = 1.0  # line heights without a word, between two rules, that part one table from the next
_MOST_RULES = 400  # across a page, or down it; one with more is a drawing
_LONGEST_CELL = 120  # words; a longer one is a page's layout
_MOST_JOINED = 0.4  # of the cells; with more the frame holds several tables, or a form
_MOSTLY = 0.5  # of a row's cells, and of the rows below
_UNDER = 0.35  # line heights by which an underline stands from the line's lower end
_BESIDE = 0.5  # line heights that an underline may be longer; a longer rule is the cell's
_MOST_OF_LABEL = 2  # lines of a label that a rule parts from the next one, on the average
_MOST_OVER, _FEWEST_GOING_ON = (
    3,
    4,
)  # lines above a table that goes on from the page before, and its rules
_FEWEST_DOTTED = 3  # rules of a table whose columns no rule tells
_DIGIT = re.compile(r"(?<![^\W\d_])\d")

StandsOut = Callable[[Line], bool]


def has_grid(across: Sequence[Rule], down: Sequence[Rule]) -> bool:
    """Whether the rules of a page part columns and rows, so that a table may be found among them."""
    if max(len(across), len(down)) > _MOST_RULES:
        return False
    widths = _of_one_width(across)
    return (
        _is_one_grid(across, down)
        or any(shared_borders(*pair, known=()) for rules in widths for pair in pairwise(rules))
        or any(sum(one.dotted for one in rules) >= _FEWEST_DOTTED for rules in widths)
    )


def _is_one_grid(across: Sequence[Rule], down: Sequence[Rule]) -> bool:
    """Whether all rules of one width part the same columns."""
    return any(RuledGrid.of(rules, across, down) for rules in _of_one_width(across))


def find_tables(
    words: Sequence[PlacedWord],
    across: Sequence[Rule],
    down: Sequence[Rule],
    is_bold: Callable[[PlacedWord], bool],
) -> list[list[Row]]:
    """The tables of an upright page as rows; every word stands in one cell at most.

    Args:
        across: rules across the page, from the top (`page_rules`).
        down: rules down the page, from the left.
        is_bold: whether a word is in bold type; heads are, or stand over a rule of their own.
    """
    found: list[list[Row]] = []
    taken: set[int] = set()

    def stands_out(line: Line) -> bool:
        return is_bold(line[0]) or _is_underlined(line, across)

    def take(rules: Sequence[Rule], *, headed: bool, columns: Sequence[float] = ()) -> bool:
        free = [word for word in words if word.start not in taken]
        grid = RuledGrid.of(rules, across, down, columns)
        rows = grid.rows(free) if grid else []
        if grid and columns and rows and not rows[0].head:
            over = [word for word in free if _inside(word.x, rules[0], 0)]
            rows = [*grid.heads(heads_above(over, rules[0].at, is_bold)), *rows]
        if not _is_table(rows):
            return False
        _mark_heads(rows, stands_out)
        if headed and not (rows[0].head or _goes_on(rules, words)):
            return False
        found.append(rows)
        taken.update(w.start for row in rows for c in row.cells for ln in c.lines for w in ln)
        return True

    whole = _is_one_grid(across, down)
    for rules in _groups(across, down, words):
        if not (whole and take(rules, headed=False)):
            # Several tables in one frame or of one width, or a form: those parts that are tables of their own.
            for part in [*_alike(rules, down), *_uncrossed(rules, words)]:
                take(part, headed=True)
            for part, columns in _by_starts(rules, words):
                take(part, headed=True, columns=columns)
    return found


def _goes_on(rules: Sequence[Rule], words: Sequence[PlacedWord]) -> bool:
    """Whether rules begin a page, or a column of it, so that the heads of their rows may stand before that:
    above them is nothing but a running title, or the end of a row."""
    over = [w for w in words if w.y > rules[0].at and _inside(w.x, rules[0], 0)]
    return len(rules) >= _FEWEST_GOING_ON and len(lines_of(over)) <= _MOST_OVER


def _by_starts(
    rules: Sequence[Rule], words: Sequence[PlacedWord]
) -> Iterator[tuple[list[Rule], list[float]]]:
    """Runs of dotted rules between which lines begin in the same places, with these."""
    bands = [
        [w for w in words if lower.at < w.y < upper.at and _inside(w.x, upper, 0)]
        for upper, lower in pairwise(rules)
    ]
    begin = 0
    while all(one.dotted for one in rules) and begin + 2 <= len(bands):
        end = begin + 2
        columns = columns_by_starts(bands[begin:end])
        while columns and end < len(bands) and (more := columns_by_starts(bands[begin : end + 1])):
            columns, end = more, end + 1
        if columns:
            yield list(rules[begin : end + 1]), columns
        begin = end if columns else begin + 1


def _alike(rules: Sequence[Rule], down: Sequence[Rule]) -> Iterator[list[Rule]]:
    """Runs of rules between which the same rules down the page part the same columns."""
    run: list[Rule] = []
    before: list[float] = []
    for upper, lower in pairwise(rules):
        if upper.at - lower.at < LEAST_BAND:  # a double rule
            continue
        dividers = [
            one.at
            for one in down
            if one.covers(lower.at, upper.at) and upper.start + SAME < one.at < upper.end - SAME
        ]
        same = len(dividers) == len(before) and all(
            abs(a - b) <= SAME for a, b in zip(dividers, before, strict=True)
        )
        if run and not (same and dividers):
            yield run
            run = []
        if dividers:
            run = [*(run or [upper]), lower]
        before = dividers
    if run:
        yield run


def _uncrossed(rules: Sequence[Rule], words: Sequence[PlacedWord]) -> Iterator[list[Rule]]:
    """Runs of rules between which no words reach over the borders of the cells that they were drawn of: what
    stands between two tables of one width does, and their borders stand in other places. None where many lines
    stand between two rules, which part no rows then, nor where a single one reaches over the columns, as the
    label of the rows below it does."""
    run = _Run(rules[0])
    for upper, lower in pairwise(rules):
        edges = shared_borders(upper, lower, run.borders)
        own = [w for w in words if lower.at < w.y < upper.at and _inside(w.x, upper, 0)]
        lines = lines_of(own)
        across = [line for line in lines if crossed(line, edges)]
        is_label = bool(across) and len(lines) == 1 and not is_caption(_text(lines[0]))
        if edges and (is_label or not across):
            run.take(lower)
            run.labels += len(lines_of([word for word in own if word.x < edges[0]]))
            run.is_parted |= is_label
            continue
        if run.is_table:
            yield run.rules
        run = _Run(lower)
    if run.is_table:
        yield run.rules


class _Run:
    """Rules between which cells stand.

    Attributes:
        borders: of cells, of the rule that has most.
        labels: lines in the first column.
        is_parted: whether a line reaches over the columns.
    """

    def __init__(self, first: Rule) -> None:
        self.rules: list[Rule] = []
        self.borders: list[float] = []
        self.labels = 0
        self.is_parted = False
        self.take(first)

    def take(self, rule: Rule) -> None:
        """The next rule below."""
        self.rules.append(rule)
        if not rule.dotted:
            self.borders = max(self.borders, inner_borders(rule), key=len)

    @property
    def is_table(self) -> bool:
        rows = len(self.rules) - 1
        return rows > 1 and not self.is_parted and self.labels <= _MOST_OF_LABEL * rows


def _text(line: Line) -> str:
    return " ".join(word.text for word in line)


def _of_one_width(across: Sequence[Rule]) -> list[list[Rule]]:
    """Two or more rules that begin and end at the same places, from the top."""
    widths: list[list[Rule]] = []
    for rule in across:
        for same in widths:
            first = same[0]
            if abs(first.start - rule.start) <= SAME and abs(first.end - rule.end) <= SAME:
                same.append(rule)
                break
        else:
            widths.append([rule])
    return [same for same in widths if len(same) > 1]


def _groups(
    across: Sequence[Rule], down: Sequence[Rule], words: Sequence[PlacedWord]
) -> Iterator[list[Rule]]:
    """Rules of one width that belong to one table, from the top."""
    for same in _of_one_width(across):
        bands = list(pairwise(same))
        ruled = [_is_ruled_down(upper, lower, down) for upper, lower in bands]
        run = [same[0]]
        for (upper, lower), is_ruled in zip(bands, ruled, strict=True):
            is_open = not is_ruled and (any(ruled) or _has_gap(upper, lower, words))
            if is_open and upper.at - lower.at >= LEAST_BAND:
                if len(run) > 1:
                    yield run
                run = []
            run.append(lower)
        if len(run) > 1:
            yield run


def _is_ruled_down(upper: Rule, lower: Rule, down: Sequence[Rule]) -> bool:
    """Whether a rule down the page joins two rules across it."""
    return any(_inside(one.at, upper, SAME) and one.covers(lower.at, upper.at) for one in down)


def _inside(x: float, rule: Rule, by: float) -> bool:
    return rule.start - by <= x <= rule.end + by


def _has_gap(upper: Rule, lower: Rule, words: Sequence[PlacedWord]) -> bool:
    """Whether there are no words between two rules, or lines of them far apart."""
    lines = lines_of([w for w in words if lower.at < w.y < upper.at and _inside(w.x, upper, 0)])
    return not lines or any(distance(a, b) > _BREAK for a, b in pairwise(lines))


def _is_underlined(line: Line, across: Sequence[Rule]) -> bool:
    left, right = line[0].box[0], line[-1].box[2]
    bottom, height = min(word.box[1] for word in line), line[0].height
    return any(
        abs(rule.at - bottom) <= _UNDER * height
        and rule.covers(left, right)
        and rule.start > left - _BESIDE * height
        and rule.end < right + _BESIDE * height
        for rule in across
    )


def _is_table(rows: Sequence[Row]) -> bool:
    """Whether rows side by side say something that single lines would not."""
    several = [row for row in rows if row.filled > 1]
    if len(several) < 2 or 2 * len(several) < len(rows):
        return False
    if sum(row.joined for row in rows) > _MOST_JOINED * len(rows[0].cells) * len(rows):
        return False
    columns = {j for row in rows for j, cell in enumerate(row.cells) if cell.lines}
    longest = max(sum(map(len, cell.lines)) for row in rows for cell in row.cells)
    return len(columns) > 1 and longest <= _LONGEST_CELL


def _mark_heads(rows: Sequence[Row], stands_out: StandsOut) -> None:
    """Say which of the first rows name the columns: those that the page sets off from the others.

    A first row that only has no numbers may be "Adults, not recommended": nothing tells.
    """
    while len(rows) > 1 and rows[0].filled == 1:  # its title
        rows = rows[1:]
    shares = [_share_set_off(row, stands_out) for row in rows]
    others = [share for row, share in zip(rows[1:], shares[1:], strict=True) if row.filled > 1]
    rows[0].head = (
        rows[0].filled > 1
        and shares[0] >= _MOSTLY
        and sum(share < _MOSTLY for share in others) >= _MOSTLY * len(others)
    )
    if not rows[0].head or len(rows) < 3:
        return
    below = rows[1]
    spans = any(cell.left for cell in rows[0].cells)
    if any(cell.above for cell in below.cells) or (
        spans and (shares[1] >= _MOSTLY or not any(_DIGIT.search(c.text) for c in below.cells))
    ):
        below.head = True


def _share_set_off(row: Row, stands_out: StandsOut) -> float:
    """Of a row's cells with text, the share with a line that stands out."""
    cells = [cell for cell in row.cells if cell.lines]
    out = sum(any(stands_out(line) for line in cell.lines) for cell in cells)
    return out / len(cells) if cells else 0.0
