"""All tables of a page, whatever tells their rows: rules, the space around them, heads, or their words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from core.documents.reading.tables.aligned.finder import find_aligned_tables
from core.documents.reading.tables.aligned.ruled_rows import CellsAsDrawn
from core.documents.reading.tables.aligned.text_columns import text_columns
from core.documents.reading.tables.headed import find_headed_tables
from core.documents.reading.tables.layout import words_of
from core.documents.reading.tables.rows import Row
from core.documents.reading.tables.ruled.areas import Areas
from core.documents.reading.tables.ruled.borders import inner_borders
from core.documents.reading.tables.ruled.finder import find_tables, has_grid
from core.documents.reading.tables.ruled.one_rule import find_by_one_rule
from core.documents.reading.tables.ruled.rules import MOST_RULES, page_rules
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
    words = cache(words)
    across, down = page_rules(page)
    areas = Areas.of(page)
    cells = CellsAsDrawn(words)
    found: list[list[Row]] = []
    if has_grid(across, down):
        found += find_tables(words(), across, down, is_bold, areas.hold, cells)

    def places() -> set[int]:
        return {
            place
            for rows in found
            for row in rows
            for word in words_of(row)
            for place in range(word.start, word.end)
        }

    def free(of: Sequence[PlacedWord]) -> list[PlacedWord]:
        taken = places()
        return [one for one in of if taken.isdisjoint(range(one.start, one.end))]

    edges = areas.edges(across) if len(across) <= MOST_RULES else []
    if has_grid(edges, []):
        found += find_tables(free(words()), edges, [], is_bold, areas.hold, cells, shaded=True)
    if len(across) <= MOST_RULES and any(map(inner_borders, across)):
        found += find_by_one_rule(free(words()), across, is_bold)
    found += find_spaced_tables(free(segments), is_bold)
    found += find_headed_tables(free(segments), is_bold, words)
    found += find_aligned_tables(free(words()), across, is_bold)
    for column in text_columns(free(words())):
        found += find_aligned_tables(free(column), across, is_bold)
    wrapped = find_wrapped_tables(text, free(segments), is_bold)
    return SpacedColumns([*found, *wrapped.tables], wrapped.unclear)
