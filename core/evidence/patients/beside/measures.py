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
_CONCENTRATION = "/ml"  # of what is measured in blood
# "level of 25", "trough came back 27"; no number that has a unit of its own.
_BEHIND_NAME = (
    r"(?:\W+[^\W\d]+){0,3}?\W+(?P<number>\d+(?:[.,]\d+)?)(?![\d.,]*\d)"
    r"(?!\s?[^\W\d_]*/|\s?(?:%|mg|g|ml|kg)\b)"
)
_CLOSED = frozenset({"≤", "≥", "up to", "at least", "bis zu", "tot", "mindestens", "minstens"})


def in_range(quote: Quote, asked: Iterable[DocumentCondition], question: str) -> bool | None:
    """Whether a row of a table is for a range of a measure that the question gives a number of, with its unit
    or behind what the column is called ("a level of 25"), that this lies in; None where it is for no such
    range. Ages, weights and clearances are told otherwise; doses and times are no such measures."""
    held = list(_holding(quote, asked, question)) if quote.row else []
    return all(held) if held else None


def _holding(quote: Quote, asked: Iterable[DocumentCondition], question: str) -> Iterator[bool]:
    """Of each range that a number is given for, whether that lies in it."""
    numbers = [one for one in asked if isinstance(one, Amount) and _is_measure(one.unit)]
    for part in quote.parts:
        ranges = list(_ranges(with_units(part))) if numbers else []
        for one in numbers:
            held = _held(Fraction(str(one.amount)), ranges)
            yield from (holds for unit, holds in held if unit == one.unit)
        if (amount := _said_bare(part, question)) is not None:
            for unit, holds in _held(amount, _ranges(with_units(part))):
                if _is_measure(unit) or unit.endswith(_CONCENTRATION):
                    yield holds


def _said_bare(part: str, question: str) -> Fraction | None:
    """The number without a unit that a question has right behind what a cell's column is called."""
    head = _HEAD_WITH_UNIT.search(part)
    called = part[: head.start()].strip() if head else ""
    if not called or not called[-1].isalpha():
        return None
    found = re.search(rf"(?<!\w){re.escape(called)}{_BEHIND_NAME}", question, re.IGNORECASE)
    return Fraction(found["number"].replace(",", ".")) if found else None


def _held(amount: Fraction, ranges: Iterable[re.Match[str]]) -> Iterator[tuple[str, bool]]:
    """Of each range its unit, and whether an amount lies in it."""
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
