"""What the graph services ask of the stores that keep entities, relationships and entity vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from core.domain.graph import Entity, Relationship
from core.domain.graph_data import GraphData
from core.domain.vectors import EntityVector, Vector

T = TypeVar("T")
Check = Callable[[], None]  # called now and then; what it raises ends the work
_CHECKED_EVERY = 10_000  # entities or relationships


def checked(items: Iterable[T], check: Check) -> Iterator[T]:
    """What a store streams; `check` is called now and then."""
    for number, item in enumerate(items):
        if number % _CHECKED_EVERY == 0:
            check()
        yield item


class GraphStore(Protocol):
    """Entities and relationships, in generations: an import writes a new one beside the present one
    and switches to it, so that readers see the old graph or the new one, never a part of either.

    Every method that reads or writes raises StoreError (``GRAPH_UNAVAILABLE``, retryable) when the
    store cannot be reached in time.
    """

    def replace(
        self,
        graph: GraphData,
        report: Callable[[float], None] = lambda _fraction: None,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """Write a new generation, switch to it, remove the old one and what crashes left.

        Entity vectors of ids that stay are kept.

        Args:
            report: how much is written, in [0, 1].
            check: called between batches; what it raises ends the write, and the old graph stays.
        """
        ...

    def version(self) -> int:
        """The generation: a number that grows with every `replace`; 0 before the first."""
        ...

    def projection(self) -> bytes:
        """`GraphData.projection` of the present generation; empty before the first.

        Raises:
            StoreError: code GRAPH_CHANGED, retryable; imports replaced the graph again and again meanwhile.
        """
        ...

    def entities(self, ids: Iterable[str]) -> dict[str, Entity]:
        """The known ones among the ids, in the order asked."""
        ...

    def entities_named(self, name: str) -> list[Entity]:
        """Entities with exactly this id, name, synonym or identifier (`name_key`), most important
        first."""
        ...

    def search_entities(
        self, query: str, types: Sequence[str] = (), limit: int = 20
    ) -> list[Entity]:
        """Entities whose id, name, synonym or identifier contains the query: exact ones, then those
        that begin so, then the others, each in descending importance (ties by name and id)."""
        ...

    def all_names(self) -> Iterator[tuple[str, str, str]]:
        """(name, synonym, identifier or id; entity id; entity type), entities by position; of each
        first the name, then the synonyms, the identifiers and the id (`entity_names`)."""
        ...

    def all_entities(self) -> Iterator[Entity]:
        """Every entity by position, streamed."""
        ...

    def all_relationships(self) -> Iterator[Relationship]:
        """Every relationship, streamed; in any order."""
        ...

    def relationship_properties(
        self, keys: Sequence[tuple[str, str, str]]
    ) -> dict[tuple[str, str, str], dict[str, str]]:
        """(source, type, target) -> properties, of those that have any."""
        ...

    def counts_by_type(self) -> dict[str, int]:
        """Entity type -> number of entities, the most frequent first, ties by name."""
        ...

    def count_relationships(self) -> int: ...


class EntityVectors(Protocol):
    """Embeddings of entities of the types in `VECTOR_INDEXES`, one index for each type."""

    def ensure(self, dimension: int) -> None:
        """Make the four indexes; those of another dimension are dropped with their vectors."""
        ...

    def hashes(self) -> dict[str, str]:
        """Entity id -> text hash of every vector that is kept."""
        ...

    def stored(self) -> Iterator[EntityVector]:
        """Every vector that is kept, streamed; in any order."""
        ...

    def vectors_of(self, entity_ids: Sequence[str]) -> dict[str, Vector]:
        """Entity id -> its vector, of those that have one."""
        ...

    def put(self, vectors: Sequence[EntityVector]) -> None:
        """Add or replace vectors."""
        ...

    def remove(self, entity_ids: Sequence[str]) -> None: ...

    def query(self, vector: Vector, entity_type: str, limit: int) -> list[tuple[str, float]]:
        """Entity ids of one type with their cosine similarity in [-1, 1], best first.

        Raises:
            StoreError: the index is missing (``VECTOR_INDEX_MISSING``).
        """
        ...

    def counts(self) -> dict[str, int]:
        """Entity type -> number of vectors, of the types whose index is there."""
        ...

    def settle(self, written: int) -> None:
        """Make search as quick as it can be, after so many vectors were written one after the other.

        Until it is done a query may say that the index is missing.
        """
        ...
