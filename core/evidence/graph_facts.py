"""Facts of the graph that answer a clause, and the sentences that tell them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.domain.graph import Entity, Fact
from core.evidence.evidence import FactGroup
from core.graph.knowledge import KnowledgeGraph
from core.graph.phrases import relationship_phrase
from core.graph.walks.paths import find_paths
from core.questions.clauses import Clause
from core.resources import read_table

ASKED_FOR = 1.0  # relevance of a relationship that the question asks for
_MOST_GROUPS = 6  # sentences about the graph in one clause
_LIST_CAP = 12  # names in a sentence, unless all are asked for
_EXACT_CAP = 300  # names in a sentence when all are asked for; a hub can have thousands
_TYPES = read_table(__file__, "graph_facts.toml")
_MOST_PATHS = 3  # ways told of how two entities are connected; the explorer shows more
_CONNECTION = re.compile(
    r"\b(?:connect(?:ed|ion)s?|relat(?:ed|ions?hips?)|link(?:ed)?s? between|path(?:s)? between|"
    r"in common)\b",
    re.IGNORECASE,
)
_YES_NO = re.compile(r"(?:does|do|did|is|are|can|could|may|might|will|has|have)\b", re.IGNORECASE)
_BOTH = re.compile(r"\bboth\b", re.IGNORECASE)
_SECOND_HOP = 5  # neighbours whose own facts are told in a two-hop answer


def fact_groups(clause: Clause, graph: KnowledgeGraph, *, exact: bool) -> list[FactGroup]:
    """Fact groups that answer a clause; empty when it names no entity or asks for no relationship.

    Two named entities: the facts between them. One: its facts of the types asked for; when only part
    of the types lead anywhere, the others are followed from the neighbours (two hops).

    Args:
        exact: give every fact (300 are named, all are counted), not the most important ones.
    """
    if len(clause.entities) > 1 and _CONNECTION.search(clause.text):
        return _connections(clause, graph)
    clause = _with_implied(clause)
    if not clause.entities or not clause.relationships:
        return []
    namesakes = {entity.id: _namesakes(entity, graph) for entity in clause.entities}
    if len(clause.entities) > 1:
        between = _between(clause, graph, [one.id for all_ in namesakes.values() for one in all_])
        if between or is_yes_no(clause):
            return between
    cap = _EXACT_CAP if exact else _LIST_CAP
    conditions = _reached(clause, graph, namesakes) if _is_conjunction(clause) else []
    if (both := _shared(clause, conditions, cap)) is not None:
        return [both]
    met_alone = bool(conditions) and all(conditions)
    groups: list[FactGroup] = []
    for entity in (one for all_ in namesakes.values() for one in all_):
        found = {name: _facts_of(entity, name, graph) for name in clause.relationships}
        reached = [name for name, facts in found.items() if facts]
        open_ended = [name for name in clause.relationships if name not in reached]
        direct = [
            group
            for name in reached
            for group in _groups(entity, name, found[name], clause.wanted_types, cap)
        ]
        onward = open_ended if direct else [*open_ended, *reached]
        # Where each condition is met by something, but nothing meets all, no further hop is asked for.
        if reached and onward and clause.wanted_types and not met_alone:
            chained = _second_hop(clause, graph, found[reached[0]], onward, entity)
            if chained:
                groups.extend(chained)
                continue
        groups.extend(direct)
    if exact:
        groups = [replace(group, counted=group.total > 1) for group in groups]
    return groups[:_MOST_GROUPS]


def sentence_for(group: FactGroup) -> str:
    """A group as a sentence: subject, verb, names; the count when it is asked for or not all are
    named."""
    if group.shared:
        return _shared_sentence(group)
    neighbours = [group.neighbour(fact) for fact in group.facts]
    listed = _listed(neighbours, group.total)
    if group.counted:
        listed = f"{group.total:,} {_noun(neighbours)}: {listed}"
    subject = group.subject.name
    verb = relationship_phrase(group.type, group.forward)
    return f"{subject[:1].upper()}{subject[1:]} {verb} {listed}."


def _shared_sentence(group: FactGroup) -> str:
    what = f"{', '.join(group.conditions[:-1])} and {group.conditions[-1]}"
    if len(group.shared) == 1:
        return f"{group.shared[0].name} {what}."
    listed = _listed(group.shared, group.total)
    return f"{group.total:,} {_noun(group.shared)} meet all conditions: {listed}. Each {what}."


def _listed(entities: Sequence[Entity], total: int) -> str:
    """Names as a list in words, with how many more there are."""
    names = [entity.name for entity in entities]
    if total > len(names):
        return f"{', '.join(names)} and {total - len(names)} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _noun(entities: Sequence[Entity]) -> str:
    """What entities are called together."""
    nouns = {_TYPES["nouns"].get(entity.type, "entities") for entity in entities}
    return nouns.pop() if len(nouns) == 1 else "entities"


def _with_implied(clause: Clause) -> Clause:
    """A clause with the relationship that "What medicines are there for asthma?" leaves unsaid."""
    if clause.relationships or not clause.wanted_types:
        return clause
    implied = dict.fromkeys(
        name
        for entity in clause.entities
        for wanted in clause.wanted_types
        if (name := _TYPES["implied"].get(wanted, {}).get(entity.type))
    )
    return replace(clause, relationships=tuple(implied))


def nothing_shared(clause: Clause, groups: Sequence[FactGroup]) -> bool:
    """Whether entities were asked for that meet several conditions at once, and none does."""
    return (
        _is_conjunction(clause)
        and {entity.id for entity in clause.entities} <= {group.subject.id for group in groups}
        and set(clause.relationships) <= {group.type for group in groups}
        and not any(group.shared for group in groups)
    )


def _is_conjunction(clause: Clause) -> bool:
    """Whether each named entity is asked for with a relationship of its own ("interact with warfarin
    and treat asthma"), or both with one."""
    several = len(clause.relationships) > 1 or bool(_BOTH.search(clause.text))
    return len(clause.entities) > 1 and bool(clause.wanted_types) and several


def _reached(
    clause: Clause, graph: KnowledgeGraph, namesakes: Mapping[str, Sequence[Entity]]
) -> list[dict[str, tuple[Entity, Fact]]]:
    """For each named entity, by id, what of the wanted types it leads to, with the fact that does."""
    found: list[dict[str, tuple[Entity, Fact]]] = []
    for same in namesakes.values():
        reached: dict[str, tuple[Entity, Fact]] = {}
        for entity in same:
            for name in clause.relationships:
                for forward, fact in _facts_of(entity, name, graph):
                    other = _far_end(forward, fact)
                    if other.type in clause.wanted_types:
                        reached.setdefault(other.id, (other, fact))
        found.append(reached)
    return found


def _shared(
    clause: Clause, found: Sequence[Mapping[str, tuple[Entity, Fact]]], cap: int
) -> FactGroup | None:
    """The entities that every named entity leads to; None where no entity meets all conditions."""
    common = (
        [one for one in found[0] if all(one in reached for reached in found[1:])] if found else []
    )
    if not common or len({reached[common[0]][1].type for reached in found}) < len(
        clause.relationships
    ):
        return None
    told = common[:cap]
    first = [reached[told[0]] for reached in found]
    return FactGroup(
        subject=clause.entities[0],
        type=first[0][1].type,
        forward=first[0][1].source.id != told[0],
        facts=tuple(reached[one][1] for one in told for reached in found),
        total=len(common),
        shared=tuple(found[0][one][0] for one in told),
        conditions=tuple(_condition(other, fact) for other, fact in first),
    )


def _condition(entity: Entity, fact: Fact) -> str:
    """A fact as said of `entity`, without its name: "treats asthma"."""
    forward = fact.source.id == entity.id
    far = fact.target if forward else fact.source
    return f"{relationship_phrase(fact.type, forward)} {far.name}"


def _namesakes(entity: Entity, graph: KnowledgeGraph) -> list[Entity]:
    """The entity and all others of its name: pancreatitis is a disease, and a side effect."""
    others = [one for one in graph.entities_named(entity.name) if one.name == entity.name]
    return [entity, *(one for one in others if one.id != entity.id)]


def is_yes_no(clause: Clause) -> bool:
    """Whether a fact between unlike entities is asked for ("Does metformin cause weight loss?").

    Without one, other facts about either of them would read like an answer.
    """
    unlike = len({entity.type for entity in clause.entities}) > 1
    return not clause.wanted_types and (unlike or bool(_YES_NO.match(clause.text)))


def _connections(clause: Clause, graph: KnowledgeGraph) -> list[FactGroup]:
    """The steps of the shortest ways between the first two entities, each once."""
    first, second = clause.entities[:2]
    steps: dict[tuple[str, str, str], FactGroup] = {}
    for path in find_paths(graph, first.id, second.id, limit=_MOST_PATHS):
        for near, step in zip(path.entities, path.steps, strict=False):
            fact = step[0]
            group = FactGroup(near, fact.type, fact.source.id == near.id, (fact,), 1)
            steps.setdefault(fact.key, group)
    return list(steps.values())


def _between(clause: Clause, graph: KnowledgeGraph, entity_ids: Sequence[str]) -> list[FactGroup]:
    facts = [fact for fact in graph.facts_between(entity_ids) if fact.type in clause.relationships]
    return [FactGroup(fact.source, fact.type, True, (fact,), 1) for fact in facts[:_MOST_GROUPS]]


def _facts_of(entity: Entity, name: str, graph: KnowledgeGraph) -> list[tuple[bool, Fact]]:
    """Its facts of one type, each with whether the entity is the source."""
    return [(fact.source.id == entity.id, fact) for fact in graph.facts(entity.id, name)]


def _far_end(forward: bool, fact: Fact) -> Entity:
    return fact.target if forward else fact.source


def _groups(
    entity: Entity,
    name: str,
    facts: Sequence[tuple[bool, Fact]],
    wanted: Sequence[str],
    cap: int,
) -> list[FactGroup]:
    groups = []
    for forward in (True, False):
        chosen = [
            fact
            for direction, fact in facts
            if direction is forward and (not wanted or _far_end(forward, fact).type in wanted)
        ]
        if chosen:
            groups.append(FactGroup(entity, name, forward, tuple(chosen[:cap]), len(chosen)))
    return groups


def _second_hop(
    clause: Clause,
    graph: KnowledgeGraph,
    first: Sequence[tuple[bool, Fact]],
    types: Sequence[str],
    origin: Entity,
) -> list[FactGroup]:
    groups: list[FactGroup] = []
    for forward, fact in first:
        neighbour = _far_end(forward, fact)
        for name in types:
            facts = [
                (direction, onward)
                for direction, onward in _facts_of(neighbour, name, graph)
                if origin.id not in (onward.source.id, onward.target.id)
            ]
            groups.extend(_groups(neighbour, name, facts, clause.wanted_types, _LIST_CAP))
        if len(groups) >= _SECOND_HOP:
            break
    if not groups:
        return []
    groups = groups[:_SECOND_HOP]
    # The way there is told first, for the neighbours that lead on.
    through = {group.subject.id for group in groups}
    bridge = [step for step in first if _far_end(*step).id in through]
    way = _groups(origin, bridge[0][1].type, bridge, (), len(bridge))
    # Neighbours that are left out are counted ("and 8 more").
    left_out = len(first) - len(bridge)
    return [replace(way[0], total=way[0].total + left_out), *way[1:], *groups]
