"""A whole graph in the form in which it is stored: entities in order, relationships as arrays."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.domain.graph import Entity, Relationship

Positions = NDArray[np.int32]
TypeCodes = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class GraphData:
    """Everything that one generation of a graph holds.

    Attributes:
        entities: with degree and importance, in descending importance, ties by name and id. The
            place in this order is an entity's position.
        relationship_types: alphabetical, each with at least one relationship.
        sources, targets: positions, shape (relationships,), int32.
        types: indices into `relationship_types`, shape (relationships,), uint16. Relationships are in
            ascending order of source, target and type, none twice.
        property_rows: per relationship an index into `property_values` or -1, int32.
        property_values: distinct property maps as JSON objects of text.
        projection: the bytes of `core.graph.projection.Projection`.
    """

    entities: Sequence[Entity]
    relationship_types: tuple[str, ...]
    sources: Positions
    targets: Positions
    types: TypeCodes
    property_rows: Positions
    property_values: Sequence[str]
    projection: bytes

    @property
    def relationship_count(self) -> int:
        return len(self.sources)

    def properties_of(self, row: int) -> Mapping[str, str]:
        """The property map of one relationship."""
        place = int(self.property_rows[row])
        found: Mapping[str, str] = json.loads(self.property_values[place]) if place >= 0 else {}
        return found

    def relationships(self) -> Iterator[Relationship]:
        """All relationships, in their order; for small graphs and checks."""
        for row in range(self.relationship_count):
            yield Relationship(
                self.entities[self.sources[row]].id,
                self.relationship_types[self.types[row]],
                self.entities[self.targets[row]].id,
                self.properties_of(row),
            )
