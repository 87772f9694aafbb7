"""Rows of a table in a text file; rows that cannot be used are counted and described, not fatal."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from core.errors import InputError
from core.graph.store import Check

if TYPE_CHECKING:
    from _csv import Reader

GRAPH_FORMAT = "GRAPH_FORMAT"

Report = Callable[[str, float], None]  # what is being done, in words, and the share done in [0, 1]

# A report is read by a person; of a file that is wrong in every row, these many lines say enough.
_LISTED_PROBLEMS = 1_000
_LONGEST_REASON = 200  # characters; a reason may quote a cell of any length
_CHECKED_EVERY = 10_000  # rows

_FORMAT_ADVICE = (
    "A graph folder holds nodes.csv and relationships.csv, or PrimeKG's kg.csv, or Hetionet's nodes "
    "and edges: UTF-8 text with column names in the first line."
)

# The csv module's words for a quotation mark that is never closed: the rest of the file is lost.
_UNCLOSED_QUOTE = "unexpected end of data"
_NUL = "\0"  # no text has one, and SQL functions stop reading at it


def graph_format_error(message: str) -> InputError:
    """The error for a folder or file that is not a graph this project can read."""
    return InputError(message, advice=_FORMAT_ADVICE, code=GRAPH_FORMAT)


@dataclass(slots=True)
class Problems:
    """Rows left out of an import: how many there are, and the first thousand that were found."""

    skipped: int = 0
    _found: list[tuple[int, int, str]] = field(default_factory=list)
    _files: dict[str, int] = field(default_factory=dict)

    def add(self, file: str, line: int, reason: str) -> None:
        self.skipped += 1
        if len(self._found) < _LISTED_PROBLEMS:
            order = self._files.setdefault(file, len(self._files))
            self._found.append((order, line, f"{file}:{line} {reason[:_LONGEST_REASON]}"))

    @property
    def listed(self) -> tuple[str, ...]:
        """``file:line reason``, in the order of files and lines."""
        return tuple(text for _, _, text in sorted(self._found))


@dataclass(frozen=True, slots=True)
class Table:
    """A file's header and its rows.

    Attributes:
        header: column names, none twice.
        rows: (number of the row's first line, its cells as they are written).
    """

    header: list[str]
    rows: Iterator[tuple[int, list[str]]]

    def places(self, columns: Sequence[str]) -> list[int]:
        """Where the columns are."""
        return [self.header.index(column) for column in columns]

    def others(self, columns: Sequence[str]) -> list[tuple[str, int]]:
        """Name and place of every column but these."""
        return [(name, place) for place, name in enumerate(self.header) if name not in columns]


class TableReader:
    """Reads the files of one import and tells how far it is.

    Args:
        files: all that will be read; their bytes are what progress is measured by.
        report: told the share of all bytes that is read.
    """

    def __init__(self, files: Sequence[Path], report: Report, check: Check) -> None:
        self.problems = Problems()
        self._bytes = sum(path.stat().st_size for path in files) or 1
        self._done = 0
        self._report = report
        self._check = check

    @contextmanager
    def table(self, path: Path, required: Sequence[str], tabs: bool = False) -> Iterator[Table]:
        """Open a table.

        Empty lines are passed over; rows with another number of columns than the header, with broken
        quoting or with a NUL character go to `problems`.

        Args:
            path: text, or gzip-compressed text when the name ends with ``.gz``.
            required: columns that the header must name; others may follow.
            tabs: cells are separated by tabs and never quoted, not comma-separated as in RFC 4180.

        Raises:
            InputError: code GRAPH_FORMAT; the file is missing or unreadable, is not UTF-8, lacks a
                required column, names one twice, or has a quotation mark that is never closed.
        """
        try:
            with path.open("rb") as raw, _text(path, raw) as text:
                if tabs:
                    reader = csv.reader(text, delimiter="\t", quoting=csv.QUOTE_NONE)
                else:
                    reader = csv.reader(text, strict=True)
                header = _header(path.name, reader, required)
                yield Table(header, self._rows(path.name, raw, reader, len(header)))
                self._done += path.stat().st_size
        except UnicodeDecodeError as error:
            raise graph_format_error(f"{path.name} is not UTF-8 text.") from error
        except (OSError, EOFError, zlib.error) as error:
            reason = getattr(error, "strerror", None) or "it is not a complete gzip file"
            raise graph_format_error(f"{path.name} cannot be read ({reason}).") from error

    def _rows(
        self, name: str, raw: BinaryIO, reader: Reader, width: int
    ) -> Iterator[tuple[int, list[str]]]:
        add = self.problems.add
        until_check = 0
        while True:
            if until_check == 0:
                self._check()
                self._report(f"reading {name}", min(1.0, (self._done + raw.tell()) / self._bytes))
                until_check = _CHECKED_EVERY
            until_check -= 1
            line = reader.line_num + 1
            try:
                cells = next(reader, None)
            except csv.Error as error:
                if _UNCLOSED_QUOTE in str(error):
                    raise graph_format_error(
                        f"{name} has a quotation mark that is never closed, from line {line} on."
                    ) from error
                add(name, line, f"cannot be read: {error}")
                continue
            if cells is None:
                return
            if not cells:
                continue
            if len(cells) != width:
                add(name, line, f"has {len(cells)} columns, the header has {width}")
            elif _NUL in "".join(cells):
                add(name, line, "cannot be read: it holds a NUL character")
            else:
                yield line, cells


def _text(path: Path, raw: BinaryIO) -> io.TextIOWrapper:
    data = gzip.open(raw) if path.suffix == ".gz" else raw  # noqa: SIM115
    return io.TextIOWrapper(data, encoding="utf-8-sig", newline="")


def _header(name: str, reader: Reader, required: Sequence[str]) -> list[str]:
    try:
        header = [cell.strip() for cell in next(reader, [])]
    except csv.Error as error:
        raise graph_format_error(f"{name} has a broken first line ({error}).") from error
    missing = [column for column in required if column not in header]
    if missing:
        raise graph_format_error(f"{name} lacks the column {', '.join(missing)}.")
    repeated = sorted({column for column in header if header.count(column) > 1})
    if repeated:
        raise graph_format_error(f"{name} names the column {', '.join(repeated)} more than once.")
    return header
