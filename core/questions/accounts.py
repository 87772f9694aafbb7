"""Whether every word of a question that tells of the graph has a part in its plan.

A reading may go wrong in ways that nobody foresaw: a verb that is taken for spent, a noun whose set is
replaced, a set put between two others that no word speaks of. What it leads to is then a plan that says
less, or something else, than the question. So the finished plan is held against the words: each verb,
and each noun of a type or a relationship, must be found in it, and each set within another in the words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from core.domain.plans import Gap, LeftOver, Plan, Selection, Want
from core.questions.items import Item
from core.questions.lexicon import Sense, WordKind
from core.questions.plan_reading.links import MEMBERS

_OFFERED = (Want.LIST, Want.COUNT, Want.YES_NO)
_SAYING = frozenset({WordKind.NAME, WordKind.EVERYTHING, WordKind.NOTHING})
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
    missing += _of_unsaid_sets(plan, items)
    missing += items[-1:] if _more_ways_than_words(plan, items) else []
    left = tuple(LeftOver(item.text, Gap.WORD) for item in missing)
    return replace(plan, left_over=left) if left else plan


def offer(plan: Plan, items: Sequence[Item]) -> Plan | None:
    """The plan without the words that were left over, where it may be offered: these are words that nobody
    knows, and every relationship is said by another. "Which drugs worsen gout?" without "worsen" says none.
    Of longer chains and of comparisons it is mostly not what was asked (docs/decisions/question_plans.md).

    Args:
        items: of the question.
    """
    relationships = set(_relationships(plan))
    said = {name for item in items for one in item.senses for name in one.relationships}
    unknown = bool(plan.left_over) and all(one.gap is Gap.WORD for one in plan.left_over)
    is_short = plan.want in _OFFERED and all(one.hops == 1 for one in plan.sets)
    if not (unknown and is_short and relationships and relationships <= said):
        return None
    return replace(plan, left_over=())


def left_out(
    plan: Plan, closest: Plan, items: Sequence[Item], nothing: Iterable[str]
) -> tuple[LeftOver, ...]:
    """What is named as left out where another plan is offered in place of one: its own words, each that nobody
    knows, and each that tells of the graph and is not in the other plan.

    Args:
        closest: the plan that is offered.
        items: of the question.
        nothing: as for `accounted`.
    """
    texts = {item.text for item in items if not item.entities}
    missing = accounted(closest, items, nothing).left_over
    unknown = (LeftOver(item.text, Gap.WORD) for item in items if not item.senses)
    more = [*unknown, *(one for one in missing if one.text in texts)]
    said = {one.text for one in plan.left_over}
    return (*plan.left_over, *dict.fromkeys(one for one in more if one.text not in said))


def says_all(likely: Plan, items: Sequence[Item], nothing: Iterable[str]) -> bool:
    """Whether a plan that is not read of the words may be what they ask all the same: one step from one name;
    each word that tells of the graph is in it, and none says "and", "not", "most", "first" or a number that
    is not in it.

    Args:
        likely: the plan of the kind of question that is likely meant.
        items: of the question.
        nothing: as for `accounted`.
    """
    names = [item for item in items if item.entities]
    if len(names) != 1 or likely.want not in (Want.LIST, Want.COUNT) or likely.denies:
        return False
    if any(one.hops != 1 for one in likely.sets) or not accounted(likely, items, nothing).complete:
        return False
    counts = {WordKind.COUNT} if likely.want is Want.COUNT else set()
    return all(
        any(one.kind in _TELLING | _SAYING | counts for one in item.senses)
        if item.senses
        else not any(map(str.isdigit, item.text))
        for item in items
    )


def _of_unsaid_sets(plan: Plan, items: Sequence[Item]) -> list[Item]:
    """What is bound to a set within another that no word speaks of: "drugs for gout that target P" are not
    drugs that target proteins that have to do with gout."""
    said = {name for item in items for one in item.senses for name in one.types}
    unsaid = [
        condition.of
        for one in _selections(plan.sets)
        for condition in one.all_conditions()
        if isinstance(condition.of, Selection)
        and said.isdisjoint(condition.of.types)
        and not _are_members(condition.of)
    ]
    ids = {
        key
        for one in unsaid
        for condition in one.all_conditions()
        if not isinstance(condition.of, Selection)
        for key in condition.of.ids
    }
    named = [item for item in items if ids.intersection(one.id for one in item.entities)]
    return named or [item for item in items[-1:] if unsaid or _more_sets_than_words(plan, items)]


def _more_sets_than_words(plan: Plan, items: Sequence[Item]) -> bool:
    """Whether sets of a type are more than the words for it: "for the target P, what drugs exist?" has
    no drugs that target what other drugs target."""
    said = Counter(name for item in items for name in {n for one in item.senses for n in one.types})
    return any(
        count > max(said[name], name in root.types)
        for root in plan.sets
        for name, count in Counter(
            name
            for one in _selections([root])
            if one is root or not _are_members(one)
            for name in one.types
        ).items()
    )


def _more_ways_than_words(plan: Plan, items: Sequence[Item]) -> bool:
    """Whether a chain goes the same way forth and back, and one word says so: "drugs that depend on the
    enzyme P" are not drugs of enzymes of drugs."""
    said = Counter(
        name for item in items for name in {n for one in item.senses for n in one.relationships}
    )
    return any(
        said[name] == 1
        for one in _selections(plan.sets)
        for outer in one.all_conditions()
        if isinstance(outer.of, Selection)
        for inner in outer.of.all_conditions()
        for name in set(outer.relationships).intersection(inner.relationships)
    )


def _are_members(selection: Selection) -> bool:
    """Whether a set is what a named pathway or class consists of: "drugs that act on the Wnt pathway" says
    it."""
    conditions = list(selection.all_conditions())
    return len(conditions) == 1 and MEMBERS.issuperset(conditions[0].relationships)


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
