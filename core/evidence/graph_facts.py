"""Relationships told beside what a clause asks of leaflets, where it has no plan: "why", "when", "who must
not", "how is it treated", and questions in languages without a lexicon.

One hop only, and by the keywords of `core.questions.asked`; what asks for a set, a yes or no or a path has
a plan (`core.evidence.computed`).
"""

from __future__ import annotations

import re
from collections.abc import Collection

from core.domain.graph import Entity, Fact
from core.domain.leaflets.conditions import Partner
from core.domain.plans import AnswerList, Member
from core.evidence.evidence import FactGroup
from core.evidence.naming.makers import side_by_side
from core.graph.knowledge import KnowledgeGraph
from core.graph.phrases import relationship_phrase
from core.questions.clauses import Clause
from core.questions.leaflets.names import is_surely_name

ASKED_FOR = 1.0  # relevance of a relationship that the question asks for
_MOST_GROUPS = 6  # sentences about the graph in one clause
_LIST_CAP = 12  # names in a sentence
_YES_NO = re.compile(r"(?:does|do|did|is|are|can|could|may|might|will|has|have)\b", re.IGNORECASE)


def fact_groups(clause: Clause, graph: KnowledgeGraph) -> list[FactGroup]:
    """Fact groups that answer a clause; empty when it names no entity, asks for no relationship, or is about a
    medicine that the graph does not have: which others cause hair loss is not said of that one.

    Of several named entities the facts between them; where there are none and they are not asked about
    together, and of one, its facts of the types asked for.
    """
    if not clause.entities or not clause.relationships or _is_on_an_unknown(clause):
        return []
    named = [one for entity in clause.entities for one in _namesakes(entity, graph)]
    if len(clause.entities) > 1:
        between = graph.facts_between([one.id for one in named])
        groups = [
            FactGroup(fact.source, fact.type, True, (fact,), 1)
            for fact in between
            if fact.type in clause.relationships
        ]
        if groups or is_yes_no(clause) or _asks_of_both(clause):
            return groups[:_MOST_GROUPS]
    groups = [
        group
        for entity in named
        for name in clause.relationships
        for group in _groups(entity, name, clause, graph)
    ]
    return groups[:_MOST_GROUPS]


def _is_on_an_unknown(clause: Clause) -> bool:
    """Whether the graph lacks a medicine that a clause is about, or asks about with another. A trade name
    beside what it contains is told of by that."""
    plan = clause.leaflet
    if plan is None:
        return False
    taken = [one.name for one in plan.conditions if isinstance(one, Partner) and one.taken]
    beside = taken if plan.subjects else []  # "what must not be taken with X?" asks for a list
    named = [one for one in (*plan.subjects, *beside) if is_surely_name(one, clause.text)]
    known = [one for one in named if one.ids]
    return any(
        not one.ids and not any(side_by_side(clause.text, one, other) for other in known)
        for one in named
    )


def _asks_of_both(clause: Clause) -> bool:
    """Whether a clause asks for a medicine with another: what each does with third ones answers nothing."""
    conditions = clause.leaflet.conditions if clause.leaflet is not None else ()
    return any(isinstance(one, Partner) for one in conditions)


def sentence_for(group: FactGroup) -> str:
    """A group as a sentence: subject, verb, names, and how many more there are."""
    names = [group.neighbour(fact).name for fact in group.facts]
    if group.total > len(names):
        listed = f"{', '.join(names)} and {group.total - len(names)} more"
    else:
        listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    subject = group.subject.name
    verb = relationship_phrase(group.type, group.forward)
    return f"{subject[:1].upper()}{subject[1:]} {verb} {listed}."


def whole_group(
    subject_id: str, relationship: str, forward: bool, types: Collection[str], graph: KnowledgeGraph
) -> AnswerList | None:
    """All that `sentence_for` names and leaves out, as the graph has it now; None where it has none.

    Args:
        forward: the subject is the source of the relationships.
        types: of the entities at the other end.

    Raises:
        StoreError: the graph cannot be read.
    """
    facts = [
        fact
        for fact in graph.facts(subject_id, relationship)
        if (fact.source.id == subject_id) is forward
        and (fact.target if forward else fact.source).type in types
    ]
    if not facts:
        return None
    subject = facts[0].source if forward else facts[0].target
    others = [fact.target if forward else fact.source for fact in facts]
    members = tuple(
        Member(other.id, other.type, other.name, (fact.key,))
        for other, fact in zip(others, facts, strict=True)
    )
    title = f"{subject.name} {relationship_phrase(relationship, forward)}"
    return AnswerList(title, members, {subject.id: subject.name})


def is_yes_no(clause: Clause) -> bool:
    """Whether a fact between unlike entities is asked for ("Can X be taken together with Y?").

    Without one, other facts about either of them would read like an answer.
    """
    unlike = len({entity.type for entity in clause.entities}) > 1
    return not clause.wanted_types and (unlike or bool(_YES_NO.match(clause.text)))


def _namesakes(entity: Entity, graph: KnowledgeGraph) -> list[Entity]:
    """The entity and all others of its name: pancreatitis is a disease, and a side effect."""
    others = [one for one in graph.entities_named(entity.name) if one.name == entity.name]
    return [entity, *(one for one in others if one.id != entity.id)]


def _groups(entity: Entity, name: str, clause: Clause, graph: KnowledgeGraph) -> list[FactGroup]:
    """Its facts of one type with entities of the wanted types, those that it is the source of first."""
    ends: dict[bool, list[Fact]] = {True: [], False: []}
    for fact in graph.facts(entity.id, name):
        forward = fact.source.id == entity.id
        other = fact.target if forward else fact.source
        if not clause.wanted_types or other.type in clause.wanted_types:
            ends[forward].append(fact)
    return [
        FactGroup(entity, name, forward, tuple(facts[:_LIST_CAP]), len(facts))
        for forward, facts in ends.items()
        if facts
    ]
