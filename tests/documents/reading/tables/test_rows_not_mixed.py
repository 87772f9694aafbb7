"""Rows that must not become one, or be torn, however a page is drawn."""

from __future__ import annotations

from collections.abc import Sequence

import fpdf
import pytest

from core.text.tables.lines import HEAD
from tests.documents.reading.tables.drawn_tables import (
    DOSES,
    EDGES,
    LEFT,
    LINE,
    PROSE,
    RIGHT,
    down,
    page_text_of,
    pieces,
    rows_of,
    whole,
    words,
)


def _line_by_line(pdf: fpdf.FPDF, top: float, row: Sequence[str]) -> None:
    """Write a row as some programs do: the first line of each cell, then the second ones."""
    cells = [cell.split("\n") for cell in row]
    for place in range(max(map(len, cells))):
        for left, lines in zip(EDGES, cells, strict=True):
            if place < len(lines):
                pdf.text(left + 3, top + 10 + LINE * place, lines[place])


@pytest.mark.parametrize(
    "row",
    [
        ("Severe renal\nimpairment of them", "10 mg every other day\nbut Wednesday", "Measure\nbefore\neach"),
        ("Adults\n(over 18 years)", "10 mg every other day\nbut Wednesday", "Measure"),
    ],
)  # fmt: skip
def test_a_row_with_rules_on_all_sides_is_one_however_it_is_drawn(
    pdf: fpdf.FPDF, row: tuple[str, ...]
) -> None:
    for y in (100.0, 118.0, 165.0, 183.0):
        pieces(pdf, y)
    down(pdf, 100, 183, (*EDGES, RIGHT))
    words(pdf, 100, DOSES[:1])
    _line_by_line(pdf, 118, row)
    words(pdf, 165, DOSES[1:2], bold=0)
    assert rows_of(pdf) == whole([DOSES[0], row, DOSES[1]])


def test_heads_keep_what_is_written_below_them_in_another_weight(pdf: fpdf.FPDF) -> None:
    """The units: else they would be those of the first row."""
    units = ("", "(mg a day)", "(mg a day,\nin two doses)")
    for y in (100.0, 144.0, 162.0, 180.0):
        pieces(pdf, y)
    down(pdf, 100, 180, (*EDGES, RIGHT))
    for left, head, unit in zip(EDGES, DOSES[0], units, strict=True):
        pdf.set_font(style="B")
        pdf.text(left + 3, 110, head)
        pdf.set_font(style="")
        for place, line in enumerate(unit.split("\n")):
            pdf.text(left + 3, 110 + LINE * (place + 1), line)
    for top, row in ((144, ("Adults", "50", "200")), (162, ("Children", "12.5", "50"))):
        words(pdf, top, [row], bold=0)
    assert rows_of(pdf) == [
        ["Who", "Starting dose (mg a day)", "Highest dose (mg a day, in two doses)"],
        ["Adults", "50", "200"],
        ["Children", "12.5", "50"],
    ]
    assert page_text_of(pdf).count(HEAD) == 1


def test_coloured_values_are_not_told_without_their_labels(pdf: fpdf.FPDF) -> None:
    pdf.set_fill_color(235, 228, 240)
    for top, end in ((118.0, 136.0), (136.0, 167.0), (167.0, 185.0)):
        for start, stop in ((200.0, 340.0), (340.0, RIGHT)):
            pdf.rect(start, top, stop - start, end - top, style="F")
    pdf.set_fill_color(0, 0, 0)
    words(pdf, 100, DOSES)
    assert rows_of(pdf) == whole(DOSES)


def test_a_paragraph_below_a_table_is_not_torn(pdf: fpdf.FPDF) -> None:
    """One of its words begins where the second column does."""
    edges = (LEFT, 200.0)
    rows = (("Age", "Dose"), ("Adults", "50 mg"), ("Children", "20 mg"), ("Others", "10 mg"))
    tops = words(pdf, 100, rows, edges=edges)
    pieces(pdf, tops[1], edges)
    begin = "The tablets are swallowed"
    pdf.text(LEFT + 3, tops[-1] + 12, begin)
    pdf.text(203, tops[-1] + 12, "whole with a glass of water, at")
    pdf.text(LEFT + 3, tops[-1] + 12 + LINE, PROSE)
    assert rows_of(pdf) == whole(rows)


def test_several_patients_between_two_rules_are_not_one(pdf: fpdf.FPDF) -> None:
    """At the top of a page, each column drawn whole, as paragraphs of one cell are."""
    for y in (45.0, 105.0):
        pieces(pdf, y, (LEFT, 200.0))
    down(pdf, 45, 105, (LEFT, 200.0, RIGHT))
    for place, line in enumerate(("Adults", "", "Children", "Infants")):
        pdf.text(LEFT + 3, 56 + LINE * place, line)
    for place, line in enumerate(
        ("50 mg in the morning and", "in the evening", "25 mg a day", "10 mg a day")
    ):
        pdf.text(203, 56 + LINE * place, line)
    assert rows_of(pdf) == []


def test_a_heading_with_a_number_names_no_columns(pdf: fpdf.FPDF) -> None:
    edges = (LEFT, 110.0)
    pdf.set_font(style="B")
    pdf.text(LEFT + 3, 92, "4.2")
    pdf.text(113, 92, "Posology and method")
    rows = (
        ("Step 1", "5 mg in the morning"),
        ("Step 2", "10 mg in the morning"),
        ("Step 3", "10 mg twice"),
    )
    tops = words(pdf, 100, rows, bold=0, edges=edges)
    for y in tops:
        pieces(pdf, y, edges)
    down(pdf, tops[0], tops[-1], (*edges, RIGHT))
    assert rows_of(pdf) == whole(rows)
    assert HEAD not in page_text_of(pdf)


@pytest.mark.parametrize(
    ("line", "is_label"),
    [
        ("Children who weigh less than that take these doses in place of them:", False),
        ("Doses for children", True),
        ("Children take these instead:", True),
    ],
)
def test_a_line_between_two_tables_begins_the_columns_anew(
    pdf: fpdf.FPDF, line: str, is_label: bool
) -> None:
    """Three times a day is no highest dose; a short line is the label of the rows below it."""
    tops = words(pdf, 100, DOSES)
    other = (
        ("Weight", "Each dose", "Doses a day"),
        ("20 kg", "5 mg", "3 times"),
        ("30 kg", "10 mg", "2 times"),
    )
    pdf.text(LEFT + 3, tops[-1] + 12, line)
    for y in (*tops, *words(pdf, tops[-1] + 18, other)):
        pieces(pdf, y)
    label = [[line, "", ""]] if is_label else []
    assert rows_of(pdf) == [*whole(DOSES), *label, *whole(other)]
    heads = [one.lstrip(HEAD) for one in page_text_of(pdf).split("\n") if one.startswith(HEAD)]
    assert heads == ["\t".join(DOSES[0]), "\t".join(other[0])]


def test_a_shaded_row_of_doses_names_no_columns(pdf: fpdf.FPDF) -> None:
    rows = DOSES[1:2] + DOSES[3:] + (("Others", "5 mg a day", "10 mg a day"),)
    pdf.set_fill_color(235, 228, 240)
    pdf.rect(LEFT, 45, RIGHT - LEFT, 18, style="F")
    pdf.set_fill_color(0, 0, 0)
    tops = words(pdf, 45, rows, bold=0)
    for y in tops:
        pieces(pdf, y)
    down(pdf, tops[0], tops[-1], (*EDGES, RIGHT))
    assert HEAD not in page_text_of(pdf)
    assert rows_of(pdf) == whole(rows)


@pytest.mark.parametrize(
    "title",
    [
        ("Example 10 mg", "Package leaflet", "Page 3 of 9"),
        ("Example 10 mg", "Package leaflet", "3"),
        ("Example 10 mg", "Summary", "Version 3"),
        ("Example 10 mg", "Summary", "- 3 -"),
    ],
)
def test_no_running_title_in_a_frame_is_a_row(pdf: fpdf.FPDF, title: tuple[str, ...]) -> None:
    tops = words(pdf, 45, [title], bold=0)
    for y in tops:
        pieces(pdf, y)
    down(pdf, tops[0], tops[-1], (*EDGES, RIGHT))
    pdf.text(LEFT, 100, PROSE)
    assert rows_of(pdf) == []


@pytest.mark.parametrize("number", ["4.2", "4", "IV.", "(4)", "B"])
def test_no_numbered_heading_above_rules_across_names_columns(pdf: fpdf.FPDF, number: str) -> None:
    edges = (LEFT, 110.0)
    pdf.set_font(style="B")
    pdf.text(LEFT + 3, 92, number)
    pdf.text(113, 92, "Posology and method")
    steps = (
        ("Step 1", "5 mg in the morning"),
        ("Step 2", "10 mg in the morning"),
        ("Step 3", "10 mg"),
    )
    for y in words(pdf, 100, steps, bold=0, edges=edges):
        pieces(pdf, y, edges)
    assert HEAD not in page_text_of(pdf)


def test_a_sentence_below_a_table_is_not_torn(pdf: fpdf.FPDF) -> None:
    edges = (LEFT, 200.0)
    rows = (("Age", "Dose"), ("Adults", "50 mg"), ("Children", "20 mg"), ("Others", "10 mg"))
    tops = words(pdf, 100, rows, edges=edges)
    pieces(pdf, tops[1], edges)
    begin = "The tablets are swallowed"
    pdf.text(203 - pdf.get_string_width(f"{begin} "), tops[-1] + 14, f"{begin} whole, with water.")
    assert rows_of(pdf) == whole(rows)


def test_labels_beside_fewer_values_are_not_one(pdf: fpdf.FPDF) -> None:
    """With rules at the heads and the end alone, and one value missing."""
    edges = (LEFT, 200.0)
    rows = (("Who", "Dose"), ("Adults", "50 mg"), ("Children", ""), ("Infants", "5 mg"))
    tops = words(pdf, 100, rows, edges=edges, pad=0.5)
    for y in (tops[0], tops[1], tops[-1]):
        pieces(pdf, y, edges)
    assert rows_of(pdf) == []
