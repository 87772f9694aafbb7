"""A list with the items that hold for other patients apart: what is told of those asked about stands out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from core.evidence.passages import PassageReader, Quote
from core.text.statements import Statement


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
