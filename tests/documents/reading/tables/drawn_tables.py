"""Tables drawn on a page, cell by cell, with the rules that a test wants; and what is read of the page."""

from __future__ import annotations

from collections.abc import Sequence

import fpdf
import pypdfium2 as pdfium

from core.documents.reading.page_text import page_text
from core.documents.reading.typesetting.upright import upright_textpage
from core.text.tables.lines import CELL_END, HEAD

LEFT, RIGHT = 60.0, 500.0
LINE = 13.0
EDGES = (LEFT, 200.0, 340.0)
PROSE = "The tablets are taken whole, with a glass of water or milk, at any time of the day."

Rows = Sequence[Sequence[str]]

DOSES = (
    ("Who", "Starting dose", "Highest dose"),
    ("Adults", "50 mg a day", "200 mg a day"),
    ("Older people with heart\ndisease", "25 mg a day", "100 mg a day, always in two\ndoses"),
    ("Children", "12.5 mg a day", "50 mg a day"),
)


def words(
    pdf: fpdf.FPDF,
    top: float,
    rows: Rows,
    *,
    bold: int = 1,
    pad: float = 5,
    edges: Sequence[float] = EDGES,
) -> list[float]:
    """Write rows, cell by cell, the first ones bold; where each begins, and the last one ends."""
    tops = [top]
    for number, row in enumerate(rows):
        pdf.set_font(style="B" if number < bold else "")
        for left, cell in zip(edges, row, strict=True):
            for place, line in enumerate(cell.split("\n")):
                pdf.text(left + 3, tops[-1] + 10 + LINE * place, line)
        tops.append(tops[-1] + pad + LINE * max(cell.count("\n") + 1 for cell in row))
    pdf.set_font(style="")
    return tops


def pieces(pdf: fpdf.FPDF, y: float, edges: Sequence[float] = EDGES) -> None:
    """A rule that is drawn of the borders of cells."""
    for start, end in zip(edges, [*edges[1:], RIGHT], strict=True):
        pdf.rect(start, y, end - start, 0.75, style="F")


def down(pdf: fpdf.FPDF, top: float, end: float, places: Sequence[float]) -> None:
    for x in places:
        pdf.line(x, top, x, end)


def whole(rows: Rows) -> list[list[str]]:
    return [[cell.replace("\n", " ") for cell in row] for row in rows]


def ruled(pdf: fpdf.FPDF, top: float, rows: Rows, *, bold: int, open_end: bool) -> None:
    """A table with rules on all sides of its cells, but for the last one across where `open_end` says so."""
    tops = words(pdf, top, rows, bold=bold)
    for y in tops[:-1] if open_end else tops:
        pieces(pdf, y)
    down(pdf, tops[0], tops[-1], (*EDGES, RIGHT))


def page_texts_of(pdf: fpdf.FPDF) -> list[str]:
    document = pdfium.PdfDocument(bytes(pdf.output()))
    return [page_text(upright_textpage(page))[0] for page in document]


def page_text_of(pdf: fpdf.FPDF) -> str:
    return page_texts_of(pdf)[0]


def rows_of(pdf: fpdf.FPDF) -> list[list[str]]:
    text = page_text_of(pdf)
    lines = [one.lstrip(HEAD) for one in text.split("\n") if CELL_END in one]
    return [[cell.strip() for cell in one.split(CELL_END)] for one in lines]
