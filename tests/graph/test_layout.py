"""Positions: the same every time, near their neighbours, apart from each other, kept on growth."""

from __future__ import annotations

import math
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from core.graph.layout import SPACING, Point, layout

NODE_PIXELS = 25

NODES = st.integers(1, 25).map(lambda size: [f"n{number}" for number in range(size)])


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[str], list[tuple[str, str]]]:
    nodes = draw(NODES)
    ends = st.sampled_from(nodes)
    return nodes, draw(st.lists(st.tuples(ends, ends), max_size=40))


def closest(positions: dict[str, Point]) -> float:
    return min((math.dist(a, b) for a, b in combinations(positions.values(), 2)), default=math.inf)


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_the_same_graph_is_drawn_the_same_way_without_overlaps(
    graph: tuple[list[str], list[tuple[str, str]]],
) -> None:
    nodes, edges = graph
    positions = layout(nodes, edges)
    assert layout(list(nodes), list(reversed(edges))) == positions
    assert list(positions) == nodes
    assert all(math.isfinite(x) and math.isfinite(y) for x, y in positions.values())
    assert closest(positions) > 1.5 * NODE_PIXELS
    # No part flies away: the whole is not wider than its nodes in two rows would be.
    xs, ys = zip(*positions.values(), strict=True)
    extent = max(max(xs) - min(xs), max(ys) - min(ys))
    assert extent <= SPACING * (2 + 1.5 * len(nodes) / 2)


@settings(max_examples=100, deadline=None)
@given(graphs(), st.data())
def test_nodes_stay_where_they_are_when_the_graph_grows(
    graph: tuple[list[str], list[tuple[str, str]]], data: st.DataObject
) -> None:
    nodes, edges = graph
    some = data.draw(st.lists(st.sampled_from(nodes), unique=True))
    before = layout(some, edges)
    after = layout(nodes, edges, before)
    assert {name: after[name] for name in some} == before
    assert set(after) == set(nodes)
    assert all(math.isfinite(x) and math.isfinite(y) for x, y in after.values())
    assert closest(after) > NODE_PIXELS


def test_neighbours_are_about_one_spacing_apart() -> None:
    ring = [f"n{number}" for number in range(12)]
    edges = list(zip(ring, ring[1:] + ring[:1], strict=True))
    positions = layout(ring, edges)
    for a, b in edges:
        assert 0.6 * SPACING < math.dist(positions[a], positions[b]) < 1.6 * SPACING


def test_a_new_neighbour_comes_near() -> None:
    before = layout(["a", "b", "c"], [("a", "b"), ("b", "c")])
    after = layout(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("c", "d")], before)
    assert math.dist(after["c"], after["d"]) < 2 * SPACING


def test_a_hub_with_hundreds_of_neighbours() -> None:
    nodes = [f"n{number}" for number in range(300)]
    positions = layout(nodes, [("n0", name) for name in nodes[1:]])
    assert closest(positions) > 2 * NODE_PIXELS


def test_odd_input() -> None:
    assert layout([], []) == {}
    assert list(layout(["a", "a"], [("a", "a"), ("a", "nobody")])) == ["a"]
    assert layout(["a"], [], {"a": (3.3, 4.4), "gone": (0, 0)}) == {"a": (3.3, 4.4)}
    together = layout(["a", "b"], [], {"a": (1.0, 1.0), "b": (1.0, 1.0)})
    assert together == {"a": (1.0, 1.0), "b": (1.0, 1.0)}
