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
from core.questions.planned import ReadPlan

_OF_PATIENTS = (
    Age,
    BreastFeeding,
    KidneyFunction,
    LiverFunction,
    PatientGroup,
    Pregnancy,
    Weight,
)
_OF_PRODUCT = frozenset({"storage"})  # what is the same for everybody
_POSOLOGY = "posology"
_DOSES = (Wanted.AMOUNT, Wanted.MAXIMUM, Wanted.FREQUENCY)
_NUMBERS = (Wanted.AMOUNT, Wanted.MAXIMUM, Wanted.FREQUENCY, Wanted.DURATION)


def of_one_patient(plans: Sequence[DocumentPlan | None]) -> list[DocumentPlan | None]:
    """Plans of a question's clauses, in which one that names no patient is about the one of the clause before,
    or else of the next one, where both ask for the same kind of thing: "How much X may a child of 5 years
    take, and how much Y?", "How much X and how much Y may a child of 5 years take?". A clause that asks for
    nothing in particular tells whom all that come after it are about, "12-year-old on X, what is the highest
    dose?", and so does one with the age or the weight of somebody: "7-year-old: how much X, and which
    syringe?".
    """
    found = []
    for place, plan in enumerate(plans):
        if plan is not None and not _patient(plan):
            before, after = plans[:place], plans[place + 1 :]
            near = (
                one
                for one in (*reversed(before), *after)
                if one
                and _patient(one)
                and (_alike(plan, one) or (one in before and _tells_whom(one, plan)))
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


def asks_documents(plan: DocumentPlan, of_graph: ReadPlan | None) -> bool:
    """Whether documents alone can tell what is asked: a dose, or what is to be done where what is asked of the
    graph is no more than the likeliest: "X forgotten in atrial fibrillation, what to do?"."""
    if asks_dose(plan):
        return True
    likened = of_graph is not None and of_graph.likened
    of_leaflet = bool(plan.aspects and plan.subjects)
    return likened and of_leaflet and plan.wanted is Wanted.WHAT_TO_DO


def _patient(plan: DocumentPlan) -> tuple[DocumentCondition, ...]:
    return tuple(one for one in plan.conditions if isinstance(one, _OF_PATIENTS))


def _tells(plan: DocumentPlan) -> bool:
    """Whether a plan is of a clause that asks for nothing in particular."""
    return not plan.aspects and plan.wanted not in _NUMBERS


def _tells_whom(before: DocumentPlan, plan: DocumentPlan) -> bool:
    """Whether a clause tells whom one that comes after it is about: it asks for nothing in particular, or is
    about one person, and not all of an age or weight, and the other for what may be another for each."""
    is_somebody = any(
        isinstance(one, Age | Weight) and one.value.low == one.value.high
        for one in before.conditions
    )
    of_product = any(one.section in _OF_PRODUCT for one in plan.aspects[:1])
    return _tells(before) or (is_somebody and not of_product)


def _alike(one: DocumentPlan, other: DocumentPlan) -> bool:
    sections = {aspect.section for aspect in one.aspects}
    same = bool(sections & {aspect.section for aspect in other.aspects})
    return same or (one.wanted in _NUMBERS and other.wanted in _NUMBERS)
