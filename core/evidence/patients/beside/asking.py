"""What a question on documents asks of its patient: whether a medicine is for them, or goes with another."""

from __future__ import annotations

from core.domain.leaflets.plan import CONTRAINDICATIONS, DocumentPlan, Wanted
from core.evidence.patients.indications import INDICATIONS
from core.evidence.patients.special import POSOLOGY

# Sections that tell whether a medicine is for somebody.
FOR_WHOM = (INDICATIONS, CONTRAINDICATIONS, POSOLOGY)
_INTERACTIONS = "interactions"
_AMOUNTS = (Wanted.AMOUNT, Wanted.MAXIMUM, Wanted.FREQUENCY, Wanted.DURATION)


def asks_together(plan: DocumentPlan) -> bool:
    """Whether it is asked whether two may be taken together, or for the interaction of the two: the documents
    of both may tell it."""
    asked = next(iter(plan.aspects), None)
    return asked is not None and asked.section == _INTERACTIONS and plan.wanted not in _AMOUNTS


def asks_whether(plan: DocumentPlan) -> bool:
    """Whether it is asked whether a patient may be given a medicine: what is said of such patients answers."""
    asked = next(iter(plan.aspects), None)
    return asked is not None and asked.section in FOR_WHOM and plan.wanted is Wanted.YES_NO
