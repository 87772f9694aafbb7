"""What keeps questions from finding entities and passages by meaning: vectors that are not there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.documents.store.library import LibraryStore
from core.documents.store.vectors import VectorStore
from core.domain.vectors import VECTOR_INDEXES
from core.errors import VectorsMissing
from core.graph.knowledge import KnowledgeGraph
from core.graph.store import EntityVectors


@dataclass(frozen=True, slots=True)
class VectorGaps:
    """What of a graph is not embedded (KG-34).

    Attributes:
        missing: names of the vector indexes that are not there, of types that the graph has.
        lacking: entities that are to have a vector and have none that can be searched.
        total: entities that are to have one.
        other_model: what there is was made with another model than the configured one, and is not used.
    """

    missing: tuple[str, ...]
    lacking: int
    total: int
    other_model: bool

    @property
    def none(self) -> bool:
        """Whether everything is there."""
        return not (self.missing or self.lacking or self.other_model)

    @property
    def words(self) -> str:
        """What is wrong and what follows from it, in a sentence; "" where nothing is."""
        follows = "questions find them by name alone"
        if self.lacking == self.total > 0 and len(self.missing) != 1:
            return f"The entities of the graph are not embedded yet: {follows}."
        if self.missing:
            names = ", ".join(f"“{name}”" for name in self.missing)
            index = "index" if len(self.missing) == 1 else "indexes"
            verb = "is" if len(self.missing) == 1 else "are"
            return (
                f"The vector {index} {names} {verb} missing, with {self.lacking:,} of {self.total:,} "
                f"entities: {follows} (VECTOR_INDEX_MISSING)."
            )
        if self.other_model:
            return (
                f"The entities were embedded with another model than the configured one: {follows}."
            )
        if self.lacking:
            return f"{self.lacking:,} of {self.total:,} entities are not embedded yet: {follows}."
        return ""


def vector_gaps(graph: KnowledgeGraph, vectors: EntityVectors, *, model_fits: bool) -> VectorGaps:
    """Compare the graph with its vectors; of types that the graph does not have, nothing is missed.

    Raises:
        StoreError: one of them cannot be read.
    """
    present = graph.counts_by_type()
    wanted = {kind: present[kind] for kind in VECTOR_INDEXES if present.get(kind)}
    kept = vectors.counts() if wanted else {}
    return VectorGaps(
        missing=tuple(VECTOR_INDEXES[kind] for kind in wanted if kind not in kept),
        lacking=sum(max(0, number - kept.get(kind, 0)) for kind, number in wanted.items()),
        total=sum(wanted.values()),
        other_model=any(kept.get(kind) for kind in wanted) and not model_fits,
    )


def passages_without_vectors(
    library: LibraryStore, vectors: VectorStore
) -> Mapping[str, tuple[int, int]]:
    """Index -> passages that have no vector, and all; of those indexes alone that lack some.

    Raises:
        StoreError: one of the stores cannot be read.
    """
    found = {}
    for index in library.indexes():
        total = library.count_index(index.name).chunks
        try:
            kept = vectors.count(index.collection)
        except VectorsMissing:
            kept = 0
        if kept < total:
            found[index.name] = (total - kept, total)
    return found
