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
from core.questions.lexicon import Lexicon, Sense, WordKind
from core.questions.plan_reading.links import MEMBERS

_OFFERED = (Want.LIST, Want.COUNT, Want.YES_NO)
_OF_SETS = (WordKind.TYPE, WordKind.NOUN)
_SETS_OF = (Want.LIST, Want.COUNT)
_TELLING = frozenset({WordKind.VERB, WordKind.NOUN, WordKind.TYPE})


def accounted(plan: Plan, items: Sequence[Item], lexicon: Lexicon) -> Plan:
    """The plan, with the words that it should hold and does not as left over.

    Args:
        items: of the question.
        lexicon: that read them.
    """
    if not plan.complete:
        return plan
    missing = unsaid(plan, items, lexicon)
    missing += _of_unsaid_sets(plan, items)
    missing += _unasked(plan, items, lexicon)
    missing += _unjoined(plan, items)
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
    unknown = bool(plan.left_over) and all(one.gap is Gap.WORD for one in plan.left_over)
    is_short = plan.want in _OFFERED and all(one.hops == 1 for one in plan.sets)
    any_said = next(_relationships(plan), None) is not None and says_all(plan, items)
    if not (unknown and is_short and any_said and names_all(plan, items)):
        return None
    return replace(plan, left_over=())


def says_all(plan: Plan, items: Iterable[Item]) -> bool:
    """Whether each relationship of a plan is said by a word."""
    said = {name for item in items for one in item.senses for name in one.relationships}
    return said.issuperset(_relationships(plan))


def names_all(plan: Plan, items: Iterable[Item]) -> bool:
    """Whether each entity that a question names is in a plan."""
    ids = {key for one in plan.named() for key in one.ids}
    return all(not item.entities or any(one.id in ids for one in item.entities) for item in items)


def left_out(
    plan: Plan, closest: Plan, items: Sequence[Item], lexicon: Lexicon
) -> tuple[LeftOver, ...]:
    """What is named as left out where another plan is offered in place of one: its own words, each that nobody
    knows, and each that tells of the graph and is not in the other plan.

    Args:
        closest: the plan that is offered.
        items: of the question.
        lexicon: that read them.
    """
    texts = {item.text for item in items if not item.entities}
    missing = accounted(closest, items, lexicon).left_over
    unknown = (LeftOver(item.text, Gap.WORD) for item in items if not item.senses)
    more = [*unknown, *(one for one in missing if one.text in texts)]
    said = {one.text for one in plan.left_over}
    return (*plan.left_over, *dict.fromkeys(one for one in more if one.text not in said))


def unsaid(plan: Plan, items: Sequence[Item], lexicon: Lexicon) -> list[Item]:
    """Verbs and nouns of the lexicon that are not in a plan."""
    relationships, types = set(_relationships(plan)), set(_types(plan))

    def is_in(sense: Sense) -> bool:
        said = bool(relationships.intersection(sense.relationships))
        of_graph = not sense.relationships or not lexicon.lacks(sense.relationships)
        return said or (of_graph and bool(types.intersection(sense.types)))

    return [
        item
        for item in items
        if item.senses
        and not item.entities
        and item.text.casefold() not in lexicon.nothing
        and all(one.kind in _TELLING for one in item.senses)
        and not any(map(is_in, item.senses))
    ]


def without_part(plan: Plan, items: Sequence[Item], lexicon: Lexicon) -> list[Item]:
    """Words that nobody knows, and those that tell of the graph and are not in a plan."""
    missing = unsaid(plan, items, lexicon)
    return [one for one in items if not one.entities and (not one.senses or one in missing)]


def _unasked(plan: Plan, items: Sequence[Item], lexicon: Lexicon) -> list[Item]:
    """The type that is asked for, where no set that is made is of it: "what proteins are there that P has an
    interaction with?" asks for no drugs."""
    grammar = lexicon.grammar
    asking = grammar.asking - grammar.ends

    def is_asked(item: Item) -> bool:
        behind = [item.gap[n + 1 :] for n, word in enumerate(item.gap) if word in asking]
        return bool(behind) and (not behind[-1] or behind[-1][0] in grammar.being)

    asked = [item for item in items if any(map(item.types_as, _OF_SETS)) and is_asked(item)]
    types = {name for item in asked for kind in _OF_SETS for name in item.types_as(kind)}
    made = {name for one in plan.sets for name in one.types}
    return asked[:1] if made and types and types.isdisjoint(made) and plan.want in _OFFERED else []


def _unjoined(plan: Plan, items: Sequence[Item]) -> list[Item]:
    """An "or" between names of one type that have become an "and", and names of one type that "both" are said
    together of which one alone is denied."""
    conditions = [each for one in _selections(plan.sets) for each in one.conditions]
    ends = [
        (one.of.type, one.negated, len(each) > 1)
        for each in conditions
        for one in each
        if not isinstance(one.of, Selection)
    ]
    types = Counter(kind for kind, _, _ in ends)
    alike = [one for one in ends if types[one[0]] > 1]
    denied = {negated for _, negated, _ in alike}
    if len(alike) < 2 or plan.want not in _SETS_OF:
        return []
    shared = any(one.has(WordKind.SHARE) and not one.has(WordKind.BOTH) for one in items)
    if denied == {False} and not shared and not any(either for _, _, either in alike):
        return [one for one in items if _is_either(one)][:1]
    both = [one for one in items if one.has(WordKind.BOTH) and one.has(WordKind.SHARE)]
    return both[:1] if len(denied) > 1 else []


def _is_either(item: Item) -> bool:
    return item.has(WordKind.OR) or (item.has(WordKind.EITHER) and not item.has(WordKind.BOTH))


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
