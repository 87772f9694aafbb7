"""Rows of a table whose first cell is another medicine's, or whose last one is on others than the first:
in a guideline's table of medicines, another's row tells nothing of the one that is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import takewhile

from core.domain.leaflets.conditions import DocumentCondition
from core.evidence.passages import Quote
from core.evidence.patients.conditions import unasked_organs
from core.questions.leaflets.reader import conditions_told
from core.text.quantities import Quantity, quantities
from core.text.spelling.medicines import substances_in

# A short form that is said not to hold: "not BEN", "non-BEN", "keine BEN".
_DENIED = re.compile(
    r"(?<!\w)(?:(?i:not|no|non|without|nicht|keine?|ohne|niet|geen|zonder))[\s-](?:(?i:an?)\s)?([A-Z]{2,8})(?!\w)"
)


def is_of_another(quote: Quote, asked: frozenset[int], question: str) -> bool:
    """Whether a quote is a row whose first cell names a medicine, and the row none of those asked about; or one
    of a table for those whom the question says that it is not about ("not BEN"). In the document of one of
    these another medicine's row tells what that does to it.

    Args:
        asked: see `substances_in`.
    """
    if not quote.row or not quote.parts:
        return False
    if any(_is_for(label, one) for one in _DENIED.findall(question) for label in quote.labels):
        return True
    if not asked:
        return False
    first = substances_in(quote.parts[0])
    return (
        bool(first)
        and not asked & substances_in(quote.text)
        and not asked & substances_in(quote.hit.document.called)
    )


def _is_for(label: str, short: str) -> bool:
    """Whether a label names a short form, and does not deny it, too: "without BEN", "non-BEN"."""
    named = re.search(rf"(?<!\w){re.escape(short)}(?!\w)", label) is not None
    return named and short not in _DENIED.findall(label)


def has_dose_of_all(
    quote: Quote, asked: Sequence[DocumentCondition], is_amount: Callable[[Quantity], bool]
) -> bool:
    """Whether a cell of a row, or an item of a list, has an amount that is asked and says nothing of impaired
    organs, whatever the one on dose adjustments says."""
    lead = quote.lead.text if quote.lead is not None else ""
    items = [one.text.removeprefix(lead) for one in quote.items]
    cells = quote.parts[1:] if quote.row else items if len(items) > 1 else ()
    return any(
        any(map(is_amount, quantities(one))) and not unasked_organs(asked, conditions_told(one))
        for one in cells
    )


def opening_of(quote: Quote, is_amount: Callable[[Quantity], bool]) -> str:
    """What a row's labels, its first cell and those before an asked amount say: whom or what it is on."""
    before = takewhile(lambda one: not any(map(is_amount, quantities(one))), quote.parts[1:])
    return " ".join((*quote.labels, *quote.parts[:1], *before))
