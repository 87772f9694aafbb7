"""Text of a PDF, and the reading copy that marks are drawn on, in the reading process.

Pdfium reads text, metadata and encryption; pypdf, whose import alone takes longer than reading most
leaflets (0.2 s against 0.1 s), is loaded only for files that pdfium cannot open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.documents.reading.broken_words import clean_text
from core.documents.reading.child import ProgressFile, corrupt, empty, not_a_pdf
from core.documents.reading.page_text import page_text
from core.documents.reading.typesetting.upright import upright_textpage
from core.errors import DocumentError, TooLarge

_HEADER_WINDOW = 1024  # bytes in which %PDF must stand; as pdfium and Acrobat do
_PASSWORD_ERROR = 4  # FPDF_ERR_PASSWORD
_REPORT_EVERY = 50  # pages; about a fifth of a second


@dataclass(slots=True)
class _Reading:
    """What was found so far: the text of every page, and what a copy holds."""

    texts: list[str]
    recognised: list[int]  # indexes of pages whose text came from a picture
    copied: bool = False


def check_header(path: Path) -> None:
    """Refuse what is not a PDF at all: EMPTY_FILE, NOT_A_PDF."""
    with path.open("rb") as file:
        head = file.read(_HEADER_WINDOW)
    if not head:
        raise empty()
    if b"%PDF" not in head:
        raise not_a_pdf()


def open_pdf(path: Path, password: str) -> tuple[Any, bool]:
    """The pdfium document, and whether it takes the password to open it.

    Raises:
        DocumentError: PASSWORD_REQUIRED, WRONG_PASSWORD.
        PdfiumError: pdfium cannot open the file for another reason.
    """
    import pypdfium2 as pdfium

    # A file with an empty user password opens for everybody, whatever was typed.
    for attempt in dict.fromkeys(("", password)):
        try:
            return pdfium.PdfDocument(path, password=attempt or None), bool(attempt)
        except pdfium.PdfiumError as error:
            if error.err_code != _PASSWORD_ERROR:
                raise
    raise _password_refusal(password)


def _password_refusal(password: str) -> DocumentError:
    if password:
        return DocumentError(
            "The password does not open the file.",
            advice="Check it and try again.",
            code="WRONG_PASSWORD",
        )
    return DocumentError(
        "The file is protected with a password.",
        advice="Enter the password, or upload a copy without one.",
        code="PASSWORD_REQUIRED",
    )


def extract_pdf(request: Mapping[str, Any]) -> dict[str, Any]:
    """Text of every page, and what the file says of itself.

    Raises:
        DocumentError: EMPTY_FILE, NOT_A_PDF, CORRUPT, PASSWORD_REQUIRED, WRONG_PASSWORD, NO_TEXT,
            TOO_MANY_PAGES.
    """
    import pypdfium2 as pdfium

    path, password = Path(request["path"]), str(request["password"])
    check_header(path)
    try:
        pdf, locked = open_pdf(path, password)
        _check_count(len(pdf), request["max_pages"])
        reading, metadata = _read(pdf, locked, request), _pdfium_metadata(pdf)
    except pdfium.PdfiumError:
        reader = open_with_pypdf(path, password)
        _check_count(len(reader.pages), request["max_pages"])
        reading = _Reading([_pypdf_text(reader, index) for index in range(len(reader.pages))], [])
        metadata = _pypdf_metadata(reader)
    if not any(character.isalnum() for text in reading.texts for character in text):
        raise _no_text(bool(request["ocr"]))
    numbered = list(enumerate(reading.texts, start=1))
    return {
        "pages": [{"number": number, "text": text} for number, text in numbered],
        "metadata": {name.lower(): clean_text(value) for name, value in metadata.items()},
        "blank": [number for number, text in numbered if not text.strip()],
        "ocr": [index + 1 for index in reading.recognised],
        "copy": reading.copied,
    }


def _check_count(pages: int, max_pages: int) -> None:
    if pages == 0:
        raise corrupt()
    if pages > max_pages:
        raise TooLarge(
            f"The file has {pages:,} pages; at most {max_pages:,} are read.",
            advice="Split it into smaller files.",
            code="TOO_MANY_PAGES",
        )


def _no_text(ocr: bool) -> DocumentError:
    from core.documents.reading.ocr_child import installed

    if ocr and installed():
        return DocumentError(
            "The file has no text, and text recognition (OCR) found none on its pictures either.",
            advice="Look at it in a PDF viewer; if it is a scan, scan it again at 300 dpi and upright.",
            code="NO_TEXT",
        )
    return DocumentError(
        "The file has no text that can be read, only pictures or blank pages.",
        advice="Install Tesseract on the machine that runs Materia (and leave MATERIA_OCR on), or run "
        "text recognition (OCR) on the file and upload the result.",
        code="NO_TEXT",
    )


def _read(pdf: Any, locked: bool, request: Mapping[str, Any]) -> _Reading:
    """Text of all pages, with recognition where it is wanted, and the copy that shows the same."""
    import pypdfium2 as pdfium

    progress = ProgressFile(Path(request["progress"]))
    reading = _Reading(_pdfium_texts(pdf, Path(request["path"]), request["password"], progress), [])
    silent = [index for index, text in enumerate(reading.texts) if not text.strip()]
    recognised: list[int] = []
    if silent and request["ocr"]:
        from core.documents.reading.ocr_child import add_text_layers

        recognised = add_text_layers(pdf, silent, request, progress)
    if not recognised and not (locked and request["copy"]):
        return reading
    try:
        return _copied(pdf, recognised, reading.texts, Path(request["work"]) / "copy.pdf")
    except (pdfium.PdfiumError, OSError):
        # Text of a layer that no page picture can show is left out: marks would miss it.
        return reading


def _copied(pdf: Any, recognised: list[int], texts: list[str], target: Path) -> _Reading:
    """The texts as they are in the copy: the same words that marks are later found by."""
    import pypdfium2 as pdfium
    import pypdfium2.raw as pdfium_c

    pdf.save(target, flags=pdfium_c.FPDF_REMOVE_SECURITY)
    copy = pdfium.PdfDocument(target)
    if len(copy) != len(texts):
        raise pdfium.PdfiumError("The copy has another number of pages.")
    # Pages that pdfium could not load keep the text that pypdf found.
    read = [text if text is not None else texts[index] for index, text in _texts(copy)]
    return _Reading(read, [index for index in recognised if read[index].strip()], copied=True)


def _texts(pdf: Any) -> Iterator[tuple[int, str | None]]:
    """(index, text) of each page; text is None where pdfium cannot load the page."""
    import pypdfium2 as pdfium

    for index in range(len(pdf)):
        try:
            page = pdf[index]
        except pdfium.PdfiumError:
            yield index, None
            continue
        textpage = upright_textpage(page)
        yield index, page_text(textpage)[0]
        # Closed at once: a file of 1,500 pages would keep them all in memory.
        textpage.close()
        page.close()


def _pdfium_texts(pdf: Any, path: Path, password: str, progress: ProgressFile) -> list[str]:
    """Texts of all pages; pypdf reads those that pdfium cannot load."""
    texts: list[str] = []
    spare: Any = None
    for index, text in _texts(pdf):
        if text is None:
            spare = spare or open_with_pypdf(path, password)
            text = _pypdf_text(spare, index)
        texts.append(text)
        if len(texts) % _REPORT_EVERY == 0:
            # Pages without text may still be recognised: they are not done.
            progress.tell("text", sum(map(bool, texts)), len(pdf))
    return texts


def _pdfium_metadata(pdf: Any) -> dict[str, str]:
    try:
        return dict(pdf.get_metadata_dict(skip_empty=True))
    except (RuntimeError, UnicodeError):  # a courtesy: broken metadata must not cost the text
        return {}


def open_with_pypdf(path: Path, password: str) -> Any:
    """The pypdf reader of a file that pdfium gave up on, at least in part.

    Raises:
        DocumentError: CORRUPT, PASSWORD_REQUIRED, WRONG_PASSWORD.
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
        raise corrupt() from error
    if not opened:
        raise _password_refusal(password)
    return reader


def _pypdf_text(reader: Any, index: int) -> str:
    try:
        return clean_text(reader.pages[index].extract_text())
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
