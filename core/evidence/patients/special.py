"""Patients for whom everybody's dose does not hold: a leaflet that says nothing of them has none for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from core.domain.documents import Chunk, Document
from core.domain.leaflets.conditions import (
    Age,
    DocumentCondition,
    KidneyFunction,
    LiverFunction,
    PatientGroup,
)
from core.domain.leaflets.plan import DocumentPlan
from core.evidence.patients.conditions import Fit, fit
from core.questions.leaflets.ages import ages_of
from core.questions.leaflets.reader import conditions_told
from core.text.quantities import Quantity

_A_BODY = 1_000_000  # the factor of kg
_ADULT = 18  # years: ICH E11(R1), section 6
# Sections of what is asked for these patients; how long a bottle keeps does not depend on them.
POSOLOGY = "posology"
_ORGANS = (KidneyFunction, LiverFunction)
_SECTIONS = (POSOLOGY, "pharmacology")
_MOST_SECTIONS = 2


def is_body_weight(one: Quantity) -> bool:
    """Whether a quantity is a person's weight, and no dose."""
    return one.factor == _A_BODY and not one.period


def is_unmet(plan: DocumentPlan, told: Sequence[DocumentCondition]) -> bool:
    """Whether a question on a dose is about a child, or about kidneys or a liver that are impaired, and a text
    says nothing of ages, or of these organs.

    Args:
        told: what the text, its heading and its document's title say of patients.
    """
    if plan.aspects and plan.aspects[0].section not in _SECTIONS:
        return False
    asked = plan.conditions
    if any(_is_childs(one) for one in asked) and not ages_of(told):
        return not any(one.kind == "weight" for one in told)
    return any(
        any(isinstance(one, organ) for one in asked)
        and not any(isinstance(one, organ) for one in told)
        for organ in _ORGANS
    )


def heads_patients(plan: DocumentPlan | None, heading: str) -> bool:
    """Whether a question on a dose is about a child, or about kidneys or a liver that are impaired, and a
    heading is of a section on such patients ("8.4 Pediatric use")."""
    return _heads(_special(plan), heading)


def chunks_on_patients(
    plan: DocumentPlan | None,
    documents: Iterable[Document],
    chunks_of: Callable[[str], Sequence[Chunk]],
) -> frozenset[str]:
    """The chunks with which the sections on the patients that a dose is asked for begin: that it is not known
    for them is said there.

    Args:
        documents: those that are asked.
        chunks_of: the chunks of a document, by its id, in reading order.
    """
    asked = _special(plan)
    first: dict[tuple[str, str], str] = {}
    for document in documents if asked else ():
        for chunk in chunks_of(document.id):
            if document.tells(chunk) and _heads(asked, chunk.heading):
                first.setdefault((document.id, chunk.heading), chunk.id)
    return frozenset(list(first.values())[:_MOST_SECTIONS])


def _special(plan: DocumentPlan | None) -> list[DocumentCondition]:
    """What a question on a dose says of a child, or of kidneys or a liver that are impaired."""
    if plan is None or not any(one.section == POSOLOGY for one in plan.aspects[:1]):
        return []
    return [one for one in plan.conditions if _is_childs(one) or isinstance(one, _ORGANS)]


def _heads(asked: Sequence[DocumentCondition], heading: str) -> bool:
    found = fit(asked, conditions_told(heading)) if asked and heading else Fit()
    return bool(found.met) and not found.other_patient


def _is_childs(one: DocumentCondition) -> bool:
    return isinstance(one, Age | PatientGroup) and all(
        years.high is not None and years.high <= _ADULT for years in ages_of([one])
    )
