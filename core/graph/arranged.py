"""Arrangements of a drawn graph that say something by themselves: by type, and in rings around one node."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from core.graph.layout import SPACING, Point

_ROW = 0.55  # of the spacing, from one row of a group to the next: a name of two lines fits
_ASPECT = 1.5  # of a group: columns to rows
_GROUP_GAP = 1.6  # of the spacing, between groups
_ARC = 0.75  # of the spacing, between neighbours on a ring
_LEAST_RING = 1.2  # of the spacing, from one ring to the next


def by_type(types: Mapping[str, str], scale: float = SPACING) -> dict[str, Point]:
    """Nodes in a block for each type, the largest first, the blocks in rows.

    Args:
        types: id -> type, in the order in which a block is filled.
        scale: pixels between neighbours.

    Returns:
        id -> (x, y) in pixels, y downwards.
    """
    groups: dict[str, list[str]] = {}
    for node, kind in types.items():
        groups.setdefault(kind, []).append(node)
    order = sorted(groups, key=lambda kind: (-len(groups[kind]), kind))
    blocks = [(groups[kind], _columns(len(groups[kind]))) for kind in order]
    area = sum(
        (wide + _GROUP_GAP) * (len(block) / wide * _ROW + _GROUP_GAP) for block, wide in blocks
    )
    row_width = max([math.sqrt(area) * _ASPECT, *(wide for _, wide in blocks)], default=0.0)
    places: dict[str, Point] = {}
    left = top = high = 0.0
    for block, wide in blocks:
        if left and left + wide > row_width:
            left, top, high = 0.0, top + high + _GROUP_GAP, 0.0
        for number, node in enumerate(block):
            row, column = divmod(number, wide)
            # Every other row stands half a step aside, so that names lie between those above.
            x = left + column + (row % 2) / 2
            places[node] = (round(x * scale, 1), round((top + row * _ROW) * scale, 1))
        left += wide + _GROUP_GAP
        high = max(high, math.ceil(len(block) / wide) * _ROW)
    return places


def around(
    node_ids: Sequence[str],
    edges: Iterable[tuple[str, str]],
    centre: str,
    scale: float = SPACING,
) -> dict[str, Point]:
    """One node in the middle, the others on rings by their distance from it, beside what they hang on.

    What is not connected with the middle has the outermost ring.

    Args:
        edges: pairs of ids; those with unknown ids are ignored.

    Returns:
        id -> (x, y) in pixels, y downwards.
    """
    near: dict[str, list[str]] = {node: [] for node in node_ids}
    for one, other in edges:
        if one in near and other in near and one != other:
            near[one].append(other)
            near[other].append(one)
    rings: list[list[str]] = []
    seen = {centre}
    waiting = deque([(centre, 0)])
    # Breadth first: those that hang on one node come one after the other.
    while waiting:
        node, distance = waiting.popleft()
        while len(rings) <= distance:
            rings.append([])
        rings[distance].append(node)
        for other in dict.fromkeys(near.get(node, ())):
            if other not in seen:
                seen.add(other)
                waiting.append((other, distance + 1))
    rest = [node for node in near if node not in seen]
    places: dict[str, Point] = {}
    radius = 0.0
    for number, ring in enumerate([*rings, rest] if rest else rings):
        if number:
            radius = max(radius + _LEAST_RING, len(ring) * _ARC / (2 * math.pi))
        for place, node in enumerate(ring):
            angle = 2 * math.pi * place / len(ring) - math.pi / 2
            x, y = radius * math.cos(angle), radius * math.sin(angle)
            places[node] = (round(x * scale, 1), round(y * scale, 1))
    return places


def _columns(size: int) -> int:
    return max(1, round(math.sqrt(size * _ROW * _ASPECT)))
