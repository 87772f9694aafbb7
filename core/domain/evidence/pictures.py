"""What is marked on the picture of a page."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Colour: TypeAlias = tuple[int, int, int]  # red, green, blue, 0 to 255

YELLOW: Colour = (255, 229, 76)


class PageMark(NamedTuple):
    """A part of a page's text under a translucent colour; a mark that is given as (start, end) is yellow.

    Attributes:
        start, end: offsets of the page's stored text, end exclusive.
        colour: multiplied with the page, so that paper takes it and ink stays dark.
    """

    start: int
    end: int
    colour: Colour = YELLOW
