"""Statements of a medicine's own documents that no passage found has: each stands in one place, among others
that are much like it, which search cannot tell apart."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from core.evidence.evidence import ClauseEvidence
from core.evidence.passages import PassageReader, Quote
from core.evidence.patients.beside.switching import on_change
from core.evidence.patients.conditions import of_patients
from core.evidence.patients.special import POSOLOGY
from core.evidence.patients.whose import Whose
from core.evidence.reading.raised import number_asked
from core.text.quantities import numbers

_Subject = tuple[str, str]


def beyond_hits(
    part: ClauseEvidence, own: Collection[_Subject], whose: Whose, reader: PassageReader
) -> Iterator[Quote]:
    """What is said of the change of treatment that a clause asks about; what has the number of a register that
    it asks for; and where doses are told, the doses of its patients: the row of a child's weight.

    Args:
        own: the documents on the clause's medicines, by `Document.subject`.

    Raises:
        StoreError: the library cannot be read.
    """
    yield from on_change(part.clause.text, part.hits, reader)
    if number := number_asked(part.clause.text):
        yield from _with_number(number, part, own, reader)
    if not (whose.wants_amount and of_patients(whose.asked)):
        return
    first = {one.document.subject: one for one in reversed(part.hits)}
    for hit in (first[subject] for subject in first if subject in own):
        for quote in reader.telling(
            hit, lambda chunk, one: chunk.section == POSOLOGY and bool(numbers(one.text))
        ):
            if whose.has_told_dose(quote) and not whose.is_for_others(quote):
                yield quote


def _with_number(
    number: re.Pattern[str], part: ClauseEvidence, own: Collection[_Subject], reader: PassageReader
) -> Iterator[Quote]:
    first = {one.document.subject: one for one in reversed(part.hits)}
    for hit in (first[subject] for subject in first if subject in own):
        yield from reader.telling(hit, lambda _, one: number.search(one.text) is not None)
