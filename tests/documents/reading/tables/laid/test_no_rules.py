"""Rows that no rule parts: told apart by space, by bold heads, by the lines of their values, or not at all."""

from __future__ import annotations

import fpdf
import pytest

from core.text.tables.lines import UNREAD, without_unclear
from tests.documents.reading.tables.laid.laid_tables import KIDNEYS, lay, read, rows, say, told


def test_rows_told_by_space_alone(pdf: fpdf.FPDF) -> None:
    """Without a rule: under a bold head, with a cell of two lines where more space parts the rows."""
    weights = [
        ("Body weight", "Age", "Dose"),
        ("10 to 15 kg", "1 to 3 years", "120 mg"),
        (
            "over 15 kg",
            "from 4 years",
            "240 mg, but never more than 1 g in 24 hours, and never at night",
        ),
    ]
    lay(pdf, KIDNEYS, borders_layout="NONE")
    pdf.ln()
    say(pdf, "Swallow the tablets whole.")
    lay(pdf, weights, borders_layout="NONE", padding=1.5)
    text = read(pdf)
    assert rows(text) == [list(row) for row in (*KIDNEYS, *weights)]
    severe = next(one for one in told(text) if "Severe" in one.text)
    assert severe.text == (
        "Renal impairment: Severe; Creatinine clearance (mL/min): below 30; Daily dose: 10 mg."
    )
    assert "Swallow the tablets whole." in [one.text for one in told(text)]


def test_raised_marks_merge_no_rows_and_their_notes_are_none(pdf: fpdf.FPDF) -> None:
    """A mark makes its line higher, not nearer to the one above; the note below is no label's end."""
    lines = [
        ("Visit", "45 mg", "", "Placebo"),
        ("Baseline", "18.9", "", "18.6"),
        ("Week 4", "8.8", "", "11.4"),
        ("Week 12", "7.1", "a", "8.5"),
        ("Week 24, in those who took it", "6.8", "b", "8.1"),
    ]
    for number, (label, value, mark, other) in enumerate(lines):
        y = 30 + 7.2 * number
        pdf.set_font("Helvetica", style="" if number else "B", size=11)
        pdf.text(20, y, label)
        pdf.text(90, y, value)
        pdf.set_font_size(7)
        pdf.text(90 + pdf.get_string_width(value) * 11 / 7, y - 2.6, mark or " ")
        pdf.set_font_size(11)
        pdf.text(130, y, other)
    pdf.set_font_size(11)
    pdf.text(20, 30 + 7.2 * 4 + 4.4, "to the end")
    pdf.text(20, 30 + 7.2 * 4 + 10.2, "a p=0.041 against placebo")
    assert rows(read(pdf)) == [
        ["Visit", "45 mg", "Placebo"],
        ["Baseline", "18.9", "18.6"],
        ["Week 4", "8.8", "11.4"],
        ["Week 12", "7.1 a", "8.5"],
        ["Week 24, in those who took it to the end", "6.8 b", "8.1"],
    ]


def test_words_far_apart_are_no_table(pdf: fpdf.FPDF) -> None:
    """Two columns of prose with numbers under bold headings, a table of contents, cells out of line."""
    left, right = "Adults take 20 mg once a day and", "Children take 10 mg, but those of"
    going_on = ("drink 100 ml of water, then", "12 years 5 mg")
    prose = [("How to take it", "Children"), (left, right), going_on]
    contents = [
        ("Contents", "Page"),
        ("1. What it is", "2"),
        ("2. How to take it, and what to do then", "14"),
    ]
    for body, width in ((prose, 130), (contents, 150)):
        lay(pdf, body, borders_layout="NONE", width=width, text_align=("LEFT", "CENTER"))
        say(pdf, "A paragraph of the text.")
    assert [row for row in rows(read(pdf)) if "20 mg" in row[0]] == []


def type_columns(document: fpdf.FPDF, lines: list[tuple[str, str] | None]) -> None:
    """Two columns as they are typed, with blanks between them; None leaves room."""
    y = 40.0
    for line in lines:
        if line is not None:
            left, right = line
            blanks = " " * int(
                (70 - document.get_string_width(left)) / document.get_string_width(" ")
            )
            document.text(20 if left else 91, y, f"{left}{blanks}{right}" if left else right)
        y += 3.5 if line is None else 5


ADULTS = [
    ("Adults and", "Take 2 tablets every 4 hours as"),
    ("children", "needed, but never 9 a day"),
]
INFANTS = [
    ("Children", "Take 1 tablet every 4 hours as"),
    ("under 12", "needed, but never 5 a day"),
]


def test_cells_that_wrap_are_rows_where_more_space_parts_them(pdf: fpdf.FPDF) -> None:
    type_columns(pdf, [*ADULTS, None, *INFANTS, None, ("Infants", "Ask a doctor.")])
    assert rows(read(pdf)) == [
        ["Adults and children", "Take 2 tablets every 4 hours as needed, but never 9 a day"],
        ["Children under 12", "Take 1 tablet every 4 hours as needed, but never 5 a day"],
        ["Infants", "Ask a doctor."],
    ]


def test_a_row_begins_where_the_left_column_has_words(pdf: fpdf.FPDF) -> None:
    type_columns(pdf, [("Adults", "Take 2 tablets every 4 hours"), ("", "as needed, but not 9."),
                       ("Children", "Ask a doctor.")])  # fmt: skip
    assert rows(read(pdf)) == [
        ["Adults", "Take 2 tablets every 4 hours as needed, but not 9."],
        ["Children", "Ask a doctor."],
    ]


@pytest.mark.parametrize(
    "lines",
    [
        [*ADULTS, *INFANTS],
        [("", "Take 2 tablets every"), ("Adults", "4 hours as needed"), ("", "in severe pain."),
         ("", "Take 1 tablet every"), ("Children", "4 hours as needed.")],
    ],
    ids=["both columns wrap alike", "left cells in the middle of their rows"],
)  # fmt: skip
def test_columns_whose_rows_nothing_tells_are_no_sentence(
    pdf: fpdf.FPDF, lines: list[tuple[str, str]]
) -> None:
    type_columns(pdf, [*lines, None, None])
    pdf.text(20, 100, "Swallow the tablets whole.")
    text = read(pdf)
    table, after = told(text)
    assert table.unclear and not rows(text) and after.text == "Swallow the tablets whole."
    assert without_unclear(text).split("\n")[0] == UNREAD and "Take" not in without_unclear(text)


def test_rows_that_no_rule_parts_are_told_apart_by_their_lines(pdf: fpdf.FPDF) -> None:
    body = [
        ("Mild", "60 to 89", "20 mg"),
        ("Moderate", "30 to 59", "15 mg"),
        ("Severe", "0 to 29", "10 mg"),
    ]
    columns = ["\n".join(cells) for cells in zip(*body, strict=True)]
    lay(pdf, [KIDNEYS[0], columns, ("None", "90", "40 mg")])
    assert rows(read(pdf))[1:4] == [list(row) for row in body]


@pytest.mark.parametrize("p_values", [("0.04", "", "0.48", ""), ("0.04", "0.11", "0.48", "0.76")])
def test_columns_of_values_are_rows_however_wide_they_fill_their_cells(
    pdf: fpdf.FPDF, p_values: tuple[str, ...]
) -> None:
    """As in papers: rules over, under and below the heads alone, and a value for some of the rows."""
    body = [
        ("Run-in score of three or more", "41", "-0.92 (-1.20 to -0.64)"),
        ("Run-in score of less than three", "31", "-0.49 (-0.79 to -0.19)"),
        ("Men, of whom most smoked cigars", "50", "-0.72 (-0.97 to -0.47)"),
        ("Women", "22", "-0.79 (-1.17 to -0.41)"),
    ]
    columns = ["\n".join(cells) for cells in zip(*body, strict=True)]
    heads = ("Subgroup", "n", "Difference (95% CI)", "P")
    lay(
        pdf,
        [heads, (*columns, "\n".join(one or " " for one in p_values))],
        col_widths=(60, 12, 46, 14),
    )
    found = rows(read(pdf))[1:]
    assert [row[:3] for row in found] == [list(row) for row in body]
    assert [row[3].strip() if len(row) > 3 else "" for row in found] == list(p_values)


def test_lines_beside_values_that_stand_between_them_are_no_rows(pdf: fpdf.FPDF) -> None:
    """A dose that wraps beside a number is one row."""
    lay(pdf, [("Weight", "Dose"), ("20\n25", "5 mg once\ndaily"), ("30", "10 mg once daily")])
    assert ["20", "5 mg once"] not in rows(read(pdf))


def test_two_lines_that_may_be_one_row_or_two_make_no_table(pdf: fpdf.FPDF) -> None:
    lay(pdf, [("Patients", "Dose"), ("Adults\nElderly", "Once\nTwice"), ("Children", "Once")])
    assert not rows(read(pdf))
