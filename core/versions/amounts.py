"""Numbers of a text that another version of it has otherwise: amounts, limits, shares, dates."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher
from fractions import Fraction
from typing import TypeAlias

from core.text.quantities import Quantity, quantities
from core.versions.differences import NumberChange
from core.versions.words import TextWord, spans_of, words

Spans: TypeAlias = tuple[tuple[int, int], ...]
_Key: TypeAlias = tuple[Fraction, str, str, int]


def changed_numbers(old: str, new: str) -> tuple[tuple[NumberChange, ...], Spans, Spans]:
    """The numbers that differ between two texts, and where they stand in each.

    "1 g" and "1,000 mg" are the same; "up to 10 mg" and "at least 10 mg" are not, and neither are two
    numbers that have changed places.
    """
    then, now = quantities(old), quantities(new)
    gone, come = set[int](), set[int]()
    changes: list[NumberChange] = []
    for a, b, c, d in _unlike(then, now):
        gone.update(range(a, b))
        come.update(range(c, d))
        for step in range(max(b - a, d - c)):
            before = then[a + step].written if a + step < b else ""
            after = now[c + step].written if c + step < d else ""
            changes.append(NumberChange(before, after))
    return tuple(changes), _places(old, then, gone), _places(new, now, come)


def _unlike(
    then: Sequence[Quantity], now: Sequence[Quantity]
) -> Iterator[tuple[int, int, int, int]]:
    """Where two rows of quantities differ. Those that are also written alike are brought together first: 96
    hours are not the 4 days that the same sentence goes on with."""
    written = _matcher(
        [(one.written, _key(one)) for one in then], [(one.written, _key(one)) for one in now]
    )
    for tag, a, b, c, d in written.get_opcodes():
        if tag == "equal":
            continue
        amounts = _matcher([_key(one) for one in then[a:b]], [_key(one) for one in now[c:d]])
        for kind, i, j, k, m in amounts.get_opcodes():
            if kind != "equal":
                yield a + i, a + j, c + k, c + m


def _matcher(old: Sequence[object], new: Sequence[object]) -> SequenceMatcher[object]:
    return SequenceMatcher(None, old, new, autojunk=False)


def own_numbers(text: str, *, bare: bool) -> tuple[tuple[str, ...], Spans]:
    """The numbers of a text that the other version does not have at all, and where they stand.

    Args:
        bare: also those without a unit, as cells of a table are.
    """
    found = quantities(text)
    told = {place for place, one in enumerate(found) if bare or one.unit}
    return tuple(found[place].written for place in sorted(told)), _places(text, found, told)


def _key(one: Quantity) -> _Key:
    return one.amount, one.unit, one.period, one.bound


def _places(text: str, found: Sequence[Quantity], wanted: Collection[int]) -> Spans:
    """Where some quantities of a text stand in it; they know it only normalised."""
    there = words(text)
    marked = set[int]()
    at = 0
    for place, one in enumerate(found):
        written = words(one.written)
        start = _next(there, at, written[:1])
        if start is None:
            continue
        end = start + 1
        while (
            end < len(there)
            and end - start < len(written)
            and (there[end].key == written[end - start].key)
        ):
            end += 1
        at = start + 1
        if place in wanted:
            marked.update(range(start, end))
    return spans_of(there, marked)


def _next(there: Sequence[TextWord], at: int, first: Sequence[TextWord]) -> int | None:
    """The next place at which a word stands."""
    keys = {word.key for word in first}
    return next((place for place in range(at, len(there)) if there[place].key in keys), None)
