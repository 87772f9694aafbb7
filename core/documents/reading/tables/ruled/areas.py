"""Areas of colour on a PDF page, which tell rows where no rule does: shaded rows, and cells with a ground."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from core.documents.reading.reading_order import Box
from core.documents.reading.tables.ruled.borders import inner_borders
from core.documents.reading.tables.ruled.rules import (
    MOST_PATHS,
    Rule,
    joined,
    lines_of_path,
    matrix_of,
    paths_of,
    times,
)
from core.documents.reading.tables.words import PlacedWord

_LEAST = 6.0  # points; what is smaller is a mark, or a rule
_MOST = 400  # of a page; one with more is a drawing
_WHITE = 250  # of 255, in each colour; a ground that is lighter is none
_ON = 3.0  # points between an edge and a rule that is drawn on it
_SAME = 0.5  # points by which the sides of an area may lean


@dataclass(frozen=True, slots=True)
class Areas:
    """The coloured areas of a pdfium page, as boxes in points; none of a drawing."""

    boxes: tuple[Box, ...]

    @classmethod
    def of(cls, page: Any) -> Areas:
        boxes = tuple(islice(_boxes(page), _MOST + 1))
        return cls(boxes if len(boxes) <= _MOST else ())

    def hold(self, word: PlacedWord) -> bool:
        """Whether a word stands on an area."""
        return any(
            left <= word.x <= right and bottom <= word.y <= top
            for left, bottom, right, top in self.boxes
        )

    def edges(self, across: Sequence[Rule]) -> list[Rule]:
        """The upper and lower edges of the areas, as rules from the top.

        Only of areas that stand side by side, as those of cells do: the parts of a rule say where they meet. A
        single one is the ground of a heading, or of a box.

        Args:
            across: the rules of the page; those as wide as an area are among the edges.
        """
        sides = [
            Rule(y, left, right) for left, bottom, right, top in self.boxes for y in (bottom, top)
        ]
        found = [one for one in joined(sides) if inner_borders(one)]
        found += [
            rule
            for rule in across
            if any(_is_as_wide(rule, one) for one in found)
            and not any(_is_as_wide(rule, one) and abs(rule.at - one.at) <= _ON for one in found)
        ]
        return sorted(found, key=lambda one: -one.at)


def _is_as_wide(rule: Rule, other: Rule) -> bool:
    return abs(rule.start - other.start) <= _ON and abs(rule.end - other.end) <= _ON


def _boxes(page: Any) -> Iterator[Box]:
    for path, outer in islice(paths_of(page), MOST_PATHS):
        if not _is_coloured(path):
            continue
        lines = lines_of_path(path, times(matrix_of(path), outer))
        xs = [x for line in lines for x, _ in line]
        ys = [y for line in lines for _, y in line]
        if not lines or not all(
            abs(x0 - x1) <= _SAME or abs(y0 - y1) <= _SAME for (x0, y0), (x1, y1) in lines
        ):
            continue
        if max(xs) - min(xs) >= _LEAST and max(ys) - min(ys) >= _LEAST:
            yield min(xs), min(ys), max(xs), max(ys)


def _is_coloured(path: Any) -> bool:
    """Whether a path is filled, with anything but white."""
    import pypdfium2.raw as pdfium_c

    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium_c.FPDFPath_GetDrawMode(path, fill, stroke)
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    known = pdfium_c.FPDFPageObj_GetFillColor(path, red, green, blue, alpha)
    return bool(
        fill.value and known and alpha.value and min(red.value, green.value, blue.value) < _WHITE
    )
