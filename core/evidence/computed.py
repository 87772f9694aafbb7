"""Plans carried out: complete sets from the graph, with the relationships that prove each member."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.graph import Entity, Fact
from core.domain.plans import AnswerList, Member, Named, Plan, Selection, Want
from core.evidence.proofs import Proofs
from core.graph.knowledge import KnowledgeGraph, Triple
from core.graph.schema import GraphSchema
from core.graph.sets import Members, counts, members, neighbours
from core.questions.clauses import Clause
from core.questions.planned import ReadPlan
from core.questions.wording import Wording, noun

TOLD = 12  # names in a sentence
_ALL_TOLD = 300  # when the whole list is asked for; the rest is counted, and in the list
_RUNNERS_UP = 3
_SIMILAR = 12


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence with the facts that it rests on."""

    text: str
    facts: tuple[Fact, ...] = ()


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
    def facts(self) -> tuple[Fact, ...]:
        """The facts of all sentences."""
        return tuple(fact for one in self.told for fact in one.facts)

    @property
    def is_empty(self) -> bool:
        return not any(one.members for one in self.lists)


def compute(read: ReadPlan, graph: KnowledgeGraph) -> Computed | None:
    """A complete plan carried out; None for one that is not, and for yes or no and paths, whose facts
    are looked up between the named entities.

    Raises:
        StoreError: the graph cannot be read.
    """
    if not read.plan.complete or read.plan.want in (Want.YES_NO, Want.PATH):
        return None
    return _Computer(read, graph).computed()


def is_computed_alone(clause: Clause) -> bool:
    """Whether the graph alone answers a clause: sets, counts and comparisons are in no leaflet; the side
    effects of a medicine are."""
    if clause.plan is None:
        return False
    plan = clause.plan.plan
    simple = plan.want is Want.LIST and not plan.everything and len(plan.sets[0].conditions) == 1
    return not (simple and plan.sets[0].hops == 1)


class _Computer:
    def __init__(self, read: ReadPlan, graph: KnowledgeGraph) -> None:
        self._read = read
        self._plan: Plan = read.plan
        self._graph = graph
        self._projection = graph.projection()
        self._wording = Wording(GraphSchema.of(self._projection))

    def computed(self) -> Computed:
        match self._plan.want:
            case Want.COMPARE:
                told, lists = self._compared()
            case Want.SHARE:
                told, lists = self._in_common()
            case Want.SIMILAR:
                told, lists = self._similar()
            case Want.MOST | Want.LEAST:
                told, lists = self._ranked()
            case _:
                told, lists = self._listed()
        return Computed(self._read, tuple(told), tuple(lists))

    # -- lists and counts --------------------------------------------------------------------------

    def _listed(self) -> tuple[list[Told], list[AnswerList]]:
        selection = self._plan.sets[0]
        places = np.flatnonzero(members(selection, self._projection)).tolist()
        found = self._members(places, selection)
        shown = found[: _ALL_TOLD if self._plan.everything else TOLD]
        text = self._sentence(selection, found, shown)
        return (
            [Told(text, self._facts(shown[:_ALL_TOLD]))],
            [self._list(self._title(selection), found)],
        )

    def _sentence(
        self, selection: Selection, found: Sequence[Member], shown: Sequence[Member]
    ) -> str:
        total, wording = len(found), self._wording
        what = wording.several(selection)
        if " that " not in f" {what} " and selection.conditions:
            if not found:
                return f"The graph has no {what}."
            return f"{what[:1].upper()}{what[1:]} ({total:,}): {_names(shown, total)}."
        if not selection.conditions:
            return f"The graph has {total:,} {noun(selection.types, total)}."
        if not found:
            said = wording.conditions(selection, plural=False)
            return f"No {noun(selection.types, 1)} in the graph {said}."
        said = wording.conditions(selection, plural=total > 1)
        number = f"{total:,}" if total > 1 else "One"
        return f"{number} {noun(selection.types, total)} {said}: {_names(shown, total)}."

    def _title(self, selection: Selection) -> str:
        what = self._wording.several(selection)
        return what[:1].upper() + what[1:]

    # -- comparisons -------------------------------------------------------------------------------

    def _compared(self) -> tuple[list[Told], list[AnswerList]]:
        sets = [members(one, self._projection) for one in self._plan.sets]
        told: list[Told] = []
        lists: list[AnswerList] = []
        for selection, own in zip(self._plan.sets, sets, strict=True):
            if not own.any():
                told.append(Told(f"The graph has no {self._wording.several(selection)}."))
        in_all = np.logical_and.reduce(sets)
        both = "In both" if len(sets) == 2 else "In all"
        self._column(both, in_all, self._plan.sets, told, lists)
        for place, (selection, own) in enumerate(zip(self._plan.sets, sets, strict=True)):
            others = [one for n, one in enumerate(sets) if n != place]
            only = own & ~np.logical_or.reduce(others)
            name = self._plan.subjects[place].name if place < len(self._plan.subjects) else ""
            self._column(f"Only {name}" if name else "Only here", only, [selection], told, lists)
        return told, lists

    def _column(
        self,
        title: str,
        own: Members,
        selections: Sequence[Selection],
        told: list[Told],
        lists: list[AnswerList],
    ) -> None:
        found = self._members(np.flatnonzero(own).tolist(), *selections)
        lists.append(self._list(title, found))
        if found:
            shown = found[:TOLD]
            text = f"{title} ({len(found):,}): {_names(shown, len(found))}."
            told.append(Told(text, self._facts(shown)))
        else:
            told.append(Told(f"{title}: none."))

    def _in_common(self) -> tuple[list[Told], list[AnswerList]]:
        graph = self._projection
        ends = [self._places(one) for one in self._plan.subjects]
        shared = np.logical_and.reduce(
            [neighbours(np.array(one, int), graph.relationship_types, None, graph) for one in ends]
        )
        shared[[place for one in ends for place in one]] = False
        names = " and ".join(one.name for one in self._plan.subjects)
        told: list[Told] = []
        lists: list[AnswerList] = []
        for code in dict.fromkeys(graph.entity_codes[np.flatnonzero(shared)].tolist()):
            kind = graph.entity_types[code]
            places = np.flatnonzero(shared & (graph.entity_codes == code)).tolist()
            found = [
                Member(one.id, one.type, one.name, tuple(self._keys(self._links(place, ends))))
                for place, one in self._entities(places)
            ]
            what = noun([kind], len(found))
            verb = "is" if len(found) == 1 else "are"
            text = f"{len(found):,} {what} {verb} linked to both {names}: {_names(found[:TOLD], len(found))}."
            told.append(Told(text, self._facts(found[:TOLD])))
            lists.append(self._list(f"{what[:1].upper()}{what[1:]} linked to {names}", found))
        if not told:
            told.append(Told(f"The graph has nothing that is linked to both {names}."))
            lists.append(AnswerList(f"Linked to {names}", ()))
        return told, lists

    def _links(self, place: int, ends: Sequence[Sequence[int]]) -> list[Triple]:
        found: list[Triple] = []
        graph = self._projection
        for one in ends:
            edges = graph.half_edges(place)
            hits = np.flatnonzero(np.isin(graph.neighbours[edges], one))[:1] + edges.start
            found.extend(graph.triple(place, edge) for edge in hits.tolist())
        return found

    # -- ranks -------------------------------------------------------------------------------------

    def _ranked(self) -> tuple[list[Told], list[AnswerList]]:
        rank, selection = self._plan.rank, self._plan.sets[0]
        if rank is None:
            return self._listed()
        places = np.flatnonzero(members(selection, self._projection))
        numbers = counts(rank, places, self._projection)
        most = self._plan.want is Want.MOST
        order = np.argsort(-numbers if most else numbers, kind="stable")
        found = self._members(places[order].tolist(), selection, numbers=numbers[order].tolist())
        what, of = self._wording.ranked(rank), self._wording.several(selection)
        lists = [self._list(f"{self._title(selection)}, by number of {what}", found)]
        if not found:
            return [Told(f"The graph has no {of}.")], lists
        best = [one for one in found if one.count == found[0].count]
        verb = "has" if len(best) == 1 else "each have"
        superlative = "most" if most else "fewest"
        told = [
            Told(
                f"Of the {len(found):,} {of}, {_names(best[:TOLD], len(best))} {verb} the {superlative} "
                f"{what}: {best[0].count:,}.",
                self._facts(best[:TOLD]),
            )
        ]
        if after := found[len(best) : len(best) + _RUNNERS_UP]:
            then = ", ".join(f"{one.name} ({one.count:,})" for one in after)
            told.append(Told(f"Next: {then}.", self._facts(after)))
        return told, lists

    # -- similar -----------------------------------------------------------------------------------

    def _similar(self) -> tuple[list[Told], list[AnswerList]]:
        """By what is shared, the rarer the better (Adamic and Adar 2003, "Friends and neighbors on the
        Web", Social Networks 25)."""
        graph, subject = self._projection, self._plan.subjects[0]
        start = self._places(subject)
        own = neighbours(np.array(start, int), graph.relationship_types, None, graph)
        types = self._plan.sets[0].types if self._plan.sets else (subject.type,)
        scores = np.zeros(len(graph.ids))
        common = np.zeros(len(graph.ids), int)
        for place in np.flatnonzero(own).tolist():
            edges = graph.half_edges(place)
            others = np.unique(graph.neighbours[edges])
            scores[others] += 1.0 / np.log1p(len(others))
            common[others] += 1
        scores[start] = 0.0
        mask = graph.entity_mask(types)
        if mask is not None:
            scores[~mask[graph.entity_codes]] = 0.0
        best = [
            place
            for place in np.argsort(-scores, kind="stable")[:_SIMILAR].tolist()
            if scores[place]
        ]
        found = [
            Member(
                one.id,
                one.type,
                one.name,
                tuple(self._keys(self._bridge(start, own, place))),
                int(common[place]),
            )
            for place, one in self._entities(best)
        ]
        what = noun(types)
        title = f"{what[:1].upper()}{what[1:]} like {subject.name}"
        lists = [self._list(title, found)]
        if not found:
            return [
                Told(f"The graph has no {what} that share anything with {subject.name}.")
            ], lists
        names = ", ".join(f"{one.name} ({one.count:,})" for one in found)
        told = [
            Told(
                f"By what they share with {subject.name} in the graph, in brackets how much, these are the "
                f"most similar {what}: {names}.",
                self._facts(found),
            )
        ]
        return told, lists

    def _bridge(self, start: Sequence[int], own: Members, place: int) -> list[Triple]:
        """One thing that both are linked to, as the two relationships that do."""
        graph = self._projection
        edges = graph.half_edges(place)
        shared = [
            edge
            for edge in range(edges.start, edges.stop)
            if own[graph.neighbours[edge]] and int(graph.neighbours[edge]) not in start
        ][:1]
        found = [graph.triple(place, edge) for edge in shared]
        for edge in shared:
            found += self._links(int(graph.neighbours[edge]), [start])
        return found

    # -- members and what proves them --------------------------------------------------------------

    def _members(
        self, places: Sequence[int], *selections: Selection, numbers: Sequence[int] = ()
    ) -> list[Member]:
        proofs = [Proofs(one, self._projection) for one in selections]
        counted = dict(zip(places, numbers, strict=True)) if numbers else {}
        return [
            Member(
                one.id,
                one.type,
                one.name,
                tuple(self._keys(triple for proof in proofs for triple in proof.of(place))),
                int(counted.get(place, 0)),
            )
            for place, one in self._entities(places)
        ]

    def _list(self, title: str, found: Sequence[Member]) -> AnswerList:
        position = self._projection.position
        own = {one.id for one in found}
        ends = dict.fromkeys(
            end
            for one in found
            for source, _, target in one.relationships
            for end in (source, target)
        )
        others = self._graph.entities_of(
            self._projection, [position[end] for end in ends if end not in own]
        )
        names = {end: entity.name for end, entity in others.items()}
        return AnswerList(title, tuple(found), names)

    def _entities(self, places: Sequence[int]) -> list[tuple[int, Entity]]:
        graph = self._projection
        known = self._graph.entities_of(graph, places)
        return [(place, known[graph.ids[place]]) for place in places if graph.ids[place] in known]

    def _keys(self, triples: Iterable[Triple]) -> list[tuple[str, str, str]]:
        graph = self._projection
        return [
            (graph.ids[source], graph.relationship_types[kind], graph.ids[target])
            for source, kind, target in dict.fromkeys(triples)
        ]

    def _places(self, named: Named) -> list[int]:
        position = self._projection.position
        return [position[one] for one in named.ids if one in position]

    def _facts(self, shown: Sequence[Member]) -> tuple[Fact, ...]:
        graph = self._projection
        kinds = {name: place for place, name in enumerate(graph.relationship_types)}
        triples = dict.fromkeys(
            (graph.position[source], kinds[kind], graph.position[target])
            for one in shown
            for source, kind, target in one.relationships
        )
        return tuple(self._graph.facts_of(graph, list(triples)))


def _names(shown: Sequence[Member], total: int) -> str:
    names = [one.name for one in shown]
    if total > len(names):
        return f"{', '.join(names)} and {total - len(names):,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
