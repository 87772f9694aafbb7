"""Tables whose rows are the steps of one course ("Week 1", "Step 2"): one of them is half of it."""

from __future__ import annotations

import re

from core.evidence.passages import PassageReader, Quote
from core.evidence.patients.contrasts import MOMENT, PHASE, contrasts_of
from core.evidence.patients.times import is_then, times_of

_MOST = 12  # rows
_NUMBERED = re.compile(
    r"(?:[^:;]{1,40}:\s*)?(?:steps?|stages?|schritte?|stufen?|stap(?:pen)?|cycles?|zyklus|cyclus|infusions?|infusies?|dos(?:e|is)|visits?)\s?\d",
    re.IGNORECASE,
)


def steps_of(quote: Quote, reader: PassageReader) -> list[Quote]:
    """All steps of the course whose step a row is, in reading order; none of a row that is no step, or where
    there are too many.

    Raises:
        StoreError: the library cannot be read.
    """
    if not _is_step(quote):
        return []
    heading = quote.hit.chunk.heading
    rows = reader.telling(
        quote.hit,
        lambda chunk, one: one.row and one.labels == quote.labels and chunk.heading == heading,
    )
    heads = _heads(quote)
    steps = [one for one in rows if _is_step(one) and _heads(one) == heads]
    return steps if len(steps) <= _MOST else []


def _is_step(quote: Quote) -> bool:
    if not quote.row or len(quote.parts) < 2:
        return False
    first = quote.parts[0]
    if _NUMBERED.match(first) or times_of(first) or is_then(first):
        return True
    return not contrasts_of(first).keys().isdisjoint((PHASE, MOMENT))


def _heads(quote: Quote) -> list[str]:
    """What the columns of a row are called, but for the first."""
    return [head for part in quote.parts[1:] for head, colon, _ in [part.partition(": ")] if colon]
