"""A question that is asked of some entities alone: what evidence there may be, and how it is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.documents.store.library import EvidenceStore
from core.domain.provenance.within import Within
from core.domain.vectors import Vector
from core.evidence.computing.similar import Likeness
from core.graph.induced import InducedGraph
from core.graph.knowledge import KnowledgeGraph

NOT_MENTIONED = "No document mentions any of the entities that were asked about."
_MOST_DOCUMENTS = 10_000  # that mention one entity
Similar = Callable[[Vector], Sequence[tuple[str, float]]]


def part_of(graph: KnowledgeGraph, within: Within) -> KnowledgeGraph:
    """The graph as a question may use it: the entities it is asked of and what links them, or the whole."""
    return InducedGraph(graph, within.entities) if within.entities else graph


def similar_in(similar: Similar, within: Within) -> Similar:
    """The entities that resemble a vector, without those that the question is not asked of."""
    return lambda vector: [one for one in similar(vector) if within.has_entity(one[0])]


def like_in(like: Likeness, within: Within) -> Likeness:
    """Likeness by vectors, without entities that the question is not asked of."""
    return lambda ids, types: [one for one in like(ids, types) if within.has_entity(one[0])]


def documents_of(library: EvidenceStore, within: Within) -> tuple[str, ...] | None:
    """Ids of the documents that passages are taken from: those that mention one of the entities, of those
    that were chosen; empty for all, None where there are none."""
    if not within.entities:
        return within.documents
    mentioning = {
        document.id
        for entity_id in within.entities
        for document, _ in library.documents_mentioning(entity_id, _MOST_DOCUMENTS)
    }
    found = tuple(sorted(one for one in mentioning if within.has_document(one)))
    return found or None
