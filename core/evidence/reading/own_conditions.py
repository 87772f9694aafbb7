"""How the patients and products that a statement speaks of are read from its words."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from core.domain.leaflets.conditions import DocumentCondition
from core.evidence.passages import Quote
from core.questions.leaflets.reader import conditions_told
from core.text.tables.told import with_units

PHARMACOLOGY = "pharmacology"  # code of the section


def own_conditions(quote: Quote) -> tuple[DocumentCondition, ...]:
    """What its own words say, without the labels that stand over it, each number with its unit."""
    words = with_units(quote.text.removeprefix("".join(quote.labels)))
    return conditions_told(words, _is_of_medicine(quote), quote.row)


def reading_of(quote: Quote) -> Callable[[str], tuple[DocumentCondition, ...]]:
    """What reads the words around it. Where a medicine's own numbers are told, a clearance is no patient's
    unless it says so."""
    return partial(conditions_told, of_medicine=_is_of_medicine(quote))


def _is_of_medicine(quote: Quote) -> bool:
    return quote.hit.chunk.section == PHARMACOLOGY
