"""How types look on the canvas: shape and colour of an entity's type, colour and dashes of a relationship's."""

from __future__ import annotations

import zlib

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
# A type has its place for good: a new one goes to the end, none moves. The first eight have whole lines.
_KNOWN = (
    "TARGETS", "CONTRAINDICATED_IN", "TREATS", "INTERACTS_WITH",
    "CAUSES_SIDE_EFFECT", "PARTICIPATES_IN", "RESEMBLES", "ASSOCIATED_WITH",
    "BINDS", "OFF_LABEL_USE", "PALLIATES", "HAS_ENZYME",
    "HAS_PHENOTYPE", "LACKS_PHENOTYPE", "HAS_TRANSPORTER", "RELATED_TO",
    "DRUG_PROTEIN", "DOWNREGULATES", "UPREGULATES", "REGULATES",
    "HAS_CARRIER", "DRUG_CLASS", "COVARIES_WITH", "LINKED_TO",
    "MOLFUNC_PROTEIN", "ANATOMY_PROTEIN_ABSENT", "ANATOMY_PROTEIN_PRESENT", "BIOPROCESS_PROTEIN",
    "LOCALIZES_TO", "CELLCOMP_PROTEIN", "IS_PARENT_OR_CHILD_OF",
)  # fmt: skip
_LOOKS = dict(
    zip(_KNOWN, ((colour, dash) for dash in _DASHES for colour in _COLOURS), strict=False)
)
# Of the types that nobody knows beforehand; none has the look of one that is known.
_OTHER_DASHES: tuple[tuple[int, ...], ...] = (
    (5, 2), (4, 5), (1, 3), (13, 4), (12, 3, 2, 3, 2, 3), (6, 2, 2, 2), (3, 3, 8, 3),
    (2, 2, 2, 6), (16, 2), (8, 7), (4, 2, 1, 2, 1, 2), (1, 2, 5, 4),
)  # fmt: skip


def type_shape(entity_type: str) -> str:
    """The shape of a type's nodes, as ``script/paint.js`` names it."""
    name = shown_type(entity_type)
    if name in _SHAPES:
        return _SHAPES[name]
    return _OTHERS[zlib.crc32(name.encode("utf-8", "replace")) % len(_OTHERS)]


def line_look(relationship_type: str) -> tuple[str, tuple[int, ...]]:
    """Colour and dashes, in pixels, of a type's lines, by its name alone: whatever else a graph has, now or
    after an import, they stay. The types of `core/graph/phrases.toml` are all told apart; two others look
    alike once in 96."""
    known = _LOOKS.get(relationship_type)
    if known is not None:
        return known
    place = zlib.crc32(relationship_type.encode("utf-8", "replace"))
    colour = _COLOURS[place % len(_COLOURS)]
    return colour, _OTHER_DASHES[place // len(_COLOURS) % len(_OTHER_DASHES)]
