"""What the graph services ask of the store that keeps entities and relationships."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from core.domain.graph import Entity, Fact, Relationship


class GraphStore(Protocol):
    """Entities, relationships and each entity's neighbours in order of importance."""

    def replace_graph(
        self, entities: Iterable[Entity], relationships: Iterable[Relationship]
    ) -> None:
        """Insert or update everything in one transaction; ids stay, nothing else is removed.

        `Entity.degree` and `Entity.importance` are stored as given. Neighbour lists are rebuilt.
        """
        ...

    def entity(self, entity_id: str) -> Entity | None: ...
    def entities(self, ids: Iterable[str]) -> dict[str, Entity]: ...

    def entities_named(self, name: str) -> list[Entity]:
        """Entities with exactly this name or synonym, case folded, most important first."""
        ...

    def search_entities(
        self, query: str, types: Sequence[str] = (), limit: int = 20
    ) -> list[Entity]:
        """Entities whose name or synonym contains the query: exact, then prefix, then importance."""
        ...

    def all_names(self) -> Iterator[tuple[str, str, str]]:
        """(name or synonym, entity id, entity type) of every entity."""
        ...

    def neighbours(
        self,
        entity_ids: Sequence[str],
        per_entity: int,
        relationship_types: Sequence[str] = (),
        neighbour_types: Sequence[str] = (),
    ) -> list[Fact]:
        """The facts of each entity with its most important neighbours, at most `per_entity` each."""
        ...

    def facts(self, entity_id: str, relationship_type: str, limit: int | None = None) -> list[Fact]:
        """All facts of one type in which the entity is either end, most important neighbour first."""
        ...

    def facts_between(self, entity_ids: Sequence[str]) -> list[Fact]:
        """Every fact whose both ends are among the ids."""
        ...

    def relationship_counts(self, entity_id: str) -> dict[str, int]:
        """Relationship type -> number of relationships of the entity."""
        ...

    def counts_by_type(self) -> dict[str, int]:
        """Entity type -> number of entities."""
        ...

    def count_relationships(self) -> int: ...

    def version(self) -> int:
        """A number that grows with every import; what caches names compares it."""
        ...
