"""The part of a page that is shown with a passage."""

from __future__ import annotations

import io
from pathlib import Path

import fpdf
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from core.documents.reading.drawing.crop import band, region
from core.documents.reading.extract import extract, render_page
from core.documents.reading.reading_order import Box, around
from core.domain.evidence.pictures import PageMark

WIDTH = 1200
BLUE, YELLOW = (150, 190, 255), (255, 229, 76)


@st.composite
def pages(draw: st.DrawFn) -> tuple[list[Box], Box | None, float, float]:
    """A page with the boxes of a passage on it, and what is printed in the band around that."""
    width = draw(st.floats(50, 3_000))
    height = draw(st.floats(50, 3_000))
    share = st.floats(0, 1)

    def box() -> Box:
        left, right = sorted((draw(share), draw(share)))
        top, bottom = sorted((draw(share), draw(share)))
        return left * width, top * height, right * width, bottom * height

    passage = [box() for _ in range(draw(st.integers(1, 5)))]
    ink = box() if draw(st.booleans()) else None
    return passage, ink, width, height


def _holds(outer: Box, inner: Box) -> bool:
    least = 1e-6
    return (
        outer[0] <= inner[0] + least
        and outer[1] <= inner[1] + least
        and outer[2] >= inner[2] - least
        and outer[3] >= inner[3] - least
    )


@given(pages())
def test_the_crop_holds_the_whole_passage_and_stays_within_the_page(
    drawn: tuple[list[Box], Box | None, float, float],
) -> None:
    passage, ink, width, height = drawn
    whole = around(passage)
    shown = region(passage, ink, width, height)
    if whole[0] == whole[2] or whole[1] == whole[3]:
        assert shown is None  # nothing of it can be seen
        return
    across = band(passage, width, height)
    assert shown is not None and across is not None
    assert _holds(shown, whole) and _holds(across, whole)
    assert _holds((0, 0, width, height), shown) and _holds(across, shown)
    assert shown[2] - shown[0] >= width / 2 - 1e-6


@given(pages())
def test_what_lies_beside_the_page_is_never_shown(
    drawn: tuple[list[Box], Box | None, float, float],
) -> None:
    passage, ink, width, height = drawn
    beside = [
        (left - 2 * width, top, right - 2 * width, bottom) for left, top, right, bottom in passage
    ]
    assert region(beside, ink, width, height) is None
    shown = region([*passage, *beside], ink, width, height)
    assert shown is None or _holds((0, 0, width, height), shown)


def _picture(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def _pixels(image: Image.Image, colour: tuple[int, int, int]) -> int:
    return int(np.all(np.asarray(image) == colour, axis=2).sum())


@pytest.fixture(scope="module")
def leaflet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pdf = fpdf.FPDF()
    pdf.add_page()
    pdf.set_font("Helvetica", size=10)
    for number in range(60):
        pdf.text(
            30,
            20 + 4 * number,
            f"Line {number} says what is to be done with medicine {number} before it is taken.",
        )
    path = tmp_path_factory.mktemp("crop") / "lines.pdf"
    pdf.output(str(path))
    return path


@pytest.mark.req("PR-8")
def test_a_passage_is_shown_sharp_with_its_surroundings(leaflet: Path) -> None:
    text = extract(leaflet).pages[0].text
    start, other = text.index("Line 30"), text.index("Line 33")
    passage = (start, text.index("Line 32"))
    marks = [PageMark(*passage), PageMark(other, other + 7, BLUE)]
    crop = _picture(render_page(leaflet, 1, marks, around=passage, width=WIDTH))
    whole = _picture(render_page(leaflet, 1, marks, width=WIDTH))
    assert whole.width == WIDTH and abs(crop.width - WIDTH) <= 2
    assert crop.height < whole.height / 2
    # The crop is no part of the whole picture blown up: the same mark has more pixels.
    for colour in (BLUE, YELLOW):
        assert _pixels(crop, colour) > 1.3 * _pixels(whole, colour) > 0
    columns = np.asarray(crop.convert("L")).min(axis=0) < 128
    assert columns[: WIDTH // 10].any(), "the margin of the page is left out"
    # A mark of other words does not move what is shown.
    alone = render_page(leaflet, 1, [PageMark(*passage)], around=passage, width=WIDTH)
    assert _picture(alone).size == crop.size


def test_a_passage_that_is_not_on_the_page_shows_the_whole(leaflet: Path) -> None:
    nowhere = render_page(leaflet, 1, around=(90_000, 90_010), width=600)
    assert _picture(nowhere).size == _picture(render_page(leaflet, 1, width=600)).size
