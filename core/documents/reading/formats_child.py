"""Text of files that have no pages (plain text, Markdown, Word, HTML), in the reading process."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.documents.reading.child import LARGEST_CONTENT, corrupt, empty, unsupported
from core.documents.reading.html_text import html_text
from core.errors import DocumentError, TooLarge

_BYTE_ORDER_MARKS = (  # the longer ones first: UTF-32's begins like UTF-16's
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
# What texts are written in when they are not Unicode; guessing among all codecs turns "5 µg" into
# Chinese.
_GUESSED = (
    "cp1252 cp1250 cp1251 cp1253 cp1254 mac_roman koi8_r shift_jis euc_jp gb18030 big5 euc_kr"
).split()
_WESTERN = "cp1252"
_DECLARED = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]+)", re.IGNORECASE)
_DECLARATION_WINDOW = 1024  # bytes in which HTML must declare its encoding
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\uffff]")
_MOST_CONTROLS = 0.001  # share of control characters above which a file is no text
_STRAY_CONTROLS = 3  # that a short text may have all the same
_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x85\u2028\u2029]")
# Mammoth's way back from a footnote to the word it belongs to.
_NOTE_RETURN = re.compile(r'<a href="#[^"]*">↑</a>')
_CORE_PROPERTIES = "docProps/core.xml"
_LARGEST_PROPERTIES = 2**20  # bytes
_DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
_PROPERTIES = {f"{_DUBLIN_CORE}title": "title", f"{_DUBLIN_CORE}creator": "author"}


def extract_text(request: Mapping[str, Any]) -> dict[str, Any]:
    """The file's text as one page with number 0, in the form of `extract_child`'s answer.

    Raises:
        DocumentError: EMPTY_FILE, CORRUPT, UNSUPPORTED_FORMAT, NO_TEXT, TEXT_TOO_LONG.
    """
    path, kind = Path(request["path"]), str(request["kind"])
    size = path.stat().st_size
    if not size:
        raise empty()
    if size > LARGEST_CONTENT:
        raise _too_long(int(request["max_characters"]))
    readers = {"text": _plain, "markdown": _markdown, "html": _html, "docx": _docx}
    text, metadata = readers[kind](path)
    if len(text) > request["max_characters"]:
        raise _too_long(int(request["max_characters"]))
    if not any(map(str.isalnum, text)):
        advice = "Check that it is the right file and upload it again."
        raise DocumentError("The file has no text.", advice=advice, code="NO_TEXT")
    return {
        "pages": [{"number": 0, "text": text}],
        "metadata": {name: _tidy(value) for name, value in metadata.items() if value.strip()},
        "blank": [],
        "ocr": [],
        "copy": False,
    }


def _too_long(most: int) -> TooLarge:
    return TooLarge(
        f"The file has more text than the {most:,} characters that are read.",
        advice="Split it into smaller files.",
        code="TEXT_TOO_LONG",
    )


def _plain(path: Path) -> tuple[str, dict[str, str]]:
    return _tidy(decode(path.read_bytes())), {}


def _markdown(path: Path) -> tuple[str, dict[str, str]]:
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    text, _ = html_text(reader.render(_tidy(decode(path.read_bytes()))))
    return _tidy(text), {}


def _html(path: Path) -> tuple[str, dict[str, str]]:
    data = path.read_bytes()
    declared = _DECLARED.search(data[:_DECLARATION_WINDOW])
    text, title = html_text(decode(data, declared.group(1).decode() if declared else ""))
    return _tidy(text), {"title": title}


def _docx(path: Path) -> tuple[str, dict[str, str]]:
    import mammoth  # type: ignore[import-untyped]

    try:
        with zipfile.ZipFile(path) as archive:
            # Python never unpacks more of a member than its size in this list.
            size = sum(member.file_size for member in archive.infolist() if _is_text(member))
            if size > LARGEST_CONTENT:
                raise MemoryError
            metadata = _core_properties(archive)
        with path.open("rb") as file:
            converted = mammoth.convert_to_html(file, convert_image=_no_image)
    except MemoryError:
        raise
    except Exception as error:  # a damaged file fails with whatever the reader stumbles over
        raise corrupt() from error
    text, _ = html_text(_NOTE_RETURN.sub("", converted.value))
    return _tidy(text), metadata


def _is_text(member: zipfile.ZipInfo) -> bool:
    return member.filename.lower().endswith((".xml", ".rels"))


def _no_image(image: Any) -> list[Any]:
    """Pictures hold no text, and are not unpacked at all."""
    return []


def _core_properties(archive: zipfile.ZipFile) -> dict[str, str]:
    """Title and author; none when they are missing or damaged, for the text does not need them."""
    from defusedxml import DefusedXmlException  # type: ignore[import-untyped]
    from defusedxml.ElementTree import ParseError, parse  # type: ignore[import-untyped]

    try:
        if archive.getinfo(_CORE_PROPERTIES).file_size > _LARGEST_PROPERTIES:
            return {}
        with archive.open(_CORE_PROPERTIES) as file:
            root = parse(file).getroot()
    except (KeyError, ParseError, DefusedXmlException, zipfile.BadZipFile):
        return {}
    return {
        name: element.text
        for tag, name in _PROPERTIES.items()
        if (element := root.find(tag)) is not None and element.text
    }


def decode(data: bytes, declared: str = "") -> str:
    """`data` as text: by its byte order mark, as UTF-8, as it declares itself, or by a guess.

    Raises:
        DocumentError: UNSUPPORTED_FORMAT: these bytes are no text.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _checked(data, encoding)
    if b"\x00" in data:
        raise unsupported()
    # A browser, too, reads what calls itself Latin-1 as Windows-1252.
    western = declared.lower().replace("_", "-") in ("iso-8859-1", "latin-1", "latin1", "us-ascii")
    for encoding in ("utf-8", _WESTERN if western else declared):
        try:
            return _checked(data, encoding)
        except (LookupError, UnicodeError, DocumentError):
            continue
    return _checked(data, _guessed(data))


def _guessed(data: bytes) -> str:
    """The encoding that makes the best text of `data`, Western before others that are as good."""
    from charset_normalizer import from_bytes

    matches = from_bytes(data, cp_isolation=_GUESSED)
    best = matches.best()
    if best is None:
        raise unsupported()
    for match in matches:
        if match.chaos <= best.chaos and _WESTERN in match.could_be_from_charset:
            return _WESTERN
    return str(best.encoding)


def _checked(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeError as error:
        raise unsupported() from error
    if len(_CONTROLS.findall(text)) > max(_STRAY_CONTROLS, _MOST_CONTROLS * len(text)):
        raise unsupported()
    return text


def _tidy(text: str) -> str:
    """Line ends as ``\\n``, a form feed as an empty line, no control characters."""
    text = _LINE_ENDS.sub("\n", text.removeprefix("\ufeff")).replace("\x0c", "\n\n")
    return _CONTROLS.sub("", text.replace("\t", " ")).strip("\n")
