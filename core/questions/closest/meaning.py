"""Whether two plans ask the same, however they were read."""

from __future__ import annotations

from collections.abc import Hashable

from core.domain.plans import Condition, Named, Plan, Selection, Want


def same_meaning(one: Plan, other: Plan) -> bool:
    """Whether two plans lead to the same answer: the order of conditions, whether "all" was said, and which end
    of a yes or no is the subject change nothing."""
    return _of_plan(one) == _of_plan(other)


def _of_plan(plan: Plan) -> Hashable:
    want = Want.LIST if plan.want is Want.SHARE else plan.want
    if want is Want.YES_NO:
        conditions = [one for each in plan.sets for one in each.all_conditions()]
        ids = frozenset(frozenset(one.ids) for one in plan.named())
        ways = frozenset(name for one in conditions for name in one.relationships)
        return want, ids, ways, any(one.negated for one in conditions)
    ordered = want is Want.COMPARE
    sets = tuple(map(_of_selection, plan.sets))
    subjects = tuple(map(_of_named, plan.subjects)) if want in (Want.PATH, Want.SIMILAR) else ()
    rank = (
        (frozenset(plan.rank.relationships), frozenset(plan.rank.types))
        if plan.rank is not None
        else None
    )
    return want, sets if ordered else frozenset(sets), frozenset(subjects), rank


def _of_selection(selection: Selection) -> Hashable:
    conditions = frozenset(
        frozenset(map(_of_condition, alternatives)) for alternatives in selection.conditions
    )
    return frozenset(selection.types), conditions


def _of_condition(condition: Condition) -> Hashable:
    of = condition.of
    end = _of_selection(of) if isinstance(of, Selection) else _of_named(of)
    return frozenset(condition.relationships), end, condition.negated


def _of_named(named: Named) -> Hashable:
    return frozenset(named.ids)
