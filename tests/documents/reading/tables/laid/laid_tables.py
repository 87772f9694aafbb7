"""Tables as a library lays them out, and what is read of their pages."""

from __future__ import annotations

from typing import Any

import fpdf
import pypdfium2 as pdfium

from core.documents.reading.page_text import page_text
from core.text.statements import Statement, statements
from core.text.tables.lines import HEAD, is_row

KIDNEYS = [
    ("Renal impairment", "Creatinine clearance (mL/min)", "Daily dose"),
    ("Mild", "60 to 89", "20 mg"),
    ("Moderate", "30 to 59", "15 mg"),
    ("Severe", "below 30", "10 mg"),
]


def say(document: fpdf.FPDF, words: str) -> None:
    document.multi_cell(0, 6, words, new_x="LMARGIN", new_y="NEXT")


def lay(document: fpdf.FPDF, body: Any, **options: Any) -> None:
    with document.table(body, **options):
        pass


def pages(document: fpdf.FPDF) -> list[tuple[str, list[int], Any]]:
    opened = pdfium.PdfDocument(bytes(document.output()))
    textpages = [page.get_textpage() for page in opened]
    return [(*page_text(one), one) for one in textpages]


def read(document: fpdf.FPDF) -> str:
    return pages(document)[0][0]


def rows(text: str) -> list[list[str]]:
    return [line.lstrip(HEAD).split("\t") for line in text.split("\n") if is_row(line)]


def told(text: str) -> list[Statement]:
    return statements(text, lambda _line: False)[0]
