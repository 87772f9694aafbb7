"""Records of the Kaggle data set ``arxivData.json``, one after the other.

The file is one JSON list of records; `author`, `link` and `tag` hold Python literals as text. Title
and summary are taken as they are.

The list is read with the standard library's decoder over a moving window. The streaming parsers that
were tried first do not serve: ijson's yajl turns half a surrogate pair into other characters without a
word, and forty kilobytes of opening brackets into four gigabytes of memory.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from core.errors import InputError, NotFound

_WINDOW = 1 << 16  # characters
# The longest real record has some tens of thousands of characters; what is longer never ends.
_LONGEST_RECORD = 1 << 20
_SPACE = re.compile(r"[ \t\n\r]*")
_AFTER_VALUE = re.compile(r"[ \t\n\r]*[,\]]")
_ARXIV = ("http://arxiv.org/", "https://arxiv.org/")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Abstract:
    """One record: `title` and `summary` unchanged, `url` of the paper's page on arXiv or empty."""

    paper_id: str
    title: str
    summary: str
    authors: tuple[str, ...]
    url: str
    year: str


@dataclass(frozen=True, slots=True)
class RefusedRecord:
    """A record that cannot be taken: which one (``record 17``, counted from 1) and why."""

    record: str
    reason: str


def read_abstracts(path: Path) -> Iterator[tuple[Abstract | RefusedRecord, float]]:
    """Each record of a file with the share of the file, in [0, 1], that is read by then.

    Raises:
        NotFound: no such file.
        InputError: it is not a JSON list, or breaks off (``ABSTRACTS_FORMAT``); after the last complete
            record. Or it cannot be read (``FILE_UNREADABLE``).
    """
    number = 0
    try:
        size = max(1, path.stat().st_size)
        # A byte that is not UTF-8 becomes half a surrogate pair and costs its own record only.
        with path.open("rb") as raw:
            file = TextIOWrapper(raw, "utf-8-sig", errors="surrogateescape", newline="")
            for number, record in enumerate(_JsonList(file), 1):
                yield _abstract(record, number), min(1.0, raw.tell() / size)
    except FileNotFoundError:
        raise NotFound("The abstracts file does not exist.", advice="Check its name.") from None
    except OSError as error:
        raise InputError(
            f"The abstracts file cannot be read ({error.strerror}).",
            advice="Check that it is a file and its permissions.",
            code="FILE_UNREADABLE",
        ) from error
    # ValueError: no JSON, or a number too long to be one.
    except (ValueError, RecursionError) as error:
        if number == 0:
            raise wrong_format("it is not a JSON list of records") from error
        raise InputError(
            f"The abstracts file is damaged or breaks off after record {number:,}.",
            advice="Get the file again and import it.",
            code="ABSTRACTS_FORMAT",
        ) from error


class _JsonList:
    """The values of a JSON list, decoded one by one.

    Raises while iterating:
        ValueError, RecursionError: what follows is not JSON, too deep, too long, or missing.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._text = ""
        self._at = 0
        self._decoder = json.JSONDecoder()

    def __iter__(self) -> Iterator[Any]:
        self._expect("[")
        if self._next() != "]":
            yield self._value()
            while self._next() == ",":
                self._at += 1
                yield self._value()
        self._expect("]")
        if self._next():
            raise ValueError("something follows the list")

    def _more(self, size: int) -> bool:
        """Move the window on; whether there was anything left."""
        read = self._file.read(size)
        self._text = self._text[self._at :] + read
        self._at = 0
        return bool(read)

    def _next(self) -> str:
        """The next character that is not white space, not yet consumed; empty at the end."""
        while True:
            found = _SPACE.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more(_WINDOW):
                return ""

    def _expect(self, character: str) -> None:
        if self._next() != character:
            raise ValueError(f"{character} is missing")
        self._at += 1

    def _value(self) -> Any:
        self._next()
        size = _WINDOW
        while True:
            failure: ValueError | None = None
            length = 0
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
                # A number at the window's end may go on behind it.
                if _AFTER_VALUE.match(self._text, end):
                    self._at = end
                    return value
                length = end - self._at
            except ValueError as error:
                failure = error
            if len(self._text) - self._at > _LONGEST_RECORD or not self._more(size):
                if failure is not None:
                    raise failure
                self._at += length
                return value
            size *= 2


def _abstract(record: Any, number: int) -> Abstract | RefusedRecord:
    name = f"record {number:,}"
    if not isinstance(record, dict):
        return RefusedRecord(name, "not a record")
    for field in ("title", "summary", "id"):
        value = record.get(field)
        if not isinstance(value, str) or not value.strip():
            return RefusedRecord(name, f"no {field}")
        # JSON can hold half of a surrogate pair, which no store takes.
        if _SURROGATE.search(value):
            return RefusedRecord(name, f"damaged characters in the {field}")
    authors = [item.get("name") for item in _dicts(record.get("author"))]
    links = [item for item in _dicts(record.get("link")) if item.get("rel") == "alternate"]
    urls = [url for item in links if isinstance(url := item.get("href"), str)]
    year = record.get("year", "")
    return Abstract(
        paper_id=record["id"],
        title=record["title"],
        summary=record["summary"],
        authors=tuple(_whole(author) for author in authors if isinstance(author, str)),
        url=_whole(next((url for url in urls if url.startswith(_ARXIV)), "")),
        year=_whole(str(year)) if isinstance(year, str | int) else "",
    )


def _whole(text: str) -> str:
    """Text with a question mark for each half of a surrogate pair."""
    return _SURROGATE.sub("?", text)


def _dicts(value: Any) -> list[dict[Any, Any]]:
    """The dicts of a list, or of a Python literal of one in text. Nothing is executed."""
    if isinstance(value, str):
        try:
            value = ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return []
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def wrong_format(reason: str) -> InputError:
    """The error for a file that holds something else."""
    return InputError(
        f"The file is not an arXiv abstracts file: {reason}.",
        advice="Expected is a JSON list of records with id, title and summary.",
        code="ABSTRACTS_FORMAT",
    )
