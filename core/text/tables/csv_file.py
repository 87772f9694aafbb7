"""A table as a CSV file that a spreadsheet opens as it is."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

CSV_TYPE = "text/csv; charset=utf-8"
# A spreadsheet takes a cell that begins so for a formula, which may call other programs.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_file(head: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """The file: UTF-8 with its mark (without which spreadsheets guess another encoding), commas, CRLF.

    A cell that would be read as a formula has an apostrophe before it.
    """
    made = io.StringIO(newline="")
    writer = csv.writer(made)
    writer.writerow(head)
    for row in rows:
        writer.writerow([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in row])
    return made.getvalue().encode("utf-8-sig", "replace")
