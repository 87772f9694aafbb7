"""Tables that few rules tell: cut by a page's end, shaded, dashed, with a rule under their heads alone."""

from __future__ import annotations

from collections.abc import Sequence

import fpdf
import pytest

from core.text.statements import Statement, statements
from core.text.tables.lines import HEAD, SAME_AS_LEFT
from tests.documents.reading.tables.drawn_tables import (
    DOSES,
    EDGES,
    LEFT,
    LINE,
    PROSE,
    RIGHT,
    Rows,
    down,
    page_text_of,
    page_texts_of,
    pieces,
    rows_of,
    ruled,
    whole,
    words,
)


def test_heads_may_stand_above_the_first_rule(pdf: fpdf.FPDF) -> None:
    tops = words(pdf, 100, DOSES)
    for y in tops[1:]:
        pieces(pdf, y)
    down(pdf, tops[1], tops[-1], (*EDGES, RIGHT))
    assert rows_of(pdf) == whole(DOSES)
    assert page_text_of(pdf).count(HEAD) == 1


def test_cells_that_all_but_touch_keep_apart_below_another_table(pdf: fpdf.FPDF) -> None:
    """Two tables of one width: in the second a cell ends where the next one begins."""
    tops = words(pdf, 100, DOSES)
    for y in tops:
        pieces(pdf, y)
    narrow = (
        ("Who", "Dose", "Step"),
        ("Adults with much pain", "10 to 15 mg at night", "5 mg"),
        ("Children", "7.5 mg with each of the meals", "2.5 mg"),
        ("Others", "20 mg", "10 mg"),
    )
    width = pdf.get_string_width("7.5 mg with each of the meals")
    edges = (LEFT, 200.0, 205.5 + width)
    below = tops[-1] + 30
    for number, row in enumerate(narrow):
        pdf.set_font(style="" if number else "B")
        pieces(pdf, below + 18 * number, edges)
        for left, cell in zip(edges, row, strict=True):
            pdf.text(left + 3, below + 12 + 18 * number, cell)
    pdf.set_font(style="")
    pieces(pdf, below + 18 * len(narrow), edges)
    assert rows_of(pdf) == [*whole(DOSES), *whole(narrow)]


def test_a_row_that_the_end_of_the_page_cuts_is_a_row(pdf: fpdf.FPDF) -> None:
    rows = (
        *DOSES,
        ("Kidneys that work less\nwell", "25 mg a day", "100 mg, and less than that if\nthe"),
    )
    tops = words(pdf, 690, rows)
    for y in tops[:-1]:
        pieces(pdf, y)
    down(pdf, tops[0], tops[-1], (*EDGES, RIGHT))
    assert rows_of(pdf) == whole(rows)


def _told_over_pages(pdf: fpdf.FPDF) -> list[Statement]:
    texts = page_texts_of(pdf)
    text = "\n".join(texts)
    found, _ = statements(text, lambda _line: False, breaks=[len(texts[0]) + 1])
    return [one for one in found if one.row]


@pytest.mark.parametrize("repeated", [True, False])
def test_a_row_that_two_pages_share_is_told_whole(pdf: fpdf.FPDF, repeated: bool) -> None:
    """Neither half is told alone: "200 mg, halved if" is no dose."""
    begun = ("Weak kidneys", "25 mg a day", "200 mg, halved for those\nwhose creatinine is above")
    ruled(pdf, 640, [*DOSES, begun], bold=1, open_end=True)
    pdf.add_page()
    rest = [*DOSES[:repeated], ("", "", "150 micromol/l"), ("Weak liver", "5 mg", "10 mg a day")]
    ruled(pdf, 45, rest, bold=int(repeated), open_end=False)
    told = [one.text for one in _told_over_pages(pdf)]
    assert [one for one in told if "Weak kidneys" in one or "micromol" in one] == [
        "Who: Weak kidneys; Starting dose: 25 mg a day; Highest dose: 200 mg, halved for those whose"
        " creatinine is above 150 micromol/l."
    ]
    assert told[-1].endswith("Weak liver; Starting dose: 5 mg; Highest dose: 10 mg a day.")
    assert len(told) == len(DOSES) + 1


def test_a_row_that_the_next_page_does_not_go_on_with_is_told_as_it_stands(pdf: fpdf.FPDF) -> None:
    begun = ("Weak kidneys", "25 mg a day", "200 mg, halved for those\nwhose creatinine is above")
    ruled(pdf, 640, [*DOSES, begun], bold=1, open_end=True)
    pdf.add_page()
    pdf.text(LEFT, 60, PROSE)
    told = [one.text for one in _told_over_pages(pdf)]
    assert told[-1].startswith(
        "Who: Weak kidneys; Starting dose: 25 mg a day; Highest dose: 200 mg, halved"
    )
    assert len(told) == len(DOSES)


@pytest.mark.parametrize(
    "rest",
    [
        (DOSES[0], ("Weak liver", "10 mg", "20 mg")),
        (DOSES[0], ("", "10 mg a day", "40 mg a day")),
        (("Weight", "Each dose", "Doses a day"), ("10 kg", "5 mg", "3 times a day")),
        (("Weak liver", "10 mg", "20 mg"), ("Others", "5 mg", "10 mg")),
        (("", "10", "20"), ("Others", "5 mg", "10 mg")),
    ],
)
def test_another_row_at_the_top_of_the_next_page_is_never_joined(
    pdf: fpdf.FPDF, rest: Rows
) -> None:
    """A table whose last row is whole, though no rule is drawn below it: two patients' doses would be one."""
    ruled(
        pdf, 640, [*DOSES, ("Weak kidneys", "25 mg a day", "100 mg a day")], bold=1, open_end=True
    )
    pdf.add_page()
    ruled(pdf, 45, rest, bold=int(rest[0][0] in ("Who", "Weight")), open_end=False)
    told = [one.text for one in _told_over_pages(pdf)]
    whole_row = "Who: Weak kidneys; Starting dose: 25 mg a day; Highest dose: 100 mg a day."
    assert whole_row in told
    assert not [one for one in told if "100 mg a day " in one]


def test_rules_beside_a_label_part_the_cells_and_not_the_table(pdf: fpdf.FPDF) -> None:
    """At the top of a page: the label of the first row is on the page before, with no rule below it."""
    rows = (
        ("", "rare", "Gangrene"),
        ("Airways", "common", "Breathlessness"),
        ("", "uncommon", "Wheezing"),
        ("Skin", "common", "Rash"),
        ("", "rare", "Loss of hair"),
    )
    tops = words(pdf, 45, rows, bold=0)
    for place, y in enumerate(tops):
        if place in (1, 3, 5):
            pieces(pdf, y)
        else:
            pieces(pdf, y, EDGES[1:])
    down(pdf, tops[0], tops[-1], (*EDGES, RIGHT))
    assert rows_of(pdf) == whole(rows)


def _shade(pdf: fpdf.FPDF, tops: Sequence[float], places: Sequence[int]) -> None:
    pdf.set_fill_color(235, 228, 240)
    for place in places:
        for start, end in zip(EDGES, [*EDGES[1:], RIGHT], strict=True):
            pdf.rect(start, tops[place], end - start, tops[place + 1] - tops[place], style="F")
    pdf.set_fill_color(0, 0, 0)


@pytest.mark.parametrize("shaded", [(0, 2), (1, 3), (0, 1, 2, 3)])
def test_shaded_rows_need_no_rules(pdf: fpdf.FPDF, shaded: tuple[int, ...]) -> None:
    _shade(pdf, (100, 118, 136, 167, 185), shaded)
    assert words(pdf, 100, DOSES) == [100, 118, 136, 167, 185]
    assert rows_of(pdf) == whole(DOSES)
    assert page_text_of(pdf).count(HEAD) == 1


def test_the_ground_of_headings_makes_no_table(pdf: fpdf.FPDF) -> None:
    pdf.set_fill_color(220, 230, 240)
    for y in (100.0, 160.0, 220.0):
        pdf.rect(LEFT, y, RIGHT - LEFT, 20, style="F")
        pdf.text(LEFT + 3, y + 14, "6. When to act, and what to do")
        pdf.text(LEFT + 3, y + 34, PROSE)
    assert rows_of(pdf) == []


def test_dashes_down_the_page_part_columns(pdf: fpdf.FPDF) -> None:
    tops = words(pdf, 100, DOSES)
    for y in tops:
        for place in range(int((RIGHT - LEFT) / 1.5)):
            pdf.rect(LEFT + 1.5 * place, y, 0.75, 0.75, style="F")
    for x in (*EDGES, RIGHT):
        for place in range(int((tops[-1] - tops[0]) / 1.5)):
            pdf.rect(x, tops[0] + 1.5 * place, 0.75, 0.75, style="F")
    assert rows_of(pdf) == whole(DOSES)


def test_one_rule_under_the_heads_tells_the_columns(pdf: fpdf.FPDF) -> None:
    """What follows is none of its rows: a heading that is shorter than the first column, and a sentence."""
    tops = words(pdf, 100, DOSES)
    pieces(pdf, tops[1])
    pdf.set_font(style="B")
    pdf.text(LEFT + 3, tops[-1] + 16, "Method")
    pdf.set_font(style="")
    pdf.text(LEFT + 3, tops[-1] + 32, PROSE)
    assert rows_of(pdf) == whole(DOSES)


def test_prose_below_a_rule_is_no_table(pdf: fpdf.FPDF) -> None:
    pdf.set_font(style="B")
    pdf.text(LEFT + 3, 100, "Method")
    pdf.text(243, 100, "Route")
    pdf.set_font(style="")
    pieces(pdf, 104, (LEFT, 240.0))
    for line in range(4):
        pdf.text(LEFT + 3, 116 + LINE * line, PROSE)
    assert rows_of(pdf) == []


def test_columns_that_the_file_draws_one_after_the_other_are_no_rows(pdf: fpdf.FPDF) -> None:
    """Two texts side by side under a head each, not a table: their lines say nothing of each other."""
    pdf.set_font(style="B")
    for left, head in ((LEFT, "Before"), (200.0, "After")):
        pdf.text(left + 3, 100, head)
    pdf.set_font(style="")
    pieces(pdf, 104, (LEFT, 200.0))
    for left, said in ((LEFT, "Drink a glass"), (200.0, "Rest for a while")):
        for line in range(4):
            pdf.text(left + 3, 116 + 18 * line, f"{said} {line}.")
    assert rows_of(pdf) == []


def test_rows_at_the_top_of_a_page_end_with_the_rule_of_their_table(pdf: fpdf.FPDF) -> None:
    tops = words(pdf, 45, DOSES[1:], bold=0)
    pieces(pdf, tops[-1])
    pdf.text(LEFT, tops[-1] + 20, PROSE)
    assert rows_of(pdf) == whole(DOSES[1:])


@pytest.mark.parametrize("over", [0, 5])
def test_a_single_row_at_the_top_of_a_page_is_the_rest_of_a_table(
    pdf: fpdf.FPDF, over: int
) -> None:
    for line in range(over):
        pdf.text(LEFT, 40 + LINE * line, PROSE)
    top = 45 + LINE * over
    tops = words(pdf, top, DOSES[2:3], bold=0)
    for y in tops:
        pieces(pdf, y)
    down(pdf, tops[0], tops[-1], (*EDGES, RIGHT))
    assert rows_of(pdf) == ([] if over else whole(DOSES[2:3]))


@pytest.mark.parametrize("bold", [True, False])
def test_bold_labels_make_rows_without_heads(pdf: fpdf.FPDF, bold: bool) -> None:
    rows = (("Often", "headache, dizziness"), ("Rarely", "rash"), ("Not known", "hair loss"))
    y = 300.0
    for line in range(5):
        pdf.text(LEFT, 200 + LINE * line, PROSE)
    pieces(pdf, y, (LEFT, 200.0))
    for label, said in rows:
        pdf.set_font(style="B" if bold else "")
        pdf.text(LEFT + 3, y + 12, label)
        pdf.set_font(style="")
        pdf.text(203, y + 12, said)
        y += 18
        pieces(pdf, y, (LEFT, 200.0))
    # Another table of this width, so that these are no group of their own.
    edges = (LEFT, 150.0, 330.0)
    other = (("Who", "Dose", "Most"), ("Adults", "50 mg", "80 mg"), ("Children", "20 mg", "40 mg"))
    for each in words(pdf, y + 60, other, edges=edges):
        pieces(pdf, each, edges)
    told = rows_of(pdf)
    assert told == [*([list(row) for row in rows] if bold else []), *whole(other)]


def test_a_cell_that_reaches_over_others_is_one(pdf: fpdf.FPDF) -> None:
    rows = (*DOSES, ("Kidneys that fail", "It must not be taken in any dose by these people.", ""))
    tops = words(pdf, 100, rows)
    for y in tops:
        pieces(pdf, y)
    steps = (("Step", "Dose"), ("First", "5 mg"), ("Next", "10 mg"))
    for y in words(pdf, tops[-1] + 40, steps, edges=(LEFT, 260.0)):
        pieces(pdf, y, (LEFT, 260.0))
    said = "It must not be taken in any dose by these people."
    assert f"Kidneys that fail\t{said}\t{SAME_AS_LEFT}" in page_text_of(pdf)
    assert rows_of(pdf)[: len(DOSES)] == whole(DOSES)


def test_the_last_row_may_have_a_note_right_below(pdf: fpdf.FPDF) -> None:
    tops = words(pdf, 100, DOSES)
    for y in tops[:-1]:
        pieces(pdf, y)
    pdf.set_font(size=9)
    pdf.text(LEFT + 3, tops[-1] + 8, "* 0.1 mg a day is enough where antibodies are given, too.")
    assert rows_of(pdf) == whole(DOSES)


def test_a_cell_with_a_list_is_one_cell(pdf: fpdf.FPDF) -> None:
    """Items of two cells that stand side by side are no rows: the label is for all of them."""
    items = (
        "Exclude pregnancy\nComplete the form\nHand over the guide",
        "Review the need\nSign anew\nReview children",
    )
    rows = (
        ("Who", "Before", "During"),
        ("Specialist\nprescriber", *items),
        ("Others", "Refer", "Check"),
    )
    tops = words(pdf, 100, rows)
    for y in tops:
        pieces(pdf, y)
    down(pdf, tops[0], tops[-1], (*EDGES, RIGHT))
    told = rows_of(pdf)
    assert told == whole(rows)


def test_rows_that_stand_as_close_as_lines_are_rows(pdf: fpdf.FPDF) -> None:
    """With one rule above and below all of them: the number of one age is not said of the others."""
    rows = (
        ("Age", "Difference"),
        ("Below 18 years", "14 additional cases"),
        ("18 to 24 years", "5 additional cases"),
        ("25 to 64 years", "1 fewer case"),
        ("65 years and over", "6 fewer cases"),
    )
    edges = (LEFT, 200.0)
    tops = words(pdf, 100, rows, edges=edges, pad=0.5)
    for y in (tops[0], tops[1], tops[-1]):
        pieces(pdf, y, edges)
    assert rows_of(pdf) == whole(rows)


def test_cells_that_wrap_side_by_side_are_one_row_however_they_are_drawn(pdf: fpdf.FPDF) -> None:
    """Line by line: the second line of each cell found no room on the first."""
    edges = (LEFT, 200.0, 380.0)
    lines = (
        ("Severe renal", "10 mg every other", "Measure it"),
        ("impairment", "Wednesday", "afterwards"),
    )
    for y in (100.0, 118.0, 150.0):
        pieces(pdf, y, edges)
    pdf.set_font(style="B")
    for left, head in zip(edges, ("Kidneys", "Dose", "Control"), strict=True):
        pdf.text(left + 3, 112, head)
    pdf.set_font(style="", size=14)
    for number, line in enumerate(lines):
        for left, cell in zip(edges, line, strict=True):
            pdf.text(left + 3, 130 + 15 * number, cell)
    assert rows_of(pdf)[1:] == [[" ".join(cell) for cell in zip(*lines, strict=True)]]
