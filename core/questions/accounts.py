"""Whether every word of a question that tells of the graph has a part in its plan.

A reading may go wrong in ways that nobody foresaw: a verb that is taken for spent, a noun whose set is
replaced. What it leads to is then a plan that says less, or something else, than the question. So the
finished plan is held against the words: each verb, and each noun of a type or a relationship, must be
found in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from core.domain.plans import Gap, LeftOver, Plan, Selection
from core.questions.items import Item
from core.questions.lexicon import Sense, WordKind

_TELLING = frozenset({WordKind.VERB, WordKind.NOUN, WordKind.TYPE})


def accounted(plan: Plan, items: Sequence[Item], nothing: Iterable[str]) -> Plan:
    """The plan, with the words that it should hold and does not as left over.

    Args:
        items: of the question.
        nothing: words of the lexicon that may say nothing, folded.
    """
    if not plan.complete:
        return plan
    empty = frozenset(nothing)
    relationships, types = set(_relationships(plan)), set(_types(plan))
    missing = [
        item
        for item in items
        if item.senses
        and not item.entities
        and item.text.casefold() not in empty
        and all(one.kind in _TELLING for one in item.senses)
        and not any(_is_in(one, relationships, types) for one in item.senses)
    ]
    left = tuple(LeftOver(item.text, Gap.WORD) for item in missing)
    return replace(plan, left_over=left) if left else plan


def _is_in(sense: Sense, relationships: set[str], types: set[str]) -> bool:
    return bool(relationships.intersection(sense.relationships) or types.intersection(sense.types))


def _selections(selections: Iterable[Selection]) -> Iterator[Selection]:
    for one in selections:
        yield one
        yield from _selections(
            condition.of
            for condition in one.all_conditions()
            if isinstance(condition.of, Selection)
        )


def _relationships(plan: Plan) -> Iterator[str]:
    for one in _selections(plan.sets):
        for condition in one.all_conditions():
            yield from condition.relationships
    if plan.rank is not None:
        yield from plan.rank.relationships


def _types(plan: Plan) -> Iterator[str]:
    for one in _selections(plan.sets):
        yield from one.types
        for condition in one.all_conditions():
            if not isinstance(condition.of, Selection):
                yield condition.of.type
    yield from (one.type for one in plan.subjects)
    if plan.rank is not None:
        yield from plan.rank.types
