"""Rows of tables without the cells that are for others than those asked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.domain.leaflets.conditions import DocumentCondition, Partner, Range
from core.evidence.passages import Quote
from core.evidence.patients.conditions import fit
from core.evidence.patients.footnotes import Heard, heard, notes_of
from core.evidence.patients.partners import is_for_other_takers
from core.evidence.patients.times import at_one_time, times_of
from core.questions.leaflets.reader import conditions_told
from core.text.quantities import numbers
from core.text.tables.told import of_parts, whole_range


def narrowed(quote: Quote, asked: Sequence[DocumentCondition], times: Sequence[Range]) -> Quote:
    """A row with its notes, and without the cells that are for others; what is no row as it is.

    Args:
        times: days of the treatment that are asked about.
    """
    if not quote.row:
        return quote
    noted = heard(quote, asked)
    kept = kept_cells(quote, noted, asked, times)
    if not noted.answered and not any(numbers(quote.parts[n]) for n in kept):
        kept = list(range(len(quote.parts)))
    notes = notes_of(quote, kept, noted)
    parts = tuple(quote.parts[n] for n in kept)
    own = quote.text if len(parts) == len(quote.parts) else of_parts(quote.labels, parts)
    text = " ".join([own, *(note.text for note in notes)])
    return replace(quote, text=text, parts=parts, notes=tuple(notes))


def kept_cells(
    quote: Quote, noted: Heard, asked: Sequence[DocumentCondition], times: Sequence[Range]
) -> list[int]:
    """The numbers of the parts of a row that are not for others.

    Args:
        noted: what its notes say of those asked about.
        times: see `narrowed`.
    """
    partners = [one for one in asked if isinstance(one, Partner)]
    told = [
        conditions_told(whole_range(quote.parts, n), of_row=not n) for n in range(len(quote.parts))
    ]
    if told and fit(noted.asked, told[0]).met:
        # The row is theirs: what else a cell names is no patient ("vaccine for adults"), but for its column.
        heads = [part.rpartition(": ")[0] for part in quote.parts[1:]]
        told[1:] = map(conditions_told, heads)
    return [
        place
        for place, part in enumerate(quote.parts)
        if place not in noted.excluded
        and not is_for_other_takers(part, partners)
        and not _is_at_other_time(part, times)
        and not fit(noted.asked, told[place]).other_patient
    ]


def _is_at_other_time(part: str, times: Sequence[Range]) -> bool:
    """Whether a cell stands under a head of other days than those asked about."""
    told = times_of(part.partition(": ")[0]) if times else ()
    return bool(told) and not at_one_time(times, told)
