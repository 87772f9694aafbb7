"""What a conversation may begin with: of the documents, of the graph, and of both where that is possible."""

from __future__ import annotations

from collections.abc import Iterator

from core.domain.graph import Entity
from core.graph.knowledge import KnowledgeGraph
from core.suggestions.candidates import Askable, of_both, of_documents, of_graph
from core.suggestions.phrases import SECTIONS, Phrases
from core.suggestions.shelf import Shelf

_MEDICINES = 12  # the first ones; each has its document read
_ENTITIES = 200  # the most important ones of a graph
_LEAST = 2  # members of a list that is worth asking for
_TREATS = "TREATS"
_TREATED = 5  # diseases of a medicine


def starter_pools(shelf: Shelf, graph: KnowledgeGraph, phrases: Phrases) -> list[Iterator[Askable]]:
    """Candidates of both, of documents, of the graph.

    Raises:
        StoreError: library or graph cannot be read.
    """
    medicines = [one for one in shelf.medicines if shelf.sections(one.document.id)][:_MEDICINES]
    entities = [one.entity for one in medicines if one.entity is not None]
    return [
        _both(shelf, graph, phrases, entities),
        of_documents(shelf, phrases, medicines, SECTIONS),
        of_graph(graph, phrases, [*entities, *_important(graph)], _LEAST),
    ]


def _both(
    shelf: Shelf, graph: KnowledgeGraph, phrases: Phrases, entities: list[Entity]
) -> Iterator[Askable]:
    """What else treats what a medicine treats, and when that must not be taken."""
    of_disease: dict[str, Askable] = {}
    for entity in entities:
        treated = [fact.target for fact in graph.facts(entity.id, _TREATS, _TREATED)]
        for one in of_graph(graph, phrases, treated, _LEAST):
            if one.relationship == _TREATS:
                of_disease.setdefault(entity.id, one)
    medicines = [shelf.on(entity_id)[0] for entity_id in of_disease]
    for documents in of_documents(shelf, phrases, medicines, SECTIONS):
        for entity_id in documents.about:
            yield of_both(phrases, of_disease[entity_id], documents)


def _important(graph: KnowledgeGraph) -> list[Entity]:
    projection = graph.projection()
    found = graph.entities_of(projection, range(min(_ENTITIES, len(projection.ids))))
    return list(found.values())
