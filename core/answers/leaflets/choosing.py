"""Which of a clause's candidates are told: the best that do not repeat each other."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from core.answers.candidates import FARTHEST, FARTHEST_OF_THEIRS, KEEP_WITHIN, Candidate
from core.checking.amounts import is_dose
from core.domain.leaflets.plan import DocumentPlan, Wanted
from core.evidence.passages import Quote
from core.text.quantities import numbers, quantities

# From a probability on, how far further statements may be behind the best: the less sure an answer is, the more
# of the closest is shown. Cross-validated, see docs/decisions/relevance.md.
_SHOWN_WITHIN = ((0.908, 1.5), (0.0, FARTHEST))
_TOO_SIMILAR = 0.9  # cosine above which a second statement says the same
_Amount = tuple[str, Fraction]  # with its unit


def choose(
    candidates: Sequence[Candidate], most: int, within: float = KEEP_WITHIN
) -> list[Candidate]:
    """The best statements that do not repeat each other: one of a paragraph, of a list, of a wording.

    Doses of two patient groups are worded alike; statements with other numbers are no repetition. One that is
    less likely than the best by more than `KEEP_WITHIN` brings no other doses, nor other times of them, unless
    it says itself that they are for the patients asked about: whose they are is not known.

    Args:
        within: how far a further one may be behind the best, in log-odds.
    """
    chosen: list[Candidate] = []
    known: set[_Amount] = set()
    for candidate in candidates:
        behind = chosen[0].score - candidate.score if chosen else 0.0
        if len(chosen) == most:
            break
        # "Children under 40 kg" beside "children from 40 kg on"
        parts = bool(chosen) and all(
            one.theirs and not one.quote.row for one in (candidate, chosen[0])
        )
        if behind > (FARTHEST_OF_THEIRS if parts and within > KEEP_WITHIN else within):
            continue
        if any(_repeats(candidate, other) for other in chosen):
            continue
        amounts = _amounts_dosed(candidate)
        theirs = candidate.theirs and _is_of_one_document(candidate, chosen)
        if behind > KEEP_WITHIN and known and not (theirs or amounts <= known):
            continue
        chosen.append(candidate)
        known |= amounts
    return chosen


def lists_alone(chosen: Sequence[Candidate], plan: DocumentPlan | None) -> list[Candidate]:
    """Without sentences behind a list, where all that one section lists is asked: "If you get any side effects,
    talk to your doctor" is none of them."""
    listed = plan is not None and plan.wanted is Wanted.LIST and plan.section_alone is not None
    first = chosen[:1] if listed else ()
    if not any(one.quote.list_number or one.quote.row for one in first):
        return list(chosen)
    return [one for one in chosen if one.quote.list_number or one.quote.row]


def _is_of_one_document(candidate: Candidate, chosen: Sequence[Candidate]) -> bool:
    return all(
        one.quote.hit.document.subject == candidate.quote.hit.document.subject for one in chosen
    )


def _is_noted(quote: Quote, by: Candidate) -> bool:
    """Whether a statement stands in a note that a row is told with."""
    chunk = quote.hit.chunk
    return any(
        (place.document_id, place.page) == (chunk.document_id, chunk.page)
        and start <= quote.start < end
        for row in by.told
        for note in row.notes
        for place, start, end, _ in note.places
    )


def shown_within(probability: float) -> float:
    """How far further statements may be behind the best one, in log-odds, where that answers with this
    probability."""
    return next(within for least, within in _SHOWN_WITHIN if probability >= least)


def _repeats(candidate: Candidate, other: Candidate) -> bool:
    return (
        candidate.quote.key in {one.key for one in other.told}
        or _is_noted(candidate.quote, other)
        or (bool(candidate.quote.list_number) and candidate.quote.unit == other.quote.unit)
        or (
            float(candidate.vector @ other.vector) > _TOO_SIMILAR
            and numbers(candidate.quote.text) == numbers(other.quote.text)
        )
    )


def _amounts_dosed(candidate: Candidate) -> set[_Amount]:
    """The amounts that a statement is told with, where one of them is a dose: how often it is given is one."""
    found = [one for quote in candidate.told for one in quantities(quote.text) if one.unit]
    return {(one.unit, one.amount) for one in found} if any(map(is_dose, found)) else set()
