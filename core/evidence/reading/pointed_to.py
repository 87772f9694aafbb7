"""Rows of the table that a sentence points to: "was lower with both doses (Table 2)" is half an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.evidence.passages import Quote
from core.text.tables.lines import is_caption

_TABLE = r"(?:tables?|tabellen?|tabel|tableau)\s+(?P<number>\d+[a-z]?|[IVX]+\b)"
_POINTS = re.compile(rf"\b{_TABLE}(?!\w)", re.IGNORECASE)
_CAPTION = re.compile(_TABLE, re.IGNORECASE)
_WITHIN = 0.3  # log-odds by which the row stands behind the sentence, at most


def with_rows_pointed_to(quotes: Sequence[Quote], log_odds: Sequence[float]) -> list[float]:
    """Log-odds with the likeliest row of a table right behind the likeliest statement where that points to it.

    Args:
        log_odds: of each quote.
    """
    scores = list(log_odds)
    if not scores:
        return scores
    first = max(range(len(scores)), key=scores.__getitem__)
    pointed = {one["number"].casefold() for one in _POINTS.finditer(quotes[first].text)}
    if quotes[first].row or not pointed:
        return scores
    rows = [
        place
        for place, one in enumerate(quotes)
        if one.row
        and one.hit.document.id == quotes[first].hit.document.id
        and _number(one) in pointed
    ]
    if rows:
        best = max(rows, key=scores.__getitem__)
        scores[best] = max(scores[best], scores[first] - _WITHIN)
    return scores


def _number(row: Quote) -> str:
    """The number of a row's table, by its caption; "" without one."""
    caption = next(filter(is_caption, row.labels), "")
    found = _CAPTION.match(caption)
    return found["number"].casefold() if found else ""
