"""Clauses of one question that ask about one patient, who is named in one of them alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.domain.leaflets.conditions import (
    Age,
    BreastFeeding,
    DocumentCondition,
    KidneyFunction,
    LiverFunction,
    PatientGroup,
    Pregnancy,
    Weight,
)
from core.domain.leaflets.plan import DocumentPlan, Wanted
from core.questions.leaflets.wording import said

_OF_PATIENTS = (
    Age,
    BreastFeeding,
    KidneyFunction,
    LiverFunction,
    PatientGroup,
    Pregnancy,
    Weight,
)
_POSOLOGY = "posology"
_DOSES = (Wanted.AMOUNT, Wanted.MAXIMUM, Wanted.FREQUENCY)
_NUMBERS = (Wanted.AMOUNT, Wanted.MAXIMUM, Wanted.FREQUENCY, Wanted.DURATION)


def of_one_patient(plans: Sequence[DocumentPlan | None]) -> list[DocumentPlan | None]:
    """Plans of a question's clauses, in which one that names no patient is about the one of the clause before,
    or else of the next one, where both ask for the same kind of thing: "How much X may a child of 5 years
    take, and how much Y?", "How much X and how much Y may a child of 5 years take?". A clause that asks for
    nothing in particular tells whom all that come after it are about: "12-year-old on X, what is the highest
    dose?".
    """
    found = []
    for place, plan in enumerate(plans):
        if plan is not None and not _patient(plan):
            before, after = plans[:place], plans[place + 1 :]
            near = (
                one
                for one in (*reversed(before), *after)
                if one and _patient(one) and (_alike(plan, one) or (one in before and _tells(one)))
            )
            patient = _patient(other) if (other := next(near, None)) else ()
            if patient:
                plan = said(replace(plan, conditions=(*plan.conditions, *patient)))
        found.append(plan)
    return found


def asks_dose(plan: DocumentPlan) -> bool:
    """Whether an amount of a medicine, or how often it is taken, is asked for before all else."""
    dose = any(one.section == _POSOLOGY for one in plan.aspects[:1]) and plan.wanted in _DOSES
    return dose and bool(plan.subjects)


def _patient(plan: DocumentPlan) -> tuple[DocumentCondition, ...]:
    return tuple(one for one in plan.conditions if isinstance(one, _OF_PATIENTS))


def _tells(plan: DocumentPlan) -> bool:
    """Whether a plan is of a clause that asks for nothing in particular."""
    return not plan.aspects and plan.wanted not in _NUMBERS


def _alike(one: DocumentPlan, other: DocumentPlan) -> bool:
    sections = {aspect.section for aspect in one.aspects}
    same = bool(sections & {aspect.section for aspect in other.aspects})
    return same or (one.wanted in _NUMBERS and other.wanted in _NUMBERS)
