"""Whether the numbers of a sentence stand in its evidence, with their units, periods and limits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from core.text.dates import dates
from core.text.language import has_decimal_comma
from core.text.quantities import (
    DATE,
    RANK,
    Quantity,
    normalised,
    periods,
    quantities,
)
from core.text.units import COUNTED, PERIODS, UNIT, unit_of

_ONE_OF = re.compile(rf"(?i:\b(?:an?|each|per|every|eine?[nr]?|pro))\s(?P<unit>{UNIT})")
# "One 75 mg tablet a day" is taken once daily.
_ONCE = re.compile(
    rf"(?i:\b(?:an?|one|1|eine?)\s(?:[\d.,]+\s?[^\W\d_]+\s)?(?P<unit>{UNIT})\s(?P<day>{PERIODS['day']}))"
)
# "Every 8 hours" is three times a day.
_EVERY = re.compile(r"(?i:\b(?:every|alle)\s(?P<number>24|12|8|6|4)[\s-](?:hours?|h|stunden)\b)")
# "At 26 weeks" is week 26.
_AFTER = re.compile(
    r"(?i:\b(?:at|after|by|until|through|nach|bis)\s)(?P<number>\d+)\s(?P<noun>day|week|month|year)s?\b"
)


@dataclass(frozen=True, slots=True)
class Differences:
    """What a sentence's numbers have that its evidence has not, in words.

    Attributes:
        wrong: numbers that are not there, or with another unit, period or bound.
        rewritten: the same amount in another unit.
    """

    wrong: tuple[str, ...]
    rewritten: tuple[str, ...]


def differences(said: str, evidence: Sequence[str]) -> Differences:
    """What the numbers of a sentence have that those of its evidence have not.

    Args:
        evidence: texts of the cited passages.
    """
    wanted = _outermost(quantities(said, has_decimal_comma(" ".join(evidence))))
    if not wanted:
        return Differences((), ())
    there = [one for text in evidence for one in _offered(text)]
    spoken_of = frozenset[str]().union(*(periods(text) for text in evidence))
    wrong: dict[str, None] = {}
    rewritten: dict[str, None] = {}
    for one in wanted:
        alike = [other for other in there if _same(one, other)]
        if not one.unit:
            # "an INR below 5" is not about "5 mg" where the evidence has a bare 5 too.
            alike = [other for other in alike if not other.unit] or alike
        problem = _problem(one, alike, there, spoken_of)
        if problem:
            wrong[problem] = None
        elif one.unit and not any(o.factor == one.factor and o.unit for o in alike):
            rewritten[f"{one.written} is {alike[0].written} in the cited evidence"] = None
    return Differences(tuple(wrong), tuple(rewritten))


def _outermost(found: Sequence[Quantity]) -> list[Quantity]:
    """Without the "24 hours" of "8 tablets in 24 hours" and the "5 ml" of "250 mg/5 ml"."""
    kept: list[Quantity] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _problem(
    one: Quantity, alike: Sequence[Quantity], there: Sequence[Quantity], spoken_of: frozenset[str]
) -> str:
    """What is wrong with a sentence's quantity, given those of the evidence; empty when nothing is.

    Args:
        alike: of `there`, those of the same amount.
        spoken_of: all periods that the evidence has.
    """
    if not alike:
        others = [o.written for o in there if o.value == one.value and o.unit]
        if one.unit and others:
            return f"{one.written} is not in the cited evidence, which has {others[0]}"
        return f"{one.written} is not in the cited evidence"
    if one.period:
        given_periods = {o.period for o in alike}
        # "the daily dose is 10 mg"; a dose without a period may be that of one time
        apart = "" in given_periods and (one.period in spoken_of or one.period == "dose")
        if one.period not in given_periods and not apart:
            given = next((o.written for o in alike if o.period), alike[0].written)
            return f"{one.written} is not in the cited evidence, which has {given}"
    if one.bound and all(turned_round(one, o) for o in alike):
        return f"the limit at {one.written} is the other way round in the cited evidence"
    return ""


def turned_round(one: Quantity, other: Quantity) -> bool:
    """Whether one is "at least" and the other "at most".

    Where they are worded alike ("not when above", "when above"), what makes them differ is a "not",
    of which `contradictions` judges.
    """
    return other.bound == -one.bound and other.worded == -one.worded


def _same(one: Quantity, other: Quantity) -> bool:
    if not one.unit:
        unsaid = other.unit and other.start == other.end
        return one.value == other.value and not unsaid
    if one.unit.startswith(RANK) and RANK in (one.unit, other.unit):
        return other.unit.startswith(RANK) and one.value == other.value
    return one.unit == other.unit and one.amount == other.amount


@lru_cache(maxsize=256)
def _offered(text: str) -> tuple[Quantity, ...]:
    """The quantities of a passage, and what stands in it unsaid, without extent: "a tablet" is one."""
    found = quantities(text)
    plain = normalised(text)
    for match in _ONE_OF.finditer(plain):
        unit, factor = unit_of(match["unit"])
        is_period = any(one.start < match.start() < one.end for one in found)
        if unit in COUNTED or (unit in ("hour", "month") and not is_period):
            found.append(_unsaid(1, unit, match, factor=factor))
    for match in _ONCE.finditer(plain):
        if unit_of(match["unit"])[0] in COUNTED - {"time"}:
            found.append(_unsaid(1, "time", match, period="day"))
    for match in _EVERY.finditer(plain):
        found.append(_unsaid(24 // int(match["number"]), "time", match, period="day"))
    for match in _AFTER.finditer(plain):
        found.append(_unsaid(int(match["number"][:9]), f"{RANK} {match['noun'].casefold()}", match))
    for day in dates(plain):
        written = plain[day.start : day.end]
        for value, unit in [(part, DATE) for part in day.parts()] + [(day.year, ""), (day.day, "")]:
            found.append(
                Quantity(Fraction(value), unit, Fraction(1), "", 0, written, day.start, day.start)
            )
    return tuple(found)


def _unsaid(
    value: int, unit: str, match: re.Match[str], *, factor: Fraction = Fraction(1), period: str = ""
) -> Quantity:
    start = match.start()
    return Quantity(Fraction(value), unit, factor, period, 0, match[0], start, start)
