"""A graph's connections in memory: compact arrays that expansion and paths walk over.

The stores keep entities and relationships; at each import the connections are projected once into
compressed sparse rows (8 million half-edges take 48 MB) and kept beside them, so that a process loads
them in a fraction of a second and a hub with 100,000 neighbours costs as much as a leaf: each entity's
neighbours stand in order of importance, and the most important ones are a slice.
"""

from __future__ import annotations

import hashlib
import io
import json
import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.domain.graph import Entity
from core.domain.graph_data import Positions, TypeCodes
from core.errors import StoreError

# NumPy reads an array's header as a Python literal, and Python 3.11 miscounts its depth at times when two
# threads do so at once (SystemError, "AST constructor recursion depth mismatch").
_READING = threading.Lock()
_FORMAT = 1
_CHECKSUM_BYTES = 32
_ARRAYS = ("entity_codes", "importance", "offsets", "neighbours", "codes")
_POSITION_BITS = 23  # 8 million entities; two positions and a code fit into 63 bits
_CODE_BITS = 17


@dataclass(frozen=True)
class Projection:
    """Entities by position (0 is the most important) and their half-edges.

    Attributes:
        ids: entity ids by position.
        entity_types: names; `entity_codes` (n,) uint16 holds an index into them per entity.
        relationship_types: names in alphabetical order.
        described: relationship types whose relationships have properties.
        importance: (n,) float64 in [0, 1], descending.
        offsets: (n + 1,) int64; the half-edges of position p are offsets[p]:offsets[p + 1].
        neighbours: (h,) int32 positions, ascending within an entity: the most important first.
        codes: (h,) uint16, twice the index of the relationship type, plus 1 where the entity is the
            target. A relationship of an entity with itself has one half-edge.
    """

    ids: tuple[str, ...]
    entity_types: tuple[str, ...]
    entity_codes: TypeCodes
    relationship_types: tuple[str, ...]
    described: frozenset[str]
    importance: NDArray[np.float64]
    offsets: NDArray[np.int64]
    neighbours: Positions
    codes: TypeCodes

    @cached_property
    def position(self) -> Mapping[str, int]:
        """Entity id -> position."""
        return {entity_id: place for place, entity_id in enumerate(self.ids)}

    @cached_property
    def signatures(self) -> frozenset[tuple[str, str, str]]:
        """Which types are linked: (type of the source, relationship type, type of the target)."""
        owners = np.repeat(self.entity_codes, np.diff(self.offsets))
        others = self.entity_codes[self.neighbours]
        from_source = (self.codes & 1) == 0
        kinds = len(self.entity_types)
        packed = (self.codes[from_source].astype(np.int64) >> 1) * kinds + owners[from_source]
        packed = np.unique(packed * kinds + others[from_source])
        return frozenset(
            (
                self.entity_types[one // kinds % kinds],
                self.relationship_types[one // kinds // kinds],
                self.entity_types[one % kinds],
            )
            for one in packed.tolist()
        )

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """Number of relationships per entity, shape (n,)."""
        return np.diff(self.offsets)

    def half_edges(self, position: int) -> slice:
        """Where an entity's half-edges are in `neighbours` and `codes`."""
        return slice(int(self.offsets[position]), int(self.offsets[position + 1]))

    def relationship_mask(self, names: Collection[str]) -> NDArray[np.bool_] | None:
        """Which `codes` belong to the named relationship types, shape (2 x types,); None for all."""
        if not names:
            return None
        wanted = np.array([name in names for name in self.relationship_types], dtype=bool)
        return np.repeat(wanted, 2)

    def entity_mask(self, names: Collection[str]) -> NDArray[np.bool_] | None:
        """Which `entity_codes` belong to the named entity types, shape (types,); None for all."""
        if not names:
            return None
        return np.array([name in names for name in self.entity_types], dtype=bool)

    def triple(self, position: int, edge: int) -> tuple[int, int, int]:
        """(source, relationship type, target) of a half-edge of `position`."""
        code, other = int(self.codes[edge]), int(self.neighbours[edge])
        return (other, code >> 1, position) if code & 1 else (position, code >> 1, other)

    def to_bytes(self) -> bytes:
        """The projection as numpy's uncompressed archive, behind its checksum."""
        names = {
            "ids": list(self.ids),
            "entity_types": list(self.entity_types),
            "relationship_types": list(self.relationship_types),
            "described": sorted(self.described),
        }
        buffer = io.BytesIO()
        np.savez(
            buffer,
            format=np.array([_FORMAT]),
            names=np.frombuffer(json.dumps(names).encode(), dtype=np.uint8),
            **{name: getattr(self, name) for name in _ARRAYS},
        )
        archive = buffer.getvalue()
        return hashlib.sha256(archive).digest() + archive

    @classmethod
    def from_bytes(cls, data: bytes) -> Projection:
        """The projection that `to_bytes` wrote; an empty one from no bytes.

        Raises:
            StoreError: code GRAPH_DAMAGED; the bytes are something else.
        """
        if not data:
            none = np.empty(0, np.int32)
            return project((), (), none, none.astype(np.uint16), none)
        checksum, archive = data[:_CHECKSUM_BYTES], data[_CHECKSUM_BYTES:]
        try:
            if hashlib.sha256(archive).digest() != checksum:
                raise ValueError("checksum differs")
            with _READING, np.load(io.BytesIO(archive), allow_pickle=False) as arrays:
                if int(arrays["format"][0]) != _FORMAT:
                    raise ValueError("unknown format")
                names = json.loads(arrays["names"].tobytes())
                return cls(
                    ids=tuple(names["ids"]),
                    entity_types=tuple(names["entity_types"]),
                    relationship_types=tuple(names["relationship_types"]),
                    described=frozenset(names["described"]),
                    **{name: arrays[name] for name in _ARRAYS},
                )
        except (ValueError, KeyError) as error:
            raise StoreError(
                "The knowledge graph's connections are damaged.",
                advice="Import the graph again.",
                code="GRAPH_DAMAGED",
            ) from error


def project(
    entities: Sequence[Entity],
    relationship_types: Sequence[str],
    sources: Positions,
    types: TypeCodes,
    targets: Positions,
    described: Collection[str] = (),
) -> Projection:
    """The projection of a graph.

    Args:
        entities: in descending importance (ties by name and id), importance set.
        relationship_types: in alphabetical order; `types` are indices into them.
        sources, targets: positions.
    """
    count = len(entities)
    entity_types = tuple(sorted({entity.type for entity in entities}))
    code_of = {name: code for code, name in enumerate(entity_types)}
    # One number per half-edge sorts by owner, neighbour, type and direction at once.
    forward = _packed(sources, targets, types, 0)
    loops = sources == targets
    packed = np.concatenate([forward, _packed(targets, sources, types, 1)[~loops]])
    del forward
    packed.sort()
    owners = packed >> (_POSITION_BITS + _CODE_BITS)
    offsets = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(owners, minlength=count), out=offsets[1:])
    del owners
    return Projection(
        ids=tuple(entity.id for entity in entities),
        entity_types=entity_types,
        entity_codes=np.array([code_of[entity.type] for entity in entities], np.uint16),
        relationship_types=tuple(relationship_types),
        described=frozenset(described),
        importance=np.array([entity.importance for entity in entities], np.float64),
        offsets=offsets,
        neighbours=((packed >> _CODE_BITS) & ((1 << _POSITION_BITS) - 1)).astype(np.int32),
        codes=(packed & ((1 << _CODE_BITS) - 1)).astype(np.uint16),
    )


def _packed(
    owners: Positions, others: Positions, types: TypeCodes, direction: int
) -> NDArray[np.int64]:
    packed: NDArray[np.int64] = owners.astype(np.int64)
    packed <<= _POSITION_BITS
    packed |= others
    packed <<= _CODE_BITS
    packed |= types.astype(np.int64) << 1
    packed |= direction
    return packed
