"""Whether what a text says of patients fits the patients that a question is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from core.domain.leaflets.conditions import (
    Age,
    AgeGroup,
    Degree,
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
_PATIENTS = ("age", "weight", "kidney", "liver", "pregnancy", "breast_feeding")
_IN_YEARS = {"year": 1.0, "month": 1 / 12, "week": 7 / 365.25, "day": 1 / 365.25}
# Years, from and up to: ICH E11(R1), section 6, and ICH E7; wider where labels are ("infants" are newborns too,
# "children" or "pediatric patients" all who are not adults).
_AGES: dict[AgeGroup, Range] = {
    AgeGroup.NEWBORN: Range(0, 28 / 365.25),
    AgeGroup.INFANT: Range(0, 2),
    AgeGroup.CHILD: Range(28 / 365.25, 18),
    AgeGroup.ADOLESCENT: Range(12, 18),
    AgeGroup.ADULT: Range(18, None),
    AgeGroup.ELDERLY: Range(65, None),
}
# mL/min: FDA, "Pharmacokinetics in Patients with Impaired Renal Function" (2024), table 1.
_CLEARANCES: dict[Degree, Range] = {
    Degree.MILD: Range(60, 90),
    Degree.MODERATE: Range(30, 60),
    Degree.SEVERE: Range(None, 30),
}

_IMPAIRED = (KidneyFunction(), LiverFunction())  # and nothing said of how much


@dataclass(frozen=True, slots=True)
class Fit:
    """How many kinds of conditions of a question a text meets, and how many it is at odds with.

    Attributes:
        other_patient: whether one of these is of the patient: age, weight, kidneys or liver.
        headed: how many its heading meets.
    """

    met: int = 0
    at_odds: int = 0
    other_patient: bool = False
    headed: int = 0


def fit(asked: Sequence[DocumentCondition], told: Sequence[DocumentCondition]) -> Fit:
    """A question's conditions held against a text's, kind by kind; a kind that only one of them speaks
    of does not count."""
    of_patient, of_product = list(_of_patient(asked, told)), list(_of_product(asked, told))
    judged = [*of_patient, *of_product]
    return Fit(judged.count(True), judged.count(False), False in of_patient)


def of_patients(told: Iterable[DocumentCondition]) -> dict[str, list[DocumentCondition]]:
    """What a text says of patients, by kind: of age, weight, kidneys, liver, pregnancy, feeding."""
    found: dict[str, list[DocumentCondition]] = {}
    for one in told:
        kind = "age" if isinstance(one, PatientGroup) else one.kind
        if kind in _PATIENTS:
            found.setdefault(kind, []).append(one)
    return found


def unasked_organs(asked: Sequence[DocumentCondition], told: Sequence[DocumentCondition]) -> bool:
    """Whether a text speaks of kidneys or a liver that are impaired to a degree, by a number or on dialysis,
    and the question neither says anything of these organs nor of patients that the text is on."""
    organs = {one.kind for one in asked if isinstance(one, KidneyFunction | LiverFunction)}
    stated = {
        one.kind
        for one in told
        if isinstance(one, KidneyFunction | LiverFunction) and one not in _IMPAIRED
    }
    return bool(stated) and not organs and not fit(asked, told).met


def _of_patient(
    asked: Sequence[DocumentCondition], told: Sequence[DocumentCondition]
) -> Iterable[bool | None]:
    yield _any_pair(ages_of(asked), ages_of(told), _overlap)
    yield _any_pair(_of(Weight, asked), _of(Weight, told), lambda a, b: _overlap(a.value, b.value))
    yield _any_pair(_of(KidneyFunction, asked), _of(KidneyFunction, told), _same_kidneys)
    yield _any_pair(_of(LiverFunction, asked), _of(LiverFunction, told), _same_liver)
    yield _same_organ(asked, told)
    for kind in ("pregnancy", "breast_feeding"):
        if any(one.kind == kind for one in asked):
            yield True if any(one.kind == kind for one in told) else None


def _same_organ(
    asked: Sequence[DocumentCondition], told: Sequence[DocumentCondition]
) -> bool | None:
    """False where a text says of one organ how well it works, and another one is asked about."""
    organs, stated = (
        {one.kind for one in each if isinstance(one, KidneyFunction | LiverFunction)}
        for each in (asked, told)
    )
    bare = all(one in _IMPAIRED for one in told if one.kind in stated)
    return False if organs and stated and not bare and not organs & stated else None


def _of_product(
    asked: Sequence[DocumentCondition], told: Sequence[DocumentCondition]
) -> Iterable[bool | None]:
    # An infusion is made of a solution that comes in a vial: another form contradicts nothing.
    yield _any_pair(_of(Form, asked), _of(Form, told), lambda a, b: a.form == b.form) or None
    yield _any_pair(_of(Route, asked), _of(Route, told), lambda a, b: a.route == b.route)
    yield _any_pair(_of(Strength, asked), _of(Strength, told), _same_strength)


def _of(kind: type[T], conditions: Sequence[DocumentCondition]) -> list[T]:
    return [one for one in conditions if isinstance(one, kind)]


def _any_pair(asked: list[T], told: list[T], same: Callable[[T, T], bool]) -> bool | None:
    if not asked or not told:
        return None
    return any(same(one, other) for one in asked for other in told)


def ages_of(conditions: Sequence[DocumentCondition]) -> list[Range]:
    """Ages and age groups, in years; an age says which of its group ("children from 10 years")."""
    groups = [_AGES[one.group] for one in conditions if isinstance(one, PatientGroup)]
    ages = [_years(one) for one in conditions if isinstance(one, Age)]
    inside = [_common(age, group) for age in ages for group in groups if _overlap(age, group)]
    of_no_age = [group for group in groups if not any(_overlap(age, group) for age in ages)]
    of_no_group = [age for age in ages if not any(_overlap(age, group) for group in groups)]
    return [*inside, *of_no_age, *of_no_group]


def _years(one: Age) -> Range:
    years = _IN_YEARS[one.unit]
    low, high = one.value.low, one.value.high
    return Range(None if low is None else low * years, None if high is None else high * years)


def _common(one: Range, other: Range) -> Range:
    low = max((end for end in (one.low, other.low) if end is not None), default=None)
    high = min((end for end in (one.high, other.high) if end is not None), default=None)
    return Range(low, high)


def _overlap(one: Range, other: Range) -> bool:
    """Whether two ranges have a value in common; the end of one group is no part of it."""
    both = _common(one, other)
    if both.low is None or both.high is None:
        return True
    points = one.low == one.high or other.low == other.high
    return both.low <= both.high if points else both.low < both.high


def _same_kidneys(one: KidneyFunction, other: KidneyFunction) -> bool:
    if one.clearance is not None or other.clearance is not None:
        mine, others = _clearance(one), _clearance(other)
        return mine is None or others is None or _overlap(mine, others)
    if one.degree is not None and other.degree is not None:
        return one.degree == other.degree
    return True


def _clearance(one: KidneyFunction) -> Range | None:
    if one.clearance is None and one.degree is not None:
        return _CLEARANCES[one.degree]
    return one.clearance


def _same_liver(one: LiverFunction, other: LiverFunction) -> bool:
    if one.child_pugh is not None and other.child_pugh is not None:
        return one.child_pugh == other.child_pugh
    if one.degree is not None and other.degree is not None:
        return one.degree == other.degree
    return True


def _same_strength(one: Strength, other: Strength) -> bool:
    return one.unit != other.unit or one.amount == other.amount


def told_of(
    text: str,
    before: Sequence[str],
    heading: str,
    read: Callable[[str], Iterable[DocumentCondition]],
) -> list[DocumentCondition]:
    """What a statement says of patients; where it says nothing, what was said before it, and in its heading:
    after "Children from 10 years start with ..." also "The highest dose is ..." is theirs.

    Args:
        before: what stands before it in its paragraph, in order.
        read: the conditions that a text names.
    """
    told = list(read(text))
    known = set(of_patients(told))
    for other in (*reversed(before), heading):
        found = of_patients(read(other))
        told += [one for kind, each in found.items() if kind not in known for one in each]
        known |= found.keys()
    return told
