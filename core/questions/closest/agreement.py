"""Whether the words of a question agree with what it was likened to.

Likeness is told from the whole of a question, so that a "not" or an "or" weighs little in it. What such words
say must therefore be found in the plan that is likely meant, and nothing in the plan may be denied that no word
denies; what says something else of the graph, or of how much is wanted, speaks against it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from core.domain.plans import Condition, Plan, Selection, Want
from core.questions.accounts import says_all, unsaid
from core.questions.items import Item
from core.questions.lexicon import Lexicon, WordKind
from core.questions.planned import Listed

_JOINING = frozenset({WordKind.AND, WordKind.OR})
_DENYING = frozenset({WordKind.NOT, WordKind.NEITHER, WordKind.NOR, WordKind.UNCLEAR})
_OF_GRAPH = frozenset({WordKind.NOUN, WordKind.TYPE})
_ALWAYS = frozenset(
    {
        WordKind.NAME,
        WordKind.EVERYTHING,
        WordKind.NOTHING,
        WordKind.VERB,
        WordKind.NOUN,
        WordKind.TYPE,
        WordKind.INCLUDE,
    }
)
_WANTED: dict[Want, frozenset[WordKind]] = {
    Want.COUNT: frozenset({WordKind.COUNT}),
    Want.MOST: frozenset({WordKind.MOST, WordKind.COUNT}),
    Want.LEAST: frozenset({WordKind.LEAST, WordKind.COUNT}),
    Want.COMPARE: frozenset({WordKind.COMPARE, WordKind.SHARE, WordKind.BOTH}),
    Want.SIMILAR: frozenset({WordKind.SIMILAR}),
    Want.PATH: frozenset({WordKind.PATH}),
    Want.YES_NO: frozenset({WordKind.PATH}),
}


def unaccounted(
    likely: Plan, items: Sequence[Item], lexicon: Lexicon, before: Listed | None, *, of_before: bool
) -> list[Item] | None:
    """What would have to change nothing for a plan that is not read of the words to be what they ask: the words
    that nobody knows, those that tell of the graph and are not in it, and ordinals. None where it cannot be: a
    word says "not", "or", "most", or a number that is not in it, or something is denied in it that no word
    denies; where it is more than one step from one name, also where a noun is not in it.

    Args:
        likely: the plan of the kind of question that is likely meant.
        items: of the question.
        lexicon: that read them.
        before: the list that "them" and "the second" speak of, if there is one.
        of_before: the plan speaks of it.
    """
    names = [item for item in items if item.entities]
    is_plain = _is_plain(likely, len(names))
    kinds = {one.kind for item in items for one in item.senses}
    if likely.denies and (kinds.isdisjoint(_DENYING) or not _denies_next(likely, items)):
        return None
    if len(names) > 1 and not says_all(likely, items):
        return None
    missing = unsaid(likely, items, lexicon)
    saying = _sayings(likely, len(names))
    if before is None or of_before:
        saying |= {WordKind.THEM}
    found = []
    for place, item in enumerate(items):
        if len(names) > 1 and lexicon.is_number(item.text, len(names)):
            continue  # "treats the two of them"
        if not item.senses or item in missing:
            if any(map(str.isdigit, item.text)):
                return None
            if not is_plain and any(map(item.has, _OF_GRAPH)):
                return None
            found.append(item)
        elif item.has(WordKind.ORDINAL) and before is None:
            found.append(item)
        elif not any(one.kind in saying for one in item.senses):
            beside = items[max(place - 1, 0) : place + 2]
            joins = len(names) == 1 and any(map(item.has, _JOINING))
            if not (joins and any(not one.senses for one in beside)):
                return None
    return found


def _denies_next(plan: Plan, items: Sequence[Item]) -> bool:
    """Whether the first name behind each "not" is one that the plan denies."""
    denied = {
        key
        for one in _ends(plan)
        if one.negated and not isinstance(one.of, Selection)
        for key in one.of.ids
    }
    behind = (
        next((one for one in items[place + 1 :] if one.entities), None)
        for place, item in enumerate(items)
        if item.has(WordKind.NOT)
    )
    return all(
        one is None or not denied.isdisjoint(each.id for each in one.entities) for one in behind
    )


def _is_plain(plan: Plan, names: int) -> bool:
    """Whether it is one step from one name, a list or a number."""
    one_step = all(one.hops == 1 for one in plan.sets) and plan.want in (Want.LIST, Want.COUNT)
    return one_step and names == 1 and not plan.denies


def _sayings(plan: Plan, names: int) -> frozenset[WordKind]:
    """The kinds of words that may say what is in a plan."""
    found = set(_ALWAYS | _WANTED.get(plan.want, frozenset()))
    if not _is_plain(plan, names):
        found |= {WordKind.AND}
    if names > 1:
        found |= {WordKind.SHARE, WordKind.BOTH, WordKind.BUT}
    types = Counter(one.of.type for one in _ends(plan) if not isinstance(one.of, Selection))
    alternative = any(len(each) > 1 for one in plan.sets for each in one.conditions)
    if alternative or max(types.values(), default=0) < 2:
        found |= {WordKind.EITHER}
    if alternative:
        found |= {WordKind.OR}
    if plan.denies:
        found |= {*_DENYING, WordKind.OR, WordKind.EITHER}
    return frozenset(found)


def _ends(plan: Plan) -> Iterator[Condition]:
    return chain.from_iterable(one.all_conditions() for one in plan.sets)
