"""The patients and products that a statement speaks of, also by what stands over it."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.leaflets.conditions import DocumentCondition
from core.evidence.passages import Quote
from core.evidence.patients.conditions import given_as_asked, routes_over, told_of
from core.evidence.reading.own_conditions import own_conditions, reading_of


def conditions_of(quote: Quote, above: Sequence[str]) -> list[DocumentCondition]:
    """What it says itself, and where it says nothing what stands above it, the heading too; of a row of a table
    also how it is given.

    Args:
        above: what stands before it in its paragraph or over its table, in order.
    """
    heading, read = quote.hit.chunk.heading, reading_of(quote)
    told = told_of(own_conditions(quote), above, heading, read)
    ways = routes_over(told, (heading, *quote.labels), read) if quote.row else ()
    return [*told, *ways]


def is_given_otherwise(
    quote: Quote, asked: Sequence[DocumentCondition], told: Sequence[DocumentCondition]
) -> bool:
    """Whether it is a row of a table that tells of another route than those asked about: by mouth where
    suppositories are.

    Args:
        told: its conditions.
    """
    return quote.row and given_as_asked(asked, told) is False
