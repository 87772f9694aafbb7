"""What may be asked after an answer: of the same medicine, of the graph, of what was listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.domain.answers import Answer, DocumentCitation, GraphCitation
from core.domain.conversations import Turn
from core.domain.graph import NAMED_IN_QUESTION, Entity
from core.domain.plans import Named
from core.graph.knowledge import KnowledgeGraph
from core.suggestions.candidates import Askable, of_documents, of_graph
from core.suggestions.phrases import SECTIONS, Phrases
from core.suggestions.shelf import Shelf, ShelvedMedicine

_MEMBERS = 12  # of a list; so many names are told
_TREATED = 5  # diseases of a medicine
_LISTED = (
    3  # relationships of one type and one entity that are told: the others are in the same list
)
_TREATS = "TREATS"
_Asked = tuple[str, str]  # a document or an entity by its id, and a section or a relationship


@dataclass(frozen=True, slots=True)
class _Subjects:
    """What an answer is about.

    Attributes:
        medicines: those that the question names, then those that the answer quotes.
        entities: named in the question.
    """

    medicines: list[ShelvedMedicine]
    entities: list[Entity]


def follow_up_pools(
    turns: Sequence[Turn], shelf: Shelf, graph: KnowledgeGraph, phrases: Phrases
) -> list[Iterator[Askable]]:
    """Candidates of documents, of the graph, and of what was listed or is near.

    Args:
        turns: of the conversation; what the last one leads to is looked for.

    Raises:
        StoreError: library or graph cannot be read.
    """
    answer = turns[-1].answer
    subjects = _subjects(answer, shelf, graph)
    of_medicines = [one.entity for one in subjects.medicines if one.entity is not None]
    entities = list({one.id: one for one in (*subjects.entities, *of_medicines)}.values())
    asked = {pair for turn in turns for pair in _asked(turn.answer)}
    near = _near(answer, graph, entities)
    on_near = [found[0] for one in near if (found := shelf.on(one.id))]
    pools = [
        of_documents(shelf, phrases, subjects.medicines[:1], SECTIONS),
        of_graph(graph, phrases, entities),
        _in_turn(of_documents(shelf, phrases, on_near, SECTIONS), of_graph(graph, phrases, near)),
        of_documents(shelf, phrases, subjects.medicines[1:], SECTIONS),
    ]
    questions = {turn.question.casefold() for turn in turns}
    return [_new(pool, asked, questions) for pool in pools]


def _new(pool: Iterator[Askable], asked: set[_Asked], questions: set[str]) -> Iterator[Askable]:
    """Those that the conversation did not ask yet."""
    for one in pool:
        of_document = any((each, one.section) in asked for each in one.documents)
        if (
            not of_document
            and (one.entity, one.relationship) not in asked
            and one.question.casefold() not in questions
        ):
            yield one


def _asked(answer: Answer) -> Iterator[_Asked]:
    """What an answer told: sections of documents, relationships of entities."""
    decisive = {n for one in answer.sentences if one.decisive for n in one.citations}
    for citation in answer.citations:
        if isinstance(citation, DocumentCitation) and (not decisive or citation.n in decisive):
            yield citation.document_id, citation.section
    ends = Counter(
        (end, one.relationship)
        for one in answer.citations
        if isinstance(one, GraphCitation)
        for end in (one.source_id, one.target_id)
    )
    yield from (pair for pair, times in ends.items() if times >= _LISTED)
    for one in answer.plan.sets if answer.plan is not None else ():
        for condition in one.all_conditions():
            if isinstance(condition.of, Named):
                for entity_id in condition.of.ids:
                    for relationship in condition.relationships:
                        yield entity_id, relationship


def _subjects(answer: Answer, shelf: Shelf, graph: KnowledgeGraph) -> _Subjects:
    named = graph.entities(link.id for link in answer.entities if link.reason == NAMED_IN_QUESTION)
    medicines = [one for entity_id in named for one in shelf.on(entity_id)]
    quoted = [one for each in answer.cited_files if (one := shelf.in_document(each)) is not None]
    # Of several documents on one medicine the quoted one is meant.
    quoted.sort(key=lambda one: one not in medicines)
    found = {one.name: one for one in reversed((*quoted, *medicines))}
    return _Subjects(list(reversed(found.values())), list(named.values()))


def _near(answer: Answer, graph: KnowledgeGraph, entities: Sequence[Entity]) -> list[Entity]:
    """The first members of the lists that were told; without one, what the medicines are for."""
    members = [member.id for one in answer.lists for member in one.members[:_MEMBERS]]
    if members:
        return list(graph.entities(members).values())
    treated = [
        fact.target
        for entity in entities
        for fact in graph.facts(entity.id, _TREATS, _TREATED)
        if fact.source.id == entity.id
    ]
    return list({one.id: one for one in treated}.values())


def _in_turn(*pools: Iterator[Askable]) -> Iterator[Askable]:
    for pool in pools:
        yield from pool
