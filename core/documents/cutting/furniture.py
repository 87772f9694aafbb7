"""Page furniture: headers and footers that repeat from page to page."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

from core.domain.documents import Page
from core.text.tables.lines import CELL_END, HEAD

_EDGE_LINES = 3  # a header or footer is among the first or last three lines of a page
_DIGITS = re.compile(r"\d+")
_LONGEST_NUMBER = 9  # digits that are compared
_FEWEST_COUNTING = 3  # pages; "2 tablets" and "3 tablets" on two pages may count by chance
_PAGE_NUMBER = re.compile(r"[\W_]*((page|p|seite|s|pagina|blz|of|von|van|a|[ivx]+|#)[\W_]*)+")
_PAGE_WORD = re.compile(r"\b(page|seite|pagina|blz|p)\.? #(?!\w)")
_QUANTITY = re.compile(
    r"# ?(%|°|(m|k|µ|μ)?g\b|ml\b|l\b|iu\b|ie\b|units?\b|tab|tbl|caps|kaps|capl|drop|tropf|druppel"
    r"|times?\b|mal\b|hours?\b|stunden\b|uur\b|days?\b|tage?n?\b|dag(en)?\b|weeks?\b|months?\b|years?\b)"
)

_Numbers: TypeAlias = tuple[int, ...]


def line_key(line: str) -> str:
    """A line as it is compared: white space folded, numbers alike ("Page 2 of 4" = "Page 3 of 4")."""
    return _DIGITS.sub("#", " ".join(line.split())).casefold()


def repeated_lines(pages: Sequence[Page]) -> frozenset[str]:
    """Keys (`line_key`) of edge lines that stand on at least half of the pages, and on two or more.

    The numbers in them are the same on all of those pages or count with them ("Page 2 of 4"). Where
    they differ otherwise ("Take 2 tablets", "Take 3 tablets") the lines say something, and none of
    them is furniture.
    """
    found: dict[str, list[tuple[int, _Numbers]]] = defaultdict(list)  # page and numbers
    for page in pages:
        lines = [line for line in page.text.splitlines() if line.strip()]
        heads = {line for line, below in pairwise(lines) if _heads_rows(line, below)}
        for line in {*lines[:_EDGE_LINES], *lines[-_EDGE_LINES:]} - heads:
            numbers = tuple(int(run[:_LONGEST_NUMBER]) for run in _DIGITS.findall(line))
            found[line_key(line)].append((page.number, numbers))
    needed = max(2, len(pages) / 2)
    return frozenset(
        key
        for key, places in found.items()
        if len({number for number, _ in places}) >= needed and _says_nothing_new(key, places)
    )


def _heads_rows(line: str, below: str) -> bool:
    """Whether a line names the columns of the row below it, as a table does again on each page that it goes on
    on."""
    return line.startswith(HEAD) and line.count(CELL_END) == below.count(CELL_END) > 0


def top_lines(pages: Iterable[Page]) -> frozenset[str]:
    """Keys (`line_key`) of the lines that stand at the top of a page."""
    return frozenset(
        line_key(line)
        for page in pages
        for line in [one for one in page.text.splitlines() if one.strip()][:_EDGE_LINES]
    )


def counts_pages(line: str) -> bool:
    """Whether a line is nothing but the count of pages ("Page 2 of 4", "- 3 -")."""
    return bool(_PAGE_NUMBER.fullmatch(line_key(line)))


def _says_nothing_new(key: str, places: Sequence[tuple[int, _Numbers]]) -> bool:
    """Whether a line's numbers stay the same, or are nothing but the count of pages."""
    if len({numbers for _, numbers in places}) == 1 or _PAGE_NUMBER.fullmatch(key):
        return True
    if _QUANTITY.search(key):
        return False
    if len({number for number, _ in places}) < _FEWEST_COUNTING and not _PAGE_WORD.search(key):
        return False
    columns = zip(*(numbers for _, numbers in places), strict=True)
    return all(
        len(set(column)) == 1
        or len({value - page for value, (page, _) in zip(column, places, strict=True)}) == 1
        for column in columns
    )
