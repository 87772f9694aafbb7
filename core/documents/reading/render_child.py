"""Draws one page of a PDF with its marks, in the reading process."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from core.documents.reading.child import corrupt
from core.documents.reading.page_text import page_text, upright_textpage
from core.documents.reading.pdf_child import check_header, open_pdf
from core.documents.reading.reading_order import around
from core.errors import NotFound

Box: TypeAlias = tuple[float, float, float, float]  # left, top, right, bottom

_LARGEST_PICTURE = 25e6  # pixels; an A0 poster is scaled down instead of filling the memory
_YELLOW = (255, 229, 76)  # multiplied with the page: paper turns yellow, ink stays dark


def render(request: Mapping[str, Any]) -> dict[str, Any]:
    """Write the page's picture with its marks; the answer gives its size.

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
        width, height = page.get_size()
        largest = math.sqrt(_LARGEST_PICTURE / max(width * height, 1.0))
        bitmap = page.render(scale=min(float(request["scale"]), largest), rev_byteorder=True)
        image = bitmap.to_pil().convert("RGB")
        boxes = _mark_boxes(page, bitmap.get_posconv(page), request)
    except pdfium.PdfiumError as error:
        raise corrupt() from error
    image = draw_marks(image, boxes)
    png = io.BytesIO()
    image.save(png, format="PNG")
    Path(request["output"]).write_bytes(png.getvalue())
    return {"width": image.width, "height": image.height}


def _mark_boxes(page: Any, converter: Any, request: Mapping[str, Any]) -> list[Box]:
    """Boxes in pixels of the picture, one for each line that a mark touches."""
    marks: Sequence[Sequence[int]] = request["marks"]
    if not marks:
        return []
    textpage = upright_textpage(page)
    text, origins = page_text(textpage)
    stored = request["text"]
    if stored is not None and stored != text:
        marks = moved_marks(marks, stored, text)
    boxes: list[Box] = []
    for start, end in marks:
        fresh = True  # the next box begins a new rectangle
        for place in range(max(start, 0), min(end, len(text))):
            if text[place].isspace():
                fresh = fresh or text[place] == "\n"
                continue
            box = _pixels(converter, textpage.get_charbox(origins[place], loose=True))
            if not fresh and same_line(boxes[-1], box):
                boxes[-1] = around([boxes[-1], box])
            else:
                boxes.append(box)
            fresh = text[place] == "-"  # a hyphen may end a line without a line end behind it
    return boxes


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


def draw_marks(image: Any, boxes: Sequence[Box]) -> Any:
    """`image` with yellow laid over the boxes like a marker pen; overlaps are not darker."""
    from PIL import Image, ImageChops, ImageDraw

    if not boxes:
        return image
    mask = Image.new("L", image.size, 0)
    pen = ImageDraw.Draw(mask)
    for left, top, right, bottom in boxes:
        pen.rectangle((left - 1, top - 1, right + 1, bottom + 1), fill=255)
    marked = ImageChops.multiply(image, Image.new("RGB", image.size, _YELLOW))
    return Image.composite(marked, image, mask)
