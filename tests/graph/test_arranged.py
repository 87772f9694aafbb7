"""Arrangements: every node has a place of its own, types stand together, rings are distances."""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from core.graph.arranged import around, by_type
from tests.graph.test_layout import closest, graphs

TYPES = st.dictionaries(
    st.integers(0, 60).map(lambda number: f"n{number}"), st.sampled_from("ABCD"), max_size=60
)


@settings(max_examples=100, deadline=None)
@given(TYPES)
def test_types_stand_in_blocks_that_do_not_touch(types: dict[str, str]) -> None:
    places = by_type(types, 100.0)
    assert set(places) == set(types) and closest(places) > 50
    boxes = {}
    for kind in set(types.values()):
        xs, ys = zip(*(places[one] for one in types if types[one] == kind), strict=True)
        boxes[kind] = (min(xs), max(xs), min(ys), max(ys))
    for one, (left, right, top, bottom) in boxes.items():
        for other, (west, east, north, south) in boxes.items():
            apart = right < west or east < left or bottom < north or south < top
            assert one == other or apart


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_rings_are_distances_from_the_middle(
    graph: tuple[list[str], list[tuple[str, str]]],
) -> None:
    nodes, edges = graph
    centre = nodes[0]
    places = around(nodes, edges, centre, 100.0)
    assert set(places) == set(nodes) and places[centre] == (0.0, 0.0)
    assert closest(places) > 50
    far = {one: round(math.hypot(*places[one])) for one in nodes}
    for one, other in edges:
        # Neighbours stand on the same ring or on rings beside each other.
        rings = sorted(set(far.values()))
        assert abs(rings.index(far[one]) - rings.index(far[other])) <= 1
    assert sum(distance == 0 for distance in far.values()) == 1
