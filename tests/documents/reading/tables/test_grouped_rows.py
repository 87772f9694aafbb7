"""Rows below one label, and heads over several columns, where no rule parts them."""

from __future__ import annotations

import fpdf

from core.text.tables.lines import CELL_END, HEAD, SAME_AS_ABOVE, SAME_AS_LEFT
from tests.documents.reading.tables.drawn_tables import (
    LEFT,
    LINE,
    PROSE,
    Rows,
    page_text_of,
    rows_of,
    whole,
    words,
)

EDGES = (LEFT, 130.0, 210.0, 340.0)
# The label of the rows below it stands beside the first of them.
GROUPED = (
    ("Drug", "Purpose", "30 to 50 mL/min", "15 to 29 mL/min"),
    ("Enoxaparin", "Prophylaxis", "40 mg once a day", "20 mg once a day"),
    ("", "Treatment", "1 mg/kg twice a day,\nmeasured on day 3", "1 mg/kg once a day"),
    ("Dalteparin", "Prophylaxis", "5,000 units once a day", "5,000 units for at most\n10 days"),
    ("", "Treatment", "200 units/kg once a day", "100 units/kg once a day"),
    ("Tinzaparin", "Prophylaxis", "4,500 units once a day", "3,500 units once a day"),
    ("", "Treatment", "175 units/kg once a day", "175 units/kg once a day"),
)


def _set_off(pdf: fpdf.FPDF, rows: Rows, between: float) -> None:
    """Rows without room between those of one label, and some before the next label."""
    top = words(pdf, 120, rows[:1], edges=EDGES)[-1]
    for number in range(1, len(rows), 2):
        top = words(pdf, top, rows[number : number + 2], bold=0, pad=0, edges=EDGES)[-1] + between


def test_room_between_labels_does_not_join_what_stands_below_one(pdf: fpdf.FPDF) -> None:
    pdf.text(LEFT, 60, PROSE)
    _set_off(pdf, GROUPED, between=8)
    assert rows_of(pdf) == whole(GROUPED)
    assert page_text_of(pdf).count(SAME_AS_ABOVE) == 3


def test_a_label_that_all_but_touches_words(pdf: fpdf.FPDF) -> None:
    edges = (LEFT, 118.0, 210.0, 340.0)
    rows = (
        ("How ill", "Allergy", "First choice", "For how long"),
        ("Mildly", "None", "Amoxicillin 500 mg", "5 days"),
        ("", "Some", "Doxycycline 200 mg,\nthen 100 mg", "5 days"),
        ("Moderately", "None at all", "Amoxicillin 1 g", "7 days"),
        ("", "Some", "Cefuroxime 750 mg", "7 days"),
    )
    pdf.text(LEFT, 60, PROSE)
    words(pdf, 120, rows, pad=2, edges=edges)
    assert rows_of(pdf) == whole(rows)


def test_a_head_over_several_columns(pdf: fpdf.FPDF) -> None:
    edges = (LEFT, 150.0, 250.0, 350.0, 450.0)
    pdf.text(LEFT, 60, PROSE)
    pdf.set_font(style="B")
    pdf.text(LEFT + 3, 130, "Antibiotic")
    pdf.text(215, 130, "Clearance (mL/min)")
    pdf.text(453, 130, "Dialysis")
    for left, head in zip(edges[1:4], ("30 to 50", "10 to 29", "Below 10"), strict=True):
        pdf.text(left + 3, 130 + LINE + 4, head)
    pdf.set_font(style="")
    body = (
        ("Amoxicillin", "No change", "500 mg every\n8 hours", "500 mg twice", "After it"),
        ("Cefuroxime", "No change", "750 mg twice", "750 mg once", "After it"),
        ("Levofloxacin", "500 mg once", "250 mg once", "125 mg once", "125 mg"),
    )
    words(pdf, 160, body, bold=0, pad=2, edges=edges)
    text = page_text_of(pdf)
    heads = [line.lstrip(HEAD) for line in text.split("\n") if line.startswith(HEAD)]
    assert [one.strip(" ").split(CELL_END) for one in heads] == [
        ["Antibiotic", "Clearance (mL/min)", SAME_AS_LEFT, SAME_AS_LEFT, "Dialysis"],
        [SAME_AS_ABOVE, "30 to 50", "10 to 29", "Below 10", SAME_AS_ABOVE],
    ]
    assert rows_of(pdf)[2:] == whole(body)


def test_a_heading_over_heads_is_none_of_them(pdf: fpdf.FPDF) -> None:
    rows = (
        ("Patients", "Calcium", "Vitamin D"),
        ("Adults", "1,000 mg", "800 units"),
        ("Older people", "1,200 mg", "1,000 units"),
        ("Children", "500 mg", "400 units"),
    )
    pdf.text(LEFT, 60, PROSE)
    pdf.set_font(style="B")
    pdf.text(LEFT, 112, "2.3 Calcium and Vitamin D")
    pdf.set_font(style="")
    words(pdf, 120, rows)
    assert rows_of(pdf) == whole(rows)
    assert page_text_of(pdf).count(HEAD) == 1
