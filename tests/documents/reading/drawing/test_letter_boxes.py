"""A page as LibreOffice writes it: its fonts (Liberation Sans) say neither how high nor how deep they are."""

from __future__ import annotations

from pathlib import Path

import fpdf
import pypdfium2 as pdfium
import pytest

from core.documents.reading.letter_boxes import LetterBoxes
from core.documents.reading.page_text import page_text
from core.documents.reading.typesetting.upright import upright_textpage
from core.text.layout.line_marks import HEADING, TITLE
from core.text.tables.lines import UNCLEAR

_OFFICE_PAGE = Path(__file__).parent / "files" / "office_page.pdf"
_SIZE = 10.0


@pytest.fixture
def textpage() -> pdfium.PdfTextPage:
    return upright_textpage(pdfium.PdfDocument(_OFFICE_PAGE)[0])


def test_letters_of_one_font_are_of_one_height(textpage: pdfium.PdfTextPage) -> None:
    start = textpage.get_text_range().index("dosage")
    raw = [textpage.get_charbox(start + n, loose=True) for n in range(6)]
    assert len({round(box[3] - box[1]) for box in raw}) > 1, "pdfium gives the boxes of the ink"
    boxes = [LetterBoxes(textpage).box(start + n) for n in range(6)]
    assert {round(box[3] - box[1], 1) for box in boxes} == {round(1.117 * _SIZE, 1)}
    assert len({round(box[1], 2) for box in boxes}) == 1, "they stand on one line"
    assert [(box[0], box[2]) for box in boxes] == [(box[0], box[2]) for box in raw]


def test_its_title_words_and_items_are_read(textpage: pdfium.PdfTextPage) -> None:
    text, origins = page_text(textpage)
    lines = [line for line in text.split("\n") if line.strip()]
    assert lines[0].startswith("Medicines for weak hearts") and lines[0][-1] in (TITLE, HEADING)
    for word in ("dosage", "coughing and gagging", "severe cough", "ageing"):
        assert word in text
    items = [line.strip() for line in lines if line.startswith("- ")]
    assert len(items) == 3 and items[0] == "- hypersensitivity to the active substance;"
    assert UNCLEAR not in text, "a hyphen at a tab begins an item, and no row of a table"
    left = LetterBoxes(textpage).box(origins[text.index("severe cough")])[0]
    assert left == pytest.approx(
        textpage.get_charbox(origins[text.index("severe cough")])[0], abs=1
    )


def test_boxes_of_fonts_with_their_own_figures_stay() -> None:
    document = fpdf.FPDF()
    document.set_font("Helvetica", size=11)
    document.add_page()
    document.text(20, 20, "The dosage is raised by your physician.")
    textpage = pdfium.PdfDocument(bytes(document.output()))[0].get_textpage()
    for place in range(30):
        assert LetterBoxes(textpage).box(place) == textpage.get_charbox(place, loose=True)
