"""Tables under heads alone, as papers set them: cells that wrap, empty cells, labels of groups."""

from __future__ import annotations

from collections.abc import Sequence

import fpdf
import pypdfium2 as pdfium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.reading.page_text import page_text
from core.text.statements import statements
from core.text.tables.lines import HEAD, INDENT, SAME_AS_ABOVE, is_row

LINE = 5.0
LEFTS = (20.0, 90.0, 130.0, 165.0)
HARMS = [
    ["", "Drug A\n(n=522)", "Drug B\n(n=519)"],
    ["Headache", "59 (11.3%)", "64 (12.3%)"],
    ["Alanine aminotransferase\nincreased", "97 (18.6%)", "48 (9.2%)"],
    ["Zoster", "8 (1.5%)", "5 (1.0%)"],
]


@pytest.fixture
def pdf() -> fpdf.FPDF:
    return new()


def new() -> fpdf.FPDF:
    document = fpdf.FPDF()
    document.set_font("Helvetica", size=10)
    document.add_page()
    return document


def draw(
    document: fpdf.FPDF,
    table: Sequence[Sequence[str]],
    *,
    lefts: Sequence[float] = LEFTS,
    top: float = 40.0,
    by_column: bool = False,
    heads: int = 1,
    bold: Sequence[str] = (),
) -> float:
    """Draw cells, row by row or column by column; where the table ends."""
    tops = [top]
    for row in table:
        tops.append(tops[-1] + max(cell.count("\n") + 1 for cell in row) * LINE + 3)
    cells = [
        (i, j, cell) for i, row in enumerate(table) for j, cell in enumerate(row) if cell.strip()
    ]
    if by_column:
        cells.sort(key=lambda one: (one[1], one[0]))
    for i, j, cell in cells:
        document.set_font("Helvetica", style="B" if i < heads or cell in bold else "", size=10)
        for n, line in enumerate(cell.split("\n")):
            document.text(lefts[j], tops[i] + n * LINE, line)
    document.set_font("Helvetica", size=10)
    return tops[-1]


def read(document: fpdf.FPDF) -> str:
    page = pdfium.PdfDocument(bytes(document.output()))[0]
    return page_text(page.get_textpage())[0]


def rows(text: str) -> list[list[str]]:
    return [line.lstrip(HEAD).split("\t") for line in text.split("\n") if is_row(line)]


def plain(table: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[" ".join(cell.split()) for cell in row] for row in table]


def test_a_cell_that_touches_the_next_is_parted_where_the_column_begins(pdf: fpdf.FPDF) -> None:
    table = [
        ["Endpoint", "Placebo", "Drug A", "Drug B"],
        ["Reduction, %", "-", "21.4 (12.6-29.3)", "24.9 (16.3-32.6)"],
        ["Odds ratio", "-", "2.39 (1.52-3.76)", "2.50 (1.60-3.93)"],
        ["Seizure freedom", "1 (0.5)", "9 (4.6)", "8 (4.1)"],
    ]
    end = draw(pdf, table, lefts=(20.0, 90.0, 110.0, 138.5))
    pdf.text(
        20, end + 6, "The reduction over placebo was larger with drug B than with drug A, as said."
    )
    assert rows(read(pdf)) == plain(table)


def test_wrapped_cells_and_a_first_column_without_a_head(pdf: fpdf.FPDF) -> None:
    end = draw(pdf, HARMS)
    pdf.text(
        20, end + 4, "No deaths occurred, and everybody was followed up for two years or more."
    )
    text = read(pdf)
    assert rows(text) == plain(HARMS)
    assert text.index(HEAD) < text.index("Headache")


def test_units_below_the_heads_of_all_columns_but_the_first_belong_to_them(pdf: fpdf.FPDF) -> None:
    harms = [
        ["Event", "Drug A", "Drug B", "Placebo"],
        ["", "number of patients\n(percent)", "number of patients\n(percent)", "number (percent)"],
        ["Any event", "161 (57.5)", "178 (63.1)", "150 (54.0)"],
        ["Of special interest", "", "", ""],
        ["Hyponatraemia", "23 (8.2)", "34 (12.1)", "12 (4.3)"],
        ["Death", "1 (0.4)", "2 (0.7)", "2 (0.7)"],
    ]
    draw(pdf, harms, bold=["Of special interest"])
    heads, *others = rows(read(pdf))
    assert heads == [
        "Event",
        "Drug A number of patients (percent)",
        "Drug B number of patients (percent)",
        "Placebo number (percent)",
    ]
    assert others == plain(harms[2:])


SET_IN = [
    ["Outcome", "Drug A", "Drug B"],
    ["Recurrence", "34 (5.4%)", "42 (6.6%)"],
    ["    in the leg", "15 (2.4%)", "20 (3.1%)"],
    ["Common events", "", ""],
    ["    Headache", "6 (7.7%)", "7 (9.1%)"],
    ["    Nausea", "3 (3.8%)", "4 (5.2%)"],
    ["Death", "1 (0.2%)", "2 (0.3%)"],
]


def draw_set_in(document: fpdf.FPDF, table: Sequence[Sequence[str]], top: float = 40.0) -> None:
    """Lines that follow each other closely, labels set in by their white space."""
    for i, row in enumerate(table):
        document.set_font("Helvetica", style="" if i else "B", size=10)
        for left, cell in zip(LEFTS, row, strict=False):
            by = 3.0 * cell.startswith(" ")
            if cell:
                document.text(left + by, top + i * LINE, cell.strip())


def test_rows_that_are_set_in_are_told_with_the_row_above_or_its_label(pdf: fpdf.FPDF) -> None:
    draw_set_in(pdf, SET_IN)
    text = read(pdf)
    assert [[cell.strip() for cell in row] for row in rows(text)] == [
        [cell.strip() for cell in row] for row in SET_IN
    ]
    assert [one.text for one in statements(text, lambda _line: False)[0]] == [
        "Outcome: Recurrence; Drug A: 34 (5.4%); Drug B: 42 (6.6%).",
        "Recurrence; Outcome: in the leg; Drug A: 15 (2.4%); Drug B: 20 (3.1%).",
        "Common events; Outcome: Headache; Drug A: 6 (7.7%); Drug B: 7 (9.1%).",
        "Common events; Outcome: Nausea; Drug A: 3 (3.8%); Drug B: 4 (5.2%).",
        "Outcome: Death; Drug A: 1 (0.2%); Drug B: 2 (0.3%).",
    ]


def test_labels_in_the_middle_of_their_column_are_not_set_in(pdf: fpdf.FPDF) -> None:
    for i, row in enumerate(
        [["Outcome", "Drug A"], ["Recurrence", "34"], ["Death", "15"], ["Fall", "6"]]
    ):
        pdf.set_font("Helvetica", style="" if i else "B", size=10)
        pdf.text(40 - pdf.get_string_width(row[0]) / 2, 40 + i * LINE, row[0])
        pdf.text(90, 40 + i * LINE, row[1])
    assert INDENT not in read(pdf)


def test_values_below_the_heads_without_a_label_are_no_units(pdf: fpdf.FPDF) -> None:
    """They may be of a row whose label is drawn elsewhere: nothing is told as theirs."""
    harms = [HARMS[0], ["", "59 (11.3%)", "64 (12.3%)"], *HARMS[2:]]
    draw(pdf, [["Event", *harms[0][1:]], *harms[1:]])
    assert not any("59 (11.3%)" in row[1] for row in rows(read(pdf)))


def test_empty_cells_stay_empty(pdf: fpdf.FPDF) -> None:
    effects = [
        ["System organ class", "Very common", "Common", "Rare"],
        ["Blood", "", "Anaemia,\nhaemorrhage", "Eosinophilia"],
        ["Nerves", "", "Headache", ""],
        ["Liver", "Enzymes\nincreased", "", "Cholestasis"],
    ]
    draw(pdf, effects)
    assert rows(read(pdf)) == plain(effects)


def test_a_row_without_a_first_cell_has_that_above(pdf: fpdf.FPDF) -> None:
    effects = [
        ["Organ class", "Frequency", "Reaction"],
        ["Heart", "Common", "Palpitations"],
        ["", "Very rare", "Infarction"],
        ["Skin", "Uncommon", "Alopecia"],
    ]
    draw(pdf, effects)
    expected = plain(effects)
    expected[2][0] = SAME_AS_ABOVE
    assert rows(read(pdf)) == expected


def test_labels_of_groups_are_rows_of_their_own(pdf: fpdf.FPDF) -> None:
    outcomes = [
        ["", "Drug A", "Drug B", "Ratio"],
        ["Primary endpoint of the whole trial", "", "", ""],  # wider than its column
        ["First relapse", "142/524", "196/522", "0.66"],
        ["Subgroups", "", "", ""],
        ["45 years or\nyounger", "114/431", "170/428", "0.60"],
        ["Older", "28/93", "26/94", "1.07"],
    ]
    draw(pdf, outcomes, bold=("Primary endpoint of the whole trial", "Subgroups"))
    assert rows(read(pdf)) == plain(outcomes)


def test_what_goes_on_in_the_next_column_has_its_heads_again(pdf: fpdf.FPDF) -> None:
    half = (15.0, 60.0, 80.0)
    other = (110.0, 155.0, 175.0)
    table = [["", "Drug A", "Drug B"], ["Fever", "1", "2"], ["Cough", "3", "4"], ["Rash", "5", "6"]]
    draw(pdf, table, lefts=half)
    draw(pdf, [table[0], ["Zoster", "7", "8"]], lefts=other)
    assert rows(read(pdf))[-2:] == [["", "Drug A", "Drug B"], ["Zoster", "7", "8"]]


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(HARMS, id="values"),
        pytest.param(
            [
                ["3. How to take it", "Children"],
                ["Take one tablet of 5 mg a\nday with water.", "Not below 18 years."],
                ["Do not take more than 10 mg\nin 24 hours.", "Ask a doctor of 2 or more."],
                ["Swallow it whole.", "Never 3 at once."],
            ],
            id="prose",
        ),
    ],
)
def test_columns_drawn_one_after_the_other_are_no_table(
    pdf: fpdf.FPDF, table: list[list[str]]
) -> None:
    """So a page of prose is drawn; what stands side by side on it belongs to different sentences."""
    draw(pdf, table, by_column=True)
    assert rows(read(pdf)) == []


def test_a_cell_that_no_head_is_over_makes_no_table(pdf: fpdf.FPDF) -> None:
    """It may say whose the row is, so that none of it is told."""
    odd = ["Rash", "7 (1.3%), in men alone and not at night", "9 (1.7%)"]
    draw(pdf, [*HARMS, ["Fever", "3 (0.6%)", "4 (0.8%)"], odd])
    assert rows(read(pdf)) == []


OFTEN = [
    ["How often", "Side effects"],
    [
        "Common (may affect up to\n1 in 10 people)",
        "headache, nausea, feeling dizzy when\nstanding up",
    ],
    ["Uncommon", "hair loss; low mood, sleeping badly,\nbad dreams"],
    ["Not known", "a rash that spreads"],
]


@pytest.mark.parametrize("by_column", [False, True])
def test_two_columns_of_words_are_a_table_where_each_row_has_both(
    pdf: fpdf.FPDF, by_column: bool
) -> None:
    """What is drawn column by column is prose side by side, and no row of it is told."""
    draw(pdf, OFTEN, lefts=(20.0, 80.0), by_column=by_column)
    assert rows(read(pdf)) == ([] if by_column else plain(OFTEN))


def test_two_columns_of_which_a_row_lacks_one_are_no_table(pdf: fpdf.FPDF) -> None:
    draw(pdf, [*OFTEN[:2], ["Uncommon", ""], *OFTEN[3:]], lefts=(20.0, 80.0))
    assert rows(read(pdf)) == []


def test_bold_words_over_a_form_are_no_table(pdf: fpdf.FPDF) -> None:
    draw(
        pdf,
        [["Name", "Address"], ["Jones", "Long Road"], ["Smith", "High Street"], ["Lee", "Mews"]],
    )
    assert rows(read(pdf)) == []


@given(
    values=st.lists(st.lists(st.integers(0, 9999), min_size=2, max_size=2), min_size=3, max_size=7),
    wrapped=st.lists(st.booleans(), min_size=7, max_size=7),
)
@settings(max_examples=100, deadline=None)
def test_no_value_comes_into_another_row(values: list[list[int]], wrapped: list[bool]) -> None:
    document = new()
    table = [["", "Drug A", "Drug B"]]
    for n, (row, two) in enumerate(zip(values, wrapped, strict=False)):
        table.append([f"Effect number\n{n} of all" if two else f"Effect {n}", *map(str, row)])
    draw(document, table)
    assert rows(read(document)) == plain(table)


def test_a_label_that_all_but_touches_its_value_is_a_cell_of_its_own(pdf: fpdf.FPDF) -> None:
    table = [
        ["Outcome", "Placebo", "Drug A"],
        ["Nausea", "33 (41.8)", "30 (37.5)"],
        ["Pain at rest at 24 hours, in mm", "27 (18)", "25 (17)"],
        ["Rash", "4 (5.1)", "5 (6.3)"],
    ]
    pdf.set_font("Helvetica", size=10)
    lefts = (20.0, 22.5 + pdf.get_string_width(table[2][0]), 110.0)
    end = draw(pdf, table, lefts=lefts)
    pdf.text(
        20, end + 6, "Pain was measured at rest and when walking, on a scale of 100 mm, by all."
    )
    rows = [line for line in read(pdf).split("\n") if is_row(line)]
    assert rows[2] == "Pain at rest at 24 hours, in mm\t27 (18)\t25 (17)"
    assert len(rows) == 4


def test_a_caption_right_above_the_heads_is_none_of_them(pdf: fpdf.FPDF) -> None:
    pdf.set_font("Helvetica", style="B", size=10)
    pdf.text(20, 35.5, "Table 2 Efficacy")
    draw(pdf, [["Outcome", *HARMS[0][1:]], *HARMS[1:]])
    assert read(pdf).split("\n")[:2] == [
        "Table 2 Efficacy",
        f"{HEAD}Outcome\tDrug A (n=522)\tDrug B (n=519)",
    ]


def test_a_hyphen_at_a_line_s_end_stays_in_its_cell(pdf: fpdf.FPDF) -> None:
    table = [HARMS[0], ["Rate per patient-\nyear", "1.41", "1.93"], *HARMS[1:]]
    draw(pdf, table)
    assert "Rate per patient-year\t1.41\t1.93" in read(pdf).split("\n")
