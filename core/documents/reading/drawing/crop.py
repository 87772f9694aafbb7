"""Which part of a page is shown with a passage: its lines across the page, and some around them."""

from __future__ import annotations

from collections.abc import Sequence

from core.documents.reading.reading_order import Box, around

_ABOVE_AND_BELOW = 60.0  # points: four or five lines of a leaflet
_BESIDE = 12.0  # points of paper left beside the ink
_LEAST_WIDTH = 0.5  # of the page: a narrow column or a single word is not blown up


def band(passage: Sequence[Box], width: float, height: float) -> Box | None:
    """The part of a page across its whole width that holds a passage and what stands above and below it.

    Args:
        passage: boxes (left, top, right, bottom) from the page's upper left corner.
        width, height: of the page, in the unit of the boxes (points).

    Returns:
        A box within the page; None where nothing of the passage is on it.
    """
    on_page = _on_page(passage, width, height)
    if on_page is None:
        return None
    _, top, _, bottom = on_page
    return 0.0, max(0.0, top - _ABOVE_AND_BELOW), width, min(height, bottom + _ABOVE_AND_BELOW)


def region(passage: Sequence[Box], ink: Box | None, width: float, height: float) -> Box | None:
    """The `band` of a passage without the empty margins beside it.

    Args:
        ink: what is printed in the band; None where that is not known.

    Returns:
        A box within the page that holds the whole passage and at least half the page's width; None where
        nothing of the passage is on the page.
    """
    on_page = _on_page(passage, width, height)
    whole = band(passage, width, height)
    if on_page is None or whole is None:
        return None
    printed = on_page if ink is None else around([on_page, ink])
    if ink is None:
        printed = around([on_page, whole])
    left, right = max(0.0, printed[0] - _BESIDE), min(width, printed[2] + _BESIDE)
    lacking = _LEAST_WIDTH * width - (right - left)
    if lacking > 0:
        left = min(max(0.0, left - lacking / 2), width - _LEAST_WIDTH * width)
        right = max(right, left + _LEAST_WIDTH * width)
    return left, whole[1], min(right, width), whole[3]


def _on_page(boxes: Sequence[Box], width: float, height: float) -> Box | None:
    """The box around all boxes, as far as they lie on the page."""
    if not boxes:
        return None
    left, top, right, bottom = around(boxes)
    left, right = max(0.0, left), min(width, right)
    top, bottom = max(0.0, top), min(height, bottom)
    return (left, top, right, bottom) if left < right and top < bottom else None
