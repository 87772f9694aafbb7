"""Places in a plan, and the plan with something else there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from core.domain.plans import Condition, Named, Plan, Selection, Want

# The number of a set, then for each condition on the way down two: which of those that all hold, and
# which of its alternatives. A set within a condition has the condition's place.
Place: TypeAlias = tuple[int, ...]


def sets_of(plan: Plan) -> Iterator[tuple[Place, Selection]]:
    """Every set of a plan with its place, each before those within it."""
    for number, selection in enumerate(plan.sets):
        yield from _within((number,), selection)


def conditions_of(place: Place, selection: Selection) -> Iterator[tuple[Place, Condition]]:
    """The conditions of a set with their places, not those of sets within."""
    for number, alternatives in enumerate(selection.conditions):
        for other, condition in enumerate(alternatives):
            yield (*place, number, other), condition


def all_conditions(plan: Plan) -> Iterator[tuple[Place, Condition, Selection]]:
    """Every condition of a plan with its place and the set that it is said of."""
    for place, selection in sets_of(plan):
        for at, condition in conditions_of(place, selection):
            yield at, condition, selection


def names_of(plan: Plan) -> Iterator[Named]:
    """The entities that a plan names, subjects first."""
    yield from plan.subjects
    for _, condition, _ in all_conditions(plan):
        if isinstance(condition.of, Named):
            yield condition.of


def with_set(plan: Plan, place: Place, selection: Selection) -> Plan:
    """The plan with another set at a place."""
    if len(place) > 1:
        return with_condition(plan, place, replace(condition_at(plan, place), of=selection))
    sets = list(plan.sets)
    sets[place[0]] = selection
    return _in_step(replace(plan, sets=tuple(sets)))


def with_condition(plan: Plan, place: Place, condition: Condition | None) -> Plan:
    """The plan with another condition at a place; without it where that is None."""
    *_, number, other = place
    owner = place[:-2]
    selection = set_at(plan, owner)
    conditions = [list(alternatives) for alternatives in selection.conditions]
    conditions[number][other : other + 1] = [condition] if condition is not None else []
    kept = tuple(tuple(alternatives) for alternatives in conditions if alternatives)
    return with_set(plan, owner, replace(selection, conditions=kept))


def set_at(plan: Plan, place: Place) -> Selection:
    """The set at a place."""
    if len(place) == 1:
        return plan.sets[place[0]]
    of = condition_at(plan, place).of
    if not isinstance(of, Selection):
        raise LookupError("no set stands at this place")
    return of


def condition_at(plan: Plan, place: Place) -> Condition:
    """The condition at a place."""
    *_, number, other = place
    return set_at(plan, place[:-2]).conditions[number][other]


def _within(place: Place, selection: Selection) -> Iterator[tuple[Place, Selection]]:
    yield place, selection
    for at, condition in conditions_of(place, selection):
        if isinstance(condition.of, Selection):
            yield from _within(at, condition.of)


def _in_step(plan: Plan) -> Plan:
    """What is compared are the entities that the sets are about."""
    if plan.want is not Want.COMPARE:
        return plan
    ends = (one.of for selection in plan.sets for one in selection.all_conditions())
    return replace(plan, subjects=tuple(one for one in ends if isinstance(one, Named)))
