"""Which types of entities a graph links by which relationships."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

from core.graph.projection import Projection


@dataclass(frozen=True)
class GraphSchema:
    """Types of a graph.

    Attributes:
        signatures: (type of the source, relationship type, type of the target) of what there is.
        entity_types, relationship_types: names.
    """

    signatures: frozenset[tuple[str, str, str]]
    entity_types: tuple[str, ...]
    relationship_types: tuple[str, ...]

    @classmethod
    def of(cls, graph: Projection) -> GraphSchema:
        """The schema of a graph as it is now."""
        return cls(graph.signatures, graph.entity_types, graph.relationship_types)

    @cached_property
    def _linked(self) -> frozenset[tuple[str, str, str]]:
        return self.signatures | {
            (target, name, source) for source, name, target in self.signatures
        }

    def links(self, name: str, types: Iterable[str], others: Collection[str]) -> bool:
        """Whether a relationship links one of the types to one of the others, in either direction."""
        return any((one, name, other) in self._linked for one in types for other in others)

    def far_types(self, name: str, types: Collection[str]) -> tuple[str, ...]:
        """The types that a relationship links to one of `types`, in alphabetical order."""
        return tuple(
            sorted({one for one, kind, other in self._linked if kind == name and other in types})
        )

    def has_all_types(self, name: str, types: Collection[str], others: Collection[str]) -> bool:
        """Whether none but `types` are linked to the others by a relationship."""
        return set(self.far_types(name, others)).issubset(types)

    def near_types(
        self, name: str, types: Collection[str], others: Collection[str]
    ) -> tuple[str, ...]:
        """Those of `types` that a relationship links to one of the others."""
        return tuple(one for one in types if self.links(name, (one,), others))

    def is_source(self, name: str, types: Iterable[str], others: Collection[str]) -> bool:
        """Whether entities of the types are the sources of a relationship to the others."""
        return any((one, name, other) in self.signatures for one in types for other in others)

    def directed(self, name: str, types: Collection[str]) -> bool:
        """Whether a relationship may go either way between these types, so that its voice tells."""
        return any((one, name, one) in self.signatures for one in types)
