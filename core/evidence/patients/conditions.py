"""Whether what a text says of patients fits the patients that a question is about."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from core.domain.leaflets.conditions import (
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
from core.questions.leaflets.ages import ages_of, have_common

T = TypeVar("T")
_PATIENTS = ("age", "weight", "kidney", "liver", "pregnancy", "breast_feeding")
# mL/min: FDA, "Pharmacokinetics in Patients with Impaired Renal Function" (2024), table 1.
_NORMAL_FROM = 90
_CLEARANCES: dict[Degree, Range] = {
    Degree.MILD: Range(60, _NORMAL_FROM),
    Degree.MODERATE: Range(30, 60),
    Degree.SEVERE: Range(None, 30),
}

# Who is on dialysis has kidney failure, category G5: KDIGO, CKD guideline (2024), table 3.
_ON_DIALYSIS = Range(None, math.nextafter(15, 0))
_ORGANS = frozenset({"kidney", "liver"})
# FDA, "Pharmacokinetics in Patients with Impaired Hepatic Function" (2003), and EMA, CPMP/EWP/2339/02.
_CHILD_PUGH: dict[str, Degree] = {"A": Degree.MILD, "B": Degree.MODERATE, "C": Degree.SEVERE}

# EDQM, "Standard Terms": pharmaceutical dose forms with their intended site.
_ROUTE_OF = {
    "tablet": "oral",
    "capsule": "oral",
    "suppository": "rectal",
    "patch": "transdermal",
    "infusion": "intravenous",
}

_ADULTS = PatientGroup(AgeGroup.ADULT)
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
    if not asked or not told:
        return Fit()
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


def unasked_organs(
    asked: Sequence[DocumentCondition],
    told: Sequence[DocumentCondition],
    led: Sequence[DocumentCondition] = (),
) -> bool:
    """Whether a text speaks of kidneys or a liver that are impaired to a degree, by a number or on dialysis,
    and the question neither says anything of these organs nor of patients that the text is on: those whom a
    label has doses of their own for, which adults are not.

    Args:
        led: what the text says before its first dose: no dose behind that is of patients with other organs.
    """
    organs = {one.kind for one in asked if isinstance(one, KidneyFunction | LiverFunction)}
    special = [one for one in asked if one != _ADULTS]
    stated = any(map(_is_impaired_to, led)) or (
        any(map(_is_impaired_to, told)) and not fit(special, told).met
    )
    return stated and not organs


def _is_impaired_to(one: DocumentCondition) -> bool:
    """Whether it is of kidneys or a liver that are impaired to a degree, by a number or on dialysis."""
    if not isinstance(one, KidneyFunction | LiverFunction):
        return False
    return one not in _IMPAIRED and not _is_normal(one)


def _is_normal(one: KidneyFunction | LiverFunction) -> bool:
    """Whether kidneys are told that clear as those do that nothing is wrong with, or from some number up."""
    clearance = one.clearance if isinstance(one, KidneyFunction) else None
    if clearance is None or clearance.low is None:
        return False
    return clearance.low >= _NORMAL_FROM or clearance.high is None


def _of_patient(
    asked: Sequence[DocumentCondition], told: Sequence[DocumentCondition]
) -> Iterable[bool | None]:
    yield _any_pair(ages_of(asked), ages_of(told), have_common)
    yield _any_pair(
        _of(Weight, asked), _of(Weight, told), lambda a, b: have_common(a.value, b.value)
    )
    yield _of_kidneys(_of(KidneyFunction, asked), _of(KidneyFunction, told))
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
    yield given_as_asked(asked, told)
    yield _any_pair(_of(Strength, asked), _of(Strength, told), _same_strength)


def given_as_asked(
    asked: Sequence[DocumentCondition], told: Sequence[DocumentCondition]
) -> bool | None:
    """Whether a text tells of a route that is asked about; None where one of them speaks of none."""
    return _any_pair(_routes(asked), _of(Route, told), lambda a, b: a.route == b.route)


def _routes(asked: Sequence[DocumentCondition]) -> list[Route]:
    """The routes that are asked about; without any, that of a form which is given in one way."""
    ways = [_ROUTE_OF[one.form] for one in _of(Form, asked) if one.form in _ROUTE_OF]
    return _of(Route, asked) or list(map(Route, ways))


def _of(kind: type[T], conditions: Sequence[DocumentCondition]) -> list[T]:
    return [one for one in conditions if isinstance(one, kind)]


def _any_pair(asked: list[T], told: list[T], same: Callable[[T, T], bool]) -> bool | None:
    if not asked or not told:
        return None
    return any(same(one, other) for one in asked for other in told)


def _of_kidneys(asked: list[KidneyFunction], told: list[KidneyFunction]) -> bool | None:
    """A clearance or a degree is held against those of a text that has any: dialysis beside "below 15 mL/min"
    makes that no rule for 20 mL/min. A number of the text says what a degree of it is: "moderate or severe
    impairment (50 mL/min or less)" is none of 60 mL/min."""
    ranges = [one.clearance for one in told if one.clearance is not None]
    if ranges and any(one.clearance is not None for one in asked):
        told = [one for one in told if one.clearance or not _is_told_in(one, ranges)]
    measured = [one for one in told if one.clearance or one.degree]

    def same(one: KidneyFunction, other: KidneyFunction) -> bool:
        is_measured = one.clearance is not None or one.degree is not None
        speaks = not is_measured or one.dialysis or not measured or other in measured
        return speaks and _same_kidneys(one, other)

    return _any_pair(asked, told, same)


def _is_told_in(one: KidneyFunction, ranges: Sequence[Range]) -> bool:
    """Whether a degree has values in common with a range."""
    usual = _clearance(one)
    return usual is not None and any(have_common(usual, each) for each in ranges)


def _same_kidneys(one: KidneyFunction, other: KidneyFunction) -> bool:
    if one.dialysis and other.dialysis:
        return True
    by_range = one.clearance is not None or other.clearance is not None
    if by_range or one.dialysis or other.dialysis:
        mine, others = _clearance(one), _clearance(other)
        return mine is None or others is None or have_common(mine, others)
    if one.degree is not None and other.degree is not None:
        return one.degree == other.degree
    return True


def _clearance(one: KidneyFunction) -> Range | None:
    if one.clearance is None and one.degree is not None:
        return _CLEARANCES[one.degree]
    return _ON_DIALYSIS if one.clearance is None and one.dialysis else one.clearance


def _same_liver(one: LiverFunction, other: LiverFunction) -> bool:
    if one.child_pugh is not None and other.child_pugh is not None:
        return one.child_pugh == other.child_pugh
    mine, others = _degree(one), _degree(other)
    return mine is None or others is None or mine == others


def _degree(one: LiverFunction) -> Degree | None:
    return one.degree or (_CHILD_PUGH[one.child_pugh] if one.child_pugh else None)


def _same_strength(one: Strength, other: Strength) -> bool:
    return one.unit != other.unit or one.amount == other.amount


def told_of(
    own: Iterable[DocumentCondition],
    before: Sequence[str],
    heading: str,
    read: Callable[[str], Iterable[DocumentCondition]],
) -> list[DocumentCondition]:
    """What a statement says of patients; where it says nothing, what was said before it, and in its heading:
    after "Children from 10 years start with ..." also "The highest dose is ..." is theirs.

    Args:
        own: the conditions that it names itself.
        before: what stands before it in its paragraph, in order.
        read: the conditions that a text names.
    """
    told = list(own)
    known = set(of_patients(told))
    # A statement on one organ is on no other.
    has_organ = bool(known & _ORGANS)
    for other in (*reversed(before), heading):
        found = of_patients(read(other))
        if has_organ:
            found = {kind: each for kind, each in found.items() if kind not in _ORGANS}
        told += [one for kind, each in found.items() if kind not in known for one in each]
        known |= found.keys()
    return told


def routes_over(
    told: Sequence[DocumentCondition],
    over: Sequence[str],
    read: Callable[[str], Iterable[DocumentCondition]],
) -> list[Route]:
    """How what a statement tells is given, where it says nothing of that: what the nearest of the lines that
    stand over it says ("Chickenpox - by mouth").

    Args:
        told: its conditions.
        over: the lines, the nearest last.
    """
    if _of(Route, told):
        return []
    each = (_of(Route, list(read(line))) for line in reversed(over))
    return next(filter(None, each), [])
