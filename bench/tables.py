"""Rows of tables as the pages' sources have them, beside those of the pages' text: `make bench-tables`.

The PDFs of `bench/printed` were made by a browser from pages that their authors wrote; `tables.jsonl.xz` has
the tables of those pages, cell by cell, and nothing else of them. Cells are compared by letters and digits.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium

from bench.counts import Summed
from core.documents.reading.page_text import page_text
from core.documents.reading.typesetting.upright import upright_textpage
from core.text.tables.lines import CELL_END, is_row

PRINTED = Path(__file__).resolve().parent / "printed"
_OTHER = re.compile(r"[\W_]+")

Cells = tuple[str, ...]


@dataclass(slots=True)
class Counts(Summed):
    """Of one set or of all.

    Attributes:
        whole, without: tables all of whose rows are right, and none.
        right: rows below the heads that stand cell by cell on one line, of `rows`.
        heads_right: rows of heads, of `heads`.
        otherwise: lines with cells that are no row of a source.
    """

    tables: int = 0
    whole: int = 0
    without: int = 0
    rows: int = 0
    right: int = 0
    heads: int = 0
    heads_right: int = 0
    otherwise: int = 0


def bare(words: str) -> str:
    """Letters and digits alone; raised ones are as others."""
    return _OTHER.sub("", unicodedata.normalize("NFKC", words)).casefold()


def page_texts(file: Path) -> list[str]:
    with pdfium.PdfDocument(file) as document:
        return [page_text(upright_textpage(page))[0] for page in document]


def lines_of_rows(text: str) -> list[str]:
    return [line for line in text.split("\n") if is_row(line)]


def bare_cells(cells: Iterable[str]) -> Cells:
    """The cells that are not empty."""
    return tuple(filter(None, map(bare, cells)))


def told_rows(file: Path) -> list[Cells]:
    """The rows of a PDF's tables as its text has them, without empty cells and those of one cell."""
    lines = [line for text in page_texts(file) for line in lines_of_rows(text)]
    rows = [bare_cells(line.split(CELL_END)) for line in lines]
    return [row for row in rows if len(row) > 1]


def counted(tables: Sequence[Sequence[tuple[bool, Cells]]], told: Sequence[Cells]) -> Counts:
    """How many rows of one file's tables are among those that are told.

    Args:
        tables: the rows of each table of the source: whether it names columns, and its cells.
    """
    known = set(told)
    counts = Counts(otherwise=sum(row not in {c for t in tables for _, c in t} for row in told))
    for rows in tables:
        right = [cells in known for is_head, cells in rows if not is_head]
        heads = [cells in known for is_head, cells in rows if is_head]
        counts.add(
            Counts(
                tables=1,
                whole=all(right),
                without=bool(right) and not any(right),
                rows=len(right),
                right=sum(right),
                heads=len(heads),
                heads_right=sum(heads),
            )
        )
    return counts


def sources() -> Iterator[tuple[str, str, list[list[tuple[bool, Cells]]]]]:
    """Each set and file with the tables of its source."""
    with lzma.open(PRINTED / "tables.jsonl.xz", "rt", encoding="utf-8") as lines:
        tables: list[dict[str, Any]] = [json.loads(line) for line in lines]
    for name, own in groupby(tables, key=lambda one: str(one["file"])):
        number, file = name.split("/")
        yield (
            number,
            file,
            [[(row["head"], bare_cells(row["cells"])) for row in one["rows"]] for one in own],
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.tables", description=__doc__)
    parser.add_argument("--only", nargs="+", help="numbers of sets", metavar="N")
    only = parser.parse_args().only
    sums: dict[str, Counts] = {}
    for number, file, tables in sources():
        if only is None or number in only:
            counts = counted(tables, told_rows(PRINTED / number / file))
            sums.setdefault(number, Counts()).add(counts)
    every = Counts.of_all(sums.values())
    print("| set | tables | whole | none of it | rows | right | heads | right | otherwise |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, one in [*sums.items(), ("all", every)]:
        print(
            f"| {name} | {one.tables} | {one.whole} | {one.without} | {one.rows} | {one.right}"
            f" | {one.heads} | {one.heads_right} | {one.otherwise} |"
        )
    if every.rows:
        print(f"\nrows right: {every.right / every.rows:.3f}")


if __name__ == "__main__":
    main()
