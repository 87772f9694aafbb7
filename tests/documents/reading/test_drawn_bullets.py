"""Bullets that a page draws as shapes, as a browser prints those of a web page: its text has none."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import fpdf
import pypdfium2 as pdfium
import pytest

from core.documents.reading.page_text import page_text
from core.documents.reading.typesetting.drawn_bullets import bullets_alone
from core.documents.reading.typesetting.upright import upright_textpage
from tests.support.needs import CHROMIUM

_LEFT = 60.0


def read(document: bytes | Path, page: int = 0) -> tuple[str, list[int], Any]:
    textpage = upright_textpage(pdfium.PdfDocument(document)[page])
    return *page_text(textpage), textpage


def lines_of(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


def shape(document: fpdf.FPDF, x: float, y: float, kind: str = "disc", size: float = 3.0) -> None:
    """One beside a line whose base is at `y`."""
    middle = y - 4
    if kind in ("disc", "ring"):
        style = "F" if kind == "disc" else "D"
        document.circle(x + size / 2, middle, size / 2, style=style)
    else:
        document.rect(x, middle - size / 2, size, size, style="F")


@pytest.mark.parametrize("kind", ["disc", "ring", "square"])
def test_lines_get_the_bullets_that_stand_before_them(pdf: fpdf.FPDF, kind: str) -> None:
    pdf.text(_LEFT, 100, "Do not take it if you have:")
    for place, text in enumerate(["severe kidney problems", "an ulcer"]):
        pdf.text(_LEFT + 12, 115 + 15 * place, text)
        shape(pdf, _LEFT + 2, 115 + 15 * place, kind)
    pdf.text(_LEFT, 145, "Ask your doctor.")
    text, origins, textpage = read(bytes(pdf.output()))
    assert lines_of(text) == [
        "Do not take it if you have:", "• severe kidney problems", "• an ulcer", "Ask your doctor."
    ]  # fmt: skip
    begun = text.index("an ulcer")
    left = textpage.get_charbox(origins[begun])[0]
    assert left == pytest.approx(_LEFT + 12, abs=1), "letters are marked where they stand"


def test_what_a_line_is_too_short_for_goes_on_in_its_item(pdf: fpdf.FPDF) -> None:
    first = "If you remember within two days, take the missed dose straight away, and then the next"
    for x, y, text in ((72, 100, first), (72, 115, "one on the usual day."), (72, 130, "Wait.")):
        pdf.text(x, y, text)
    shape(pdf, _LEFT, 100)
    shape(pdf, _LEFT, 130)
    text, _, _ = read(bytes(pdf.output()))
    assert "\n\none on" not in text, "no paragraph begins in an item"
    assert [one[:5] for one in lines_of(text)] == ["• If ", "one o", "• Wai"]


@pytest.mark.parametrize(
    ("x", "y", "size"),
    [
        (_LEFT - 40, 100, 3.0),  # far from the text
        (_LEFT + 60, 100, 3.0),  # in the line
        (_LEFT - 8, 80, 3.0),  # above the line
        (_LEFT - 8, 101, 0.8),  # a speck
        (_LEFT - 14, 100, 11.0),  # as high as the line
    ],
)
def test_other_shapes_are_no_bullets(pdf: fpdf.FPDF, x: float, y: float, size: float) -> None:
    pdf.text(_LEFT, 100, "Take it once a day with a glass of water, at the same time.")
    shape(pdf, x, y, "square", size)
    assert "•" not in read(bytes(pdf.output()))[0]


def test_a_shape_before_the_second_column_is_its_own(pdf: fpdf.FPDF) -> None:
    for y in (100, 115, 130):
        pdf.text(_LEFT, y, "The left column has text here.")
        pdf.text(_LEFT + 250, y, "an item on the right")
        shape(pdf, _LEFT + 240, y)
    text, _, _ = read(bytes(pdf.output()))
    assert text.count("• an item on the right") == 3 and "• The left" not in text


def test_points_of_a_drawing_are_none(pdf: fpdf.FPDF) -> None:
    pdf.text(_LEFT, 100, "Plasma concentration")
    for place in range(301):
        shape(pdf, _LEFT - 10, 100 + place / 10)
    assert "•" not in read(bytes(pdf.output()))[0]


@pytest.mark.needs(CHROMIUM)
def test_a_web_page_that_a_browser_printed(tmp_path: Path) -> None:
    items = ["a dry cough or fever", "sore throat", "blisters"]
    listed = "".join(f"<li>{one}</li>" for one in items)
    page = tmp_path / "page.html"
    page.write_text(f"<h2>4.8 Effects</h2><p>Stop it if you get:<ul>{listed}</ul><p>Ask first.")
    printed = tmp_path / "page.pdf"
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'own'}"]
    subprocess.run(
        ["chromium", *flags, "--no-pdf-header-footer", f"--print-to-pdf={printed}", page.as_uri()],
        check=True,
        capture_output=True,
        timeout=60,
    )
    text, _, _ = read(printed)
    assert [one for one in lines_of(text) if one.startswith("•")] == [f"• {one}" for one in items]


def test_a_bullet_in_larger_letters_stands_before_its_item(pdf: fpdf.FPDF) -> None:
    """pdfium gives it a line of its own, as its letters stand lower."""
    pdf.text(_LEFT, 100, "It may not be taken with:")
    for place, text in enumerate(["a dry cough or a fever", "sore throat", "blisters"]):
        pdf.set_font_size(17)
        pdf.text(_LEFT + 6, 120 + 16 * place, "\xb7")
        pdf.set_font_size(11)
        pdf.text(_LEFT + 20, 116 + 16 * place, text)
    told = [line for line in lines_of(read(bytes(pdf.output()))[0]) if line.startswith("\xb7")]
    assert told == ["\xb7 a dry cough or a fever", "\xb7 sore throat", "\xb7 blisters"]


@pytest.mark.parametrize(
    ("mark", "text", "alone"),
    [
        (("-", (10, 100, 13, 112)), ("an item", (20, 102, 60, 112)), True),
        (("1.", (10, 100, 16, 112)), ("an item", (20, 102, 60, 112)), True),
        (("-", (10, 100, 13, 112)), ("the next line", (20, 84, 60, 94)), False),
        (("-", (10, 100, 13, 112)), ("the other column", (300, 102, 360, 112)), False),
        (("7", (10, 100, 16, 112)), ("no item", (20, 102, 60, 112)), False),
        (("-", None), ("nowhere", (20, 102, 60, 112)), False),
    ],
)
def test_what_stands_beside_a_bullet_alone(
    mark: tuple[str, Any], text: tuple[str, Any], alone: bool
) -> None:
    assert bullets_alone([("above", (10, 130, 60, 142)), mark, text]) == ([1] if alone else [])
