"""What is like an entity by the vectors of both."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.vectors import VECTOR_INDEXES
from core.graph.knowledge import KnowledgeGraph
from core.graph.store import EntityVectors
from core.graph.vectors.texts import is_described

# Of two drugs, or two diseases, of the sample nine in ten are less alike (all-MiniLM-L6-v2: .52, .51).
LIKE_ENOUGH = 0.5
_CANDIDATES = 100  # of each type; what a question asks beside likeness takes its part of them


def like_entity(
    graph: KnowledgeGraph,
    vectors: EntityVectors,
    entity_ids: Sequence[str],
    types: Sequence[str],
) -> list[tuple[str, float]]:
    """Entities of the types whose descriptions are like that of a given one, best first.

    None where it has no vector or nothing but a name, or where one of the types is not embedded. Others
    that have nothing but a name are left out: they are all alike.

    Args:
        entity_ids: the entity and others of its name; the first with a description counts.

    Returns:
        (id, cosine similarity), the latter at least `LIKE_ENOUGH`.

    Raises:
        StoreError: the vectors cannot be read, or an index is missing (``VECTOR_INDEX_MISSING``).
    """
    if not types or any(kind not in VECTOR_INDEXES for kind in types):
        return []
    described = [one.id for one in graph.entities(entity_ids).values() if is_described(one)]
    kept = vectors.vectors_of(described)
    own = next((kept[one] for one in described if one in kept), None)
    if own is None:
        return []
    near = {
        one: similarity
        for kind in types
        for one, similarity in vectors.query(own, kind, _CANDIDATES + len(entity_ids))
        if one not in entity_ids and similarity >= LIKE_ENOUGH
    }
    known = graph.entities(near)
    found = [(one, near[one]) for one, entity in known.items() if is_described(entity)]
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))
