"""Rows that the end of a page cuts: no rule is drawn there, but those down the page reach to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from core.documents.reading.tables.rows import Row
from core.documents.reading.tables.ruled.borders import LEAST_BAND, SAME
from core.documents.reading.tables.ruled.rules import Rule
from core.documents.reading.tables.words import PlacedWord, lines_of

MOST_OVER = 3  # lines of a running title, or of a foot


def to_the_ends(
    rules: Sequence[Rule],
    across: Sequence[Rule],
    down: Sequence[Rule],
    words: Sequence[PlacedWord],
) -> tuple[list[Rule], bool]:
    """The rules of a table, with one more where those between its columns reach above the first, and one where
    they reach below the last, and hardly a line stands beyond; and whether its last row is cut there.

    Where the page ends between two rows beside one label, the rule below the upper one is drawn.

    Args:
        rules: of one width, from the top.
        across, down: all rules of the page.
        words: of the page.
    """
    first, last = rules[0], rules[-1]
    inner = [
        one
        for one in down
        if first.start + SAME < one.at < first.end - SAME
        and min(one.end, first.at) - max(one.start, last.at) >= LEAST_BAND
    ]
    found = list(rules)
    if not inner:
        return found, False
    beside = [word for word in words if first.start <= word.x <= first.end]
    high, low = max(one.end for one in inner), min(one.start for one in inner)
    if high - first.at >= LEAST_BAND and _ends([w for w in beside if w.y > high]):
        found.insert(0, replace(first, at=high))
    if last.at - low >= LEAST_BAND and _ends([w for w in beside if w.y < low]):
        found.append(replace(last, at=low))
    is_drawn = any(
        abs(one.at - low) < LEAST_BAND
        and min(one.end, last.end) - max(one.start, last.start) > SAME
        for one in across
    )
    return found, found[-1] is not last and not is_drawn


def go_on(rows: Sequence[Row], first: Rule, words: Sequence[PlacedWord]) -> None:
    """Say that the empty cells which the first row below the heads begins with are those above, where a table
    begins a page: it may go on from the page before.

    Args:
        first: of the table's rules.
        words: of the page.
    """
    if not _ends(
        [word for word in words if first.start <= word.x <= first.end and word.y > first.at]
    ):
        return
    row = next((row for row in rows if not row.head), None)
    for cell in takewhile(lambda one: not one.lines, row.cells if row else ()):
        cell.above |= not cell.left


def _ends(beyond: Sequence[PlacedWord]) -> bool:
    return len(lines_of(beyond)) <= MOST_OVER
