"""The graph's connections in memory: what they hold, kept as bytes and read again."""

from __future__ import annotations

import hashlib
import io

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.domain.graph import Entity, Relationship
from core.errors import StoreError
from core.graph.projection import Projection
from tests.graph.small_graphs import SmallGraph, degrees, graphs, positions
from tests.support.graphs import graph_data

ARRAYS = ("entity_codes", "importance", "offsets", "neighbours", "codes")
_EXAMPLE: SmallGraph = (
    [Entity("D1", "Drug", "Metformin", importance=1.0), Entity("X1", "Disease", "diabetes")],
    [Relationship("D1", "TREATS", "X1"), Relationship("D1", "RESEMBLES", "D1")],
)
NAMES = ("ids", "entity_types", "relationship_types", "described")


def same(one: Projection, other: Projection) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in NAMES) and all(
        np.array_equal(getattr(one, name), getattr(other, name))
        and getattr(one, name).dtype == getattr(other, name).dtype
        for name in ARRAYS
    )


@given(graphs())
def test_half_edges_are_the_relationships_from_both_ends(graph: SmallGraph) -> None:
    entities, relationships = graph
    found = Projection.from_bytes(graph_data(*graph).projection)
    assert found.position == positions(entities)
    assert dict(zip(found.ids, found.degrees.tolist(), strict=True)) == degrees(graph)
    types = {entity.id: entity.type for entity in entities}
    importance = {entity.id: entity.importance for entity in entities}
    assert [found.entity_types[code] for code in found.entity_codes] == [
        types[one] for one in found.ids
    ]
    assert found.importance.tolist() == [importance[one] for one in found.ids]
    assert found.described == {one.type for one in relationships if one.properties}
    for place, entity_id in enumerate(found.ids):
        own = found.half_edges(place)
        near = found.neighbours[own].tolist()
        assert near == sorted(near), "the most important neighbours come first"
        triples = [found.triple(place, edge) for edge in range(own.start, own.stop)]
        keys = [
            (found.ids[source], found.relationship_types[kind], found.ids[target])
            for source, kind, target in triples
        ]
        assert sorted(keys) == sorted(
            one.key for one in relationships if entity_id in (one.source, one.target)
        )


@given(graphs())
def test_bytes_and_back(graph: SmallGraph) -> None:
    data = graph_data(*graph).projection
    found = Projection.from_bytes(data)
    assert found.to_bytes() == data
    assert same(Projection.from_bytes(found.to_bytes()), found)


def test_masks() -> None:
    entities, relationships = _EXAMPLE
    found = Projection.from_bytes(graph_data(entities, relationships).projection)
    assert found.relationship_mask([]) is None
    assert found.entity_mask(()) is None
    relationship_mask = found.relationship_mask(["TREATS", "UNKNOWN"])
    assert relationship_mask is not None
    assert relationship_mask.tolist() == [False, False, True, True]
    entity_mask = found.entity_mask(["Drug"])
    assert entity_mask is not None
    assert entity_mask.tolist() == [False, True]


def test_no_bytes_are_an_empty_graph() -> None:
    found = Projection.from_bytes(b"")
    assert found.ids == ()
    assert found.degrees.tolist() == []


@given(graphs(), st.data())
def test_damaged_bytes_are_refused(graph: SmallGraph, data: st.DataObject) -> None:
    """Cut off, continued, or with other bytes in the middle."""
    whole = graph_data(*graph).projection
    first = data.draw(st.integers(1, len(whole)))
    other = data.draw(st.binary(max_size=20))
    rest = whole[first + len(other) :] if data.draw(st.booleans()) else b""
    damaged = whole[:first] + other + rest
    assume(damaged != whole)
    with pytest.raises(StoreError) as caught:
        Projection.from_bytes(damaged)
    assert caught.value.code == "GRAPH_DAMAGED"


@pytest.mark.parametrize(
    "data", [b"x", b"PK\x03\x04", b"\x93NUMPY", b"\x80\x04K\x01.", b"\0" * 999]
)
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(StoreError) as caught:
        Projection.from_bytes(data)
    assert caught.value.code == "GRAPH_DAMAGED"


def test_a_format_of_another_version_is_refused() -> None:
    archive = Projection.from_bytes(graph_data(*_EXAMPLE).projection).to_bytes()[32:]
    with np.load(io.BytesIO(archive)) as arrays:
        later = dict(arrays) | {"format": np.array([99])}
    buffer = io.BytesIO()
    np.savez(buffer, **later)
    data = hashlib.sha256(buffer.getvalue()).digest() + buffer.getvalue()
    with pytest.raises(StoreError):
        Projection.from_bytes(data)
