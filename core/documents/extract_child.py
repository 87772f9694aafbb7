"""Reads one PDF in a process of its own: ``python -m core.documents.extract_child``.

A hostile file can crash pdfium, loop in it or eat memory; here that costs a process and not the
application. The process limits itself first, reads one JSON request from stdin and prints one JSON
object to stdout. This is the only module that imports pypdfium2, pypdf and PIL.

Requests (`action` is ``extract`` or ``render``; both carry path, password, memory_mb, seconds):
    extract: max_pages. Answer: ``{"pages": [{"number", "text"}], "metadata": {name: text}}``.
    render:  page (from 1), marks ([[start, end], ...] in the page's text), scale (pixels per
             point), output (the PNG is written there). Answer: ``{"width", "height"}`` in pixels.
Failure: ``{"error": {"code", "message", "advice"}}`` and exit status 0.

Pdfium reads text, metadata and encryption; pypdf, whose import alone takes longer than reading most
leaflets (0.2 s against 0.1 s), is loaded only for files that pdfium cannot open.
"""

from __future__ import annotations

import io
import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

try:
    import resource
except ImportError:  # not on Windows; the parent's clock still holds there
    resource = None  # type: ignore[assignment]

Box: TypeAlias = tuple[float, float, float, float]  # left, top, right, bottom

_HEADER_WINDOW = 1024  # bytes in which %PDF must stand; as pdfium and Acrobat do
_LARGEST_RESULT = 256 * 2**20  # bytes a run may write: text of 1,500 pages is about 10 MB
_LARGEST_PICTURE = 25e6  # pixels; an A0 poster is scaled down instead of filling the memory
_YELLOW = (255, 229, 76)  # multiplied with the page: paper turns yellow, ink stays dark
_LINE_END_HYPHENS = (
    0x02,
    0xAD,
    0xFFFE,
)  # pdfium's marks for a hyphen, and a soft one that is drawn
_BLANK_CONTROLS = (0x09, 0x0B, 0x0C)
_PASSWORD_ERROR = 4  # FPDF_ERR_PASSWORD


class Refusal(Exception):
    """The file cannot be served; `code`, `message` and `advice` reach the user."""

    def __init__(self, code: str, message: str, advice: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.advice = advice


def main() -> None:
    """Serve the one request on stdin."""
    request = json.load(sys.stdin)
    limit_resources(int(request["memory_mb"]), float(request["seconds"]))
    try:
        answer = render(request) if request["action"] == "render" else extract(request)
    except Refusal as refusal:
        answer = {"error": vars(refusal)}
    sys.stdout.write(json.dumps(answer))


def limit_resources(memory_mb: int, seconds: float) -> None:
    """Cap address space, processor time and written bytes, where the platform can.

    `seconds` is the wall-clock limit that the parent keeps; one more second of processor time lets
    the parent's clock, which explains itself better than a signal, win where both would fire.
    """
    if resource is None:
        return
    cpu = math.ceil(seconds) + 1
    wanted = {
        resource.RLIMIT_AS: memory_mb * 2**20,
        resource.RLIMIT_CPU: cpu,
        resource.RLIMIT_FSIZE: _LARGEST_RESULT,
        resource.RLIMIT_CORE: 0,
    }
    for kind, value in wanted.items():
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        try:
            resource.setrlimit(kind, (value, value))
        except (OSError, ValueError):  # macOS refuses RLIMIT_AS
            continue


def check_header(path: Path) -> None:
    """Refuse what is not a PDF at all: EMPTY_FILE, NOT_A_PDF."""
    with path.open("rb") as file:
        head = file.read(_HEADER_WINDOW)
    if not head:
        raise Refusal("EMPTY_FILE", "The file is empty.", "Upload the file again.")
    if b"%PDF" not in head:
        raise Refusal(
            "NOT_A_PDF", "The file is not a PDF.", "Save or print it as a PDF and upload that."
        )


def open_pdf(path: Path, password: str) -> Any:
    """The pdfium document.

    Raises:
        Refusal: PASSWORD_REQUIRED, WRONG_PASSWORD.
        PdfiumError: pdfium cannot open the file for another reason.
    """
    import pypdfium2 as pdfium

    # A file with an empty user password opens for everybody, whatever was typed.
    for attempt in dict.fromkeys((password, "")):
        try:
            return pdfium.PdfDocument(path, password=attempt or None)
        except pdfium.PdfiumError as error:
            if error.err_code != _PASSWORD_ERROR:
                raise
    raise _password_refusal(password)


def _password_refusal(password: str) -> Refusal:
    if password:
        return Refusal(
            "WRONG_PASSWORD", "The password does not open the file.", "Check it and try again."
        )
    return Refusal(
        "PASSWORD_REQUIRED",
        "The file is protected with a password.",
        "Enter the password, or upload a copy without one.",
    )


def _corrupt() -> Refusal:
    return Refusal(
        "CORRUPT",
        "The file is damaged and cannot be read.",
        "Open it in a PDF viewer, save it again and upload the new copy.",
    )


def extract(request: Mapping[str, Any]) -> dict[str, Any]:
    """Text of every page, and what the file says of itself.

    Raises:
        Refusal: EMPTY_FILE, NOT_A_PDF, CORRUPT, PASSWORD_REQUIRED, WRONG_PASSWORD, NO_TEXT,
            TOO_MANY_PAGES.
    """
    import pypdfium2 as pdfium

    path, password = Path(request["path"]), str(request["password"])
    check_header(path)
    try:
        pdf = open_pdf(path, password)
        _check_count(len(pdf), request["max_pages"])
        texts, metadata = _pdfium_texts(pdf, path, password), _pdfium_metadata(pdf)
    except pdfium.PdfiumError:
        reader = open_with_pypdf(path, password)
        _check_count(len(reader.pages), request["max_pages"])
        texts = [_pypdf_text(reader, index) for index in range(len(reader.pages))]
        metadata = _pypdf_metadata(reader)
    if not any(character.isalnum() for text in texts for character in text):
        raise Refusal(
            "NO_TEXT",
            "The file has no text, only pictures or blank pages.",
            "Run text recognition (OCR) on it and upload the result.",
        )
    return {
        "pages": [{"number": i, "text": text} for i, text in enumerate(texts, start=1)],
        "metadata": {name.lower(): _clean(value) for name, value in metadata.items()},
    }


def _check_count(pages: int, max_pages: int) -> None:
    if pages == 0:
        raise _corrupt()
    if pages > max_pages:
        raise Refusal(
            "TOO_MANY_PAGES",
            f"The file has {pages:,} pages; at most {max_pages:,} are read.",
            "Split it into smaller files.",
        )


def _pdfium_texts(pdf: Any, path: Path, password: str) -> list[str]:
    """Texts of all pages; pypdf reads those that pdfium cannot load."""
    import pypdfium2 as pdfium

    texts: list[str] = []
    spare: Any = None
    for index in range(len(pdf)):
        try:
            page = pdf[index]
        except pdfium.PdfiumError:
            spare = spare or open_with_pypdf(path, password)
            texts.append(_pypdf_text(spare, index))
            continue
        textpage = page.get_textpage()
        texts.append(page_text(textpage)[0])
        # Closed at once: a file of 1,500 pages would keep them all in memory.
        textpage.close()
        page.close()
    return texts


def _pdfium_metadata(pdf: Any) -> dict[str, str]:
    try:
        return dict(pdf.get_metadata_dict(skip_empty=True))
    except (RuntimeError, UnicodeError):  # a courtesy: broken metadata must not cost the text
        return {}


def page_text(textpage: Any) -> tuple[str, list[int]]:
    """The text of a page, and for each of its characters the pdfium character it came from.

    Both the stored text and the marks on a page's picture come from here, so an offset into the
    text always finds the box of its character. Line ends are ``\\n``; a hyphen at a line's end is
    ``-`` (pdfium drops the line end behind it); NUL and control characters are left out; half a
    surrogate pair becomes U+FFFD.
    """
    import pypdfium2.raw as pdfium_c

    unicode_of, raw = pdfium_c.FPDFText_GetUnicode, textpage.raw
    codes = [unicode_of(raw, i) for i in range(textpage.count_chars())]
    characters: list[str] = []
    origins: list[int] = []
    for i, code in enumerate(codes):
        following = codes[i + 1] if i + 1 < len(codes) else 0
        previous = codes[i - 1] if i else 0
        if 0xDC00 <= code <= 0xDFFF and 0xD800 <= previous <= 0xDBFF:
            continue  # second half of a pair that is already there
        character = _character(code, following)
        if character:
            characters.append(character)
            origins.append(i)
    return "".join(characters), origins


def _character(code: int, following: int) -> str:
    """What one UTF-16 unit (or code point) of pdfium is in the text; "" when it is left out."""
    if 0x20 <= code < 0x7F or code == 0x0A:
        return chr(code)
    if code in _LINE_END_HYPHENS:
        return "-"
    if code == 0x0D:
        return "" if following == 0x0A else "\n"
    if code in _BLANK_CONTROLS:
        return " "
    if code < 0x20 or 0x7F <= code < 0xA0 or code == 0xFFFF:
        return ""
    if 0xD800 <= code <= 0xDBFF and 0xDC00 <= following <= 0xDFFF:
        return chr(0x10000 + ((code - 0xD800) << 10) + (following - 0xDC00))
    return chr(code) if not 0xD800 <= code <= 0xDFFF and code <= 0x10FFFF else "\ufffd"


def open_with_pypdf(path: Path, password: str) -> Any:
    """The pypdf reader of a file that pdfium gave up on, at least in part.

    Raises:
        Refusal: CORRUPT, PASSWORD_REQUIRED, WRONG_PASSWORD.
    """
    import logging

    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = pypdf.PdfReader(path)
        opened = not reader.is_encrypted or any(reader.decrypt(word) for word in (password, ""))
        if opened:
            len(reader.pages)  # builds the page tree, so that a damaged one shows itself here
    except MemoryError:
        raise
    except Exception as error:  # pypdf fails on damaged files with whatever it stumbles over
        raise _corrupt() from error
    if not opened:
        raise _password_refusal(password)
    return reader


def _pypdf_text(reader: Any, index: int) -> str:
    try:
        return _clean(reader.pages[index].extract_text())
    except MemoryError:
        raise
    except Exception:  # one page beyond repair must not cost the others
        return ""


def _pypdf_metadata(reader: Any) -> dict[str, str]:
    try:
        found = reader.metadata or {}
        return {str(name).lstrip("/"): str(value) for name, value in found.items() if value}
    except Exception:
        return {}


def _clean(text: str) -> str:
    """`text` under the rules of `page_text`."""
    units = [ord(character) for character in text.replace("\r\n", "\n")]
    return "".join(_character(unit, 0) for unit in units)


def render(request: Mapping[str, Any]) -> dict[str, Any]:
    """Write the page's picture with its marks; the answer gives its size.

    Raises:
        Refusal: as `extract`, and PAGE_NOT_FOUND.
    """
    import pypdfium2 as pdfium

    path, number = Path(request["path"]), int(request["page"])
    check_header(path)
    try:
        pdf = open_pdf(path, str(request["password"]))
        if not 1 <= number <= len(pdf):
            raise Refusal(
                "PAGE_NOT_FOUND",
                f"The file has no page {number}.",
                f"Choose a page from 1 to {len(pdf)}.",
            )
        page = pdf[number - 1]
        width, height = page.get_size()
        largest = math.sqrt(_LARGEST_PICTURE / max(width * height, 1.0))
        bitmap = page.render(scale=min(float(request["scale"]), largest), rev_byteorder=True)
        image = bitmap.to_pil().convert("RGB")
        boxes = _mark_boxes(page, bitmap.get_posconv(page), request["marks"])
    except pdfium.PdfiumError as error:
        raise _corrupt() from error
    image = draw_marks(image, boxes)
    png = io.BytesIO()
    image.save(png, format="PNG")
    Path(request["output"]).write_bytes(png.getvalue())
    return {"width": image.width, "height": image.height}


def _mark_boxes(page: Any, converter: Any, marks: Sequence[Sequence[int]]) -> list[Box]:
    """Boxes in pixels of the picture, one for each line that a mark touches."""
    if not marks:
        return []
    textpage = page.get_textpage()
    text, origins = page_text(textpage)
    boxes: list[Box] = []
    for start, end in marks:
        fresh = True  # the next box begins a new rectangle
        for place in range(max(start, 0), min(end, len(text))):
            if text[place].isspace():
                fresh = fresh or text[place] == "\n"
                continue
            box = _pixels(converter, textpage.get_charbox(origins[place], loose=True))
            if not fresh and same_line(boxes[-1], box):
                left, top, right, bottom = boxes[-1]
                boxes[-1] = (
                    min(left, box[0]),
                    min(top, box[1]),
                    max(right, box[2]),
                    max(bottom, box[3]),
                )
            else:
                boxes.append(box)
            fresh = text[place] == "-"  # a hyphen may end a line without a line end behind it
    return boxes


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


if __name__ == "__main__":
    main()
