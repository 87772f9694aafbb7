"""What is measured: the amounts of a text by their units, and rows of a table that are for a range of what a
question gives a number of ("body surface area 1.67 - 1.78 m2")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache

from core.domain.leaflets.conditions import Amount, DocumentCondition
from core.evidence.passages import Quote
from core.text.quantities import Quantity, normalised, quantities
from core.text.tables.told import with_units

TIME = "time"
_TIMES = ("hour", "month")  # base units of what may be told in either
_DOSES = ("mg", "ml", "unit", "%", "tablet", "capsule", "drop", "dose", "rank")
_NUMBER = r"\d+(?:\.\d+)?"
_RANGE = re.compile(
    rf"(?:(?P<low>{_NUMBER})\s?(?:-|–|to|bis|tot)\s?(?P<high>{_NUMBER})"
    rf"|(?P<below><|≤|less than|up to|under|below|weniger als|bis zu|minder dan|tot)\s?(?P<most>{_NUMBER})"
    rf"|(?P<above>>|≥|greater than|more than|at least|over|above|mehr als|mindestens|meer dan|minstens)\s?"
    rf"(?P<least>{_NUMBER}))\s?(?P<unit>[^\W\d_][^\s;:,()]*)",
    re.IGNORECASE,
)
_HEAD_WITH_UNIT = re.compile(r"\s*[(\[](?P<unit>[^()\[\]:;]{1,30})[)\]]:\s*(?P<cell>[^;]*)")
_CLOSED = frozenset({"≤", "≥", "up to", "at least", "bis zu", "tot", "mindestens", "minstens"})


def is_of_other_range(quote: Quote, asked: Iterable[DocumentCondition]) -> bool:
    """Whether a row of a table is for a range of a measure that the question gives a number of, which is not
    in it. Ages, weights and clearances are told otherwise; doses and times are no such measures."""
    numbers = [one for one in asked if isinstance(one, Amount) and _is_measure(one.unit)]
    if not (numbers and quote.row):
        return False
    ranges = [found for part in quote.parts for found in _ranges(with_units(part))]
    return any(
        one.unit == unit and not holds for one in numbers for unit, holds in _held(one, ranges)
    )


def _held(one: Amount, ranges: Iterable[re.Match[str]]) -> Iterator[tuple[str, bool]]:
    """Of each range its unit, and whether an amount lies in it."""
    amount = Fraction(str(one.amount))
    for found in ranges:
        unit = next((each.unit for each in quantities(f"1 {found['unit']}")), "")
        if found["low"]:
            yield unit, Fraction(found["low"]) <= amount <= Fraction(found["high"])
        elif found["most"]:
            most = Fraction(found["most"])
            yield unit, amount < most or (amount == most and found["below"].lower() in _CLOSED)
        else:
            least = Fraction(found["least"])
            yield unit, amount > least or (amount == least and found["above"].lower() in _CLOSED)


def _ranges(cell: str) -> Iterator[re.Match[str]]:
    """The ranges that a cell has, with the unit of its head where they have none."""
    return _RANGE.finditer(normalised(_HEAD_WITH_UNIT.sub(r": \g<cell> \g<unit>", cell)))


def _is_measure(unit: str) -> bool:
    return bool(unit) and unit not in (TIME, *_TIMES) and not unit.startswith(_DOSES)


@lru_cache(maxsize=2_000)
def amounts_of(text: str) -> dict[str, set[Fraction]]:
    """The amounts of a text by what they are amounts of."""
    found: dict[str, set[Fraction]] = {}
    for one in quantities(text):
        if one.unit and not one.loose:
            found.setdefault(dimension(one), set()).add(one.amount)
    return found


def dimension(one: Quantity) -> str:
    """The unit of a quantity; one of all times."""
    return TIME if one.unit in _TIMES else one.unit
