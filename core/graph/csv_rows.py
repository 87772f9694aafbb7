"""Rows of a CSV file as dicts; rows that cannot be used are counted and described, not fatal."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from core.errors import InputError

GRAPH_FORMAT = "GRAPH_FORMAT"

# A report is read by a person; of a file that is wrong in every row, these many lines say enough.
_LISTED_PROBLEMS = 1_000

_FORMAT_ADVICE = (
    "A graph folder holds nodes.csv and relationships.csv, or PrimeKG's kg.csv: UTF-8 text, "
    "columns separated by commas, column names in the first line."
)

# The csv module's words for a quotation mark that is never closed: the rest of the file is lost.
_UNCLOSED_QUOTE = "unexpected end of data"
_NUL = "\0"  # no text has one, and SQL functions stop reading at it


def graph_format_error(message: str) -> InputError:
    """The error for a folder or file that is not a graph this project can read."""
    return InputError(message, advice=_FORMAT_ADVICE, code=GRAPH_FORMAT)


@dataclass(slots=True)
class Problems:
    """Rows left out of an import: how many, and the first thousand as ``file:line reason``."""

    skipped: int = 0
    listed: list[str] = field(default_factory=list)

    def add(self, file: str, line: int, reason: str) -> None:
        self.skipped += 1
        if len(self.listed) < _LISTED_PROBLEMS:
            self.listed.append(f"{file}:{line} {reason}")


def read_rows(
    path: Path, required: Sequence[str], problems: Problems
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a CSV file with their line numbers; cells are stripped of surrounding blanks.

    Empty lines are passed over; rows with another number of columns than the header, with broken
    quoting or with a NUL character go to `problems`.

    Args:
        required: columns that the header must name; others may follow.

    Raises:
        InputError: code GRAPH_FORMAT; the file is missing or unreadable, is not UTF-8, lacks a
            required column, names one twice, or has a quotation mark that is never closed.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from _rows(path.name, file, required, problems)
    except UnicodeDecodeError as error:
        raise graph_format_error(f"{path.name} is not UTF-8 text.") from error
    except OSError as error:
        raise graph_format_error(f"{path.name} cannot be read ({error.strerror}).") from error


def _rows(
    name: str, file: TextIO, required: Sequence[str], problems: Problems
) -> Iterator[tuple[int, dict[str, str]]]:
    reader = csv.reader(file, strict=True)
    header = _header(name, reader, required)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            if _UNCLOSED_QUOTE in str(error):
                raise graph_format_error(
                    f"{name} has a quotation mark that is never closed, from line {line} on."
                ) from error
            problems.add(name, line, f"cannot be read: {error}")
            continue
        if cells is None:
            return
        if not cells:
            continue
        if len(cells) != len(header):
            problems.add(name, line, f"has {len(cells)} columns, the header has {len(header)}")
        elif any(_NUL in cell for cell in cells):
            problems.add(name, line, "cannot be read: it holds a NUL character")
        else:
            yield line, dict(zip(header, map(str.strip, cells), strict=True))


def _header(name: str, reader: Iterator[list[str]], required: Sequence[str]) -> list[str]:
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
