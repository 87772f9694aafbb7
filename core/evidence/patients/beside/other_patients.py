"""Whether a statement is on other patients than those of a question, of whom more than one thing is said."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.leaflets.conditions import (
    Age,
    DocumentCondition,
    KidneyFunction,
    LiverFunction,
    Weight,
)
from core.domain.leaflets.plan import DocumentPlan
from core.evidence import patients
from core.evidence.passages import PassageReader, Quote
from core.evidence.patients.conditions import fit, told_of
from core.evidence.patients.footnotes import has_dose
from core.evidence.patients.states import PatientState
from core.questions.leaflets.ages import ages_of, is_of_children
from core.questions.leaflets.reader import conditions_told
from core.resources import any_of, read_table
from core.text.spelling.medicines import substances_in

_TABLE = read_table(patients.__file__, "cautions.toml")
_EITHER = any_of(_TABLE["either"])
_NARROWING = any_of([rf"(?<!\w)(?:{'|'.join(_TABLE['narrowing'])})(?!\w)"])
_EXCEPTING = any_of([rf"(?<!\w)(?:{'|'.join(_TABLE['excepting'])})(?!\w)"])
_GOES_ON = re.compile(
    rf";|\.(?!\d)|,\s+(?:(?:{'|'.join(_TABLE['both'])})\s+)?(?:{'|'.join(_TABLE['anew'])})(?!\w)",
    re.IGNORECASE,
)
_PARTING = any_of(_TABLE["parting"])


def is_of_others(
    quote: Quote, conditions: Sequence[DocumentCondition], reader: PassageReader
) -> bool:
    """Whether a statement is on patients of another degree, age or weight; what those before it in its
    paragraph are on is on "these patients" too. Of "under 6 months or under 8 kg" one is enough."""
    before, heading = reader.said_before(quote), quote.headings
    told = told_of(conditions_told(quote.text), before, heading, conditions_told)
    if not fit(conditions, told).other_patient:
        return False
    measured = [one for one in conditions if isinstance(one, Age | Weight)]
    return not (_EITHER.search(quote.text) and any(fit([one], told).met for one in measured))


def is_everybodys_dose(quote: Quote, plan: DocumentPlan | None, reader: PassageReader) -> bool:
    """Whether a statement has a dose and says nothing of the children whom a plan asks about."""
    if plan is None or not has_dose(quote.text):
        return False
    own = conditions_told(quote.text)
    told = told_of(own, reader.said_before(quote), quote.headings, conditions_told)
    asked = ages_of(plan.conditions)
    if not asked or not all(map(is_of_children, asked)):
        return False
    return not ages_of(told) and not any(isinstance(one, Weight) for one in told)


def is_by_measure(text: str, asked: Sequence[DocumentCondition]) -> bool:
    """Whether a text is for patients of the very age or weight in numbers that is asked about: a row for 29 to
    35 kg beside a child of 31 kg, which does not say that it is on children."""
    measured = [one for one in asked if isinstance(one, Age | Weight)]
    told = conditions_told(text)
    return fit(measured, told).met > 0 and not fit(asked, told).other_patient


def with_weight(
    state: PatientState, asked: Sequence[DocumentCondition]
) -> Sequence[DocumentCondition]:
    """What is said of a patient in one state; of an age with the weight."""
    weights = [one for one in asked if isinstance(one, Weight)] if state.is_age else []
    return (*state.conditions, *weights)


def is_of_another_alone(quote: Quote) -> bool:
    """Whether a statement names medicines, and its document's is none of them: an antidote, say."""
    own, told = (substances_in(one) for one in (quote.hit.document.called, quote.text))
    return bool(own and told) and not own & told


def is_of_some(text: str, state: PatientState, asked: Sequence[DocumentCondition]) -> bool:
    """Whether a text speaks of those patients in a state alone whose kidneys or liver are impaired, of which
    nobody spoke: "in children with an eGFR below 50"."""
    organs = {KidneyFunction, LiverFunction} - {type(one) for one in asked}
    met = [part for part in _PARTING.split(text) if state.met_by(part, "")]
    return bool(met) and all(_narrows(part, state, organs) for part in met)


def without_exceptions(text: str) -> str:
    """A contraindication without what it does not hold for ("never with X, except in atrial fibrillation");
    what it goes on with behind that stays."""
    found = _EXCEPTING.search(text)
    if found is None:
        return text
    opens = not text[: found.start()].strip()
    end = text.find(",", found.end()) if opens else -1
    if end < 0:
        goes_on = _GOES_ON.search(text, found.end())
        end = goes_on.start() if goes_on else len(text)
    return f"{text[: found.start()]}{text[end:]}"


def _narrows(part: str, state: PatientState, organs: set[type]) -> bool:
    for found in _NARROWING.finditer(part):
        behind = conditions_told(part[found.end() :])
        if state.met_by(part[: found.start()], "") and any(type(one) in organs for one in behind):
            return True
    return False
