"""Whether a statement is on other patients than those of a question, of whom more than one thing is said."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.leaflets.conditions import Age, DocumentCondition, Weight
from core.evidence import patients
from core.evidence.passages import PassageReader, Quote
from core.evidence.patients.conditions import fit, told_of
from core.evidence.patients.states import PatientState
from core.questions.leaflets.reader import conditions_told
from core.resources import any_of, read_table

_EITHER = any_of(read_table(patients.__file__, "cautions.toml")["either"])


def is_of_others(
    quote: Quote, conditions: Sequence[DocumentCondition], reader: PassageReader
) -> bool:
    """Whether a statement is on patients of another degree, age or weight; what those before it in its
    paragraph are on is on "these patients" too. Of "under 6 months or under 8 kg" one is enough."""
    before, heading = reader.said_before(quote), quote.headings
    told = told_of(quote.text, before, heading, conditions_told)
    if not fit(conditions, told).other_patient:
        return False
    measured = [one for one in conditions if isinstance(one, Age | Weight)]
    return not (_EITHER.search(quote.text) and any(fit([one], told).met for one in measured))


def with_weight(
    state: PatientState, asked: Sequence[DocumentCondition]
) -> Sequence[DocumentCondition]:
    """What is said of a patient in one state; of an age with the weight."""
    weights = [one for one in asked if isinstance(one, Weight)] if state.is_age else []
    return (*state.conditions, *weights)
