"""Statements of a medicine's own documents that no passage found has: each stands in one place, among others
that are much like it, which search cannot tell apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from core.domain.documents import Hit
from core.domain.leaflets.plan import ADVERSE_REACTIONS
from core.evidence.evidence import ClauseEvidence
from core.evidence.passages import PassageReader, Quote
from core.evidence.patients.beside.switching import on_change
from core.evidence.patients.conditions import of_patients
from core.evidence.patients.special import POSOLOGY
from core.evidence.patients.whose import Whose
from core.evidence.reading.raised import number_asked
from core.text.quantities import numbers

# From this probability on a question that asks for a section and nothing else is answered from there.
CERTAIN = 0.8
_Subject = tuple[str, str]


def beyond_hits(
    part: ClauseEvidence,
    own: Collection[_Subject],
    whose: Whose,
    reader: PassageReader,
    names_finding: Callable[[Quote], bool],
) -> Iterator[Quote]:
    """What is said of the change of treatment that a clause asks about; what has the number of a register that
    it asks for; the section that it asks for and nothing else, which calls its medicine by another name
    ("Store AVONEX ..."); the finding whose frequency it asks for; and where doses are told, the doses of its
    patients (the row of a child's weight), or where it says nothing of patients those for its illness.

    Args:
        own: the documents on the clause's medicines, by `Document.subject`.
        names_finding: whether a list or a row names that.

    Raises:
        StoreError: the library cannot be read.
    """
    yield from on_change(part.clause.text, part.hits, reader)
    if number := number_asked(part.clause.text):
        yield from _with_number(number, part, own, reader)
    alone = part.clause.leaflet.section_alone if part.clause.leaflet is not None else None
    # A word that says so makes up for a probability that does not.
    if alone is not None and (
        alone.probability >= CERTAIN or alone.section in part.clause.sections
    ):
        yield from _of_section(alone.section, part, own, reader)
    if part.clause.leaflet is not None and part.clause.leaflet.asks_incidence:
        of_reactions = _of_section(ADVERSE_REACTIONS, part, own, reader)
        yield from filter(names_finding, of_reactions)
        return
    if not whose.wants_amount:
        return
    is_theirs = whose.has_told_dose if of_patients(whose.asked) else whose.has_dose_for_illness
    for hit in _first_of_each(part, own):
        for quote in reader.telling(
            hit, lambda chunk, one: chunk.section == POSOLOGY and bool(numbers(one.text))
        ):
            if is_theirs(quote) and not whose.is_for_others(quote):
                yield quote


def _first_of_each(part: ClauseEvidence, own: Collection[_Subject]) -> Iterator[Hit]:
    first = {one.document.subject: one for one in reversed(part.hits)}
    return (first[subject] for subject in first if subject in own)


def _of_section(
    section: str, part: ClauseEvidence, own: Collection[_Subject], reader: PassageReader
) -> Iterator[Quote]:
    for hit in _first_of_each(part, own):
        yield from reader.telling(hit, lambda chunk, _: chunk.section == section)


def _with_number(
    number: re.Pattern[str], part: ClauseEvidence, own: Collection[_Subject], reader: PassageReader
) -> Iterator[Quote]:
    for hit in _first_of_each(part, own):
        yield from reader.telling(hit, lambda _, one: number.search(one.text) is not None)
