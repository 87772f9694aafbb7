"""What stands at the beginning and at the end of a text's lines: bullets and numbers of items, and whether the
paper's edge ended the line.

The text of a page has an empty line where the page sets a paragraph off, `WRAPPED` before a line's end where
only the room ended, `DEEPER` before the items of an item, `NOTES` before the notes at its foot, and `TITLE` and
`HEADING` behind what is set as these. All are white space, so that the text stays the page's own words.
"""

from __future__ import annotations

import re

WRAPPED = "\u2002"
"""At the end of a line: the paragraph, or the item of a list, goes on in the next one."""

DEEPER = "  "
"""Before an item that stands in another one, once for each of these."""

NOTES = "\u2006"
"""Before the notes at a page's foot: what stands above them goes on over the page."""

HEADING = "\u2004"
"""At the end of a line, up to three times: it is a heading by the way it is set, and so far above the text."""

TITLE = "\u2008"
"""At the end of each line of what a page has in the largest letters, above its text."""

BULLET = re.compile(
    r"\s*(?:[•●▪‣◦·∙\uf0b7\uf0a7]|[-–—*o»›\u2043\u2190-\u21ff\u25a0-\u26ff\u2700-\u27bf\u2b12-\u2b2f\ue000-\uf8ff](?=\s))"
    r"\s*"
)
"""A bullet, with the white space around it. The ranges are arrows, geometric shapes, boxes to tick and other
signs, dingbats, squares, and the signs that fonts of symbols have in places of their own."""

NUMBER = re.compile(r"\s*\(?(?:\d{1,2}|[a-z]|[ivx]{1,5})[.)]\s+(?![A-Za-z]\.)(?=\S)")  # no "z. B."
"""The number or letter of an item, with the white space around it."""


def without_bullet(words: str) -> str:
    """A paragraph or an item without the bullet that it begins with."""
    found = BULLET.match(words)
    return words[found.end() :] if found else words


def last_line(words: str) -> int:
    """Where the last line of a paragraph begins, with those that only the room ended before it."""
    start = len(words)
    for line in reversed(words.splitlines(keepends=True)):
        if start < len(words) and not line.rstrip("\n").endswith(WRAPPED):
            break
        start -= len(line)
    return start


def joined_lines(text: str) -> list[str]:
    """The lines of a text, those as one that only the width of the paper parted, without what marks them."""
    found: list[str] = []
    goes_on = False
    for line in text.split("\n"):
        plain = " ".join(line.split())
        if goes_on:
            found[-1] = f"{found[-1]} {plain}"
        else:
            found.append(plain)
        goes_on = line.endswith(WRAPPED)
    return found
