"""How the patients and products that a statement speaks of are read from its words."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from core.domain.leaflets.conditions import DocumentCondition
from core.evidence.passages import Quote
from core.questions.leaflets.reader import conditions_told
from core.text.tables.told import with_units

PHARMACOLOGY = "pharmacology"  # code of the section


def own_words(quote: Quote) -> str:
    """What it says itself, without the labels that stand over it, each number with its unit."""
    return with_units(quote.text.removeprefix("".join(quote.labels)))


def reading_of(quote: Quote) -> Callable[[str], tuple[DocumentCondition, ...]]:
    """What reads its words, and those around it. Where a medicine's own numbers are told, a clearance is no
    patient's unless it says so."""
    return partial(conditions_told, of_medicine=quote.hit.chunk.section == PHARMACOLOGY)
