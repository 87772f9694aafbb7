"""What a plan could have meant instead, and the plan when it is changed so.

Every change keeps to what the graph's schema allows; what no longer fits is fitted again where there is
a relationship that does. `Corrections.checked` has the last word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from core.domain.graph import Entity
from core.domain.names import name_key
from core.domain.plans import Condition, Named, Plan, Selection, Want
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.graph.phrases import relationship_phrase, telling_ranks
from core.graph.schema import GraphSchema
from core.questions.correcting.checking import allows, checked
from core.questions.correcting.places import (
    Place,
    all_conditions,
    condition_at,
    names_of,
    set_at,
    sets_of,
    with_condition,
    with_set,
)
from core.questions.plan_reading.links import SchemaLinks
from core.questions.planned import ReadPlan
from core.questions.spoken import ENGLISH, plan_said
from core.questions.wording import Wording, noun

_CLOSE = 4  # names spelt nearly so
_CONTAINING = 8  # names that contain it
_EXCHANGED = ((Want.LIST, Want.COUNT), (Want.MOST, Want.LEAST))


@dataclass(frozen=True, slots=True)
class Link:
    """A way in which members may be linked to what a condition names.

    Attributes:
        said: as a verb of several members, denied where it is: "do not treat".
    """

    relationships: tuple[str, ...]
    forward: bool | None
    negated: bool
    said: str


@dataclass(frozen=True, slots=True)
class Meant:
    """Entities that a name may stand for.

    Attributes:
        exact: called so.
        close: called nearly so, or longer.
    """

    exact: tuple[Named, ...]
    close: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class Corrections:
    """Corrects plans against the graph as it is now; safe to share between threads.

    Every method raises StoreError when the graph cannot be read.
    """

    graph: KnowledgeGraph
    names: EntityNames

    # -- what could be meant -----------------------------------------------------------------------

    def wants(self, plan: Plan) -> tuple[Want, ...]:
        """What may be wanted of the same sets."""
        return next((both for both in _EXCHANGED if plan.want in both), (plan.want,))

    def types(self, plan: Plan, place: Place) -> tuple[tuple[str, ...], ...]:
        """Types that the set at a place may have, its own first."""
        selection, schema = set_at(plan, place), self._schema()
        ends = [self._end_types(one.of) for one in selection.all_conditions()]
        if len(place) > 1:
            ends.append(set_at(plan, place[:-2]).types)
        groups: dict[str, list[str]] = {}
        for name in schema.entity_types:
            if all(_linked(schema, (name,), end) for end in ends):
                groups.setdefault(noun((name,)), []).append(name)
        own = noun(selection.types)
        return (selection.types, *(tuple(one) for said, one in groups.items() if said != own))

    def links(self, plan: Plan, place: Place) -> tuple[Link, ...]:
        """What may link the members to what the condition at a place names, and may not, its own first."""
        condition, types = condition_at(plan, place), set_at(plan, place[:-2]).types
        found = [condition, *self._fitting(condition, types)]
        wording = Wording(self._schema())
        links: dict[str, Link] = {}
        for one in found:
            for negated in (condition.negated, not condition.negated):
                said = wording.verb(replace(one, negated=negated), types, plural=True)
                links.setdefault(said, Link(one.relationships, one.forward, negated, said))
        return tuple(links.values())

    def meant(self, text: str, types: Collection[str] = ()) -> Meant:
        """Entities that a name may stand for, those first that are called so.

        Args:
            types: the others must be linked to by some relationship; none: any entity.
        """
        named = self.graph.entities_named(text) or self.names.called(text)
        called = self._usable(named, types)
        exact = tuple(_named(one) for one in called)
        near = [*self.names.suggest(text, _CLOSE)]
        near += self.graph.search_entities(text, (), _CONTAINING)
        known = {one.ids for one in exact}
        close = dict.fromkeys(_named(one) for one in self._usable(near, types))
        return Meant(exact, tuple(one for one in close if one.ids not in known))

    def alike(self, named: Named, types: Collection[str] = ()) -> tuple[Named, ...]:
        """Entities that may be meant by a name of a plan, as it was read first."""
        by_text = self.meant(named.text, types)
        found = [named, *by_text.exact]
        if name_key(named.name) != name_key(named.text):
            found += self.meant(named.name, types).exact
        first: dict[tuple[str, ...], Named] = {}
        for one in (*found, *by_text.close):
            first.setdefault(one.ids, one)
        return tuple(first.values())

    # -- the plan, changed -------------------------------------------------------------------------

    def wanting(self, plan: Plan, want: Want) -> Plan:
        """The plan with something else wanted of its sets."""
        return replace(plan, want=want, everything=plan.everything and want is Want.LIST)

    def of_types(self, plan: Plan, place: Place, types: tuple[str, ...]) -> Plan:
        """The plan with a set of another type."""
        return self._fitted(with_set(plan, place, replace(set_at(plan, place), types=types)))

    def linked(self, plan: Plan, place: Place, link: Link) -> Plan:
        """The plan with a condition of another relationship."""
        condition = replace(
            condition_at(plan, place),
            relationships=link.relationships,
            forward=link.forward,
            negated=link.negated,
        )
        return with_condition(plan, place, condition)

    def naming(self, plan: Plan, place: Place, named: Named) -> Plan:
        """The plan with a condition on another entity."""
        condition = replace(condition_at(plan, place), of=named)
        return self._fitted(with_condition(plan, place, condition))

    def about(self, plan: Plan, number: int, named: Named) -> Plan:
        """The plan with another subject."""
        subjects = list(plan.subjects)
        subjects[number] = named
        plan = replace(plan, subjects=tuple(subjects))
        if plan.want is Want.YES_NO:
            types = self._end_types(named)
            plan = with_set(plan, (number,), replace(plan.sets[number], types=types))
        return self._fitted(plan)

    def without(self, plan: Plan, place: Place) -> Plan:
        """The plan without a condition."""
        return with_condition(plan, place, None)

    def with_name(self, plan: Plan, named: Named) -> Plan:
        """The plan with one more condition on its first set; as it is where no relationship fits."""
        selection = plan.sets[0]
        known = self._usable(self.graph.entities(named.ids).values(), selection.types)
        if not known:
            return plan
        of = replace(_named(known[0]), text=named.text)
        condition = self._fitting(Condition((), of), selection.types)[0]
        conditions = (*selection.conditions, (condition,))
        return with_set(plan, (0,), replace(selection, conditions=conditions))

    def complete(self, plan: Plan) -> Plan:
        """The plan without what was left over."""
        return replace(plan, left_over=())

    # -- checked -----------------------------------------------------------------------------------

    def checked(self, plan: Plan, language: str = ENGLISH) -> ReadPlan:
        """A corrected plan, ready to be carried out, in the graph's own names.

        Args:
            language: that it is said in.

        Raises:
            InputError: code INVALID_PLAN; it is not complete, or speaks of what the graph does not have.
        """
        found = checked(plan, self.graph)
        return ReadPlan(found, self.said(found, language), language=language)

    def said(self, plan: Plan, language: str = ENGLISH) -> str:
        """A plan in words."""
        return plan_said(plan, self._schema(), language)

    def named(self, plan: Plan) -> tuple[Entity, ...]:
        """The entities that a plan names."""
        return tuple(
            self.graph.entities(one for named in names_of(plan) for one in named.ids).values()
        )

    # -- the schema --------------------------------------------------------------------------------

    def _schema(self) -> GraphSchema:
        return GraphSchema.of(self.graph.projection())

    def _fitting(self, condition: Condition, types: Sequence[str]) -> list[Condition]:
        """The condition with each relationship that links the types to its end: those first that are
        meant where none is said, then the most telling."""
        schema, others = self._schema(), self._end_types(condition.of)
        names = schema.relationship_types
        ranks = dict(zip(names, telling_ranks(names).tolist(), strict=True))
        implied = {
            name for one in SchemaLinks(schema).implied(types, others, borne=True) for name in one
        }
        found = []
        for name in sorted(names, key=lambda one: (one not in implied, ranks[one])):
            ways: Iterable[bool | None] = (None,)
            if schema.directed(name, types) and _has_two_readings(name):
                ways = (True, False)
            found += [
                replace(condition, relationships=(name,), forward=way)
                for way in ways
                if allows(schema, name, types, others, way)
            ]
        return found

    def _fitted(self, plan: Plan) -> Plan:
        """The plan with relationships that link what they stand between, as far as there are any."""
        for place, condition, selection in list(all_conditions(plan)):
            others = self._end_types(condition.of)
            if any(
                allows(self._schema(), name, selection.types, others, condition.forward)
                for name in condition.relationships
            ):
                continue
            if fitting := self._fitting(condition, selection.types):
                plan = with_condition(plan, place, fitting[0])
        return plan

    def _end_types(self, of: Named | Selection) -> tuple[str, ...]:
        if isinstance(of, Selection):
            return of.types
        graph = self.graph.projection()
        codes = [graph.entity_codes[graph.position[one]] for one in of.ids if one in graph.position]
        return tuple(dict.fromkeys(graph.entity_types[code] for code in codes)) or (of.type,)

    def _usable(self, entities: Iterable[Entity], types: Collection[str]) -> list[Entity]:
        schema = self._schema()
        return [one for one in entities if not types or _linked(schema, (one.type,), types)]


def can_be_corrected(plan: Plan) -> bool:
    """Whether a plan has a part that could be another."""
    return bool(plan.subjects) or any(one.conditions for _, one in sets_of(plan))


def _linked(schema: GraphSchema, types: Sequence[str], others: Collection[str]) -> bool:
    return any(schema.links(name, types, others) for name in schema.relationship_types)


def _has_two_readings(name: str) -> bool:
    """Whether a relationship reads differently from its two ends; a symmetric one does not."""
    return relationship_phrase(name, True) != relationship_phrase(name, False)


def _named(entity: Entity) -> Named:
    return Named(entity.name, (entity.id,), entity.name, entity.type)
