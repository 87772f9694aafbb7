"""Nothing of a table is lost, what is no table is left as it was, and tables of real labels."""

from __future__ import annotations

from collections import Counter
from typing import Any

import fpdf
import pypdfium2 as pdfium
import pytest
from fpdf.enums import TableCellFillMode
from fpdf.fonts import FontFace
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.reading.page_text import page_text
from tests.documents.reading.tables.laid.laid_tables import (
    KIDNEYS,
    lay,
    pages,
    read,
    rows,
    say,
    told,
)
from tests.support.needs import REAL_DATA, REAL_FILES

needs_samples = pytest.mark.needs(REAL_FILES)


def _ruled_columns(document: fpdf.FPDF) -> None:
    """Two columns of text under a running head and over a foot with rules of the page's width."""
    for y in (20, 24, 280):
        document.line(20, y, 190, y)
    for side, x in enumerate((20, 110)):
        for line in range(12):
            document.text(x, 40 + 6 * line, f"column {side} says in line {line} what it says")


def _contents(document: fpdf.FPDF) -> None:
    for line in range(10):
        document.text(20, 40 + 6 * line, f"{line + 1}. Section {'. ' * 30}")
        document.text(180, 40 + 6 * line, str(line + 3))
        document.line(20, 41 + 6 * line, 190, 41 + 6 * line)


def _form(document: fpdf.FPDF) -> None:
    for line, name in enumerate(("Name", "Street", "Town", "Date")):
        document.text(20, 40 + 10 * line, name)
        document.line(60, 41 + 10 * line, 150, 41 + 10 * line)


def _box(document: fpdf.FPDF) -> None:
    document.rect(18, 30, 170, 60)
    document.line(18, 40, 188, 40)
    document.text(20, 37, "WARNING")
    document.text(20, 50, "Do not give this medicine to children.")
    document.text(20, 60, "Ask a doctor before use.")


def _chart(document: fpdf.FPDF) -> None:
    for step in range(8):
        document.line(20, 40 + 10 * step, 120, 40 + 10 * step)
        document.line(20 + 14 * step, 40, 20 + 14 * step, 110)
        document.text(10, 41 + 10 * step, str(80 - step * 10))
        document.text(20 + 14 * step, 116, str(step))


@pytest.mark.parametrize("draw", [_ruled_columns, _contents, _form, _box, _chart])
def test_what_is_no_table(pdf: fpdf.FPDF, draw: Any) -> None:
    draw(pdf)
    assert not rows(read(pdf))


def test_each_character_of_a_row_stands_where_it_was_drawn(pdf: fpdf.FPDF) -> None:
    say(pdf, "Table 2: Dose in renal impairment")
    lay(pdf, KIDNEYS)
    text, origins, textpage = pages(pdf)[0]
    assert len(text) == len(origins)
    for row in told(text):
        seen = [place for place in range(row.start, row.end) if not text[place].isspace()]
        assert all(chr(_code(textpage, origins[place])) == text[place] for place in seen)
        middles = {round(sum(textpage.get_charbox(origins[p], loose=True)[1::2])) for p in seen}
        assert len(middles) == 1, "a row that does not wrap stands on one line of the page"


def _code(textpage: Any, place: int) -> int:
    import pypdfium2.raw as pdfium_c

    return int(pdfium_c.FPDFText_GetUnicode(textpage.raw, place))


WORDS = st.text("abcdefg 0123456789%<", min_size=1, max_size=24).map(str.strip).filter(bool)


@settings(max_examples=100, deadline=None)
@given(
    st.integers(2, 4).flatmap(
        lambda n: st.lists(st.lists(WORDS, min_size=n, max_size=n), min_size=2, max_size=6)
    )
)
def test_nothing_of_a_table_is_lost_or_added(body: list[list[str]]) -> None:
    """The page's characters are those that were drawn, and a statement has the words of its places."""
    document = fpdf.FPDF()
    document.set_font("Helvetica", size=9)
    document.add_page()
    say(document, "Before the table.")
    lay(
        document,
        body,
        cell_fill_mode=TableCellFillMode.NONE,
        headings_style=FontFace(emphasis="BOLD"),
    )
    document.ln()
    say(document, "After the table.")
    text, origins, _ = pages(document)[0]
    drawn = "".join(
        ["Before the table.", *(cell for row in body for cell in row), "After the table."]
    )
    assert Counter("".join(text.split())) == Counter("".join(drawn.split()))
    assert len(text) == len(origins)
    assert text.startswith("Before the table.") and text.endswith("After the table.")
    for one in (one for one in told(text) if one.paragraph < 0):
        places = [(one.start, one.end), *one.with_it]
        assert all(text[a:b] == text[a:b].strip() and b > a for a, b in places)
        words = {word for a, b in places for word in text[a:b].split()}
        assert set(one.text.replace(";", " ").replace("|", " ").rstrip(".").split()) <= {
            *words,
            *(f"{word}:" for word in words),
            "–",
            "/",
        }


@needs_samples
def test_the_dosing_table_of_a_real_label() -> None:
    """Horizontal rules alone, cells in up to three lines, the group in its first row only."""
    opened = pdfium.PdfDocument(REAL_DATA / "pdfs" / "drug" / "mahi_Amoxicillin.pdf")
    found = told(page_text(opened[11].get_textpage())[0])
    severe = [one.text for one in found if "Genitourinary" in one.text and "Severe" in one.text]
    assert len(severe) == 1 and "875 mg" in severe[0] and "45 mg/kg/day" in severe[0]
    mild = [one.text for one in found if "Ear/Nose/Throat" in one.text and "Mild" in one.text]
    assert len(mild) == 1 and "500 mg" in mild[0] and "875 mg" not in mild[0]


@needs_samples
def test_the_directions_of_a_real_label() -> None:
    opened = pdfium.PdfDocument(REAL_DATA / "pdfs" / "drug" / "mahi_Acetaminophen.pdf")
    found = rows(page_text(opened[1].get_textpage())[0])
    assert ["children under 12 years", "ask a doctor"] in found


@needs_samples
def test_the_typed_directions_of_a_real_label() -> None:
    opened = pdfium.PdfDocument(REAL_DATA / "pdfs" / "drug" / "mahi_Ibuprofen.pdf")
    text = page_text(opened[10].get_textpage())[0]
    assert [row[0] for row in rows(text)] == [
        "Adults and Children 12 years of age or older",
        "Children 6-11 years of age",
        "Children under 6 years of age",
    ]
    assert rows(text)[1][1] == (
        "Take 1 tablet every 4 to 6 hours as needed. Do not take more than 5 tablets in 24 hours."
    )
