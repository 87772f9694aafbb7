"""Which type is bold, by the font's name and by what its file says of its stems."""

from __future__ import annotations

import fpdf
import pypdfium2 as pdfium
import pytest

from core.documents.reading.page_text import page_text
from core.documents.reading.typesetting.weights import is_bold
from core.text.statements import statements
from tests.support.needs import FONT, dejavu

_THIN, _THICK = 87, 141  # stems; pdfium tells the second as a weight of 704


def _with_fonts(**fonts: tuple[str, int]) -> fpdf.FPDF:
    """A document with fonts by their names in its file and the stems that it says they have."""
    document = fpdf.FPDF()
    for key, (name, stem) in fonts.items():
        document.add_font(key, fname=str(dejavu()))
        font = document.fonts[key]
        font.name, font.desc.stem_v = name, stem  # type: ignore[union-attr]
    document.add_page()
    return document


@pytest.mark.needs(FONT)
@pytest.mark.parametrize(
    ("name", "stem", "bold"),
    [
        ("Caladea-Regular", _THICK, False),
        ("Caladea-Bold", _THICK, True),
        ("Caladea-Bold", _THIN, True),
        ("Caladea-BoldItalic", _THIN, True),
        ("Caladea-Italic", _THICK, False),
        ("F1", _THICK, True),
        ("F1", _THIN, False),
    ],
)
def test_the_name_of_a_font_goes_before_its_stems(name: str, stem: int, bold: bool) -> None:
    document = _with_fonts(one=(name, stem))
    document.set_font("one", size=10)
    document.text(20, 20, "Take it once a day.")
    textpage = pdfium.PdfDocument(bytes(document.output()))[0].get_textpage()
    assert is_bold(textpage.raw, 0) is bold


@pytest.mark.needs(FONT)
def test_a_table_in_a_font_with_thick_stems_is_told_with_its_heads() -> None:
    """As LibreOffice writes Caladea: all of the page was bold, so that no line of it was one of heads."""
    document = _with_fonts(text=("Caladea-Regular", _THICK), heads=("Caladea-Bold", 203))
    lefts = (20, 60, 110, 160)
    table = [
        ("Subgroup", "n", "Effect (mg)", "p"),
        ("Spinal anaesthesia", "236", "-15.1 (-21.4 to -8.8)", "0.77"),
        ("General anaesthesia", "82", "-13.2 (-24.0 to -2.4)", ""),
        ("Aged 75 years or more", "97", "-9.8 (-19.6 to 0.0)", "0.25"),
    ]
    document.set_font("heads", size=9)
    document.text(20, 30, "Table 3 Subgroups")
    for place, row in enumerate(table):
        document.set_font("heads" if not place else "text", size=9)
        for left, cell in zip(lefts, row, strict=True):
            document.text(left, 40 + 6 * place, cell)
    document.text(20, 80, "The effect did not differ between the groups of the trial.")
    text = page_text(pdfium.PdfDocument(bytes(document.output()))[0].get_textpage())[0]
    told = [one.text for one in statements(text, lambda _line: False)[0] if one.row]
    assert [one.removeprefix("Table 3 Subgroups – Subgroup: ") for one in told] == [
        "Spinal anaesthesia; n: 236; Effect (mg): -15.1 (-21.4 to -8.8); p: 0.77.",
        "General anaesthesia; n: 82; Effect (mg): -13.2 (-24.0 to -2.4).",
        "Aged 75 years or more; n: 97; Effect (mg): -9.8 (-19.6 to 0.0); p: 0.25.",
    ]
