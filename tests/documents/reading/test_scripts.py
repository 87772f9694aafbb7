"""Raised and lowered characters stand where they were drawn."""

from __future__ import annotations

from typing import Any

import fpdf
import pypdfium2 as pdfium
import pytest

from core.documents.reading.page_text import page_text
from core.text.layout.line_marks import WRAPPED
from tests.support.needs import REAL_DATA, REAL_FILES

needs_samples = pytest.mark.needs(REAL_FILES)
Part = tuple[str, float, float]  # words, points below the line, size


def write(document: fpdf.FPDF, x: float, y: float, *parts: Part) -> list[float]:
    """Words one after the other on a line; where each begins."""
    places = []
    for words, below, size in parts:
        document.set_font_size(size)
        document.text(x, y + below, words)
        places.append(x)
        x += document.get_string_width(words)
    return places


def read(document: fpdf.FPDF) -> tuple[str, list[int], Any]:
    textpage = pdfium.PdfDocument(bytes(document.output()))[0].get_textpage()
    return *page_text(textpage), textpage


@pytest.mark.parametrize(
    ("parts", "wanted"),
    [
        (
            (("30 mL/min/1.73 m", 0, 11), ("2", -4, 7), (" is low", 0, 11)),
            "30 mL/min/1.73 m2 is low",
        ),
        ((("vitamin B", 0, 11), ("12", 3, 7), (" tablets", 0, 11)), "vitamin B12 tablets"),
        ((("below 10", 0, 11), ("9", -4, 7), ("/L platelets", 0, 11)), "below 10⁹/L platelets"),
        ((("a 10", 0, 11), ("-3", -4, 7), (" M buffer", 0, 11)), "a 10⁻³ M buffer"),
        ((("take 5", 0, 11), ("1", -4, 7), (" mg a day", 0, 11)), "take 5¹ mg a day"),
        ((("doses of 10-20 mg", 0, 11), ("2", -4, 7)), "doses of 10-20 mg2"),
        ((("150", 0, 11), ("b", -4, 7), (" mg a day", 0, 11)), "150 b mg a day"),
        ((("the dose", 0, 11), ("a", -4, 7), (" (mg)", 0, 11)), "the dose a (mg)"),
        ((("the 1", 0, 11), ("st", -4, 7), (" dose", 0, 11)), "the 1st dose"),
        ((("la 2", 0, 11), ("e", -4, 7), (" dose", 0, 11)), "la 2e dose"),
        ((("vitamin ", 0, 11), ("B", 0, 11), (" and a tab", 0, 11)), "vitamin B and a tab"),
    ],
)
def test_drawn_in_their_turn(pdf: fpdf.FPDF, parts: tuple[Part, ...], wanted: str) -> None:
    write(pdf, 40, 100, *parts)
    assert read(pdf)[0] == wanted


def test_drawn_after_everything_else(pdf: fpdf.FPDF) -> None:
    """As browsers print pages: raised characters come last, a note's mark before its line."""
    write(pdf, 40, 100, ("The surface is 1.73 m", 0, 11))
    end = 40 + pdf.get_string_width("The surface is 1.73 m")
    write(pdf, end + 6, 100, ("in an adult of average size", 0, 11))
    write(pdf, 46, 130, ("Children are dosed by their weight.", 0, 11))
    write(pdf, end, 96, ("2", 0, 7))
    write(pdf, 41, 126, ("*", 0, 7))
    text, origins, textpage = read(pdf)
    assert (
        text
        == "The surface is 1.73 m2 in an adult of average size\n* Children are dosed by their weight."
    )
    assert len(text) == len(origins)
    place = text.index("2 in")
    left = textpage.get_charbox(origins[place])[0]
    assert abs(left - end) < 2


def test_a_mark_between_two_lines_goes_to_its_own(pdf: fpdf.FPDF) -> None:
    """Lines stand close: a mark at the end of the lower one is no part of a word above it."""
    first, second = "the upper line runs over the whole width of it", "the lower one ends here"
    write(pdf, 40, 100, (first, 0, 11))
    write(pdf, 40, 112, (second, 0, 11))
    write(pdf, 40 + pdf.get_string_width(second), 108, ("48", 0, 7))
    assert read(pdf)[0] == f"{first}{WRAPPED}\n{second}48"


def test_small_text_of_its_own_stays(pdf: fpdf.FPDF) -> None:
    write(pdf, 40, 100, ("A line of the text.", 0, 11))
    write(pdf, 40, 130, ("A further line of it.", 0, 11))
    write(pdf, 300, 800, ("7", 0, 7))
    lines = [line for line in read(pdf)[0].split("\n") if line]
    assert lines == ["A line of the text.", "A further line of it.", "7"]


@needs_samples
def test_marks_of_real_files() -> None:
    label = pdfium.PdfDocument(REAL_DATA / "pdfs" / "drug" / "mahi_Amoxicillin.pdf")
    second = page_text(label[1].get_textpage())[0]
    assert "an AUC0-∞ of 35.4" in second and "a Cmax of 13.8" in second
    assert "\n‡ Dosing for infections caused by" in page_text(label[11].get_textpage())[0]
    name = "fdaguid_ANDA_Submission_Content_Format.pdf"
    guidance = pdfium.PdfDocument(REAL_DATA / "pdfs" / "drug" / name)
    assert "21 CFR 73.1200¹⁰⁸" in page_text(guidance[22].get_textpage())[0]
