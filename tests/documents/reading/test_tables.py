"""Tables of pages: each row on one line, nothing lost, and what is no table left as it was."""

from __future__ import annotations

from collections import Counter
from typing import Any

import fpdf
import pypdfium2 as pdfium
import pytest
from fpdf.enums import TableCellFillMode
from fpdf.fonts import FontFace
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.reading.page_text import page_text
from core.text.statements import Statement, statements
from core.text.tables.lines import (
    HEAD,
    SAME_AS_ABOVE,
    SAME_AS_LEFT,
    UNREAD,
    is_row,
    without_unclear,
)
from tests.support.needs import REAL_DATA, REAL_FILES

KIDNEYS = [
    ("Renal impairment", "Creatinine clearance (mL/min)", "Daily dose"),
    ("Mild", "60 to 89", "20 mg"),
    ("Moderate", "30 to 59", "15 mg"),
    ("Severe", "below 30", "10 mg"),
]
needs_samples = pytest.mark.needs(REAL_FILES)


@pytest.fixture
def pdf() -> fpdf.FPDF:
    document = fpdf.FPDF()
    document.set_font("Helvetica", size=11)
    document.add_page()
    return document


def say(document: fpdf.FPDF, words: str) -> None:
    document.multi_cell(0, 6, words, new_x="LMARGIN", new_y="NEXT")


def lay(document: fpdf.FPDF, body: Any, **options: Any) -> None:
    with document.table(body, **options):
        pass


def pages(document: fpdf.FPDF) -> list[tuple[str, list[int], Any]]:
    opened = pdfium.PdfDocument(bytes(document.output()))
    textpages = [page.get_textpage() for page in opened]
    return [(*page_text(one), one) for one in textpages]


def read(document: fpdf.FPDF) -> str:
    return pages(document)[0][0]


def rows(text: str) -> list[list[str]]:
    return [line.lstrip(HEAD).split("\t") for line in text.split("\n") if is_row(line)]


def told(text: str) -> list[Statement]:
    return statements(text, lambda _line: False)[0]


def test_a_row_is_told_with_its_heads_and_the_caption(pdf: fpdf.FPDF) -> None:
    say(pdf, "Take the tablets with water.\nTable 2: Dose in renal impairment")
    lay(pdf, KIDNEYS)
    pdf.ln()
    say(pdf, "Swallow the tablets whole.")
    text = read(pdf)
    assert rows(text) == [list(row) for row in KIDNEYS]
    severe = next(one for one in told(text) if "Severe" in one.text)
    assert severe.text == (
        "Table 2: Dose in renal impairment – Renal impairment: Severe; "
        "Creatinine clearance (mL/min): below 30; Daily dose: 10 mg."
    )
    assert text[severe.start : severe.end].split("\t") == list(KIDNEYS[3])
    ((start, end),) = severe.with_it
    assert (
        " ".join(text[start:end].split())
        == f"Table 2: Dose in renal impairment {' '.join(KIDNEYS[0])}"
    )
    assert [one.text for one in told(text) if one.paragraph >= 0] == [
        "Take the tablets with water.",
        "Swallow the tablets whole.",
    ]


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


@pytest.mark.parametrize("layout", ["ALL", "INTERNAL", "NO_HORIZONTAL_LINES", "SINGLE_TOP_LINE"])
def test_rows_are_never_mixed(pdf: fpdf.FPDF, layout: str) -> None:
    """However it is ruled: no line and no statement has the words of one row beside another's dose."""
    say(pdf, "Table 2: Dose in renal impairment")
    lay(pdf, KIDNEYS, borders_layout=layout)
    text = read(pdf)
    for found in [line for line in text.split("\n") if is_row(line)] + [
        one.text for one in told(text)
    ]:
        degrees = [row for row in KIDNEYS[1:] if row[0] in found]
        doses = [row for row in KIDNEYS[1:] if row[2] in found]
        assert degrees == doses and len(doses) <= 1


def test_wrapped_cells_are_one_row(pdf: fpdf.FPDF) -> None:
    long = (
        "Patients with severe renal impairment who are not on dialysis",
        "Take one tablet of 10 mg in the morning, and none in the evening, on each day of treatment",
    )
    lay(pdf, [("Patients", "Dose"), ("Adults", "20 mg"), long], width=90)
    assert rows(read(pdf)) == [["Patients", "Dose"], ["Adults", "20 mg"], list(long)]


def test_a_word_parted_at_a_line_end_in_a_cell_is_whole(pdf: fpdf.FPDF) -> None:
    lay(pdf, [("Illness", "Dose"), ("High blood hyper-\ntension", "5 mg"), ("Other", "1 mg")])
    assert ["High blood hypertension", "5 mg"] in rows(read(pdf))


def test_joined_cells(pdf: fpdf.FPDF) -> None:
    """A group of rows is labelled once, and a cell over two columns stands in both."""
    with pdf.table(num_heading_rows=1) as table:
        for head in ("Age", "Weight", "First day", "Later"):
            table.row() if head == "Age" else None
            table.rows[-1].cell(head)
        first = table.row()
        first.cell("Children", rowspan=2)
        for words in ("20 kg", "5 mg", "10 mg"):
            first.cell(words)
        second = table.row()
        second.cell("30 kg")
        second.cell("not recommended", colspan=2)
    text = read(pdf)
    assert rows(text)[1:] == [
        ["Children", "20 kg", "5 mg", "10 mg"],
        [SAME_AS_ABOVE, "30 kg", "not recommended", SAME_AS_LEFT],
    ]
    last = told(text)[-1]
    assert last.text == "Age: Children; Weight: 30 kg; First day / Later: not recommended."
    assert [text[start:end] for start, end in last.with_it][1:] == ["Children"]


def test_a_label_over_rows_is_said_of_each_until_the_next(pdf: fpdf.FPDF) -> None:
    body = [
        ("Weight", "Dose"),
        ("20 kg", "5 mg"),
        ("30 kg", "6 mg"),
        ("20 kg", "7 mg"),
        ("30 kg", "8 mg"),
    ]
    with pdf.table() as table:
        for number, (weight, dose) in enumerate(body):
            if number in (1, 3):
                table.row().cell("Children" if number == 1 else "Adults", colspan=2)
            row = table.row()
            row.cell(weight)
            row.cell(dose)
    assert [one.text for one in told(read(pdf))] == [
        "Children; Weight: 20 kg; Dose: 5 mg.",
        "Children; Weight: 30 kg; Dose: 6 mg.",
        "Adults; Weight: 20 kg; Dose: 7 mg.",
        "Adults; Weight: 30 kg; Dose: 8 mg.",
    ]


def test_the_heads_are_repeated_on_the_next_page(pdf: fpdf.FPDF) -> None:
    say(pdf, "Table 7: Dose by weight")
    lay(pdf, [("Weight", "Dose"), *((f"{n} kg", f"{n * 3} mg") for n in range(1, 61))])
    first, second = (text for text, _, _ in pages(pdf)[:2])
    assert [row[0] for row in rows(first) + rows(second)].count("Weight") == 2
    assert told(second)[-1].text == "Weight: 60 kg; Dose: 180 mg."


def test_a_first_row_that_nothing_sets_off_names_no_columns(pdf: fpdf.FPDF) -> None:
    """ "Adults: children" would be told with one wrong head."""
    body = [
        ("Adults", "not recommended"),
        ("12 to 17 years", "250 mg"),
        ("6 to 11 years", "125 mg"),
    ]
    lay(pdf, body, first_row_as_headings=False)
    assert [one.text for one in told(read(pdf))] == [
        "Adults: not recommended.",
        "12 to 17 years; 250 mg.",
        "6 to 11 years; 125 mg.",
    ]


def test_tables_below_each_other_keep_their_heads(pdf: fpdf.FPDF) -> None:
    lay(pdf, KIDNEYS)
    say(pdf, "Table 3: Dose by weight of the body")
    lay(pdf, [("Weight", "Form", "Dose"), ("20 kg", "drops", "5 mg"), ("30 kg", "drops", "6 mg")])
    last = told(read(pdf))[-1]
    assert (
        last.text == "Table 3: Dose by weight of the body – Weight: 30 kg; Form: drops; Dose: 6 mg."
    )


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


def _ruled_columns(document: fpdf.FPDF) -> None:
    """Two columns of text under a running head and over a foot with rules of the page's width."""
    for y in (20, 24, 280):
        document.line(20, y, 190, y)
    for side, x in enumerate((20, 110)):
        for line in range(12):
            document.text(x, 40 + 6 * line, f"column {side} says in line {line} what it says")


def _contents(document: fpdf.FPDF) -> None:
    for line in range(10):
        document.text(20, 40 + 6 * line, f"{line + 1}. Section {'. ' * 30}")
        document.text(180, 40 + 6 * line, str(line + 3))
        document.line(20, 41 + 6 * line, 190, 41 + 6 * line)


def _form(document: fpdf.FPDF) -> None:
    for line, name in enumerate(("Name", "Street", "Town", "Date")):
        document.text(20, 40 + 10 * line, name)
        document.line(60, 41 + 10 * line, 150, 41 + 10 * line)


def _box(document: fpdf.FPDF) -> None:
    document.rect(18, 30, 170, 60)
    document.line(18, 40, 188, 40)
    document.text(20, 37, "WARNING")
    document.text(20, 50, "Do not give this medicine to children.")
    document.text(20, 60, "Ask a doctor before use.")


def _chart(document: fpdf.FPDF) -> None:
    for step in range(8):
        document.line(20, 40 + 10 * step, 120, 40 + 10 * step)
        document.line(20 + 14 * step, 40, 20 + 14 * step, 110)
        document.text(10, 41 + 10 * step, str(80 - step * 10))
        document.text(20 + 14 * step, 116, str(step))


@pytest.mark.parametrize("draw", [_ruled_columns, _contents, _form, _box, _chart])
def test_what_is_no_table(pdf: fpdf.FPDF, draw: Any) -> None:
    draw(pdf)
    assert not rows(read(pdf))


def test_each_character_of_a_row_stands_where_it_was_drawn(pdf: fpdf.FPDF) -> None:
    say(pdf, "Table 2: Dose in renal impairment")
    lay(pdf, KIDNEYS)
    text, origins, textpage = pages(pdf)[0]
    assert len(text) == len(origins)
    for row in told(text):
        seen = [place for place in range(row.start, row.end) if not text[place].isspace()]
        assert all(chr(_code(textpage, origins[place])) == text[place] for place in seen)
        middles = {round(sum(textpage.get_charbox(origins[p], loose=True)[1::2])) for p in seen}
        assert len(middles) == 1, "a row that does not wrap stands on one line of the page"


def _code(textpage: Any, place: int) -> int:
    import pypdfium2.raw as pdfium_c

    return int(pdfium_c.FPDFText_GetUnicode(textpage.raw, place))


WORDS = st.text("abcdefg 0123456789%<", min_size=1, max_size=24).map(str.strip).filter(bool)


@settings(max_examples=100, deadline=None)
@given(
    st.integers(2, 4).flatmap(
        lambda n: st.lists(st.lists(WORDS, min_size=n, max_size=n), min_size=2, max_size=6)
    )
)
def test_nothing_of_a_table_is_lost_or_added(body: list[list[str]]) -> None:
    """The page's characters are those that were drawn, and a statement has the words of its places."""
    document = fpdf.FPDF()
    document.set_font("Helvetica", size=9)
    document.add_page()
    say(document, "Before the table.")
    lay(
        document,
        body,
        cell_fill_mode=TableCellFillMode.NONE,
        headings_style=FontFace(emphasis="BOLD"),
    )
    document.ln()
    say(document, "After the table.")
    text, origins, _ = pages(document)[0]
    drawn = "".join(
        ["Before the table.", *(cell for row in body for cell in row), "After the table."]
    )
    assert Counter("".join(text.split())) == Counter("".join(drawn.split()))
    assert len(text) == len(origins)
    assert text.startswith("Before the table.") and text.endswith("After the table.")
    for one in (one for one in told(text) if one.paragraph < 0):
        places = [(one.start, one.end), *one.with_it]
        assert all(text[a:b] == text[a:b].strip() and b > a for a, b in places)
        words = {word for a, b in places for word in text[a:b].split()}
        assert set(one.text.replace(";", " ").replace("|", " ").rstrip(".").split()) <= {
            *words,
            *(f"{word}:" for word in words),
            "–",
            "/",
        }


@needs_samples
def test_the_dosing_table_of_a_real_label() -> None:
    """Horizontal rules alone, cells in up to three lines, the group in its first row only."""
    opened = pdfium.PdfDocument(REAL_DATA / "pdfs" / "drug" / "mahi_Amoxicillin.pdf")
    found = told(page_text(opened[11].get_textpage())[0])
    severe = [one.text for one in found if "Genitourinary" in one.text and "Severe" in one.text]
    assert len(severe) == 1 and "875 mg" in severe[0] and "45 mg/kg/day" in severe[0]
    mild = [one.text for one in found if "Ear/Nose/Throat" in one.text and "Mild" in one.text]
    assert len(mild) == 1 and "500 mg" in mild[0] and "875 mg" not in mild[0]


@needs_samples
def test_the_directions_of_a_real_label() -> None:
    opened = pdfium.PdfDocument(REAL_DATA / "pdfs" / "drug" / "mahi_Acetaminophen.pdf")
    found = rows(page_text(opened[1].get_textpage())[0])
    assert ["children under 12 years", "ask a doctor"] in found


@needs_samples
def test_the_typed_directions_of_a_real_label() -> None:
    opened = pdfium.PdfDocument(REAL_DATA / "pdfs" / "drug" / "mahi_Ibuprofen.pdf")
    text = page_text(opened[10].get_textpage())[0]
    assert [row[0] for row in rows(text)] == [
        "Adults and Children 12 years of age or older",
        "Children 6-11 years of age",
        "Children under 6 years of age",
    ]
    assert rows(text)[1][1] == (
        "Take 1 tablet every 4 to 6 hours as needed. Do not take more than 5 tablets in 24 hours."
    )


def test_heads_keep_their_columns_where_the_first_has_none(pdf: fpdf.FPDF) -> None:
    """Below a heading, too: without its empty first cell each head would stand over no column."""
    pdf.set_font(style="B")
    say(pdf, "5.1 Products")
    pdf.set_font(style="")
    body = [
        ("", "Ferinject", "Monofer"),
        ("Single infusion", "1000 mg", "20 mg/kg"),
        ("Per week", "1001 mg", "21 mg/kg"),
    ]
    lay(pdf, body)
    ((text, _, _),) = pages(pdf)
    assert f"{HEAD}\tFerinject\tMonofer\n" in text
    rows = [one.text for one in statements(text, lambda line: line == "5.1 Products")[0] if one.row]
    assert "Single infusion; Ferinject: 1000 mg; Monofer: 20 mg/kg." in rows
