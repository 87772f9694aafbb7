"""What is read of pages that other programs printed, beside what their authors wrote: `make bench-structure`.

The PDFs of sets 81 to 87 were printed by LibreOffice, pdflatex, Apache FOP, ReportLab, fpdf2, typst and
wkhtmltopdf from headings, paragraphs, lists and tables that `blocks.jsonl.xz` has. All is compared by letters
and digits.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.tables import PRINTED, Cells, bare, bare_cells, lines_of_rows, page_texts
from core.documents.cutting.chunks import chunk_pages
from core.domain.documents import Page, Profile
from core.evidence.blocks import BlockSource, StatementBlocks, read_blocks
from core.text.tables.lines import CELL_END, HEAD

_KINDS = ("rows", "heads", "items", "lead-ins", "paragraphs", "headings")
_LONGEST = 250  # tokens of a chunk
_END = 30  # characters of a lead-in that are looked for

Blocks = Sequence[Mapping[str, Any]]


class Told:
    """What is read of a PDF.

    Attributes:
        rows: cells of each row, those of a row that a page's end cuts also as one.
        statements, items: bare; items with their lead-ins.
        paragraphs, headings: bare.
    """

    def __init__(self, file: Path) -> None:
        texts = page_texts(file)
        pages = [Page(number, text) for number, text in enumerate(texts, start=1)]
        chunks = chunk_pages(
            pages,
            Profile.LEAFLET,
            document_id="a",
            title="A",
            count_tokens=lambda parts: [len(part) // 4 + 2 for part in parts],
            max_tokens=_LONGEST,
        )
        read = read_blocks(BlockSource(pages, chunks, orders=False))
        self.rows = set(_rows(texts))
        statements = [one for block in read.blocks for one in block.statements]
        self.statements = [bare(one.text) for one in statements]
        each = [item for one in statements for item in (one.items or (one,))]
        self.items = [(bare(one.text), bare(one.lead.text if one.lead else "")) for one in each]
        self.paragraphs = list(_paragraphs(read))
        under = {bare(line.words) for one in statements for line in one.under}
        self.headings = {bare(chunk.heading) for chunk in chunks} | under


def _rows(texts: Sequence[str]) -> Iterator[Cells]:
    of_pages = [lines_of_rows(text) for text in texts]
    for lines in of_pages:
        yield from (bare_cells(line.split(CELL_END)) for line in lines)
    for above, below in pairwise(of_pages):
        begun = [line for line in below if not line.startswith(HEAD)][:1]
        for upper, lower in zip(above[-1:], begun, strict=False):
            halves = [[bare(cell) for cell in one.split(CELL_END)] for one in (upper, lower)]
            if len(halves[0]) == len(halves[1]):
                yield tuple(filter(None, map("".join, zip(*halves, strict=True))))


def _paragraphs(read: StatementBlocks) -> Iterator[str]:
    for places in read.of_paragraph.values():
        yield "".join(bare(read.blocks[a].statements[b].text) for a, b in places)


def source_rows(rows: Sequence[Sequence[Any]]) -> Iterator[tuple[Cells, Cells]]:
    """The rows of a source's table, each without and with the cells that span it from above."""
    spanning: dict[int, tuple[int, str]] = {}
    for row in rows:
        own: list[str] = []
        full: list[str] = []
        column = 0
        left = list(row)
        while left or column in spanning:
            if column in spanning:
                more, text = spanning.pop(column)
                full.append(text)
                if more > 1:
                    spanning[column] = more - 1, text
                column += 1
                continue
            cell = left.pop(0)
            told = {"text": cell} if isinstance(cell, str) else cell
            text = bare(told["text"])
            own.append(text)
            full.append(text)
            if (more := int(told.get("rows", 1)) - 1) > 0:
                spanning[column] = more, text
            column += int(told.get("cols", 1))
        yield tuple(filter(None, own)), tuple(filter(None, full))


def counted(blocks: Blocks, told: Told) -> Counter[str]:
    """How many of a source's parts there are, and how many are told, by kind ("rows", "rows told")."""
    found: Counter[str] = Counter()

    def count(kind: str, is_told: bool) -> None:
        found.update({kind: 1, f"{kind} told": int(is_told)})

    for block in blocks:
        if block["type"] == "table":
            for kind, key in (("rows", "rows"), ("heads", "head")):
                for own, full in source_rows(block[key]):
                    if len(full) > 1:
                        count(kind, own in told.rows or full in told.rows)
        elif block["type"] == "list":
            lead = bare(block["lead"])[-_END:]
            for item in filter(None, (bare(one["text"]) for one in block["items"])):
                hits = [led for text, led in told.items if text == item or text.endswith(item)]
                count("items", bool(hits))
                if lead:
                    whole = any(lead in text and item in text for text in told.statements)
                    count("lead-ins", whole or any(lead in led for led in hits))
        elif block["type"] == "heading":
            count("headings", any(bare(block["text"]) in one for one in told.headings))
        else:
            words = bare(block["text"])
            whole = any(words in one for one in (*told.paragraphs, *told.statements))
            count("paragraphs", whole)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.structure", description=__doc__)
    parser.add_argument("--only", nargs="+", help="numbers of sets", metavar="N")
    only = parser.parse_args().only
    print(f"| document | {' | '.join(_KINDS)} |\n|{'---|' * (len(_KINDS) + 1)}")
    every: Counter[str] = Counter()
    with lzma.open(PRINTED / "blocks.jsonl.xz", "rt", encoding="utf-8") as lines:
        for source in map(json.loads, lines):
            file = str(source["file"])
            if only is None or file.split("/")[0] in only:
                found = counted(source["blocks"], Told(PRINTED / file))
                every.update(found)
                print(_line(file, found))
    print(_line("all", every))


def _line(name: str, found: Counter[str]) -> str:
    cells = [f"{found[one + ' told']} of {found[one]}" for one in _KINDS]
    return f"| {' | '.join([name, *cells])} |"


if __name__ == "__main__":
    main()
