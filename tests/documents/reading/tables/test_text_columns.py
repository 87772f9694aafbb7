"""Tables on pages of two columns of text, and with a rule behind each row but none down the page."""

from __future__ import annotations

import fpdf
import pypdfium2 as pdfium
import pytest

from core.documents.reading.tables.ruled.rules import page_rules
from core.text.tables.lines import CELL_END, HEAD, SAME_AS_LEFT
from tests.documents.reading.tables.drawn_tables import (
    LEFT,
    LINE,
    PROSE,
    RIGHT,
    Rows,
    page_text_of,
    rows_of,
    whole,
    words,
)

LEFT_TEXT = [f"The left column says in line {number}" for number in range(24)]
RIGHT_TEXT = [f"and the right one goes on in {number}" for number in range(24)]
BEHIND = 310.0  # where the right column begins
NARROW = (LEFT, 130.0, 215.0)
TIGHT = (LEFT, 130.0, 201.0)  # whose cells all but touch
SWITCHES = (
    ("From", "To", "How"),
    ("Warfarin", "Rivanel", "Begin at an INR\nof 3.0"),
    ("Heparin", "Rivanel", "At the time of the\nnext dose"),
    ("Infusion", "Rivanel", "When it is\nstopped"),
)
KIDNEYS = (
    ("Clearance", "Fibrillation", "Thrombosis"),
    ("50 to 79\nmL/min", "20 mg once a\nday", "15 mg twice a\nday"),
    ("30 to 49\nmL/min", "15 mg once a\nday", "15 mg twice a\nday"),
    ("15 to 29\nmL/min", "15 mg with\ncare", "Not told"),
)


def _column(pdf: fpdf.FPDF, left: float, lines: list[str], top: float = 60) -> None:
    for place, line in enumerate(lines):
        pdf.text(left, top + LINE * place, line)


def _ruled_rows(pdf: fpdf.FPDF, top: float, rows: Rows, edges: tuple[float, ...]) -> float:
    """Rows with a rule above and below each, drawn as a whole; where they end."""
    tops = words(pdf, top, rows, edges=edges)
    for y in tops:
        pdf.line(LEFT, y - 1, edges[-1] + 80, y - 1)
    return tops[-1]


def test_a_rule_between_columns_of_text_parts_no_cells(pdf: fpdf.FPDF) -> None:
    pdf.line(LEFT, 36, RIGHT, 36)  # below a running title
    end = _ruled_rows(pdf, 50, SWITCHES, NARROW)
    _column(pdf, LEFT, LEFT_TEXT[:3], end + 20)
    _column(pdf, BEHIND, RIGHT_TEXT[:14])
    pdf.line(BEHIND - 12, 46, BEHIND - 12, 260)
    for y in words(pdf, 275, KIDNEYS):
        pdf.line(LEFT, y, RIGHT, y)
    text = page_text_of(pdf)
    prose = [line.strip() for line in text.split("\n") if CELL_END not in line]
    assert [line for line in prose if line] == [*LEFT_TEXT[:3], *RIGHT_TEXT[:14]]
    assert rows_of(pdf) == [*whole(SWITCHES), *whole(KIDNEYS)]


def test_a_rule_down_the_page_that_meets_none_across_is_no_tables(pdf: fpdf.FPDF) -> None:
    pdf.line(LEFT, 100, RIGHT, 100)
    pdf.line(LEFT, 200, RIGHT, 200)
    pdf.line(300, 125, 300, 175)  # by itself
    pdf.line(200, 98, 200, 175)  # crosses one
    pdf.line(400, 104, 400, 196)  # meets two, but for the room that some programs leave there
    across, down = page_rules(pdfium.PdfDocument(bytes(pdf.output()))[0])
    assert len(across) == 2
    assert [round(one.at) for one in down] == [200, 400]


@pytest.mark.parametrize("rows", [SWITCHES, KIDNEYS])
def test_rows_with_a_rule_behind_each_and_none_down(pdf: fpdf.FPDF, rows: Rows) -> None:
    pdf.text(LEFT, 60, PROSE)
    end = _ruled_rows(pdf, 120, rows, TIGHT)
    pdf.text(LEFT, end + 40, PROSE)
    assert rows_of(pdf) == whole(rows)
    assert page_text_of(pdf).count(HEAD) == 1


def test_such_rows_in_one_of_two_columns(pdf: fpdf.FPDF) -> None:
    end = _ruled_rows(pdf, 60, SWITCHES, TIGHT)
    _column(pdf, LEFT, LEFT_TEXT[:8], end + 30)
    _column(pdf, BEHIND, RIGHT_TEXT)
    assert rows_of(pdf) == whole(SWITCHES)
    text = page_text_of(pdf)
    assert [text.index(one) for one in (LEFT_TEXT[0], LEFT_TEXT[7], RIGHT_TEXT[0])] == sorted(
        text.index(one) for one in (LEFT_TEXT[0], LEFT_TEXT[7], RIGHT_TEXT[0])
    )


def test_rows_without_rules_in_one_of_two_columns(pdf: fpdf.FPDF) -> None:
    _column(pdf, LEFT, LEFT_TEXT[:4])
    words(pdf, 130, KIDNEYS, bold=0, edges=NARROW)
    _column(pdf, BEHIND, RIGHT_TEXT)
    pdf.line(LEFT, 129, LEFT + 230, 129)
    pdf.line(LEFT, 147, LEFT + 230, 147)
    assert rows_of(pdf) == whole(KIDNEYS)


def test_a_cell_over_several_columns_is_one(pdf: fpdf.FPDF) -> None:
    """A row whose words reach from column to column does not join these in the other rows."""
    edges = (LEFT, 150.0, 225.0, 300.0)
    rows = (
        ("Clearance", "Day 1", "Day 2", "Later"),
        ("50 to 79", "20 mg", "15 mg\ntwice", "20 mg"),
        ("30 to 49", "15 mg", "15 mg\ntwice", "15 mg"),
        ("15 to 29", "10 mg", "10 mg\ntwice", "10 mg"),
    )
    tops = words(pdf, 120, rows, edges=edges)
    pdf.text(LEFT + 3, tops[-1] + 10, "Below 15")
    pdf.text(153, tops[-1] + 10, "must not be used in anybody here")
    for y in [*tops, tops[-1] + 18]:
        pdf.line(LEFT, y - 1, 400, y - 1)
    *found, last = rows_of(pdf)
    assert found == whole(rows)
    assert last[:2] == ["Below 15", "must not be used in anybody here"]
    assert page_text_of(pdf).count(SAME_AS_LEFT) == 2


def test_rules_over_the_cells_that_are_parted_share_the_label(pdf: fpdf.FPDF) -> None:
    rows = (
        ("From", "To", "How"),
        ("Warfarin", "Rivanel, in\nfibrillation", "Begin at an INR\nof 3.0"),
        ("", "Rivanel, in\nthrombosis", "Begin at an INR\nof 2.5"),
        ("Heparin", "Rivanel", "At the time of\nthe next dose"),
        ("Infusion", "Rivanel", "When it ends"),
    )
    tops = words(pdf, 120, rows, edges=NARROW)
    for number, y in enumerate(tops):
        pdf.line(NARROW[1] if number == 2 else LEFT, y - 1, NARROW[-1] + 80, y - 1)
    found = [
        [cell.strip("\u2001\u2002\u2003\u2004\u2005 ") for cell in row] for row in rows_of(pdf)
    ]
    assert [row[1:] for row in found] == [row[1:] for row in whole(rows)]
    assert [row[0] for row in found][:2] == ["From", "Warfarin"]
    assert found[3][0] == "Heparin"


def test_lines_between_sections_are_no_table(pdf: fpdf.FPDF) -> None:
    for number in range(5):
        top = 60 + 70 * number
        pdf.line(LEFT, top, RIGHT, top)
        pdf.text(LEFT, top + 20, PROSE)
        pdf.text(LEFT, top + 20 + LINE, PROSE)
    assert rows_of(pdf) == []
