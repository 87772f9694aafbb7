"""Tables that rules across the page tell: several of one width, and rules of dots, as a browser prints them."""

from __future__ import annotations

from collections.abc import Sequence

import fpdf
import pytest

from core.text.tables.lines import HEAD
from tests.documents.reading.tables.drawn_tables import page_text_of, rows_of

_LEFT, _WIDTH = 60.0, 440.0
_LINE = 14.0


def table(
    pdf: fpdf.FPDF, top: float, edges: Sequence[float], rows: Sequence[Sequence[str]], dotted: bool
) -> float:
    """Draw one whose cells go on over lines, with a rule below each row; where it ends."""
    ends = [*edges[1:], _LEFT + _WIDTH]

    def rule(y: float, dots: bool) -> None:
        for start, end in zip(edges, ends, strict=True):
            if dots:
                for place in range(int((end - start) / 1.5)):
                    pdf.rect(start + 1.5 * place, y, 0.75, 0.75, style="F")
            else:
                pdf.rect(start, y, end - start, 0.75, style="F")

    rule(top, dots=False)
    y = top
    for number, row in enumerate(rows):
        pdf.set_font(style="B" if number == 0 else "")
        for left, cell in zip(edges, row, strict=True):
            for place, line in enumerate(cell.split("\n")):
                pdf.text(left + 3, y + 12 + _LINE * place, line)
        y += 6 + _LINE * max(cell.count("\n") + 1 for cell in row)
        rule(y, dots=dotted and number > 0)
    pdf.set_font(style="")
    return y


FIRST = (
    ("Weeks", "With valproate", "Without"),
    ("Weeks 1 and 2", "25 mg every\nother day", "25 mg a day"),
    ("Weeks 3 and 4", "25 mg a day", "50 mg a day,\nin two doses"),
)
SECOND = (
    ("Step", "Dose", "What else"),
    ("Step 1", "Reach 200 mg", "Keep the\nother medicine"),
    ("Step 2", "Keep 200 mg", "Lower it"),
    ("Step 3", "Raise it to\n300 mg", "Stop it"),
)


@pytest.mark.parametrize("dotted", [False, True])
@pytest.mark.parametrize("second", [(_LEFT, 160.0, 360.0), (_LEFT, 200.0, 340.0)])
def test_tables_of_one_width_below_each_other_keep_their_rows(
    pdf: fpdf.FPDF, dotted: bool, second: tuple[float, ...]
) -> None:
    end = table(pdf, 100, (_LEFT, 200.0, 340.0), FIRST, dotted)
    between = (
        "Doses below 25 mg are given with the smaller tablets, whole and with a glass of water."
    )
    pdf.text(_LEFT, end + 16, between)
    pdf.text(
        _LEFT, end + 16 + _LINE, "Table 2. The change from the other medicine to this one alone"
    )
    table(pdf, end + 22 + _LINE, second, SECOND, dotted)
    whole = [[cell.replace("\n", " ") for cell in row] for row in (*FIRST, *SECOND)]
    assert rows_of(pdf) == whole


def test_few_dots_are_no_rule(pdf: fpdf.FPDF) -> None:
    for place in range(8):
        pdf.rect(_LEFT + 1.5 * place, 120, 0.75, 0.75, style="F")
    pdf.text(_LEFT, 115, "Take it once a day.")
    assert rows_of(pdf) == []


def _headed_alone(
    pdf: fpdf.FPDF, edges: Sequence[float], rows: Sequence[Sequence[str]], apart: float
) -> None:
    """Draw a table with rules above and below its heads and at its end, its rows so far apart, and as far what
    a tab begins from the line before."""
    ends = [*edges[1:], _LEFT + _WIDTH]

    def rule(y: float) -> None:
        for start, end in zip(edges, ends, strict=True):
            pdf.rect(start, y, end - start, 0.75, style="F")

    rule(100)
    y = 100.0
    for number, row in enumerate(rows):
        pdf.set_font(style="B" if number == 0 else "")
        for left, cell in zip(edges, row, strict=True):
            for place, line in enumerate(cell.split("\n")):
                pdf.text(left + 3, y + 12 + _LINE * place + apart * line.count("\t"), line.strip())
        y += apart + max(_LINE * (cell.count("\n") + 1) + apart * cell.count("\t") for cell in row)
        if number == 0:
            rule(y)
    rule(y)
    pdf.set_font(style="")


HOW_OFTEN = (
    ("How often", "Side effects"),
    ("Common\n(up to 1 in 10)", "headache, nausea,\nacne, low mood"),
    ("Uncommon\n(up to 1 in 100)", "hair loss, tiredness"),
    ("Rare", "skin conditions such as rash,\nhives, painful lumps"),
)


def test_rows_that_more_space_parts_are_not_one_however_they_wrap(pdf: fpdf.FPDF) -> None:
    """Else all side effects are common, uncommon and rare."""
    _headed_alone(pdf, (_LEFT, 200.0), HOW_OFTEN, apart=5)
    assert rows_of(pdf) == [[cell.replace("\n", " ") for cell in row] for row in HOW_OFTEN]


def test_a_box_with_a_head_over_each_of_its_halves_is_a_table(pdf: fpdf.FPDF) -> None:
    late = (
        ("Less than 12 hours late", "More than 12 hours late"),
        (
            "Take it as soon as you remember.\nYou are still protected.",
            "Take it.\nUse condoms for\n7 days.",
        ),
    )
    pdf.set_font(style="B")
    for y in (100.0, 180.0):
        pdf.line(_LEFT, y, _LEFT + _WIDTH, y)
    for x in (_LEFT, 280.0, _LEFT + _WIDTH):
        pdf.line(x, 100, x, 180)
    for number, row in enumerate(late):
        pdf.set_font(style="" if number else "B")
        for left, cell in zip((_LEFT, 280.0), row, strict=True):
            for place, line in enumerate(cell.split("\n")):
                pdf.text(left + 3, 112 + 22 * number + _LINE * place, line)
    assert rows_of(pdf) == [[cell.replace("\n", " ") for cell in row] for row in late]


def test_a_second_paragraph_of_one_cell_is_no_row(pdf: fpdf.FPDF) -> None:
    rows = (
        ("Event", "What to do"),
        ("Rash", "Stop treatment for\ngood.\n\tWait for 2 weeks."),
        ("Fever", "Go on."),
    )
    _headed_alone(pdf, (_LEFT, 200.0), rows, apart=5)
    assert rows_of(pdf)[1:] == [
        ["Rash", "Stop treatment for good. Wait for 2 weeks."],
        ["Fever", "Go on."],
    ]


@pytest.mark.parametrize("label", ["Eye disorders", "Skin and subcutaneous\ntissue disorders"])
def test_each_frequency_keeps_its_reactions_below_one_label(pdf: fpdf.FPDF, label: str) -> None:
    rows = (
        ("Organ class", "Frequency", "Reaction"),
        (label, "Common\nUncommon", "Cataract, rash\nNeuritis"),
        ("Nervous system", "Common", "Headache and more than a\nfew words of it"),
    )
    _headed_alone(pdf, (_LEFT, 200.0, 300.0), rows, apart=5)
    assert rows_of(pdf)[1:] == [
        [label.replace("\n", " "), "Common", "Cataract, rash"],
        ["", "Uncommon", "Neuritis"],
        ["Nervous system", "Common", "Headache and more than a few words of it"],
    ]


def test_a_line_that_goes_on_beside_a_frequency_is_no_row(pdf: fpdf.FPDF) -> None:
    """Nobody can tell whose the second line is: then the frequencies stand together."""
    rows = (
        ("Organ class", "Frequency", "Reaction"),
        (
            "Eyes",
            "Common\nUncommon",
            "Cataract, and what nobody would have thought of in\nthis place",
        ),
        ("Nerves", "Common", "Headache"),
    )
    _headed_alone(pdf, (_LEFT, 200.0, 300.0), rows, apart=5)
    assert not [row for row in rows_of(pdf) if row[1:2] == ["Uncommon"]]


WHO = (
    ("Who", "Starting dose\n(once daily)", "Step of change"),
    ("Adults over 18 years", "50 to 100 micrograms", "25 to 50 mcg every\n3 to 4 weeks"),
    ("Adults over 50 years with\nheart disease", "25 micrograms, or 50\nevery second day", "25 micrograms"),
    ("Children from 2 to 11 years", "25 micrograms", "12.5 micrograms\nevery 2 weeks"),
)  # fmt: skip


def _dotted_below(
    pdf: fpdf.FPDF, top: float, edges: Sequence[float], rows: Sequence[Sequence[str]]
) -> float:
    """Draw a table with a dotted rule below each row and nothing else; where it ends."""
    y = top
    for number, row in enumerate(rows):
        pdf.set_font(style="B" if number == 0 and row is WHO[0] else "")
        for left, cell in zip(edges, row, strict=True):
            for place, line in enumerate(cell.split("\n")):
                pdf.text(left + 3, y + 12 + _LINE * place, line)
        y += 6 + _LINE * max(cell.count("\n") + 1 for cell in row)
        for place in range(int(_WIDTH / 1.5)):
            pdf.rect(_LEFT + 1.5 * place, y, 0.75, 0.75, style="F")
    pdf.set_font(style="")
    return y


def test_columns_of_dotted_rows_are_told_by_where_their_lines_begin(pdf: fpdf.FPDF) -> None:
    pdf.text(_LEFT, 90, "What is taken depends on age, and on what the blood tests show later on.")
    end = _dotted_below(pdf, 110, (_LEFT, 200.0, 340.0), WHO)
    pdf.text(
        _LEFT, end + 12, "The volume of 50 micrograms is 10 ml of the weaker solution of the two."
    )
    assert rows_of(pdf) == [[cell.replace("\n", " ") for cell in row] for row in WHO]


def test_words_that_stand_below_each_other_begin_no_columns(pdf: fpdf.FPDF) -> None:
    """Amounts of as many digits: "mg" begins in one place in each row."""
    rows = [("Dose", "Share"), *((f"{n} mg per day", f"{n} mg of it") for n in (20, 40, 60, 80))]
    pdf.set_font(style="B")
    pdf.text(_LEFT + 3, 112, "Dose")
    pdf.text(263, 112, "Share")
    _dotted_below(pdf, 120, (_LEFT, 260.0), rows[1:])
    assert {len(row) for row in rows_of(pdf)} == {2}


def test_paragraphs_between_dotted_rules_are_no_table(pdf: fpdf.FPDF) -> None:
    said = ("He takes one tablet with water in the morning and another one at night,",
            "which is more than most of those who are as old as he is can bear.")  # fmt: skip
    _dotted_below(pdf, 100, (_LEFT,), [("\n".join(said),), ("\n".join(said[::-1]),), (said[0],)])
    assert rows_of(pdf) == []


@pytest.mark.parametrize("over", [0, 5])
def test_rows_at_the_top_of_a_page_need_no_heads(pdf: fpdf.FPDF, over: int) -> None:
    """They are on the page before; below some lines of text a column of values tells that it is no form."""
    for line in range(over):
        pdf.text(
            _LEFT,
            40 + _LINE * line,
            "The tablets are taken whole, with a glass of water or milk, at any time.",
        )
    rows = [*WHO[1:], ("Newborn babies", "10 micrograms", "5 micrograms every\n2 weeks")]
    _dotted_below(pdf, 130, (_LEFT, 200.0, 340.0), rows)
    told = [[cell.replace("\n", " ") for cell in row] for row in rows]
    assert rows_of(pdf) == told
    assert page_text_of(pdf).count(HEAD) == 0
