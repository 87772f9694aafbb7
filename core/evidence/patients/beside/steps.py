"""Tables whose rows are the steps of one course ("Week 1", "Step 2"): one of them is half of it."""

from __future__ import annotations

import re

from core.evidence.passages import PassageReader, Quote
from core.evidence.patients.contrasts import MOMENT, PHASE, contrasts_of
from core.evidence.patients.times import is_then, times_of

_MOST = 12  # rows
# What a question names by its number, and a row by one, by several or from one on; a dose with a number may be
# an amount.
_STEPS = {
    "step": "steps?",
    "schritt": "schritte?",
    "stufe": "stufen?",
    "stap": "stap(?:pen)?",
    "cycle": "cycles?",
    "zyklus": "zyklus|zyklen",
    "cyclus": "cyclus|cycli",
    "infusion": "infusions?|infusionen",
    "infusie": "infusies?",
}
_NUMBERED = re.compile(
    rf"(?:[^:;]{{1,40}}:\s*)?(?:{'|'.join(_STEPS.values())}|stages?|dos(?:e|is)|visits?)\s?\d",
    re.IGNORECASE,
)
_TO = r"\s?(?:-|–|to|bis|tot|through|,|and|und|en|&)\s?"
_ONWARD = (
    r"\s?(?:\+|onwards?|on(?!\w)|and (?:subsequent|later|beyond|on|further)|und (?:folgende|weitere)"
    r"|en verder)"
)
_NAMED = re.compile(
    rf"(?<!\w)(?:{'|'.join(f'(?P<{name}>{words})' for name, words in _STEPS.items())})\s?(?P<first>\d{{1,2}})"
    rf"(?:{_TO}(?P<last>\d{{1,2}})(?!\d))?(?P<onward>{_ONWARD})?(?![\d.,]*\d)",
    re.IGNORECASE,
)
_LAST = 99


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


def is_other_step(quote: Quote, question: str) -> bool:
    """Whether a row is one or several steps of a course, and a question asks for another: "step 3"."""
    own = _steps_in(quote.parts[0]) if quote.row and quote.parts else []
    asked = _steps_in(question) if own else []
    same = [(one, other) for one in asked for other in own if one[0] == other[0]]
    return bool(same) and not any(one[1] <= other[2] and other[1] <= one[2] for one, other in same)


def names_step(question: str) -> bool:
    """Whether a question names the step of a course by its number."""
    return bool(_steps_in(question))


def _steps_in(text: str) -> list[tuple[str, int, int]]:
    """The steps that a text names: what each is called, and the first and the last."""
    found = []
    for one in _NAMED.finditer(text):
        name = next(name for name in _STEPS if one[name])
        first = int(one["first"])
        last = _LAST if one["onward"] else int(one["last"] or first)
        found.append((name, first, last))
    return found


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
