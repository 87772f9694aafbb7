"""How types look on the canvas: shape and colour of an entity's type, colour and dashes of a relationship's."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from pages.parts.shared.entity_types import shown_type

_SHAPES = {
    "Drug": "circle",
    "Disease": "square",
    "Protein": "diamond",
    "Phenotype": "triangle",
}
# Any other type has one of these for good, whatever else the graph holds.
_OTHERS = ("hexagon", "pentagon", "down")
# Seen on white and on dark paper: at least 3 to 1 against either.
_COLOURS = (
    "#2f7dd1",
    "#c9582b",
    "#2f8f5b",
    "#8a63d2",
    "#a3790b",
    "#c2478f",
    "#3f8796",
    "#77808a",
)
_DASHES: tuple[tuple[int, ...], ...] = ((), (7, 4), (2, 3), (10, 3, 2, 3))


def type_shape(entity_type: str) -> str:
    """The shape of a type's nodes, as ``script/paint.js`` names it."""
    name = shown_type(entity_type)
    if name in _SHAPES:
        return _SHAPES[name]
    return _OTHERS[zlib.crc32(name.encode("utf-8", "replace")) % len(_OTHERS)]


def line_look(relationship_type: str, types: Sequence[str]) -> tuple[str, tuple[int, ...]]:
    """Colour and dashes, in pixels, of a type's lines: no two of the first 32 alike.

    Args:
        types: all relationship types of the graph; the same ones give the same looks.
    """
    place = sorted(types).index(relationship_type) if relationship_type in types else 0
    return _COLOURS[place % len(_COLOURS)], _DASHES[place // len(_COLOURS) % len(_DASHES)]
