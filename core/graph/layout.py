"""Where each node of a drawn graph goes, in pixels; computed here so that the browser need not."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import rustworkx

Point = tuple[float, float]
_Graph = rustworkx.PyGraph[str, None]
_Points = npt.NDArray[np.float64]

SPACING = 120.0  # pixels between neighbours: a node of 25 px and a label of a few words fit
_SMALLEST_GAP = 0.6  # of the spacing, between any two nodes
_PART_GAP = 1.0  # of the spacing, between parts that are not connected
_SEED = 7  # any fixed number: the same graph is drawn the same way
_ROUNDS = 300  # at most, of the spring layout; it stops by itself when nodes hardly move
_SPREAD_ROUNDS = 60  # at most, of pushing nodes apart; a star of 300 needs 20 to 30
_LEFT_OVER = 0.05  # of the gap, which nobody sees
_TINY = 1e-9  # keeps divisions defined where points coincide
_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))


def layout(
    node_ids: Sequence[str],
    edges: Sequence[tuple[str, str]],
    previous: Mapping[str, Point] | None = None,
    scale: float = SPACING,
) -> dict[str, Point]:
    """A position for every node: linked nodes about `scale` apart, no two on top of each other.

    Each connected part is laid out by springs (Fruchterman and Reingold 1991) from a fixed start,
    overlapping nodes are pushed apart, and the parts are put side by side. The same input gives the
    same output.

    Args:
        node_ids: repeated ids count once.
        edges: pairs of ids; those with unknown ids and loops are ignored.
        previous: positions of an earlier call; nodes in it stay exactly there and new ones find
            their place around them.
        scale: pixels between neighbours.

    Returns:
        id -> (x, y) in pixels, y downwards.
    """
    if not node_ids:
        return {}
    graph = _graph(node_ids, edges)
    placed = {
        index: (previous[name][0] / scale, previous[name][1] / scale)
        for index, name in enumerate(graph.nodes())
        if previous and name in previous
    }
    parts = sorted(map(sorted, rustworkx.connected_components(graph)), key=lambda p: (-len(p), p))
    positions: dict[int, Point] = dict(placed)
    for part in parts:
        if any(index in placed for index in part):
            positions |= _grown_part(graph, part, placed)
    fresh = [part for part in parts if not any(index in placed for index in part)]
    positions |= _packed([_new_part(graph, part) for part in fresh], list(positions.values()))
    positions = _spread(positions, set(placed))
    pixels = {
        index: (round(x * scale, 1), round(y * scale, 1)) for index, (x, y) in positions.items()
    }
    return {
        name: previous[name] if previous and index in placed else pixels[index]
        for index, name in enumerate(graph.nodes())
    }


def _graph(node_ids: Sequence[str], edges: Sequence[tuple[str, str]]) -> _Graph:
    graph: _Graph = rustworkx.PyGraph(multigraph=False)
    names = list(dict.fromkeys(node_ids))
    graph.add_nodes_from(names)
    index = {name: number for number, name in enumerate(names)}
    known = {(index[a], index[b]) for a, b in edges if a in index and b in index and a != b}
    graph.add_edges_from_no_data(sorted(known))
    return graph


def _new_part(graph: _Graph, part: Sequence[int]) -> dict[int, Point]:
    """Positions of a connected part in units of the spacing, around the origin."""
    by_degree = sorted(part, key=lambda index: (-graph.degree(index), index))
    start = {index: _sunflower(number) for number, index in enumerate(by_degree)}
    return _sprung(graph, part, start, set())


def _grown_part(
    graph: _Graph, part: Sequence[int], placed: Mapping[int, Point]
) -> dict[int, Point]:
    """Positions of a part of which some nodes have theirs; new ones start beside a neighbour."""
    known = {index: placed[index] for index in part if index in placed}
    start, fixed = dict(known), set(known)
    centre = np.mean(list(known.values()), axis=0)
    waiting = [index for index in part if index not in start]
    while waiting:
        ready = [i for i in waiting if any(n in start for n in graph.neighbors(i))]
        for number, index in enumerate(ready):
            beside = [start[n] for n in sorted(graph.neighbors(index)) if n in start]
            start[index] = _outwards(np.mean(beside, axis=0), centre, number)
        waiting = [index for index in waiting if index not in start]
    return _sprung(graph, part, start, fixed)


def _outwards(anchor: _Points, centre: _Points, number: int) -> Point:
    """A place one spacing from the anchor, away from the centre; siblings fan out."""
    away = anchor - centre
    angle = math.atan2(away[1], away[0]) + (number % 7 - 3) * _GOLDEN_ANGLE / 7
    return float(anchor[0] + math.cos(angle)), float(anchor[1] + math.sin(angle))


def _sunflower(number: int) -> Point:
    """The n-th place on a spiral that fills a disc evenly, the first in its middle."""
    radius, angle = math.sqrt(number), number * _GOLDEN_ANGLE
    return radius * math.cos(angle), radius * math.sin(angle)


def _sprung(
    graph: _Graph, part: Sequence[int], start: Mapping[int, Point], fixed: set[int]
) -> dict[int, Point]:
    if len(part) == 1:
        return dict(start)
    own = graph.subgraph(list(part))
    found = rustworkx.spring_layout(
        own,
        pos={number: start[index] for number, index in enumerate(part)},
        fixed={number for number, index in enumerate(part) if index in fixed} or None,
        k=1.0,
        num_iter=_ROUNDS,
        seed=_SEED,
    )
    positions = np.array([found[number] for number in range(len(part))])
    if not fixed:
        positions -= positions.mean(axis=0)
        positions /= _unit(positions, own.edge_list())
    return {index: _point(positions[number]) for number, index in enumerate(part)}


def _unit(positions: _Points, edges: Iterable[tuple[int, int]]) -> float:
    """The length to be drawn as one spacing: the usual edge's, or less where nodes crowd.

    A crowd is measured by its radius: a disc of n nodes a gap apart has n gaps^2 / pi as its radius
    squared, and half of that as the mean square distance from its middle.
    """
    edge = np.median([np.linalg.norm(positions[a] - positions[b]) for a, b in edges])
    radius = np.sqrt((positions**2).sum(axis=1).mean())
    needed = _SMALLEST_GAP * math.sqrt(len(positions) / (2 * math.pi))
    return max(float(min(edge, radius / needed)), _TINY)


def _distances(points: _Points) -> _Points:
    """Distances between all pairs, infinite from a point to itself."""
    apart = points[:, None, :] - points[None, :, :]
    distances: _Points = np.hypot(apart[..., 0], apart[..., 1])
    np.fill_diagonal(distances, np.inf)
    return distances


def _point(row: _Points) -> Point:
    return float(row[0]), float(row[1])


def _spread(positions: Mapping[int, Point], fixed: set[int]) -> dict[int, Point]:
    """Push nodes apart that are nearer than the smallest gap; fixed ones do not move."""
    order = sorted(positions)
    points = np.array([positions[index] for index in order]).reshape(-1, 2)
    free = np.array([index not in fixed for index in order], dtype=bool)
    # A little unevenness, so that nodes in exactly the same place have a direction to part in.
    points[free] += np.random.default_rng(_SEED).normal(0, 1e-3, (int(free.sum()), 2))
    for _ in range(_SPREAD_ROUNDS):
        distance = _distances(points)
        lacking = np.clip(_SMALLEST_GAP - distance, 0, None)
        if lacking.max() < _LEFT_OVER * _SMALLEST_GAP:
            break
        one, other = np.nonzero(lacking)  # few pairs, in both directions
        share = lacking[one, other] / np.maximum(distance[one, other], _TINY) / 2
        push = np.zeros_like(points)
        np.add.at(push, one, (points[one] - points[other]) * share[:, None])
        points[free] += push[free]
    return {index: _point(points[number]) for number, index in enumerate(order)}


def _packed(parts: Sequence[dict[int, Point]], taken: Sequence[Point]) -> dict[int, Point]:
    """The parts in rows below what is taken, the rows about as wide as the whole is high."""
    boxes = [np.array(list(part.values())) for part in parts]
    sizes = [box.max(axis=0) - box.min(axis=0) + _PART_GAP for box in boxes]
    area = sum(float(width * height) for width, height in sizes)
    left, top = 0.0, 0.0
    row_width = max(math.sqrt(area) * 1.3, *(float(w) for w, _ in sizes)) if parts else 0.0
    if taken:
        left = min(x for x, _ in taken)
        top = max(y for _, y in taken) + _PART_GAP
        row_width = max(row_width, max(x for x, _ in taken) - left)
    positions: dict[int, Point] = {}
    x = y = row_height = 0.0
    for part, box, (width, height) in zip(parts, boxes, sizes, strict=True):
        if x > 0 and x + width > row_width:
            x, y, row_height = 0.0, y + row_height, 0.0
        shift = np.array([left + x, top + y]) - box.min(axis=0)
        positions |= {index: _point(np.array(point) + shift) for index, point in part.items()}
        x, row_height = x + float(width), max(row_height, float(height))
    return positions
