"""Lists whose items are on patients: those for others apart, and several that must hold together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from core.domain.leaflets.conditions import DocumentCondition
from core.evidence.passages import PassageReader, Quote
from core.evidence.patients.conditions import Fit, fit, of_patients
from core.questions.leaflets.reader import conditions_told
from core.text.leads import must_hold
from core.text.statements import Statement


def holds_together(quote: Quote) -> bool:
    """Whether several items of a list must hold for what its lead-in says; that is no dose of everybody's."""
    return quote.lead is not None and must_hold(quote.lead.text, len(quote.items)) > 1


def fit_of_several(quote: Quote, asked: Sequence[DocumentCondition]) -> Fit | None:
    """Whether a list is on the patients asked about that says how many of its items must hold together: as many
    as that must be met, and it is for others where too few may be. None of another quote."""
    if quote.lead is None or not of_patients(asked) or not holds_together(quote):
        return None
    lead = quote.lead.text
    needed = must_hold(lead, len(quote.items))
    items = [conditions_told(one.text.removeprefix(lead)) for one in quote.items]
    each = [fit(asked, one) for one in items]
    too_few = len(items) - sum(one.other_patient for one in each) < needed
    led = fit(asked, conditions_told(lead))
    met = led.met + (sum(one.met > 0 for one in each) >= needed)
    return Fit(met, led.at_odds + too_few, too_few or led.other_patient)


def parted(parts: Sequence[Quote], is_for_others: Callable[[Quote], bool]) -> Iterator[Quote]:
    """The parts of a list, each with its items for other patients as a quote of their own behind it; as they
    are where all of its items are for others, or none.

    Args:
        is_for_others: whether an item, told with its lead-in, is for other patients.
    """
    of_others = {
        (part.key, item.key)
        for part in parts
        for item in PassageReader.single_items(part, lambda _text: True)
        if is_for_others(item)
    }
    if len(of_others) == sum(len(part.items) for part in parts):
        yield from parts
        return
    for part in parts:
        of_part = [
            (item, (part.key, (*part.key[:2], item.start, item.end)) in of_others)
            for item in part.items
        ]
        own = tuple(item for item, others in of_part if not others)
        apart = tuple(item for item, others in of_part if others)
        if own and apart:
            yield _of_items(part, own)
        elif own or not part.items:
            yield part
        if apart:
            yield replace(_of_items(part, apart), others=True)


def _of_items(part: Quote, items: tuple[Statement, ...]) -> Quote:
    """A part of a list with some of its items, as `Statement.text` says it of all."""
    if part.lead is None or len(items) == len(part.items):
        return part
    lead = part.lead.text
    said = "; ".join(one.text.removeprefix(lead).strip().removesuffix(".") for one in items)
    return replace(part, text=f"{lead} {said.replace(':; ', ': ')}.", items=items)
