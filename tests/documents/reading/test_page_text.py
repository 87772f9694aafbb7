"""The text of a page: order, words, scripts, and a place on the page for every character."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fpdf
import pypdf
import pypdfium2 as pdfium
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.reading.broken_words import HYPHEN_AT_LINE_END, Words, hyphen
from core.documents.reading.page_text import page_text
from core.documents.reading.reading_order import Line, reading_order
from core.documents.reading.typesetting.upright import upright_textpage
from core.text.layout.line_marks import HEADING
from tests.support.needs import FONT, REAL_DATA, REAL_FILES, dejavu
from tests.support.pdfs import make_pdf

_SAMPLES = REAL_DATA / "pdfs"
needs_samples = pytest.mark.needs(REAL_FILES)


def read(document: fpdf.FPDF) -> tuple[str, list[int], Any]:
    opened = pdfium.PdfDocument(bytes(document.output()))
    textpage = opened[0].get_textpage()
    return *page_text(textpage), textpage


def write(document: fpdf.FPDF, *lines: tuple[float, float, str]) -> None:
    for x, y, text in lines:
        document.text(x, y, text)


def lines_of(text: str) -> list[str]:
    """The lines with words; how they end is told by white space."""
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def sample(name: str, page: int = 1) -> str:
    return page_text(pdfium.PdfDocument(_SAMPLES / name)[page - 1].get_textpage())[0]


@pytest.mark.needs(FONT)
def test_texts_drawn_after_their_bullets_follow_them(pdf: fpdf.FPDF) -> None:
    pdf.add_font("dejavu", fname=str(dejavu()))
    pdf.set_font("dejavu", size=11)
    write(pdf, (40, 100, "Do not use"), (50, 120, "•"), (50, 140, "•"), (40, 180, "Directions"))
    write(pdf, (66, 120, "with alcohol"), (66, 140, "if you are allergic to it or"))
    write(pdf, (66, 154, "to its colours"))
    text, _, _ = read(pdf)
    assert lines_of(text) == [
        "Do not use",
        "• with alcohol",
        "• if you are allergic to it or",
        "to its colours",
        "Directions",
    ]


def test_a_page_number_drawn_first_comes_last(pdf: fpdf.FPDF) -> None:
    write(pdf, (300, 800, "7"), (40, 100, "The first line of the text runs over the whole page,"))
    write(pdf, (40, 114, "and the second line does so too, from the left to the right end."))
    assert read(pdf)[0].split("\n")[-1] == "7"


def test_columns_keep_the_order_of_the_file(pdf: fpdf.FPDF) -> None:
    left = [(40.0, 100.0 + 14 * i, f"left column line {i}") for i in range(5)]
    right = [(320.0, 100.0 + 14 * i, f"right column line {i}") for i in range(5)]
    write(pdf, *left, *right)
    assert lines_of(read(pdf)[0]) == [text for _, _, text in left + right]


@pytest.mark.parametrize("angle", [90, 180])
def test_turned_pages_keep_their_order(pdf: fpdf.FPDF, angle: int) -> None:
    with pdf.rotation(angle, 300, 400):
        write(pdf, (200, 380, "first line"), (200, 400, "second line"), (200, 420, "third"))
    assert read(pdf)[0].split() == "first line second line third".split()


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("high blood pressure is called hyper-", "tension by doctors"), "called hypertension by"),
        (("the mean half-", "life of the drug"), "half-life of"),
        (("take a beta-", "blocker with it"), "beta-blocker with"),
        (("a dose of 10-", "20 mg a day"), "10-20 mg"),
        (("as in IL-", "6 and in others"), "IL-6 and"),
    ],
)
def test_hyphens_at_line_ends(pdf: fpdf.FPDF, lines: tuple[str, str], expected: str) -> None:
    write(pdf, (40, 100, lines[0]), (40, 114, lines[1]))
    assert expected in read(pdf)[0].replace("-\n", "-")


def test_each_character_of_a_joined_word_stands_where_it_was_drawn(pdf: fpdf.FPDF) -> None:
    write(pdf, (40, 100, "called hyper-"), (40, 114, "tension by doctors"))
    text, origins, textpage = read(pdf)
    place = text.index("hypertension")
    height = [textpage.get_charbox(origin, loose=True)[1] for origin in origins]
    assert height[place + 4] > height[place + 5]  # "r" on the upper line, "t" on the lower
    assert len(text) == len(origins)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("an infec\u2010\ntion", "an infection"),
        (
            "with met\u2010 \nronidazole and a non-fatal one",
            "with metronidazole and a non-fatal one",
        ),
        ("called velmo\u2010\x02rafin in a cell", "called velmorafin in a cell"),
        ("a well\u2010known and long\u2010\nterm use", "a well\u2010known and long-term use"),
        ("take met-\nronidazole", "take metronidazole"),
        ("take met-\nwith it", "take met-with it"),
    ],
)
def test_which_hyphen_a_program_parts_words_with(text: str, expected: str) -> None:
    words = Words(text)
    assert HYPHEN_AT_LINE_END.sub(lambda found: hyphen(words, found), text) == expected


def test_hyphens_that_the_page_writes_elsewhere_stay() -> None:
    assert not Words("a pre-treatment visit and pre\x02treatment").joins("pre", "treatment")
    assert Words("we saw sadipscing and sadip\x02scing").joins("sadip", "scing")
    assert not Words("x").joins("ten", "20")
    assert not Words("x").joins("FDA", "approved")


@pytest.mark.parametrize(
    ("before", "after", "letters"),
    [("speci", "cally", "fi"), ("in", "ammatory", "fl"), ("di", "erent", "ff"), ("e", "ux", "ffl")],
)
def test_ligatures_without_a_name(before: str, after: str, letters: str) -> None:
    assert Words("").ligature(before, "\x00", after) == letters


def test_a_ligature_that_no_word_explains_is_seen() -> None:
    assert Words("").ligature("zq", "\x00", "xj") == "\ufffd"


def test_a_word_of_the_page_explains_a_ligature() -> None:
    assert Words("zqfixj").ligature("zq", "\x00", "xj") == "fi"


@needs_samples
def test_unnamed_ligatures_of_a_real_file() -> None:
    text = sample("drug/aia4p_adalimumab.pdf")
    for word in ("specifically", "effective", "pro-inflammatory", "affinity", "Crohn’s disease"):
        assert word in text
    assert "\ufffd" not in text


@needs_samples
def test_list_of_a_real_label() -> None:
    text = sample("drug/mahi_Acetaminophen.pdf", 2)
    item = "• pain gets worse or lasts more than 10 days\n"
    assert f"Stop use and ask a doctor if{HEADING}\n{item}" in text
    assert f"Other information{HEADING}\n• store at 20-25°C" in text
    assert text.startswith("pharmacist.\n• if you have ever had an allergic reaction")


@needs_samples
def test_lam_and_alef_of_one_glyph() -> None:
    assert "تحسين الإنتاجية وحل المشكلات من خلال" in sample("odd/docling_right_to_left_01.pdf")


def _sample_pages() -> Iterator[Any]:
    for name in ("drug/mahi_Acetaminophen.pdf", "papers/biochatter_dcn.pdf"):
        yield from pdfium.PdfDocument(_SAMPLES / name)


@needs_samples
def test_no_visible_character_of_a_page_is_lost() -> None:
    for page in _sample_pages():
        textpage = page.get_textpage()
        text, origins = page_text(textpage)
        assert len(text) == len(origins)
        raw = textpage.get_text_range()
        wanted = Counter(c for c in raw if c.isalnum())
        assert not wanted - Counter(text)


BOXES = st.none() | st.tuples(
    st.integers(0, 500), st.integers(0, 700), st.integers(1, 300), st.integers(5, 20)
).map(lambda b: (float(b[0]), float(b[1]), float(b[0] + b[2]), float(b[1] + b[3])))
LINES = st.builds(
    lambda text, box: Line(text, box), st.sampled_from(["•", "–", "text", "", " "]), BOXES
)


@given(st.lists(LINES, max_size=14), st.booleans())
def test_every_line_is_read_once(lines: list[Line], upright: bool) -> None:
    rows = reading_order(lines, lambda _: upright)
    assert sorted(i for row in rows for i in row) == list(range(len(lines)))


def _line(text: str, left: int, top: int) -> Line:
    """A line of 10 points' height, with 5 points a letter."""
    return Line(text, (float(left), float(top - 10), float(left + 5 * len(text)), float(top)))


@pytest.mark.parametrize(("mark", "inner"), [("▪", "–"), ("➔", "-"), ("•", "—")])
def test_bullets_that_are_drawn_after_other_text_come_to_their_items(mark: str, inner: str) -> None:
    """A browser draws the bullets of a whole page last: the items of "Do not take" went under what follows."""
    texts = [
        _line("Do not take it", 50, 700),
        _line("if you are allergic", 70, 680),
        _line("if you have:", 70, 660),
        _line("jaundice", 90, 640),
        _line("a severe disease of the liver,", 90, 620),
        _line("also if it is long ago", 90, 608),
        _line("Warnings", 50, 580),
        _line("Talk to your doctor.", 50, 560),
    ]
    inner_marks = [_line(inner, 80, 640), _line(inner, 80, 620)]
    outer_marks = [_line(mark, 60, 680), _line(mark, 60, 660)]
    lines = [*texts, *inner_marks, *outer_marks]
    rows = reading_order(lines, lambda _: True)
    assert [" ".join(lines[i].text for i in row) for row in rows] == [
        "Do not take it",
        f"{mark} if you are allergic",
        f"{mark} if you have:",
        f"{inner} jaundice",
        f"{inner} a severe disease of the liver,",
        "also if it is long ago",
        "Warnings",
        "Talk to your doctor.",
    ]


def test_numbers_that_are_drawn_last_come_to_their_items_as_bullets_do() -> None:
    """WeasyPrint draws all markers of a page last: beside a numbered list, "Do not take" had lost its items."""
    texts = [
        ("In this leaflet", 60.0, 700.0),
        ("What it is for", 80.0, 680.0),
        ("How to store it", 80.0, 660.0),
        ("Do not take it", 60.0, 640.0),
        ("if you bleed", 80.0, 620.0),
        ("Warnings", 60.0, 600.0),
    ]
    marks = [("1.", 68.0, 680.0), ("2.", 68.0, 660.0), ("\u2022", 70.0, 620.0)]
    lines = [
        Line(text, (left, y, left + 6.0 * len(text), y + 10)) for text, left, y in [*texts, *marks]
    ]
    rows = [[lines[i].text for i in row] for row in reading_order(lines, lambda _: True)]
    assert rows == [
        ["In this leaflet"],
        ["1.", "What it is for"],
        ["2.", "How to store it"],
        ["Do not take it"],
        ["\u2022", "if you bleed"],
        ["Warnings"],
    ]


def test_a_dash_that_stands_for_nothing_stays_where_it_is() -> None:
    """Beside a number it is no bullet."""
    lines = [_line("Placebo", 50, 700), _line("12 %", 90, 680), _line("–", 80, 680)]
    lines.append(_line("above", 50, 720))
    rows = reading_order(lines, lambda _: True)
    assert [2] in rows


@pytest.mark.parametrize("degrees", [90, 180, 270])
@pytest.mark.parametrize("way", ["page turned", "text turned", "both"])
def test_a_turned_page_reads_like_an_upright_one(tmp_path: Path, degrees: int, way: str) -> None:
    """A page viewed turned, a table on its side, and a landscape page that a viewer turns upright."""
    straight = make_pdf(
        tmp_path / "straight.pdf", "First line\n- one\n- two\nSecond paragraph\nEnd"
    )
    turned = tmp_path / "turned.pdf"
    writer = pypdf.PdfWriter()
    writer.append(straight)
    page = writer.pages[0]
    page.rotate(degrees)
    if way != "page turned":
        page.transfer_rotation_to_content()
    if way == "both":
        page.rotate(360 - degrees)
    writer.write(turned)
    wanted = page_text(upright_textpage(pdfium.PdfDocument(straight)[0]))[0]
    opened = pdfium.PdfDocument(turned)[0]
    before = opened.get_rotation()
    assert page_text(upright_textpage(opened))[0] == wanted
    assert opened.get_rotation() == before, "the page is drawn as it was"
