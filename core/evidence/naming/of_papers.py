"""What a question to a paper limits itself to, and nothing quoted has: a dose, a time, an age. "Hazard ratio
with 2 mg" is not answered by that of both doses together, nor "at week 24" by what was found at week 12. And
which paper is a study's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from core.documents.cutting.parts import METHODS, part_in
from core.domain.documents import Chunk, Hit
from core.domain.leaflets.conditions import Age, AgeGroup, Amount, DocumentCondition, PatientGroup
from core.domain.leaflets.plan import DocumentPlan
from core.evidence.relevance import Relevance
from core.questions.clauses import Clause
from core.questions.leaflets.ages import ages_of, have_common
from core.questions.leaflets.reader import conditions_told
from core.questions.leaflets.wording import who_said
from core.text.quantities import RANK, quantities

_OF_DOSES = "mg"
_LEAST_WEIGHT = 200_000  # mg; so much is what somebody weighs
# Hours of a time's unit; a month is a twelfth of a year.
_HOURS = {"hour": 1.0, "day": 24.0, "week": 168.0, "month": 730.5, "year": 8766.0}
_FEWEST_CAPITALS = 2
_ABOUT = 0.1  # share by which times differ that are told of as one: "week 26" and "six months"


def unsaid_of(plan: DocumentPlan | None, question: str, said: str) -> Iterator[str]:
    """Doses, times and ages of a question that a text has not, as they are written."""
    own = list(quantities(said))
    doses = {one.amount for one in own if one.unit == _OF_DOSES}
    for one in quantities(question):
        if one.unit == _OF_DOSES and one.amount < _LEAST_WEIGHT and one.amount not in doses:
            yield one.written
    if plan is None:
        return
    times = [_hours(float(one.amount), one.unit) for one in own]
    for condition in plan.conditions:
        if isinstance(condition, Amount) and not condition.period:
            asked = _hours(condition.amount, condition.unit)
            if asked and not any(abs(one - asked) <= _ABOUT * asked for one in times):
                yield _written(condition)
    yield from _patients_unsaid(plan.conditions, said)


def is_own_study(name: str, passages: Callable[[], Iterable[Chunk]]) -> bool:
    """Whether a name in capitals is that of the study that a paper reports: its first page has it outside of
    the paper's parts, as in the abstract, and its methods have it. What others found stands in neither.

    Args:
        passages: gives those of the paper that have the name.
    """
    if not _is_in_capitals(name):
        return False
    parts = {(part_in(one.titled), one.page <= 1) for one in passages()}
    return ("", True) in parts and any(part == METHODS for part, _ in parts)


def own_studies(
    clause: Clause, hits: Iterable[Hit], relevance: Callable[[], Relevance]
) -> dict[str, tuple[str, ...]]:
    """Ids of the documents of hits that report a study which a clause names, with its name: every passage of
    such a paper is of that study.

    Args:
        relevance: is asked for where the clause has such a name.

    Raises:
        StoreError: the library cannot be read.
    """
    subjects = clause.leaflet.subjects if clause.leaflet is not None else ()
    names = [one.text for one in subjects if _is_in_capitals(one.text)]
    found = {}
    for document in {hit.document.id: hit.document for hit in hits if names}.values():
        with_name = relevance().passages_with
        own = (one for one in names if is_own_study(one, partial(with_name, document, one)))
        if told := tuple(own):
            found[document.id] = told
    return found


def _is_in_capitals(name: str) -> bool:
    return sum(map(str.isupper, name)) >= _FEWEST_CAPITALS


def _hours(amount: float, unit: str) -> float:
    """A time in hours; 0 for what is none."""
    return amount * _HOURS.get(unit.removeprefix(f"{RANK} "), 0.0)


def _written(time: Amount) -> str:
    noun = time.unit.removeprefix(f"{RANK} ")
    return (
        f"{noun} {time.written}" if time.unit != noun and time.written.isdigit() else time.written
    )


def _patients_unsaid(conditions: Iterable[DocumentCondition], said: str) -> Iterator[str]:
    asked = list(filter(_is_of_age, conditions))
    told = ages_of(list(filter(_is_of_age, conditions_told(said))))
    if asked and not any(have_common(one, other) for one in ages_of(asked) for other in told):
        yield who_said(asked).removeprefix("for ")


def _is_of_age(one: DocumentCondition) -> bool:
    """Whether it is of an age, or of a group that not most patients are of: all of a trial may be adults."""
    is_group = isinstance(one, PatientGroup) and one.group is not AgeGroup.ADULT
    return is_group or isinstance(one, Age)
