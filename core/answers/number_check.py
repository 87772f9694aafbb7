"""Whether the numbers of a sentence stand in its evidence, with their units, periods and limits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from core.answers.quantities import Quantity, is_german, normalised, periods, quantities
from core.answers.units import COUNTED, UNIT, unit_of

_ONE_OF = re.compile(rf"(?i:\b(?:an?|each|per|every|eine?[nr]?|pro))\s(?P<unit>{UNIT})")


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
    wanted = _outermost(quantities(said, is_german(" ".join(evidence))))
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
        apart = "" in given_periods and one.period in spoken_of  # "the daily dose is 10 mg"
        if one.period not in given_periods and not apart:
            given = next((o.written for o in alike if o.period), alike[0].written)
            return f"{one.written} is not in the cited evidence, which has {given}"
    if one.bound and all(o.bound == -one.bound for o in alike):
        return f"the limit at {one.written} is the other way round in the cited evidence"
    return ""


def _same(one: Quantity, other: Quantity) -> bool:
    if not one.unit:
        return one.value == other.value
    return one.unit == other.unit and one.amount == other.amount


@lru_cache(maxsize=256)
def _offered(text: str) -> tuple[Quantity, ...]:
    """The quantities of a passage, and what stands in it unsaid: "a tablet" is one."""
    found = quantities(text)
    for match in _ONE_OF.finditer(normalised(text)):
        unit, factor = unit_of(match["unit"])
        if unit in COUNTED or unit in ("hour", "month"):
            found.append(Quantity(Fraction(1), unit, factor, "", 0, match[0], *match.span()))
    return tuple(found)
