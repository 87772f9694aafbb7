"""What is said of patients like the one asked about, told before a dose; and whose dose is not told then."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.answers.candidates import Candidate
from core.documents.cutting.sections import CAUTION_SECTIONS
from core.domain.leaflets.conditions import Partner
from core.evidence.evidence import Caution, ClauseEvidence, OfPatient
from core.evidence.passages import PassageReader, Quote
from core.evidence.patients.beside.other_patients import is_by_measure, is_of_others
from core.evidence.patients.cautions import (
    answers_alone,
    forbids,
    forbids_clearly,
    is_of_dosing,
)
from core.evidence.patients.footnotes import has_dose
from core.evidence.patients.states import OfOldAge

_MOST_TOLD = 3  # cautions of a clause
_MOST_OTHERS = 2  # that the documents of what else is taken say


def cautioned(
    part: ClauseEvidence, chosen: Sequence[Candidate], reader: PassageReader
) -> list[Candidate]:
    """What is told of a clause, with what its documents say of such patients.

    Where the medicine is not for them, or not before a doctor was asked, that comes before every dose, and
    doses of others are not told. That it is not known whether it is for them comes behind a dose that is
    theirs: it may be said of another illness. What is said of them otherwise comes first where nothing else
    that is told speaks of them.
    """
    others = [one for one in part.cautions if one.of_other]
    beside = {one.quote.hit.document.subject for one in others}
    told = {one.quote.hit.document.subject for one in chosen} - beside
    own = [one for one in part.cautions if not told or one.quote.hit.document.subject in told]
    own = [one for one in own if not one.of_other]
    if not told:  # what is told of nobody else must at least answer
        own = [one for one in own if answers_alone(one)]
        own = [one for one in own if one.quote.hit.document.subject == _first(own)]
    first: list[Candidate] = []
    behind: list[Candidate] = []
    left = list(chosen)
    own, others = own[:_MOST_TOLD], others[:_MOST_OTHERS]
    # What one document says is told together: what the other one says comes before a dose, not behind it.
    for one in (*others, *own) if any(map(_has_dose, left)) else (*own, *others):
        # What else is taken is named all over its own documents.
        spoken = [each for each in left if each.quote.hit.document.subject not in beside]
        theirs = [
            each
            for each in spoken
            if _is_on(each, one.state) or (not forbids_clearly(one) and _is_by_measure(each, part))
        ]
        if one.forbids:
            left = [each for each in left if each in theirs or not _has_dose(each)]
        elif not one.of_other and any(_is_of_kind(each, one) for each in theirs):
            if isinstance(one.state, OfOldAge):  # who are adults too
                left.sort(key=lambda each: each not in theirs)
            continue
        same = [each for each in left if _tells(each, one)]
        left = [each for each in left if each not in same]
        late = one.forbids and not forbids_clearly(one) and any(map(_has_dose, theirs))
        if not any(_tells(each, one) for each in (*first, *behind)):
            (behind if late else first).extend(same or [_candidate(one, reader)])
    return [*first, *left, *behind]


def combined(part: ClauseEvidence) -> list[Candidate]:
    """What is told where it is asked what a medicine must not be taken with."""
    return [
        Candidate(one.quote, math.inf, np.zeros(0, np.float32), one.whole)
        for one in part.combined or ()
    ]


def _first(cautions: Sequence[Caution]) -> tuple[str, str] | None:
    return next((one.quote.hit.document.subject for one in cautions), None)


def _is_on(one: Candidate, state: OfPatient) -> bool:
    return any(state.met_by(quote.text, quote.headings) for quote in one.told)


def _is_by_measure(one: Candidate, part: ClauseEvidence) -> bool:
    plan = part.clause.leaflet
    return plan is not None and any(is_by_measure(each.text, plan.conditions) for each in one.told)


def _is_of_kind(one: Candidate, caution: Caution) -> bool:
    """Whether what is told anyway stands where cautions do; for one of the section on doses, in that one."""
    if is_of_dosing(caution.quote):
        return is_of_dosing(one.quote)
    return one.quote.hit.chunk.section in CAUTION_SECTIONS


def _has_dose(one: Candidate) -> bool:
    return any(has_dose(quote.text) for quote in one.told)


def _tells(one: Candidate, caution: Caution) -> bool:
    return any(quote.key == caution.quote.key for quote in one.told)


def _candidate(one: Caution, reader: PassageReader) -> Candidate:
    """A statement as it is told: an item alone, a list whole, a sentence with those of its paragraph that
    forbid the same, or speak of the same other medicine."""
    quote = one.quote
    item = quote.lead is not None and not quote.list_number
    whole = reader.whole_list(quote) if quote.list_number else reader.paragraph(quote)
    heading = quote.headings
    with_it = isinstance(one.state.conditions[0], Partner)
    conditions = one.state.conditions

    def is_told(each: Quote) -> bool:
        if is_of_dosing(quote) and not one.forbids and has_dose(each.text):
            return not is_of_others(each, conditions, reader)
        return (with_it or forbids(each)) and one.state.met_by(each.text, heading)

    told = [each for each in whole if quote.list_number or each.key == quote.key or is_told(each)]
    return Candidate(quote, math.inf, np.zeros(0, np.float32), tuple(told), item)
