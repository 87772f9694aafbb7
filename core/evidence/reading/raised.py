"""Statements that stand before others for what they have: the number of a study in a register, or how often
a finding comes, where that is asked for; a row of the table that the likeliest sentence points to, as "was
lower with both doses (Table 2)" is half an answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache

from core.evidence.passages import Quote
from core.resources import any_of, read_table
from core.text.tables.lines import caption_of

_TABLE = r"(?:tables?|tabellen?|tabel|tableau)\s+(?P<number>\d+[a-z]?|[IVX]+\b)"
_POINTS = re.compile(rf"\b{_TABLE}(?!\w)", re.IGNORECASE)
_CAPTION = re.compile(_TABLE, re.IGNORECASE)
_WITHIN = 0.3  # log-odds by which the row stands behind the sentence, at most
# Log-odds by which a statement with the number that is asked for stands before others: none of these is told.
_AHEAD = 3.0
_SURE = 0.9  # probability that it answers


def number_asked(question: str) -> re.Pattern[str] | None:
    """Matches the numbers of the registers of studies that a question asks for; None where it asks for none."""
    registers, whichever = _registers()
    named = [number for asked, number in registers if asked.search(question)]
    if not named and whichever.search(question):
        named = [number for _, number in registers]
    return re.compile(rf"(?<!\w)(?:{'|'.join(named)})(?!\w)") if named else None


def at_least(question: str, quotes: Sequence[Quote], telling: Collection[int]) -> float:
    """The probability that one of the statements answers, for the number that it has or for what it tells; 0
    where none is asked for or there.

    Args:
        telling: the places of those that tell how often a finding comes, where that is asked.
    """
    asked = number_asked(question)
    numbered = asked is not None and any(asked.search(one.text) for one in quotes)
    return _SURE * (numbered or bool(telling))


def raised(
    question: str, quotes: Sequence[Quote], log_odds: Sequence[float], telling: Collection[int]
) -> list[float]:
    """Log-odds with those raised that stand before others, or right behind the one that points to them.

    Args:
        log_odds: of each quote.
        telling: the places of those that tell how often a finding comes, where that is asked.
    """
    scores = list(log_odds)
    own = set(telling)
    if asked := number_asked(question):
        own |= {place for place, one in enumerate(quotes) if asked.search(one.text)}
    others = [score for place, score in enumerate(scores) if place not in own]
    if own and others:
        by = max(others) + _AHEAD - max(scores[place] for place in own)
        scores = [one + max(by, 0.0) * (place in own) for place, one in enumerate(scores)]
    return _with_rows_pointed_to(quotes, scores)


def _with_rows_pointed_to(quotes: Sequence[Quote], scores: list[float]) -> list[float]:
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
    found = _CAPTION.match(caption_of(row.labels))
    return found["number"].casefold() if found else ""


@cache
def _registers() -> tuple[list[tuple[re.Pattern[str], str]], re.Pattern[str]]:
    """What each register is called and how it writes its numbers, and what asks for one in whichever."""
    table = read_table(__file__, "identifiers.toml")
    registers = [
        (any_of(rf"(?<!\w){one}(?!\w)" for one in each["asked"]), str(each["number"]))
        for each in table["registers"]
    ]
    return registers, any_of(rf"(?<!\w){one}(?!\w)" for one in table["any"]["asked"])
