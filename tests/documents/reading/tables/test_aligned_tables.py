"""Tables whose rows no rule parts and whose heads nothing sets off but a rule, or nothing at all."""

from __future__ import annotations

import fpdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.text.tables.lines import CUT, HEAD
from tests.documents.reading.tables.drawn_tables import (
    LEFT,
    LINE,
    PROSE,
    RIGHT,
    Rows,
    page_text_of,
    pieces,
    rows_of,
    whole,
    words,
)

STEPS = (
    ("Creatinine clearance", "Dose", "Interval"),
    ("60 or more", "500 mg", "every 8 hours"),
    ("30 to 59", "500 mg", "every 12 hours"),
    ("15 to 29", "250 mg", "every 12 hours"),
    ("Below 15", "250 mg", "every 24 hours"),
)
WRAPPED = (
    ("Medicine", "What happens", "What to do"),
    ("Warfarin", "INR rises by\nhalf", "Measure the INR\nafter 3 days"),
    ("Antacids with\nmagnesium", "Less is taken up", "Wait 2 hours"),
    ("Ciclosporin", "Its level doubles", "Halve its dose and\nmeasure weekly"),
)


def _over(pdf: fpdf.FPDF, lines: int = 4) -> None:
    for line in range(lines):
        pdf.text(LEFT, 40 + LINE * line, PROSE)


def _booktabs(pdf: fpdf.FPDF, top: float, rows: Rows) -> None:
    """A rule above and below the heads, and one at the end, each drawn as a whole."""
    tops = words(pdf, top, rows, bold=0, pad=0)
    for y in (tops[0] - 1, tops[1] - 1, tops[-1] + 2):
        pdf.line(LEFT, y, RIGHT, y)


@pytest.mark.parametrize("rows", [STEPS, WRAPPED])
def test_rules_by_the_heads_and_at_the_end_alone(pdf: fpdf.FPDF, rows: Rows) -> None:
    _over(pdf)
    _booktabs(pdf, 120, rows)
    pdf.text(LEFT, 320, PROSE)
    assert rows_of(pdf) == whole(rows)
    assert page_text_of(pdf).count(HEAD) == 1


def test_bold_heads_and_no_rule_whose_cells_stand_close(pdf: fpdf.FPDF) -> None:
    _over(pdf)
    edges = (LEFT, 176.0, 222.0)
    words(pdf, 120, STEPS, pad=1, edges=edges)
    assert rows_of(pdf) == whole(STEPS)
    assert page_text_of(pdf).count(HEAD) == 1


def test_three_columns_with_values_need_no_heads(pdf: fpdf.FPDF) -> None:
    _over(pdf)
    words(pdf, 120, STEPS[1:], bold=0)
    pdf.text(LEFT, 220, PROSE)
    assert rows_of(pdf) == whole(STEPS[1:])
    assert HEAD not in page_text_of(pdf)


def test_values_that_end_in_one_place_are_a_column(pdf: fpdf.FPDF) -> None:
    rows = (
        ("Effect", "Drug", "Placebo"),
        ("Nausea", "12.5", "8"),
        ("Rash", "3", "110.25"),
        ("Pain", "7", "9"),
    )
    _over(pdf)
    for number, row in enumerate(rows):
        y = 120 + LINE * number
        pdf.set_font(style="" if number else "B")
        pdf.text(LEFT, y, row[0])
        for right, cell in zip((200.0, 300.0), row[1:], strict=True):
            pdf.text(right - pdf.get_string_width(cell), y, cell)
    assert rows_of(pdf) == whole(rows)


def test_a_label_of_values_may_begin_small(pdf: fpdf.FPDF) -> None:
    rows = (
        ("Result", "Drug", "Placebo"),
        ("Rate", "0.47", "0.90"),
        ("p value", "< 0.001", "-"),
        ("Patients", "265", "268"),
    )
    _over(pdf)
    words(pdf, 120, rows)
    assert rows_of(pdf) == whole(rows)


def test_a_row_at_the_end_of_a_page_may_go_on(pdf: fpdf.FPDF) -> None:
    _over(pdf)
    words(pdf, 780 - LINE * len(STEPS), STEPS[1:], bold=0, pad=0)
    last = page_text_of(pdf).rstrip("\n").split("\n")[-1]
    assert last.startswith("Below 15") and last.endswith(CUT)


@pytest.mark.parametrize(
    "rows",
    [
        # Numbers of lines, of items and of pages.
        [(str(7 + n), "a line of the draft that goes on to the right edge") for n in range(6)],
        [("-", f"Item {n}", "is taken for 10 days") for n in range(5)],
        [(f"{n}", f"What it is, and how it is used {n}", f"{3 * n}") for n in range(1, 6)],
        # Names and a form.
        [("Name", "Address"), ("Jones", "Long Road"), ("Smith", "High Street"), ("Lee", "Mews")],
        [("Ward:", "Date:", "Name:"), ("Bed:", "Time:", "Sign:"), ("Room:", "Nurse:", "Seen:")],
    ],
)
def test_what_merely_stands_below_each_other_is_no_table(pdf: fpdf.FPDF, rows: Rows) -> None:
    _over(pdf)
    words(pdf, 120, rows, bold=0, edges=(LEFT, 90.0, 360.0)[: len(rows[0])])
    assert rows_of(pdf) == []


def test_columns_of_prose_are_no_table(pdf: fpdf.FPDF) -> None:
    """Each is drawn as a whole, with 5 mg here and there."""
    for left in (LEFT, 310.0):
        for number in range(12):
            pdf.text(left, 100 + LINE * number, f"It is taken at 5 mg, {number} times, as said")
    assert rows_of(pdf) == []


@given(
    values=st.lists(st.lists(st.integers(0, 9999), min_size=3, max_size=3), min_size=3, max_size=7),
    wrapped=st.lists(st.booleans(), min_size=7, max_size=7),
    ruled=st.booleans(),
)
@settings(max_examples=100, deadline=None)
def test_no_value_comes_into_another_row(
    values: list[list[int]], wrapped: list[bool], ruled: bool
) -> None:
    document = fpdf.FPDF(unit="pt")
    document.set_font("Helvetica", size=11)
    document.add_page()
    rows = [("Effect", "Drug A", "Drug B", "Placebo")]
    for number, (row, two) in enumerate(zip(values, wrapped, strict=False)):
        label = f"Effect of the drug numb {number}\nof all" if two else f"Effect {number}"
        rows.append((label, *map(str, row)))
    edges = (LEFT, 195.0, 290.0, 380.0)
    tops = words(document, 100, rows, bold=0 if ruled else 1, edges=edges)
    if ruled:
        for y in (tops[0] - 1, tops[1] - 2, tops[-1] + 2):
            document.line(LEFT, y, RIGHT, y)
    told = rows_of(document)
    expected = whole(rows)
    assert not [row for row in told if row not in expected]
    assert told == expected


def test_a_head_of_two_lines_begins_above_those_of_one(pdf: fpdf.FPDF) -> None:
    """As office programs set heads: at the lower edge of their row."""
    _over(pdf)
    pdf.set_font(style="B")
    pdf.text(LEFT, 140, "Subgroup")
    for left, weeks in ((200.0, 4), (340.0, 8)):
        pdf.text(left, 140 - LINE, f"Every {weeks} weeks,")
        pdf.text(left, 140, "ratio")
    rows = (("Women", "0.53", "0.44"), ("Men", "0.63", "0.54"), ("Over 65 years", "0.59", "0.49"))
    words(pdf, 146, rows, bold=0, edges=(LEFT - 3, 197.0, 337.0))
    heads = ["Subgroup", "Every 4 weeks, ratio", "Every 8 weeks, ratio"]
    assert rows_of(pdf) == [heads, *whole(rows)]
    assert page_text_of(pdf).count(HEAD) == 1


def test_labels_in_small_letters_are_rows(pdf: fpdf.FPDF) -> None:
    """A value stands where all others have one beside "over 40 kg", and "cIAI" is a name."""
    rows = (
        ("Weight", "Single dose", "Most in a day"),
        ("10 to 15 kg", "2 mL (80 mg)", "up to 3 times a day"),
        ("16 to 40 kg", "3 mL (120 mg)", "up to 3 times a day"),
        ("over 40 kg", "7.5 mL (300 mg)", "up to 4 times a day"),
        ("cIAI", "9 mL (360 mg)", "with each meal"),
    )
    _over(pdf)
    words(pdf, 120, rows, bold=0, pad=0)
    pdf.text(LEFT, 260, PROSE)
    assert rows_of(pdf) == whole(rows)


def test_heads_that_all_but_touch_over_a_rule_of_cells(pdf: fpdf.FPDF) -> None:
    edges = (LEFT, 122.0, 172.0, 330.0)
    rows = (
        ("Indication", "Strength", "Dosage", "Duration"),
        ("Pain", "0.6 %", "one drop twice a day,\nfrom the day after", "14 days"),
        ("Allergy", "0.2 %", "one drop four times a day", "up to 14 days"),
        ("Uveitis", "0.6 %", "one drop every 2 hours,\nthen less often", "4 weeks"),
    )
    _over(pdf)
    tops = words(pdf, 120, rows[:1], edges=edges)
    pieces(pdf, tops[-1], edges)
    words(pdf, tops[-1] + 3, rows[1:], bold=0, edges=edges)
    assert rows_of(pdf) == whole(rows)
    assert page_text_of(pdf).count(HEAD) == 1


def test_a_caption_over_a_rule_of_cells_is_no_heads(pdf: fpdf.FPDF) -> None:
    """Though its last word begins where a column does."""
    _over(pdf)
    pdf.set_font(style="B")
    pdf.text(LEFT + 3, 130, "Table 2: Low absolute lymphocyte count")
    edges = (LEFT, LEFT + pdf.get_string_width("Table 2: Low absolute lymphocyte "))
    pdf.set_font(style="")
    pieces(pdf, 134, edges)
    words(pdf, 136, [row[:2] for row in STEPS[1:]], bold=0, edges=edges)
    assert HEAD not in page_text_of(pdf)
