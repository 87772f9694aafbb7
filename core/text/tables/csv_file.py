"""A table as a CSV file that a spreadsheet opens as it is."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

CSV_TYPE = "text/csv; charset=utf-8"
# A spreadsheet takes a cell that begins so for a formula, which may call other programs.
_FORMULA = re.compile(r"\s*[=+\-@]|[\t\r\n]")


def csv_file(head: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """The file: UTF-8 with its mark (without which spreadsheets guess another encoding), commas, CRLF.

    A text that would be read as a formula has an apostrophe before it.
    """
    return csv_text(head, rows).encode("utf-8-sig", "replace")


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The same as text, for a terminal."""
    made = io.StringIO(newline="")
    writer = csv.writer(made)
    for row in (head, *rows):
        writer.writerow([_cell(one) for one in row])
    return made.getvalue()


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value
