"""Patients for whom everybody's dose does not hold: a leaflet that says nothing of them has none for them."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.leaflets.conditions import (
    Age,
    DocumentCondition,
    KidneyFunction,
    LiverFunction,
    PatientGroup,
)
from core.domain.leaflets.plan import DocumentPlan
from core.evidence.patients.conditions import ages_of

_ADULT = 18  # years: ICH E11(R1), section 6
# Sections of what is asked for these patients; how long a bottle keeps does not depend on them.
POSOLOGY = "posology"
_SECTIONS = (POSOLOGY, "pharmacology")


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
        for organ in (KidneyFunction, LiverFunction)
    )


def _is_childs(one: DocumentCondition) -> bool:
    return isinstance(one, Age | PatientGroup) and all(
        years.high is not None and years.high <= _ADULT for years in ages_of([one])
    )
