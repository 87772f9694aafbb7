"""Bullets that a PDF page draws as shapes: browsers print those of a web page so, and its text has none."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from core.documents.reading.reading_order import Box
from core.documents.reading.tables.ruled.rules import Matrix, moved, paths_of
from core.documents.reading.tables.words import PlacedWord
from core.text.layout.line_marks import BULLET

_LEAST, _MOST = 1.5, 9.0  # points that a bullet is wide
_NARROWEST, _WIDEST = 0.15, 0.7  # the same in heights of its line
_UNEVEN = 0.25  # widths by which its height may differ
_REACH = 2.5  # heights of a line between a bullet and its text
_FREE = 1.0  # heights of a line before a bullet in which nothing else stands
_LEVEL = 0.4  # heights of a line that a bullet and its text share, at least
_MARK = re.compile(rf"(?:{BULLET.pattern}|\(?(?:\d{{1,2}}|[a-z]|[ivx]{{1,5}})[.)])\s*")
_MOST_SHAPES = 300  # of a page; one with more of that size is a drawing


def drawn_bullets(page: Any, segments: Callable[[], Sequence[PlacedWord]]) -> dict[int, Box]:
    """The bullets that are drawn, by where the text that each stands before begins: a small shape, as wide as
    high and within the height of a line, with nothing between it and the line's text, and nothing close before.

    Args:
        page: of pdfium.
        segments: gives what stands together on the page's lines; asked only where there are such shapes.
    """
    shapes = _small_shapes(page)
    if not shapes or len(shapes) > _MOST_SHAPES:
        return {}
    found = {}
    lines = segments()
    for shape in shapes:
        left, bottom, right, top = shape
        middle = (bottom + top) / 2
        level = [one for one in lines if one.box[1] <= middle <= one.box[3]]
        behind = [one for one in level if one.box[0] >= (left + right) / 2]
        if not behind:
            continue
        text = min(behind, key=lambda one: one.box[0])
        height = text.box[3] - text.box[1]
        before = [one.box[2] for one in level if one.box[0] < (left + right) / 2]
        if (
            _NARROWEST * height <= right - left <= _WIDEST * height
            and text.box[0] - right <= _REACH * height
            and all(left - end >= _FREE * height for end in before)
        ):
            found[text.start] = shape
    return found


def bullets_alone(lines: Sequence[tuple[str, Box | None]]) -> list[int]:
    """Which lines are a bullet or an item's number and nothing else, with the item's text beside it on the next
    one: in larger letters a bullet stands on a line of its own.

    Args:
        lines: each with its words and the box around them.
    """
    return [
        number
        for number, ((mark, box), (text, beside)) in enumerate(pairwise(lines))
        # A hyphen is a bullet only before white space.
        if _MARK.fullmatch(f"{mark.strip()} ") and text.strip() and _stands_beside(box, beside)
    ]


def _stands_beside(mark: Box | None, text: Box | None) -> bool:
    if mark is None or text is None:
        return False
    height = text[3] - text[1]
    level = min(mark[3], text[3]) - max(mark[1], text[1])
    return level >= _LEVEL * height and 0 <= text[0] - mark[2] <= _REACH * height


def _small_shapes(page: Any) -> list[Box]:
    """The shapes of a page that are about as wide as high, and no larger than a bullet."""
    import pypdfium2.raw as pdfium_c

    found: list[Box] = []
    sides = [ctypes.c_float() for _ in range(4)]
    for path, outer in paths_of(page):
        if pdfium_c.FPDFPageObj_GetBounds(path, *sides):
            left, bottom, right, top = _in_page([side.value for side in sides], outer)
            width, height = right - left, top - bottom
            if _LEAST <= width <= _MOST and abs(width - height) <= _UNEVEN * width:
                found.append((left, bottom, right, top))
                if len(found) > _MOST_SHAPES:
                    break
    return found


def _in_page(box: Sequence[float], outer: Matrix) -> Box:
    corners = [moved((x, y), outer) for x in box[::2] for y in box[1::2]]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)
