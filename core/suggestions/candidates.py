"""Questions that may be offered, and the choice of some that are answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any

from core.domain.answers import Answer, DocumentCitation, State
from core.domain.graph import Entity
from core.domain.plans import Named
from core.graph.knowledge import KnowledgeGraph
from core.suggestions.phrases import RELATIONSHIPS, Phrases
from core.suggestions.shelf import Shelf, ShelvedMedicine

OFFERED = 3  # at most; they stand under one another in a narrow panel
_LOOKED_AT = 40  # candidates of a pool
_OF_RELATIONSHIP = 4  # candidates of a relationship, so that others have their turn
_TRIED = 12  # questions that are asked before fewer are offered; each takes some tenth of a second


class AskedOf(StrEnum):
    """What an offered question asks."""

    DOCUMENTS = "documents"
    GRAPH = "graph"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class OfferedQuestion:
    """A question that was answered when it was tried."""

    question: str
    source: AskedOf


@dataclass(frozen=True, slots=True)
class Askable:
    """A question that may be offered.

    Attributes:
        about: ids of what it is about.
        asks: sections, and types of relationships seen from one end.
        documents: ids of those that must be cited, one of them, in `section`.
        entity, relationship: that the graph must have been asked for.
    """

    question: str
    about: frozenset[str]
    asks: frozenset[str]
    documents: frozenset[str] = frozenset()
    section: str = ""
    entity: str = ""
    relationship: str = ""

    @property
    def source(self) -> AskedOf:
        if self.documents and self.entity:
            return AskedOf.BOTH
        return AskedOf.DOCUMENTS if self.documents else AskedOf.GRAPH

    def is_answered(self, answer: Answer) -> bool:
        """Whether an answer answers it: read as it is written, and from where the answer stands."""
        if answer.state is not State.ANSWERED or answer.read_as != self.question:
            return False
        return (not self.documents or self._is_quoted(answer)) and (
            not self.entity or self._is_computed(answer)
        )

    def _is_quoted(self, answer: Answer) -> bool:
        return any(
            one.document_id in self.documents and one.section == self.section
            for one in answer.citations
            if isinstance(one, DocumentCitation)
        )

    def _is_computed(self, answer: Answer) -> bool:
        return (
            answer.plan is not None
            and any(one.size for one in answer.lists)
            and any(
                self.relationship in condition.relationships
                and isinstance(condition.of, Named)
                and self.entity in condition.of.ids
                for one in answer.plan.sets
                for condition in one.all_conditions()
            )
        )


def of_documents(
    shelf: Shelf, phrases: Phrases, medicines: Sequence[ShelvedMedicine], sections: Iterable[str]
) -> Iterator[Askable]:
    """A question for each section and each medicine that has something under it, section by section."""
    for section in sections:
        for medicine in medicines:
            question = phrases.of_section(section, medicine.spoken(phrases))
            if question and section in shelf.sections(medicine.document.id):
                yield Askable(
                    question,
                    frozenset({_subject(medicine)}),
                    frozenset({section}),
                    frozenset(
                        one.document.id for one in shelf.medicines if one.name == medicine.name
                    ),
                    section,
                )


def of_graph(
    graph: KnowledgeGraph, phrases: Phrases, entities: Sequence[Entity], least: int = 1
) -> Iterator[Askable]:
    """A question for each relationship that an entity has, relationship by relationship.

    Args:
        least: relationships of the type that the entity has.
    """
    for relationship in RELATIONSHIPS:
        yield from islice(
            _of_relationship(graph, phrases, relationship, entities, least), _OF_RELATIONSHIP
        )


def _of_relationship(
    graph: KnowledgeGraph,
    phrases: Phrases,
    relationship: str,
    entities: Sequence[Entity],
    least: int,
) -> Iterator[Askable]:
    for entity in entities:
        facts = graph.facts(entity.id, relationship, least)
        if len(facts) < least:
            continue
        is_source = facts[0].source.id == entity.id
        name = phrases.name(entity)
        question = phrases.of_relationship(relationship, name, is_source=is_source)
        if question:
            yield Askable(
                question,
                frozenset({entity.id}),
                frozenset({f"{relationship} of {'source' if is_source else 'target'}"}),
                entity=entity.id,
                relationship=relationship,
            )


def of_both(phrases: Phrases, graph: Askable, documents: Askable) -> Askable:
    """Two questions as one."""
    return Askable(
        phrases.both(graph.question, documents.question),
        graph.about | documents.about,
        graph.asks | documents.asks,
        documents.documents,
        documents.section,
        graph.entity,
        graph.relationship,
    )


def chosen(
    pools: Iterable[Iterable[Askable]],
    is_answered: Callable[[Askable], bool],
    rules: Sequence[Callable[[Askable, Askable], bool]],
) -> tuple[OfferedQuestion, ...]:
    """Up to three questions that are answered, one of each pool where that is possible.

    Args:
        pools: of each kind, the best first.
        rules: which two may stand beside one another, the strictest first; one that leaves places is
            followed by the next.
    """
    waiting = [list(islice(pool, _LOOKED_AT)) for pool in pools]
    found: list[Askable] = []
    tried = 0
    for rule in (*rules, _differ):
        grown = True
        while grown:
            grown = False
            for pool in waiting:
                for one in list(pool):
                    if len(found) >= OFFERED or tried >= _TRIED:
                        return _offered(found)
                    if not all(rule(one, other) for other in found):
                        continue
                    pool.remove(one)
                    tried += 1
                    if is_answered(one):
                        found.append(one)
                        grown = True
                        break
    return _offered(found)


def ask_apart(one: Askable, other: Askable) -> bool:
    """Whether two questions ask for other things."""
    return not one.asks & other.asks


def apart(one: Askable, other: Askable) -> bool:
    """Whether they ask for other things, of others."""
    return ask_apart(one, other) and not one.about & other.about


def to_public(found: Sequence[OfferedQuestion]) -> list[dict[str, Any]]:
    """Offered questions in the fields that scripts rely on."""
    return [{"question": one.question, "source": str(one.source)} for one in found]


def _differ(one: Askable, other: Askable) -> bool:
    return one.question != other.question


def _offered(found: Sequence[Askable]) -> tuple[OfferedQuestion, ...]:
    return tuple(OfferedQuestion(one.question, one.source) for one in found)


def _subject(medicine: ShelvedMedicine) -> str:
    return medicine.entity.id if medicine.entity is not None else medicine.name
