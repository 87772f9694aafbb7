"""Plans carried out: complete sets from the graph, with the relationships that prove each member."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.domain.graph import Entity, Fact
from core.domain.plans import AnswerList, Member, Plan, Selection, Want
from core.evidence.computing.compared_sets import ComparedSets
from core.evidence.computing.confirmation import Confirmation
from core.evidence.computing.member_reader import TOLD, MemberReader, Told, names
from core.evidence.computing.similar import Likeness, Similar
from core.evidence.computing.ways import Ways
from core.graph.induced import InducedGraph
from core.graph.knowledge import KnowledgeGraph
from core.graph.schema import GraphSchema
from core.graph.sets import counts, members, neighbours
from core.questions.clauses import Clause
from core.questions.planned import ReadPlan
from core.questions.routing import HYBRID, Strategy
from core.questions.wording import Wording, noun
from core.text.spelling.variants import written_alike

_ALL_TOLD = 300  # when the whole list is asked for; the rest is counted, and in the list
_RUNNERS_UP = 3
_PROVES_NOTHING = "A relationship that the graph does not have proves nothing either way."


@dataclass(frozen=True, slots=True)
class Computed:
    """What a plan led to.

    Attributes:
        lists: complete; `told` names their first members.
    """

    read: ReadPlan
    told: tuple[Told, ...]
    lists: tuple[AnswerList, ...]

    @property
    def is_empty(self) -> bool:
        """Whether a list was asked for, and the graph has nothing that belongs in it."""
        listed = self.read.plan.want is Want.LIST
        return listed and bool(self.lists) and not any(one.size for one in self.lists)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts of all sentences."""
        return tuple(fact for one in self.told for fact in one.facts)


def compute(
    read: ReadPlan,
    graph: KnowledgeGraph,
    strategy: Strategy = HYBRID,
    like: Likeness = lambda _ids, _types: (),
) -> Computed | None:
    """A complete plan carried out; None for one that is not.

    Args:
        strategy: of the question's type.
        like: entities by their vectors.

    Raises:
        StoreError: the graph cannot be read.
    """
    if not read.plan.complete:
        return None
    return _Computer(read, graph, strategy, like).computed()


def told_of_part(computed: Computed | None, graph: KnowledgeGraph) -> Computed | None:
    """What was computed from a part of the graph, saying so in each sentence and over each list; that of a
    whole graph as it is."""
    if computed is None or not isinstance(graph, InducedGraph):
        return computed
    number = len(graph.projection().ids)
    among = f"{number:,} entities shown" if number != 1 else "one entity shown"
    return replace(
        computed,
        told=tuple(replace(one, text=f"Among the {among}: {one.text}") for one in computed.told),
        lists=tuple(
            replace(one, title=f"{one.title} (among the {among})") for one in computed.lists
        ),
    )


def whole_list(plans: Iterable[Plan], place: int, graph: KnowledgeGraph) -> AnswerList | None:
    """A list of an answer as the graph has it now; None where there is none any more.

    Args:
        plans: of the answer.
        place: of the list in the answer.

    Raises:
        StoreError: the graph cannot be read.
    """
    computed = (compute(ReadPlan(plan, ""), graph) for plan in plans)
    lists = [one for found in computed if found is not None for one in found.lists]
    return lists[place] if place < len(lists) else None


def is_computed_alone(clause: Clause) -> bool:
    """Whether the graph alone answers a clause: sets, counts and comparisons are in no leaflet; the side
    effects of a medicine are, and whether it has one."""
    if clause.plan is None:
        return False
    plan = clause.plan.plan
    if plan.want is Want.PATH:
        return False
    # "All contraindications of X" are those of its leaflet, too; "all drugs that treat Y" stand in none.
    listed = plan.want is Want.LIST and (not plan.everything or _has_section(clause))
    simple = plan.want is Want.YES_NO or listed
    return not (simple and all(one.hops == 1 and len(one.conditions) == 1 for one in plan.sets))


def _has_section(clause: Clause) -> bool:
    """Whether a clause asks for a section of a medicine's leaflet."""
    of_medicine = any(entity.type == "Drug" for entity in clause.entities)
    return of_medicine and bool({*clause.sections} - {"indications"})


class _Computer:
    def __init__(
        self, read: ReadPlan, graph: KnowledgeGraph, strategy: Strategy, like: Likeness
    ) -> None:
        self._read = read
        self._plan: Plan = read.plan
        self._strategy = strategy
        self._like = like
        self._graph = graph
        self._projection = graph.projection()
        self._wording = Wording(GraphSchema.of(self._projection))
        self._reader = MemberReader(graph, self._projection, self._wording)

    def computed(self) -> Computed:
        plan, lists = self._plan, list[AnswerList]()
        match plan.want:
            case Want.YES_NO:
                told = Confirmation(plan, self._reader).told()
            case Want.PATH:
                told, lists = Ways(plan, self._reader, self._strategy.along).told()
            case Want.SIMILAR:
                told, lists = Similar(plan, self._reader, self._like).told()
            case Want.COMPARE:
                told, lists = ComparedSets(plan, self._reader).told()
            case Want.SHARE:
                told, lists = self._in_common()
            case Want.MOST | Want.LEAST:
                told, lists = self._ranked()
            case _:
                told, lists = self._listed()
        if plan.want is not Want.YES_NO and plan.denies:
            told.append(Told(_PROVES_NOTHING))
        return Computed(self._read, tuple(told), tuple(lists))

    # -- lists and counts --------------------------------------------------------------------------

    def _listed(self) -> tuple[list[Told], list[AnswerList]]:
        selection = self._plan.sets[0]
        places = np.flatnonzero(members(selection, self._projection)).tolist()
        found = self._reader.members(places, selection)
        whole = self._plan.everything or self._strategy.everything
        shown = found[: _ALL_TOLD if whole else TOLD]
        text = self._sentence(selection, found, shown)
        told = [Told(text, self._reader.facts(shown[:_ALL_TOLD]))]
        if not found and (alike := self._written_alike()):
            said = " and ".join(f"“{one.name}”" for one in alike)
            told.append(Told(f"The graph also has {said}: ask about that, too."))
        return told, [self._reader.listed(self._title(selection), found)]

    def _written_alike(self) -> list[Entity]:
        """Entities whose names are written nearly as those of the plan: a graph may have a symptom "Diarrhea"
        and a side effect "Diarrhoea", which the question means."""
        named = self._plan.named()
        known = {key for one in named for key in one.ids}
        found: dict[str, Entity] = {}
        for one in named:
            for form in written_alike(one.name):
                found |= {each.id: each for each in self._graph.entities_named(form)}
        return [entity for key, entity in found.items() if key not in known]

    def _sentence(
        self, selection: Selection, found: Sequence[Member], shown: Sequence[Member]
    ) -> str:
        total, wording = len(found), self._wording
        what = wording.several(selection)
        if " that " not in f" {what} " and selection.conditions:
            if not found:
                return f"The graph has no {what}."
            return f"{what[:1].upper()}{what[1:]} ({total:,}): {names(shown, total)}."
        if not selection.conditions:
            return f"The graph has {total:,} {noun(selection.types, total)}."
        if not found:
            said = wording.conditions(selection, plural=False)
            return f"No {noun(selection.types, 1)} in the graph {said}."
        said = wording.conditions(selection, plural=total > 1)
        number = f"{total:,}" if total > 1 else "One"
        return f"{number} {noun(selection.types, total)} {said}: {names(shown, total)}."

    def _title(self, selection: Selection) -> str:
        what = self._wording.several(selection)
        return what[:1].upper() + what[1:]

    # -- what several have in common ------------------------------------------------------------------

    def _in_common(self) -> tuple[list[Told], list[AnswerList]]:
        graph = self._projection
        ends = [self._reader.places(one) for one in self._plan.subjects]
        shared = np.logical_and.reduce(
            [neighbours(np.array(one, int), graph.relationship_types, None, graph) for one in ends]
        )
        shared[[place for one in ends for place in one]] = False
        both = " and ".join(one.name for one in self._plan.subjects)
        told: list[Told] = []
        lists: list[AnswerList] = []
        for code in dict.fromkeys(graph.entity_codes[np.flatnonzero(shared)].tolist()):
            kind = graph.entity_types[code]
            places = np.flatnonzero(shared & (graph.entity_codes == code)).tolist()
            found = [
                Member(
                    one.id,
                    one.type,
                    one.name,
                    tuple(self._reader.keys(self._reader.links(place, ends))),
                )
                for place, one in self._reader.entities(places)
            ]
            what = noun([kind], len(found))
            verb = "is" if len(found) == 1 else "are"
            text = f"{len(found):,} {what} {verb} linked to both {both}: {names(found[:TOLD], len(found))}."
            told.append(Told(text, self._reader.facts(found[:TOLD])))
            lists.append(
                self._reader.listed(f"{what[:1].upper()}{what[1:]} linked to {both}", found)
            )
        if not told:
            told.append(Told(f"The graph has nothing that is linked to both {both}."))
            lists.append(AnswerList(f"Linked to {both}", ()))
        return told, lists

    # -- ranks -------------------------------------------------------------------------------------

    def _ranked(self) -> tuple[list[Told], list[AnswerList]]:
        rank, selection = self._plan.rank, self._plan.sets[0]
        if rank is None:
            return self._listed()
        places = np.flatnonzero(members(selection, self._projection))
        numbers = counts(rank, places, self._projection)
        most = self._plan.want is Want.MOST
        none = 0
        if not (
            most or selection.conditions
        ):  # of a whole type, most that have none were never recorded
            none = int((numbers == 0).sum())
            places, numbers = places[numbers > 0], numbers[numbers > 0]
        order = np.argsort(-numbers if most else numbers, kind="stable")
        found = self._reader.members(
            places[order].tolist(), selection, numbers=numbers[order].tolist()
        )
        what, of = self._wording.ranked(rank), self._wording.several(selection)
        lists = [self._reader.listed(f"{self._title(selection)}, by number of {what}", found)]
        if not found:
            return [Told(f"The graph has no {of}{f' with {what}' if none else ''}.")], lists
        with_any = f" with {what} in the graph" if none else ""
        best = [one for one in found if one.count == found[0].count]
        verb = "has" if len(best) == 1 else "each have"
        superlative = "most" if most else "fewest"
        told = [
            Told(
                f"Of the {len(found):,} {of}{with_any}, {names(best[:TOLD], len(best))} {verb} the "
                f"{superlative} {what}: {best[0].count:,}.",
                self._reader.facts(best[:TOLD]),
            )
        ]
        if after := found[len(best) : len(best) + _RUNNERS_UP]:
            then = ", ".join(f"{one.name} ({one.count:,})" for one in after)
            told.append(Told(f"Next: {then}.", self._reader.facts(after)))
        if none:
            are = f"{none:,} {noun(selection.types, none)} {'has' if none == 1 else 'have'}"
            told.append(Told(f"{are} none in the graph, which proves nothing."))
        return told, lists
