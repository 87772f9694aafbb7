"""Which kind of file something is: by its content first, then by its name."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from core.documents.reading.child import empty, not_a_pdf, unsupported
from core.domain.documents import Kind

SUFFIXES: Mapping[str, Kind] = {
    ".pdf": Kind.PDF,
    ".txt": Kind.TEXT,
    ".text": Kind.TEXT,
    ".md": Kind.MARKDOWN,
    ".markdown": Kind.MARKDOWN,
    ".docx": Kind.DOCX,
    ".html": Kind.HTML,
    ".htm": Kind.HTML,
}
_WRITTEN = frozenset((Kind.TEXT, Kind.MARKDOWN, Kind.HTML))

_HEAD = 4096  # bytes
_PDF_WINDOW = 1024  # bytes in which %PDF must stand; as pdfium and Acrobat do
_TAIL = 2**20  # bytes in which a ZIP lists its members
_ZIP = b"PK\x03\x04"
_WORD_PART = b"word/document"  # Office also writes word/document2.xml
_HTML_STARTS = (b"<!doctype html", b"<html")
_RICH_TEXT = b"{\\rtf"
_BYTE_ORDER_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def kind_of(path: Path, name: str) -> Kind:
    """The kind of the file at `path` that was uploaded as `name`.

    Only the ends of the file are read; reading its text may still refuse it.

    Raises:
        DocumentError: EMPTY_FILE; NOT_A_PDF for a name that ends in .pdf; UNSUPPORTED_FORMAT.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD)
    named = SUFFIXES.get(PurePosixPath(name.strip().lower()).suffix)
    if not head:
        raise empty()
    start = head.removeprefix(codecs.BOM_UTF8).lstrip()
    # A text about PDF files may name their mark in its first lines.
    if start.startswith(b"%PDF") or (b"%PDF" in head[:_PDF_WINDOW] and named not in _WRITTEN):
        return Kind.PDF
    if named is Kind.PDF:
        raise not_a_pdf()
    if head.startswith(_ZIP) and _holds_word(path):
        return Kind.DOCX
    if _is_text(head):
        if start[:32].lower().startswith(_HTML_STARTS):
            return Kind.HTML
        if named in _WRITTEN and not start.startswith(_RICH_TEXT):
            return named
    raise unsupported()


def _holds_word(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL))
        return _WORD_PART in file.read()


def _is_text(head: bytes) -> bool:
    """No NUL, which all usual binary formats have early, but in UTF-16 and UTF-32."""
    return head.startswith(_BYTE_ORDER_MARKS) or b"\x00" not in head
