"""Whether what a text says of patients fits the patients that a question is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from core.domain.leaflets.conditions import (
    Age,
    AgeGroup,
    DocumentCondition,
    Form,
    KidneyFunction,
    LiverFunction,
    PatientGroup,
    Range,
    Route,
    Strength,
    Weight,
)

T = TypeVar("T")
_IN_YEARS = {"year": 1.0, "month": 1 / 12, "week": 7 / 365.25, "day": 1 / 365.25}
# Years, from and up to: ICH E11(R1), section 6, and ICH E7.
_AGES: dict[AgeGroup, Range] = {
    AgeGroup.NEWBORN: Range(0, 28 / 365.25),
    AgeGroup.INFANT: Range(28 / 365.25, 2),
    AgeGroup.CHILD: Range(2, 12),
    AgeGroup.ADOLESCENT: Range(12, 18),
    AgeGroup.ADULT: Range(18, None),
    AgeGroup.ELDERLY: Range(65, None),
}


@dataclass(frozen=True, slots=True)
class Fit:
    """How many kinds of conditions of a question a text meets, and how many it is at odds with."""

    met: int = 0
    at_odds: int = 0


def fit(asked: Sequence[DocumentCondition], told: Sequence[DocumentCondition]) -> Fit:
    """A question's conditions held against a text's, kind by kind; a kind that only one of them speaks
    of does not count."""
    met = at_odds = 0
    for is_met in _judged(asked, told):
        if is_met is not None:
            met += is_met
            at_odds += not is_met
    return Fit(met, at_odds)


def _judged(
    asked: Sequence[DocumentCondition], told: Sequence[DocumentCondition]
) -> Iterable[bool | None]:
    yield _any_pair(list(_ages(asked)), list(_ages(told)), _overlap)
    yield _any_pair(_of(Weight, asked), _of(Weight, told), lambda a, b: _overlap(a.value, b.value))
    yield _any_pair(_of(KidneyFunction, asked), _of(KidneyFunction, told), _same_kidneys)
    yield _any_pair(_of(LiverFunction, asked), _of(LiverFunction, told), _same_liver)
    yield _any_pair(_of(Form, asked), _of(Form, told), lambda a, b: a.form == b.form)
    yield _any_pair(_of(Route, asked), _of(Route, told), lambda a, b: a.route == b.route)
    yield _any_pair(_of(Strength, asked), _of(Strength, told), _same_strength)
    for kind in ("pregnancy", "breast_feeding"):
        if any(one.kind == kind for one in asked):
            yield True if any(one.kind == kind for one in told) else None


def _of(kind: type[T], conditions: Sequence[DocumentCondition]) -> list[T]:
    return [one for one in conditions if isinstance(one, kind)]


def _any_pair(asked: list[T], told: list[T], same: Callable[[T, T], bool]) -> bool | None:
    if not asked or not told:
        return None
    return any(same(one, other) for one in asked for other in told)


def _ages(conditions: Sequence[DocumentCondition]) -> Iterable[Range]:
    """Ages and age groups, in years."""
    for one in conditions:
        if isinstance(one, PatientGroup):
            yield _AGES[one.group]
        elif isinstance(one, Age):
            years = _IN_YEARS[one.unit]
            low, high = one.value.low, one.value.high
            yield Range(
                None if low is None else low * years, None if high is None else high * years
            )


def _overlap(one: Range, other: Range) -> bool:
    """Whether two ranges have a value in common; the end of one group is no part of it."""
    low = max((end for end in (one.low, other.low) if end is not None), default=None)
    high = min((end for end in (one.high, other.high) if end is not None), default=None)
    if low is None or high is None:
        return True
    points = one.low == one.high or other.low == other.high
    return low <= high if points else low < high


def _same_kidneys(one: KidneyFunction, other: KidneyFunction) -> bool:
    if one.clearance is not None and other.clearance is not None:
        return _overlap(one.clearance, other.clearance)
    if one.degree is not None and other.degree is not None:
        return one.degree == other.degree
    return True


def _same_liver(one: LiverFunction, other: LiverFunction) -> bool:
    if one.child_pugh is not None and other.child_pugh is not None:
        return one.child_pugh == other.child_pugh
    if one.degree is not None and other.degree is not None:
        return one.degree == other.degree
    return True


def _same_strength(one: Strength, other: Strength) -> bool:
    return one.unit != other.unit or one.amount == other.amount
