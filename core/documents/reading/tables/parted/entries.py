"""Rows below one label that nothing parts but the line that each begins: frequencies of a class of organs, each
beside its adverse reactions."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.documents.reading.tables.parted.free_strips import Lines
from core.documents.reading.tables.parted.level_lines import has_room
from core.documents.reading.tables.words import Line

_LEVEL = 0.5  # heights of a line by which lines side by side may stand apart
_MOST_WORDS = 5  # of an entry that names a row


def parted_by_entries(cells: Sequence[Lines], widths: Sequence[float]) -> list[list[Lines]]:
    """The rows below one label, each with the lines of its cells; all is one row where nothing tells.

    A column behind the first names rows where it has short entries, each begun with a capital, and beside each
    lines begin in the other columns for which there was room on the lines before. The label stays with the
    first row; the others have none.

    Args:
        cells: of the first column on, the lines of each from the top.
        widths: of the columns, in points.
    """
    for column, lines in enumerate(cells):
        entries = [line for line in lines if line[0].text[:1].isupper()]
        if column and len(entries) > 1 and _name_rows(entries, cells, widths, column):
            return [
                [
                    cells[0] if upper is entries[0] else [],
                    *(_between(each, upper, lower) for each in cells[1:]),
                ]
                for upper, lower in zip(entries, [*entries[1:], None], strict=True)
            ]
    return [list(cells)]


def _name_rows(
    entries: Sequence[Line], cells: Sequence[Lines], widths: Sequence[float], column: int
) -> bool:
    """Whether entries of a column name rows below one label."""
    others = [place for place in range(1, len(cells)) if place != column and cells[place]]
    return (
        cells[column][0] is entries[0]
        and any(_stand_beside(cells[one], entries) for one in others)
        and all(len(line) <= _MOST_WORDS for line in cells[column])
        and all(
            _begin_beside([cells[one] for one in others], [widths[one] for one in others], entry)
            for entry in entries[1:]
        )
        and _is_one_label(cells[0], entries, widths[0])
    )


def _begins(lines: Lines, place: int, width: float) -> bool:
    """Whether a line begins what is no more of the one before: its first word would have found room there."""
    return has_room(lines[place - 1], lines[place], width)


def _begin_beside(others: Sequence[Lines], widths: Sequence[float], entry: Line) -> bool:
    """Whether lines stand beside an entry, and each of them begins one."""
    beside = [
        place == 0 or _begins(lines, place, width)
        for lines, width in zip(others, widths, strict=True)
        for place, line in enumerate(lines)
        if _is_level(line, entry)
    ]
    return bool(beside) and all(beside)


def _stand_beside(lines: Lines, entries: Sequence[Line]) -> bool:
    """Whether a column has a line beside each entry."""
    return all(any(_is_level(line, entry) for line in lines) for entry in entries)


def _is_one_label(label: Lines, entries: Lines, width: float) -> bool:
    """Whether the first column has one label, level with the first entry, and no other one beside the next."""
    if not label or not _is_level(label[0], entries[0]):
        return False
    return not any(
        label[place][0].text[:1].isupper() or _begins(label, place, width)
        for place in range(1, len(label))
    )


def _between(lines: Lines, upper: Line, lower: Line | None) -> list[Line]:
    """The lines of a column from one entry down to the next."""
    top = _middle(upper) + _LEVEL * upper[0].height
    end = _middle(lower) + _LEVEL * lower[0].height if lower is not None else -math.inf
    return [line for line in lines if end < _middle(line) <= top]


def _is_level(one: Line, other: Line) -> bool:
    return abs(_middle(one) - _middle(other)) <= _LEVEL * one[0].height


def _middle(line: Line) -> float:
    return line[0].y
