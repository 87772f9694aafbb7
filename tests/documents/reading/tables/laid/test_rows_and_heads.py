"""Each row on one line, told with its heads, its labels and the caption."""

from __future__ import annotations

import fpdf
import pytest

from core.text.statements import statements
from core.text.tables.lines import HEAD, SAME_AS_ABOVE, SAME_AS_LEFT, is_row
from tests.documents.reading.tables.laid.laid_tables import (
    KIDNEYS,
    lay,
    pages,
    read,
    rows,
    say,
    told,
)


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
