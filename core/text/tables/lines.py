"""Rows of a table as lines of a text.

The text of a page has a row on one line. All that stands between its words is white space, so that the
text stays the page's own words: cells are apart by a tab, a row that names the columns begins with an em
space, one whose label is set in below another's with an em quad, and a cell that is one with its neighbour has
a no-break space (above) or a figure space (left). A row that goes on over the page ends with an en quad.

Lines of columns whose rows nothing tells have a four-per-em space behind the words of each column: their words
may be found, but are no sentence, as those of one patient stand beside another's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

CELL_END = "\t"
HEAD = "\u2003"
INDENT = "\u2001"
SAME_AS_ABOVE = "\u00a0"
SAME_AS_LEFT = "\u2007"
CUT = "\u2000"
UNCLEAR = "\u2005"
UNREAD = "A table on this page could not be read with certainty: see it on the page."
"""What is told in the place of such a table."""

_FIRST_CELL = re.compile(r"\S\t|[\u00a0\u2007]\t")
_CAPTION = re.compile(r"(?:table|tabelle|tabel|tableau)\s+(?:\d|[IVX]+\b|[A-Z]\b)", re.IGNORECASE)


def is_row(line: str) -> bool:
    """Whether a line of a page's text is a row of a table; a tab that only indents it makes it none."""
    return bool(_FIRST_CELL.search(line))


def is_unclear(line: str) -> bool:
    """Whether a line is of a table whose rows are not told."""
    return UNCLEAR in line


def without_unclear(text: str) -> str:
    """A text that has `UNREAD` in the place of each such table."""
    kept: list[str] = []
    for line in text.splitlines(keepends=True):
        if not is_unclear(line):
            kept.append(line)
        elif not kept or kept[-1] != f"{UNREAD}\n":
            kept.append(f"{UNREAD}\n")
    return "".join(kept)


def is_caption(words: str) -> bool:
    """Whether a paragraph is a table's caption ("Table 2: ...")."""
    return bool(_CAPTION.match(words))


def caption_of(labels: Iterable[str]) -> str:
    """The caption among what a row is told with; "" without one."""
    return next(filter(is_caption, labels), "")
