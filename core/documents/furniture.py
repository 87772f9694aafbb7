"""Page furniture: headers and footers that repeat from page to page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from core.domain.documents import Page

_EDGE_LINES = 3  # a header or footer is among the first or last three lines of a page
_DIGITS = re.compile(r"\d+")


def line_key(line: str) -> str:
    """A line as it is compared: white space folded, numbers alike ("Page 2 of 4" = "Page 3 of 4")."""
    return _DIGITS.sub("#", " ".join(line.split())).casefold()


def repeated_lines(pages: Sequence[Page]) -> frozenset[str]:
    """Keys (`line_key`) of edge lines that stand on at least half of the pages, and on two or more."""
    counts: Counter[str] = Counter()
    for page in pages:
        lines = [line for line in page.text.splitlines() if line.strip()]
        edges = {line_key(line) for line in lines[:_EDGE_LINES] + lines[-_EDGE_LINES:]}
        counts.update(edges)
    needed = max(2, len(pages) / 2)
    return frozenset(key for key, count in counts.items() if count >= needed)
