"""Small PDFs for the tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import fpdf
from fpdf.enums import XPos, YPos


def make_pdf(path: Path, *pages: str, password: str | None = None) -> Path:
    """A PDF with the given text on each page; an empty text makes a blank page."""
    pdf = fpdf.FPDF()
    pdf.set_font("Helvetica", size=11)
    if password is not None:
        pdf.set_encryption(owner_password="owner", user_password=password)
    for text in pages:
        pdf.add_page()
        if text:
            pdf.multi_cell(0, 6, text)
    pdf.output(str(path))
    return path


def make_pdf_of(path: Path, *parts: str | Sequence[Sequence[str]]) -> Path:
    """A PDF of paragraphs and tables, the first row of each being its heads."""
    pdf = fpdf.FPDF()
    pdf.set_font("Helvetica", size=11)
    pdf.add_page()
    for part in parts:
        if isinstance(part, str):
            pdf.multi_cell(0, 6, part + "\n\n", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        else:
            with pdf.table(part):
                pass
            pdf.ln(6)
    pdf.output(str(path))
    return path


def leaflet_text(drug: str, paragraphs: int = 6) -> str:
    """A page of leaflet-like sentences about one drug, a few chunks long."""
    return "\n".join(
        f"{number}. {drug} part {number}. Adults take {drug} {number * 5} mg once a day with water. "
        f"Do not take {drug} if you are allergic to it. "
        "Tell your doctor about every other medicine that you use."
        for number in range(1, paragraphs + 1)
    )
