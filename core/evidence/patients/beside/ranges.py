"""Ranges of numbers in the cells of tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

DECIMAL = r"\d{1,9}(?:\.\d{1,6}|,\d{1,2}(?!\d))?(?!,?\d)"
"""A number as it is written in any of the languages, but for signs between its thousands."""
_NUMBER = rf"(?<![\d.,/]){DECIMAL}"
_EQUAL = "(?: or equal to)?"
_UNDER = (
    r"(?:less|lower|smaller) than|under|below|(?:weniger|niedriger|kleiner) als|unter"
    r"|(?:minder|lager|kleiner) dan|onder"
)
_OVER = (
    r"(?:greater|more|higher|larger) than|over|above|(?:mehr|höher|größer) als|über"
    r"|(?:meer|hoger|groter) dan|boven"
)
_WORDS = r"(?<![^\W_])"  # no word ends with one of these: "zonder 5"
_BELOW = rf"<|≤|{_WORDS}(?:less than{_EQUAL}|{_UNDER}|up to|bis zu|tot)"
_ABOVE = rf">|≥|{_WORDS}(?:(?:greater|more) than{_EQUAL}|{_OVER}|at least|mindestens|minstens)"
_OWN_UNIT = r"(?:\s?[^\W\d_][^\s;:,()]{0,12})?"
_RANGE = re.compile(
    rf"(?:(?P<from>(?:>|{_WORDS}(?:{_OVER}))\s?)?(?P<low>{_NUMBER}){_OWN_UNIT}\s?(?:-|–|to|bis|tot)\s?"
    rf"(?P<open>(?:<|{_UNDER})\s?)?(?P<high>{_NUMBER})"
    rf"|(?P<below>{_BELOW})\s?(?P<most>{_NUMBER})|(?P<above>{_ABOVE})\s?(?P<least>{_NUMBER}))"
    r"(?:\s?(?P<unit>[^\W\d_][^\s;:,()]*|%))?",
    re.IGNORECASE,
)
# "360 mg and above"
_OPEN = re.compile(
    rf"(?P<end>{_NUMBER})(?:\s?(?P<unit>[^\W\d_][^\s;:,()]{{0,20}}))?\s(?:and|or|und|oder|en|of)\s"
    r"(?:(?P<up>above|over|more|higher|greater|mehr|darüber|meer|hoger)"
    r"|below|under|less|lower|fewer|weniger|darunter|minder|lager)(?!\w)(?!\s(?:than|als|dan)\b)"
    r"(?:\s(?P<behind>[^\W\d_][^\s;:,()]*/[^\s;:,()]*))?",
    re.IGNORECASE,
)
_CLOSED = frozenset({"≤", "≥", "up to", "at least", "bis zu", "tot", "mindestens", "minstens"})
_OR_EQUAL = "equal to"


@dataclass(frozen=True, slots=True)
class Bounds:
    """A range of a cell; an end is None where it is open.

    Attributes:
        closed: whether the ends that it has are part of it.
        open_above: whether its high end is none of it though its low one is: "1.2 to less than 1.6".
        open_below: whether its low end is none of it: "> 3 to 5".
    """

    low: Fraction | None
    high: Fraction | None
    unit: str
    closed: bool = True
    open_above: bool = False
    open_below: bool = False

    def holds(self, amount: Fraction) -> bool:
        """Whether an amount in its own unit lies in it."""
        begins_with = self.closed and not self.open_below
        if self.low is not None and (amount < self.low or (amount == self.low and not begins_with)):
            return False
        ends_with = self.closed and not self.open_above
        return self.high is None or amount < self.high or (amount == self.high and ends_with)


def bounds_in(text: str) -> Iterator[tuple[re.Match[str], Bounds]]:
    """The ranges of a text, in order of their kind, with their places; their unit is "" where they have none.

    Args:
        text: as `normalised` gives it.
    """
    for one in _OPEN.finditer(text):
        end = value_of(one["end"])
        low, high = (end, None) if one["up"] else (None, end)
        yield one, Bounds(low, high, one["unit"] or one["behind"] or "")
    for one in _RANGE.finditer(text):
        unit = one["unit"] or ""
        if one["low"]:
            ends = value_of(one["low"]), value_of(one["high"])
            opens = bool(one["open"]), bool(one["from"])
            yield one, Bounds(*ends, unit, open_above=opens[0], open_below=opens[1])
        elif one["most"]:
            closed = _is_closed(one["below"])
            yield one, Bounds(None, value_of(one["most"]), unit, closed)
        else:
            closed = _is_closed(one["above"])
            yield one, Bounds(value_of(one["least"]), None, unit, closed)


def value_of(written: str) -> Fraction:
    """The number that a `DECIMAL` is."""
    return Fraction(written.replace(",", "."))


def _is_closed(words: str) -> bool:
    """Whether what compares takes in the end: "up to", "less than or equal to"."""
    return words.lower() in _CLOSED or words.lower().endswith(_OR_EQUAL)
