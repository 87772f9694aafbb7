"""Draws one page of a PDF with its marks, in the reading process."""

from __future__ import annotations

import base64
import io
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.documents.reading.child import corrupt
from core.documents.reading.drawing.crop import band, region
from core.documents.reading.page_text import page_text
from core.documents.reading.pdf_child import check_header, open_pdf
from core.documents.reading.reading_order import Box, around
from core.documents.reading.typesetting.upright import upright_textpage
from core.domain.evidence.pictures import Colour
from core.errors import NotFound

_LARGEST_PICTURE = 25e6  # pixels; an A0 poster is scaled down instead of filling the memory
_PAPER = 245  # grey from which a pixel is paper


def render(request: Mapping[str, Any]) -> dict[str, Any]:
    """The picture of the page, or of the part of it around a passage, with its marks, and its size.

    Raises:
        DocumentError: as `extract`.
        NotFound: PAGE_NOT_FOUND.
    """
    import pypdfium2 as pdfium

    path, number = Path(request["path"]), int(request["page"])
    check_header(path)
    try:
        pdf, _ = open_pdf(path, str(request["password"]))
        if not 1 <= number <= len(pdf):
            advice = f"Choose a page from 1 to {len(pdf)}."
            raise NotFound(f"The file has no page {number}.", advice=advice, code="PAGE_NOT_FOUND")
        page = pdf[number - 1]
        places = _Places(page, request)
        part = _part(page, places, request["around"]) if request["around"] else None
        scale = _scale(page, part, request)
        bitmap = page.render(scale=scale, rev_byteorder=True)
        image = bitmap.to_pil().convert("RGB")
        converter = bitmap.get_posconv(page)
        for start, end, colour in request["marks"]:
            image = draw_marks(image, places.boxes(converter, start, end), tuple(colour))
    except pdfium.PdfiumError as error:
        raise corrupt() from error
    if part is not None:
        image = image.crop(_whole_pixels(part, scale, image.size))
    png = io.BytesIO()
    image.save(png, format="PNG")
    picture = base64.b64encode(png.getvalue()).decode("ascii")
    return {"png": picture, "width": image.width, "height": image.height}


class _Places:
    """Where the characters of the page's text stand."""

    def __init__(self, page: Any, request: Mapping[str, Any]) -> None:
        self._stored: str | None = request["text"]
        self._textpage: Any = None
        if request["marks"] or request["around"]:
            self._textpage = upright_textpage(page)
            self._text, self._origins = page_text(self._textpage)

    def boxes(self, converter: Any, start: int, end: int) -> list[Box]:
        """Boxes in pixels of the picture, one for each line that ``[start, end)`` touches."""
        text = self._text
        if self._stored is not None and self._stored != text:
            moved = moved_marks([(start, end)], self._stored, text)
            if not moved:
                return []
            start, end = moved[0]
        boxes: list[Box] = []
        fresh = True  # the next box begins a new rectangle
        for place in range(max(start, 0), min(end, len(text))):
            if text[place].isspace():
                fresh = fresh or text[place] == "\n"
                continue
            charbox = self._textpage.get_charbox(self._origins[place], loose=True)
            box = _pixels(converter, charbox)
            if not fresh and same_line(boxes[-1], box):
                boxes[-1] = around([boxes[-1], box])
            else:
                boxes.append(box)
            fresh = text[place] == "-"  # a hyphen may end a line without a line end behind it
        return boxes


def _part(page: Any, places: _Places, passage: Sequence[int]) -> Box | None:
    """The part of the page around a passage, in points; None where it is not on the page."""
    from PIL import Image, ImageChops

    bitmap = page.render(scale=1, rev_byteorder=True)
    image = bitmap.to_pil().convert("L")
    boxes = places.boxes(bitmap.get_posconv(page), int(passage[0]), int(passage[1]))
    across = band(boxes, image.width, image.height)
    if across is None:
        return None
    left, top, right, bottom = _whole_pixels(across, 1, image.size)
    inside = image.crop((left, top, right, bottom)).point(lambda grey: 255 * (grey < _PAPER))
    found = ImageChops.lighter(inside, Image.new("L", inside.size)).getbbox()
    ink = (found[0], found[1] + top, found[2], found[3] + top) if found else None
    return region(boxes, ink, image.width, image.height)


def _scale(page: Any, part: Box | None, request: Mapping[str, Any]) -> float:
    """Pixels per point: as asked, or so that what is shown becomes as wide as asked."""
    width, height = page.get_size()
    wanted = float(request["scale"])
    if request["width"]:
        shown = part[2] - part[0] if part else width
        wanted = int(request["width"]) / max(shown, 1.0)
    return min(wanted, math.sqrt(_LARGEST_PICTURE / max(width * height, 1.0)))


def _whole_pixels(part: Box, scale: float, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """A box in pixels of a picture at this scale, rounded outwards and within the picture."""
    left, top, right, bottom = (each * scale for each in part)
    return (
        max(0, math.floor(left)),
        max(0, math.floor(top)),
        min(size[0], math.ceil(right)),
        min(size[1], math.ceil(bottom)),
    )


def moved_marks(marks: Sequence[Sequence[int]], stored: str, text: str) -> list[tuple[int, int]]:
    """Marks of `stored` at the same words of `text`, the nearest where they occur more than once;
    marks whose words are not there are left out."""
    moved = []
    for start, end in marks:
        words = stored[max(start, 0) : end].split()
        if not words:
            continue
        places = [found.span() for found in re.finditer(r"\s+".join(map(re.escape, words)), text)]
        if places:
            moved.append(min(places, key=lambda place: abs(place[0] - start)))
    return moved


def _pixels(converter: Any, box: Box) -> Box:
    """A box in the page's points (left, bottom, right, top) as it lies on the turned picture."""
    left, bottom, right, top = box
    x0, y0 = converter.to_bitmap(left, bottom)
    x1, y1 = converter.to_bitmap(right, top)
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def same_line(one: Box, other: Box) -> bool:
    """Whether two boxes stand in one line of text, across or (on turned pages) down the picture."""
    return _side_by_side(one, other, axis=0) or _side_by_side(one, other, axis=1)


def _side_by_side(one: Box, other: Box, axis: int) -> bool:
    """They share at least half their thickness and are less than two line heights apart."""
    across = 1 - axis
    thickness = min(one[across + 2] - one[across], other[across + 2] - other[across])
    shared = min(one[across + 2], other[across + 2]) - max(one[across], other[across])
    gap = max(one[axis], other[axis]) - min(one[axis + 2], other[axis + 2])
    return shared >= thickness / 2 and gap <= 2 * thickness


def draw_marks(image: Any, boxes: Sequence[Box], colour: Colour) -> Any:
    """`image` with a colour laid over the boxes like a marker pen; overlaps are not darker."""
    from PIL import Image, ImageChops, ImageDraw

    if not boxes:
        return image
    mask = Image.new("L", image.size, 0)
    pen = ImageDraw.Draw(mask)
    for left, top, right, bottom in boxes:
        pen.rectangle((left - 1, top - 1, right + 1, bottom + 1), fill=255)
    marked = ImageChops.multiply(image, Image.new("RGB", image.size, colour))
    return Image.composite(marked, image, mask)
