"""Which names of a drawing have room: those of the more important nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.graph.layout import Point

_GLYPH = 0.54  # of the font's size: a usual letter's width
_LINE = 1.15  # of the font's size: a line's height


@dataclass(frozen=True, slots=True)
class Name:
    """A name in lines.

    Attributes:
        top: the middle of its upper edge, in pixels of the drawing.
        rank: the higher, the sooner it gets its room.
    """

    lines: Sequence[str]
    top: Point
    rank: float


def with_room(names: Mapping[str, Name], size: float) -> set[str]:
    """Ids of the names that lie on no name of a higher rank, in a font of `size` pixels."""
    taken: list[tuple[float, float, float, float]] = []
    found = set()
    for key, name in sorted(names.items(), key=lambda item: (-item[1].rank, item[0])):
        half = max(map(len, name.lines), default=0) * _GLYPH * size / 2
        left, right = name.top[0] - half, name.top[0] + half
        top, bottom = name.top[1], name.top[1] + len(name.lines) * _LINE * size
        if not any(left < r and le < right and top < b and t < bottom for le, t, r, b in taken):
            taken.append((left, top, right, bottom))
            found.add(key)
    return found
