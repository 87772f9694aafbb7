"""Finds the tables of a page that nothing but the places of their cells tells: no rule between their rows, and
no bold head over each column.

Typesetters of papers rule a table above and below its heads and at its end, office programs often not at all.
Its columns are told by the page, where cells begin, end or have their middle below each other with nothing
across; its rows by the file, which draws one after the other, each cell with all of its lines. Prose in columns
is drawn one column after the other, and has no room behind its lines.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import takewhile

from core.documents.reading.tables.aligned.lines_as_rows import PageOfLines, leads_on
from core.documents.reading.tables.aligned.strips import (
    SAME,
    WordRun,
    aligned_columns,
    may_begin,
    phrases_of,
)
from core.documents.reading.tables.layout import words_of
from core.documents.reading.tables.parted.drawn import IsBold
from core.documents.reading.tables.rows import Row
from core.documents.reading.tables.ruled.page_ends import MOST_OVER
from core.documents.reading.tables.ruled.rules import Rule
from core.documents.reading.tables.words import NEAR_LINE, PlacedWord, distance, lines_of

_MOST_LINES = 400  # of a page; one with more is a drawing
_FARTHEST = 3.5  # line heights of free space between two lines of a table
_MOST_CUT = 8  # lines below a table that its columns may let through
_FEWEST_SEVERAL = 3  # lines with several phrases that tell columns

Lines = Sequence[Sequence[WordRun]]


def find_aligned_tables(
    words: Sequence[PlacedWord], across: Sequence[Rule], is_bold: IsBold
) -> list[list[Row]]:
    """The tables of an upright page as rows; every word stands in one cell at most.

    Args:
        words: of the page, those of no table yet.
        across: rules across the page, from the top.
        is_bold: whether a word is in bold type.
    """
    page = PageOfLines(words, across, is_bold)
    lines: Lines = [phrases_of(line, page.order) for line in lines_of(words)]
    if len(lines) > _MOST_LINES:
        return []
    found: list[list[Row]] = []
    place = 0
    while place < len(lines):
        rows, after = _longest(page, lines, place)
        if rows:
            _mark_ends(rows, page.words)
            found.append(rows)
            taken = {word.start for row in rows for word in words_of(row)}
            page = replace(page, words=[one for one in page.words if one.start not in taken])
            over = _without(lines[:after], taken)
            lines = [*over, *_without(lines[after:], taken)]
            place = len(over)
        else:
            place += 1
    return found


def _longest(page: PageOfLines, lines: Lines, place: int) -> tuple[list[Row], int]:
    """The rows of the longest table that begins with a line, and the line behind it; none where none does."""
    begins = len(lines[place]) > 1 and not leads_on(lines[place]) and may_begin(lines, place)
    after = _end(lines, place) if begins else place
    least = max(place + 1, after - _MOST_CUT)
    while after > least:
        first = _first(lines[:after], place)
        rows = page.rows(lines[first:after])
        if rows and _stands_alone(lines, first, after, rows):
            return rows, after
        after -= 1
    return [], place


def _end(lines: Lines, first: int) -> int:
    """Behind which line the table ends that begins with a line: the first that leaves it fewer columns; `first`
    where none begins."""
    after, known = first, 0
    for last in range(first + 1, len(lines)):
        if _apart(lines, last - 1, last) > _FARTHEST:
            break
        own = lines[first : last + 1]
        if sum(len(line) > 1 for line in own) >= _FEWEST_SEVERAL:
            count = len(aligned_columns(own))
            if count < max(known, 1):
                break
            known = count
        after = last + 1
    return after if known else first


def _first(lines: Lines, place: int) -> int:
    """The line that a table begins with which goes on at the top of a page: above the first with several
    phrases the rest of a cell may stand.

    Args:
        lines: of the page up to the table's end.
        place: of that line.
    """
    if place > MOST_OVER:
        return place
    begins = aligned_columns(lines[place:])
    while place and begins:
        is_rest = all(_begins_at(one, begins) for one in lines[place - 1])
        if not is_rest or _apart(lines, place - 1, place) > NEAR_LINE:
            break
        place -= 1
    return place


def _stands_alone(lines: Lines, first: int, after: int, rows: Sequence[Row]) -> bool:
    """Whether a table may begin and end with lines: neither in that above nor in that below something begins
    where its columns do, but what it has.

    Args:
        rows: of the table.
    """
    begins = aligned_columns(lines[first:after])
    own = {word.start for row in rows for word in words_of(row)}
    beyond = [(first - 1, first), (after, after - 1)]
    return not any(
        0 <= outer < len(lines)
        and _apart(lines, *sorted((outer, inner))) <= _FARTHEST
        and any(_begins_at(one, begins) for one in lines[outer] if one.words[0].start not in own)
        for outer, inner in beyond
    )


def _begins_at(phrase: WordRun, begins: Sequence[float]) -> bool:
    return any(abs(phrase.left - one) <= SAME for one in begins)


def _without(lines: Lines, taken: Collection[int]) -> list[list[WordRun]]:
    """Lines without those phrases that a table has."""
    left = ([one for one in line if one.words[0].start not in taken] for line in lines)
    return [line for line in left if line]


def _apart(lines: Lines, upper: int, lower: int) -> float:
    """The free space between two lines, in heights of a line."""
    words = ([word for one in lines[n] for word in one.words] for n in (upper, lower))
    return distance(*words)


def _mark_ends(rows: Sequence[Row], words: Sequence[PlacedWord]) -> None:
    """Say where a page's beginning or end may part a row: the empty cells that the first one begins with are
    those above, and the last one may go on.

    Args:
        words: of the page.
    """
    own = [word for row in rows for word in words_of(row)]
    top, bottom = max(word.box[3] for word in own), min(word.box[1] for word in own)
    if len(lines_of([word for word in words if word.y > top])) <= MOST_OVER:
        for cell in takewhile(lambda one: not one.lines, rows[0].cells):
            cell.above = True
    rows[-1].cut = len(lines_of([word for word in words if word.y < bottom])) <= MOST_OVER
