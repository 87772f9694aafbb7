"""Which rules of a page are of one table: those of one width, one below the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from core.documents.reading.tables.columns import crossed, keeps_to, parts_at
from core.documents.reading.tables.ruled.borders import (
    LEAST_BAND,
    SAME,
    inner_borders,
    shared_borders,
)
from core.documents.reading.tables.ruled.rules import Rule
from core.documents.reading.tables.ruled.starts import columns_by_starts
from core.documents.reading.tables.words import Line, PlacedWord, distance, lines_of
from core.text.tables.lines import is_caption

_KNOWN = 3  # rows that tell how many columns there are
FEWEST_BANDS = 3  # between rules that part no columns, of a table whose cells do
_ENDS = ".:;!?"  # of a sentence, and not of a label
_BREAK = 1.0  # line heights without a word, between two rules, that part one table from the next


def of_one_width(across: Sequence[Rule]) -> list[list[Rule]]:
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


def groups(
    across: Sequence[Rule], down: Sequence[Rule], words: Sequence[PlacedWord]
) -> Iterator[list[Rule]]:
    """Rules of one width that belong to one table, from the top."""
    for same, ruled in _with_ruled(across, down):
        run = [same[0]]
        for (upper, lower), is_ruled in zip(pairwise(same), ruled, strict=True):
            is_open = not is_ruled and (any(ruled) or _has_gap(upper, lower, words))
            if is_open and upper.at - lower.at >= LEAST_BAND:
                if len(run) > 1:
                    yield run
                run = []
            run.append(lower)
        if len(run) > 1:
            yield run


def _with_ruled(
    across: Sequence[Rule], down: Sequence[Rule]
) -> Iterator[tuple[list[Rule], list[bool]]]:
    """Rules of one width, and whether rules down the page join each with the next."""
    for same in of_one_width(across):
        yield same, [_is_ruled_down(upper, lower, down) for upper, lower in pairwise(same)]


def whole_first(found_groups: Iterator[list[Rule]]) -> list[list[Rule]]:
    """Groups of rules, those that go over whole rows before those that part some of their cells."""
    found: list[list[Rule]] = []
    for rules in found_groups:
        at = next((k for k, one in enumerate(found) if are_of_cells(one, rules)), len(found))
        found.insert(at, rules)
    return found


def are_of_cells(rules: Sequence[Rule], others: Sequence[Rule]) -> bool:
    """Whether rules part cells of rows that others go over: they begin or end with these, beside them."""
    narrow, wide = rules[0], others[0]
    begins, ends = abs(narrow.start - wide.start) <= SAME, abs(narrow.end - wide.end) <= SAME
    is_inside = narrow.start >= wide.start - SAME and narrow.end <= wide.end + SAME
    return (
        is_inside and begins != ends and rules[-1].at < others[0].at and rules[0].at > others[-1].at
    )


def beside_ruled(
    across: Sequence[Rule], down: Sequence[Rule], words: Sequence[PlacedWord]
) -> Iterator[list[Rule]]:
    """Rules drawn of cells that no rule down the page joins, where others of their width are joined."""
    for same, ruled in _with_ruled(across, down):
        if not any(ruled):
            continue
        run = [same[0]]
        for (upper, lower), is_ruled in zip(pairwise(same), ruled, strict=True):
            is_pieced = inner_borders(upper) and inner_borders(lower)
            if is_ruled or not is_pieced or _has_gap(upper, lower, words):
                yield run
                run = []
            run.append(lower)
        yield run


def alike(rules: Sequence[Rule], down: Sequence[Rule]) -> Iterator[list[Rule]]:
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


def uncrossed(rules: Sequence[Rule], words: Sequence[PlacedWord]) -> Iterator[list[Rule]]:
    """Runs of rules between which no words reach over the borders of the cells that they were drawn of: what
    stands between two tables of one width does, and their borders stand in other places. The label of the rows
    below may, as a single line, and cells that are one, if not with the first."""
    run = _Run(rules[0])

    @cache
    def beside() -> list[Line]:
        return lines_of([w for w in words if inside(w.x, rules[0], 0)])

    for upper, lower in pairwise(rules):
        edges = shared_borders(upper, lower, run.borders)
        own = [w for w in words if lower.at < w.y < upper.at and inside(w.x, upper, 0)]
        lines = lines_of(own) if edges else []
        over = [
            line for line in lines if crossed(line, edges) and not keeps_to(line, edges, beside())
        ]
        is_label = len(lines) == 1 and _is_label(_text(lines[0]))
        if edges and (not over or is_label or all(parts_at(one, edges[0]) for one in over)):
            run.take(lower)
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
    """

    def __init__(self, first: Rule) -> None:
        self.rules: list[Rule] = []
        self.borders: list[float] = []
        self.take(first)

    def take(self, rule: Rule) -> None:
        """The next rule below."""
        self.rules.append(rule)
        if not rule.dotted:
            self.borders = max(self.borders, inner_borders(rule), key=len)

    @property
    def is_table(self) -> bool:
        return len(self.rules) > 2


def by_starts(
    rules: Sequence[Rule], words: Sequence[PlacedWord]
) -> Iterator[tuple[list[Rule], list[float]]]:
    """Runs of dotted rules between which lines begin in the same places, with these."""
    bands = [
        [w for w in words if lower.at < w.y < upper.at and inside(w.x, upper, 0)]
        for upper, lower in pairwise(rules)
    ]
    begin = 0
    while all(one.dotted for one in rules) and begin + 2 <= len(bands):
        end = begin + 2
        columns = columns_by_starts(bands[begin:end])
        while columns and end < len(bands) and (more := columns_by_starts(bands[begin : end + 1])):
            if len(more) < len(columns) and end - begin >= _KNOWN:  # another table
                break
            columns, end = more, end + 1
        if columns:
            yield list(rules[begin : end + 1]), columns
        begin = end if columns else begin + 1


def bands_of(rules: Sequence[Rule], words: Sequence[PlacedWord]) -> list[list[Line]]:
    """The lines between each two rules, from the top."""
    return [
        lines_of([w for w in words if lower.at < w.y < upper.at and inside(w.x, upper, 0)])
        for upper, lower in pairwise(rules)
    ]


def inside(x: float, rule: Rule, by: float) -> bool:
    return rule.start - by <= x <= rule.end + by


def _is_ruled_down(upper: Rule, lower: Rule, down: Sequence[Rule]) -> bool:
    """Whether a rule down the page joins two rules across it."""
    return any(inside(one.at, upper, SAME) and one.covers(lower.at, upper.at) for one in down)


def _has_gap(upper: Rule, lower: Rule, words: Sequence[PlacedWord]) -> bool:
    """Whether there are no words between two rules, or lines of them far apart."""
    lines = lines_of([w for w in words if lower.at < w.y < upper.at and inside(w.x, upper, 0)])
    return not lines or any(distance(a, b) > _BREAK for a, b in pairwise(lines))


def _is_label(words: str) -> bool:
    return not is_caption(words) and words[-1:] not in _ENDS


def _text(line: Line) -> str:
    return " ".join(word.text for word in line)
