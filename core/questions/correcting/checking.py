"""Whether a plan that came from outside can be carried out on a graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NoReturn

from core.domain.graph import Entity
from core.domain.plans import Condition, Named, Plan, Selection, Want
from core.errors import InputError
from core.graph.knowledge import KnowledgeGraph
from core.graph.schema import GraphSchema
from core.questions.correcting.places import names_of, sets_of
from core.questions.wording import noun

_MOST_CONDITIONS = 24  # each walks over the graph; the longest question read so far had six
_MOST_IDS = 100
_LONGEST_SHOWN = 60  # characters of what is refused
# What is wanted -> the least and the most sets and subjects that it is made of.
_SHAPES: dict[Want, tuple[tuple[int, int], tuple[int, int]]] = {
    Want.LIST: ((1, 1), (0, 0)),
    Want.COUNT: ((1, 1), (0, 0)),
    Want.MOST: ((1, 1), (0, 0)),
    Want.LEAST: ((1, 1), (0, 0)),
    Want.COMPARE: ((2, 8), (0, 8)),
    Want.YES_NO: ((1, 8), (1, 8)),
    Want.SHARE: ((0, 0), (2, 8)),
    Want.SIMILAR: ((0, 1), (1, 8)),
    Want.PATH: ((0, 0), (2, 8)),
}


def checked(plan: Plan, graph: KnowledgeGraph) -> Plan:
    """The plan, with names and types as the graph has them.

    Raises:
        InputError: code INVALID_PLAN; it is not complete, or speaks of what the graph does not have.
        StoreError: the graph cannot be read.
    """
    return _Checker(graph, plan).checked()


class _Checker:
    def __init__(self, graph: KnowledgeGraph, plan: Plan) -> None:
        self._schema = GraphSchema.of(graph.projection())
        self._plan = plan
        self._check_size()
        self._known = graph.entities({one for named in names_of(plan) for one in named.ids})

    def checked(self) -> Plan:
        plan = self._plan
        if plan.left_over:
            words = ", ".join(f"“{_short(one.text)}”" for one in plan.left_over)
            _refuse(f"The plan leaves something over: {words}.", "Leave it out, or put it in.")
        self._check_shape()
        sets = tuple(self._selection(one) for one in plan.sets)
        plan = replace(plan, sets=sets, subjects=tuple(map(self._named, plan.subjects)))
        if plan.rank is not None:
            self._check_known(plan.rank.types, plan.rank.relationships)
            if not self._schema.links(plan.rank.relationships[0], sets[0].types, plan.rank.types):
                _refuse(
                    f"The graph does not link {noun(sets[0].types)} to {noun(plan.rank.types)} in this way."
                )
        return plan

    def _check_size(self) -> None:
        conditions = sum(
            len(alternatives)
            for _, selection in sets_of(self._plan)
            for alternatives in selection.conditions
        )
        if conditions > _MOST_CONDITIONS:
            _refuse(f"A plan may have {_MOST_CONDITIONS} conditions; this one has {conditions}.")
        if any(len(named.ids) > _MOST_IDS for named in names_of(self._plan)):
            _refuse(f"A name may stand for {_MOST_IDS} entities at most.")

    def _check_shape(self) -> None:
        plan = self._plan
        (fewest, most), (fewest_named, most_named) = _SHAPES[plan.want]
        if not fewest <= len(plan.sets) <= most:
            _refuse(f"A plan that wants “{plan.want}” cannot have {len(plan.sets)} sets.")
        if not fewest_named <= len(plan.subjects) <= most_named:
            _refuse(f"A plan that wants “{plan.want}” cannot have {len(plan.subjects)} subjects.")
        if plan.want is Want.YES_NO and len(plan.sets) != len(plan.subjects):
            _refuse("A plan that asks whether something holds needs one set for each subject.")
        if (plan.rank is not None) != (plan.want in (Want.MOST, Want.LEAST)):
            _refuse("What is counted (“rank”) belongs to plans that want the most or the least.")
        if plan.want in (Want.COUNT, Want.MOST, Want.LEAST, Want.SIMILAR):
            return
        if not all(one.conditions for one in plan.sets):
            _refuse("The plan does not say what is wanted of the set.", "Give it a condition.")

    def _selection(self, selection: Selection) -> Selection:
        self._check_known(selection.types)
        if not all(selection.conditions):
            _refuse("Of several conditions of which one must hold, there must be one.")
        own = list(selection.all_conditions())
        if own and all(one.negated for one in own):
            _refuse(
                "The plan says only what is not wanted.", "Say at least one thing that must hold."
            )
        conditions = tuple(
            tuple(self._condition(one, selection.types) for one in alternatives)
            for alternatives in selection.conditions
        )
        return replace(selection, conditions=conditions)

    def _condition(self, condition: Condition, types: Sequence[str]) -> Condition:
        of = condition.of
        end = self._named(of) if isinstance(of, Named) else self._selection(of)
        self._check_known((), condition.relationships)
        others = self._types(end) if isinstance(end, Named) else end.types
        if not any(
            allows(self._schema, name, types, others, condition.forward)
            for name in condition.relationships
        ):
            said = end.name if isinstance(end, Named) else noun(end.types)
            _refuse(
                f"The graph has no relationship {', '.join(condition.relationships)} between "
                f"{noun(types)} and {said}.",
                "Choose another relationship or another name.",
            )
        return replace(condition, of=end)

    def _named(self, named: Named) -> Named:
        """The name as the graph has it, whatever it was called on the way here."""
        missing = [one for one in named.ids if one not in self._known]
        if missing or not named.ids:
            what = f"“{_short(missing[0])}”" if missing else f"“{_short(named.text)}” without an id"
            _refuse(f"The graph has no entity {what}.", "Search for it, and use its id.")
        first = self._known[named.ids[0]]
        return Named(self._said(named, first), named.ids, first.name, first.type)

    def _said(self, named: Named, first: Entity) -> str:
        """What the question calls it, if that is a name of it."""
        names = {one.casefold() for one in (first.name, first.id, *first.synonyms)}
        return named.text if named.text.casefold() in names else first.name

    def _types(self, named: Named) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._known[one].type for one in named.ids))

    def _check_known(
        self, types: Iterable[str], relationships: Sequence[str] | None = None
    ) -> None:
        if relationships is not None:
            _check_among(relationships, self._schema.relationship_types, "relationship")
            if not relationships:
                _refuse("A condition needs a relationship.")
        elif not types:
            _refuse("A set needs a type of entity.")
        _check_among(types, self._schema.entity_types, "type of entity")


def allows(
    schema: GraphSchema,
    name: str,
    types: Sequence[str],
    others: Sequence[str],
    forward: bool | None,
) -> bool:
    """Whether a relationship may link members of the types to the others in this direction."""
    if forward is None:
        return schema.links(name, types, others)
    return (
        schema.is_source(name, types, others) if forward else schema.is_source(name, others, types)
    )


def _check_among(names: Iterable[str], known: Sequence[str], what: str) -> None:
    for name in names:
        if name not in known:
            _refuse(f"The graph has no {what} “{_short(name)}”.", f"It has: {', '.join(known)}.")


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _refuse(message: str, advice: str = "") -> NoReturn:
    raise InputError(message, advice=advice, code="INVALID_PLAN")
