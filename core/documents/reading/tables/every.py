"""All tables of a page, whatever tells their rows: rules, the space around them, heads, or their words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from core.documents.reading.tables.finder import find_tables, has_grid
from core.documents.reading.tables.headed import find_headed_tables
from core.documents.reading.tables.layout import words_of
from core.documents.reading.tables.rules import page_rules
from core.documents.reading.tables.spaced import IsBold, find_spaced_tables
from core.documents.reading.tables.words import PlacedWord
from core.documents.reading.tables.wrapped import SpacedColumns, find_wrapped_tables


def every_table(
    page: Any,
    text: Sequence[str],
    words: Callable[[], list[PlacedWord]],
    segments: Sequence[PlacedWord],
    is_bold: IsBold,
) -> SpacedColumns:
    """The tables of a pdfium page as rows, and those parts whose rows nothing tells; a word is in one at most.

    Args:
        text: the page's characters.
        words: gives what stands between white space; asked only where rules make a grid, or a cell may be two.
        segments: what stands together on a line, wide spaces around it, in the file's order.
        is_bold: whether a word or segment begins in bold type.
    """
    across, down = page_rules(page)
    found = find_tables(words(), across, down, is_bold) if has_grid(across, down) else []

    def free() -> list[PlacedWord]:
        taken = {
            place
            for rows in found
            for row in rows
            for word in words_of(row)
            for place in range(word.start, word.end)
        }
        return [one for one in segments if taken.isdisjoint(range(one.start, one.end))]

    found += find_spaced_tables(free(), is_bold)
    found += find_headed_tables(free(), is_bold, words)
    wrapped = find_wrapped_tables(text, free(), is_bold)
    return SpacedColumns([*found, *wrapped.tables], wrapped.unclear)
