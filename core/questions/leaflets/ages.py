"""Ages and age groups as ranges of years."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.leaflets.conditions import Age, AgeGroup, DocumentCondition, PatientGroup, Range

IN_YEARS = {"year": 1.0, "month": 1 / 12, "week": 7 / 365.25, "day": 1 / 365.25}
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


def ages_of(conditions: Sequence[DocumentCondition]) -> list[Range]:
    """Ages and age groups, in years; an age says which of its group ("children from 10 years")."""
    groups = [_AGES[one.group] for one in conditions if isinstance(one, PatientGroup)]
    ages = [_years(one) for one in conditions if isinstance(one, Age)]
    inside = [_common(age, group) for age in ages for group in groups if have_common(age, group)]
    of_no_age = [group for group in groups if not any(have_common(age, group) for age in ages)]
    of_no_group = [age for age in ages if not any(_is_told_by(age, group) for group in groups)]
    return [*inside, *of_no_age, *of_no_group]


def _is_told_by(age: Range, group: Range) -> bool:
    """Whether an age says which of a group; one from 15 days to 11 years is of more than newborns."""
    if not have_common(age, group):
        return False
    closed = age.low is not None and age.high is not None and age.low < age.high
    return not closed or _common(age, group) == age or _common(age, group) == group


def _years(one: Age) -> Range:
    years = IN_YEARS[one.unit]
    low, high = one.value.low, one.value.high
    return Range(None if low is None else low * years, None if high is None else high * years)


def _common(one: Range, other: Range) -> Range:
    low = max((end for end in (one.low, other.low) if end is not None), default=None)
    high = min((end for end in (one.high, other.high) if end is not None), default=None)
    return Range(low, high)


def have_common(one: Range, other: Range) -> bool:
    """Whether two ranges have a value in common; the end of one group is no part of it."""
    both = _common(one, other)
    if both.low is None or both.high is None:
        return True
    points = one.low == one.high or other.low == other.high
    return both.low <= both.high if points else both.low < both.high


def is_of_children(one: Range) -> bool:
    """Whether nobody of an age, in years, is grown up."""
    return not have_common(one, _AGES[AgeGroup.ADULT])


def overlap(one: Sequence[DocumentCondition], other: Sequence[DocumentCondition]) -> bool:
    """Whether somebody may be of an age of both."""
    return any(have_common(age, told) for age in ages_of(one) for told in ages_of(other))
