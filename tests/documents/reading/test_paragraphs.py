"""Where paragraphs and items end on a page, and that this is told by white space alone."""

from __future__ import annotations

from pathlib import Path

import fpdf
import pypdfium2 as pdfium
import pytest

from core.documents.reading.extract import extract
from core.documents.reading.page_text import page_text
from core.documents.reading.typesetting.paragraphs import LineEnd, SetLine, line_ends
from core.text.layout.line_marks import NOTES, WRAPPED
from core.text.statements import Statement, statements

_PITCH = 13


@pytest.fixture
def pdf() -> fpdf.FPDF:
    document = fpdf.FPDF(unit="pt")
    document.set_font("Helvetica", size=10)
    document.add_page()
    return document


def write(document: fpdf.FPDF, *lines: tuple[float, float, str]) -> None:
    """Lines by their left edge and their place, in lines from the top."""
    for x, place, words in lines:
        document.text(x, 60 + _PITCH * place, words)


def read(document: fpdf.FPDF) -> str:
    return page_text(pdfium.PdfDocument(bytes(document.output()))[0].get_textpage())[0]


def told(document: fpdf.FPDF) -> list[Statement]:
    return statements(read(document), lambda _line: False)[0]


LEAD = "Medicines that must never be taken together with this one, nor on the same day, are:"
LONG = "such as ciclosporin, clarithromycin or voriconazole, and the other ones named in section 2"


def test_a_paragraph_behind_a_list_is_not_its_last_item(pdf: fpdf.FPDF) -> None:
    """The item has no full stop, and its line is as long as a paragraph's: only its indent ends it."""
    write(
        pdf, (40, 0, LEAD), (44, 1, "-"), (56, 1, f"antibiotics {LONG}"), (56, 2, "of this leaflet")
    )
    write(pdf, (44, 3, "-"), (56, 3, f"medicines {LONG}"))
    write(
        pdf, (40, 4, "Moderate inhibitors ask for a lower dose, which your doctor will tell you.")
    )
    listed, after = told(pdf)
    assert [item.text for item in listed.items] == [
        f"{LEAD} antibiotics {LONG} of this leaflet.",
        f"{LEAD} medicines {LONG}.",
    ]
    assert after.text.startswith("Moderate inhibitors") and after.list_number == 0


def test_an_item_of_two_paragraphs_does_not_end_its_list(pdf: fpdf.FPDF) -> None:
    write(pdf, (40, 0, LEAD), (44, 1, "-"), (56, 1, "Antibiotics that are given for infections."))
    write(
        pdf,
        (56, 2.6, "Your doctor will choose another one."),
        (44, 4.2, "-"),
        (56, 4.2, "Lithium."),
    )
    write(
        pdf, (40, 6, "Ask your doctor before you take them."), (40, 7, "Do so each time, please.")
    )
    write(pdf, (40, 8, "A last line of the text."), (40, 9, "And one more line of it."))
    listed = told(pdf)[0]
    assert [item.text.removeprefix(LEAD).strip() for item in listed.items] == [
        "Antibiotics that are given for infections. Your doctor will choose another one.",
        "Lithium.",
    ]


def test_items_of_an_item_stay_with_it(pdf: fpdf.FPDF) -> None:
    write(pdf, (40, 0, "Tell your doctor if you have:"), (44, 1, "-"), (56, 1, "pain, such as"))
    write(pdf, (60, 2, "-"), (72, 2, "headache"), (60, 3, "-"), (72, 3, "toothache"))
    write(pdf, (44, 4, "-"), (56, 4, "fever"))
    (listed,) = told(pdf)
    assert [item.text for item in listed.items] == [
        "Tell your doctor if you have: pain, such as - headache - toothache.",
        "Tell your doctor if you have: fever.",
    ]


def test_a_paragraph_goes_on_where_a_sentence_ends_with_the_line(pdf: fpdf.FPDF) -> None:
    first = "Take one tablet in the morning with a glass of water, and do not chew it before you swallow it."
    write(
        pdf,
        (40, 0, first),
        (40, 1, "Do not take more than two of them on one day, whatever you feel."),
    )
    write(pdf, (40, 2.5, "Children must not take this medicine."))
    one, two, three = told(pdf)
    assert one.paragraph == two.paragraph != three.paragraph
    assert f"{first}{WRAPPED}\nDo not" in read(pdf)


def test_a_name_that_begins_a_line_ends_no_sentence(pdf: fpdf.FPDF) -> None:
    write(
        pdf, (40, 0, "The highest amounts of each of these ingredients are listed in the Agency's")
    )
    write(
        pdf, (40, 1, "Inactive Ingredient Database for each of the ways in which it may be given.")
    )
    (only,) = told(pdf)
    assert only.text.startswith("The highest") and only.text.endswith("given.")


def test_a_line_that_leaves_something_open_goes_on_below(pdf: fpdf.FPDF) -> None:
    """A number, or a German noun, behind "to" or "von" begins no sentence, though it would have fitted."""
    write(pdf, (40, 0, "The dose may need to be changed in illness. With an eGFR of 15 to"))
    write(
        pdf, (40, 1, "29 mL/min, reduce the starting dose by 25%. Check the glucose of those who")
    )
    write(
        pdf,
        (40, 2, "are treated with it each day. It is kept for no longer than it says on the box."),
    )
    write(pdf, (40, 5, "Bei einer Behandlung mit"), (40, 6, "Kapseln ist die Dosis von"))
    write(pdf, (40, 7, "Apixaban zu halbieren."))
    texts = [one.text for one in told(pdf)]
    assert "With an eGFR of 15 to 29 mL/min, reduce the starting dose by 25%." in texts
    assert any(one.endswith("die Dosis von Apixaban zu halbieren.") for one in texts)


def test_a_lead_in_needs_no_colon(pdf: fpdf.FPDF) -> None:
    write(
        pdf,
        (40, 0, "Severe liver damage may occur if you take"),
        (44, 1, "-"),
        (56, 1, "more than 4 g"),
    )
    write(pdf, (44, 2, "-"), (56, 2, "3 or more alcoholic drinks every day"))
    assert [one.text for one in told(pdf)] == [
        "Severe liver damage may occur if you take more than 4 g; 3 or more alcoholic drinks every day."
    ]


def test_numbered_items_have_their_lead_in(pdf: fpdf.FPDF) -> None:
    write(pdf, (40, 0, "Use the pen as follows:"), (44, 1, "1. Take off the cap."))
    write(pdf, (44, 2, "2. Press the knob for ten seconds."))
    assert [one.text for one in told(pdf)] == [
        "Use the pen as follows: 1. Take off the cap; 2. Press the knob for ten seconds."
    ]


def test_a_sentence_set_with_blank_lines_between_goes_on(pdf: fpdf.FPDF) -> None:
    """Lines as far apart as paragraphs are, in the middle of sentences; short ones are lines by themselves."""
    for place, words in enumerate(("use the smallest dose that works", "drink a full glass of water",
                                   "Adults: (12 years and older) Take 1 or 2 tablets with a glass of",
                                   "water every 4 hours as needed, but not more than 12 tablets in 24",
                                   "hours, or as directed by a doctor.")):  # fmt: skip
        write(pdf, (40, 2 * place, words))
    for line in range(6):
        write(
            pdf,
            (40, 12 + line, f"Text {line} of a paragraph whose lines stand as lines usually do,"),
        )
    assert told(pdf)[0].text == (
        "Adults: (12 years and older) Take 1 or 2 tablets with a glass of water every 4 hours as needed, "
        "but not more than 12 tablets in 24 hours, or as directed by a doctor."
    )


def test_notes_at_the_foot_are_apart_from_the_text(pdf: fpdf.FPDF) -> None:
    write(pdf, (40, 0, "The dose is lowered in patients whose kidneys do not work well, and"))
    write(pdf, (40, 1, "in those who are older than 65 years; others take the usual dose,"))
    pdf.set_font_size(7)
    write(pdf, (40, 4, "1 See section 4.2."), (40, 5, "2 See section 4.4 of the other leaflet."))
    body, _, notes = read(pdf).partition(NOTES)
    assert body.rstrip().endswith("usual dose,") and notes.startswith("1 See section 4.2.")


def test_a_bullet_in_taller_letters_does_not_cut_its_item(pdf: fpdf.FPDF) -> None:
    """Its font is often another one than the text's; nouns of the item's second line may have capitals."""
    item = "Gleichzeitige Anwendung von diesem Arzneimittel, in welcher Dosis auch immer, und"
    write(pdf, (40, 0, "Nicht anwenden bei:"))
    for place, words in ((1, (item, "Tizanidin")), (3, ("Lithium",))):
        pdf.set_font_size(12)
        write(pdf, (44, place, "-"))
        pdf.set_font_size(10)
        write(pdf, *((56, place + line, one) for line, one in enumerate(words)))
    (listed,) = told(pdf)
    assert [one.text for one in listed.items] == [
        f"Nicht anwenden bei: {item} Tizanidin.",
        "Nicht anwenden bei: Lithium.",
    ]


def test_a_header_over_two_columns_is_not_how_far_their_lines_reach(pdf: fpdf.FPDF) -> None:
    pdf.set_font_size(7)
    write(
        pdf,
        (40, -2, "Summary of product characteristics: a line that reaches over the columns " * 2),
    )
    pdf.set_font_size(10)
    write(
        pdf,
        (40, 0, "In patients whose kidneys do not work well, or"),
        (40, 1, "Down syndrome it is"),
    )
    write(pdf, (40, 2, "not recommended. Ask your doctor for advice."))
    for line in range(3):
        write(pdf, (320, line, f"Text {line} of the other column, as long as the first."))
    assert "do not work well, or Down syndrome it is not recommended." in [
        one.text.removeprefix("In patients whose kidneys ") for one in told(pdf)
    ]


def test_a_heading_is_apart_from_its_text_where_the_gap_is_little_wider(pdf: fpdf.FPDF) -> None:
    write(
        pdf,
        (40, 0, "Use in children and in adolescents"),
        (40, 1.15, "Codeine must not be used in children who have"),
    )
    write(pdf, (40, 2.15, "problems with their breathing, as it"))
    write(pdf, (40, 3.15, "may become worse, also after surgery"))
    write(pdf, (40, 4.15, "or an illness of the lungs."))
    (only,) = told(pdf)
    assert [line.words for line in only.under] == ["Use in children and in adolescents"]
    assert only.text.startswith("Codeine must not be used")


def test_what_stands_out_of_a_list_under_it_is_not_its_last_item(pdf: fpdf.FPDF) -> None:
    """The mark is hardly set in, and no item has a second line; the gap alone is a little wider."""
    last = "generalised seizures that are not controlled by any of the other medicines taken."
    write(
        pdf,
        (40, 0, "It is used for:"),
        (42, 1, "-"),
        (52, 1, "seizures."),
        (42, 2, "-"),
        (52, 2, last),
    )
    write(pdf, (40, 3.15, "Monotherapy"))
    for line in range(4):
        write(
            pdf,
            (
                40,
                4.6 + line,
                f"Text {line} of a paragraph whose lines stand as lines usually do, line",
            ),
        )
    listed = told(pdf)[0]
    assert listed.items[-1].text == f"It is used for: {last}"


COLUMN = (
    "Some text of the column that is about",
    "as long as its lines are, and goes on",
    "until it ends.",
)


def item(document: fpdf.FPDF, x: float, place: float, *lines: str, mark: str = "-") -> None:
    """An item of a list in the column that begins at `x`."""
    write(
        document, (x + 4, place, mark), *((x + 16, place + i, one) for i, one in enumerate(lines))
    )


def paragraph(document: fpdf.FPDF, x: float, place: float) -> None:
    write(document, *((x, place + i, words) for i, words in enumerate(COLUMN)))


def test_items_of_the_outer_list_go_on_in_the_next_column(pdf: fpdf.FPDF) -> None:
    paragraph(pdf, 40, 0)
    write(pdf, (40, 4, "Tell your doctor if you take:"))
    item(pdf, 40, 5, "medicines that make sleepy, as:")
    item(pdf, 53, 6, "diazepam", mark="*")
    item(pdf, 333, 0, "gabapentin", mark="*")
    item(pdf, 320, 1, "warfarin")
    item(pdf, 320, 2, "colestyramine")
    paragraph(pdf, 320, 4)
    listed = next(one for one in told(pdf) if one.items)
    assert [one.text.removeprefix("Tell your doctor if you take: ") for one in listed.items] == [
        "medicines that make sleepy, as: * diazepam * gabapentin.",
        "warfarin.",
        "colestyramine.",
    ]


@pytest.mark.parametrize("behind", [("Lithium", "Tizanidin"), ()])
def test_an_item_goes_on_in_the_next_column(pdf: fpdf.FPDF, behind: tuple[str, ...]) -> None:
    """What it goes on with begins with a capital, and would have fitted on a line as long as the header."""
    write(
        pdf,
        (
            40,
            -2,
            "Summary of product characteristics: a header that reaches over both of the columns",
        ),
    )
    paragraph(pdf, 40, 0)
    write(pdf, (40, 4, "Do not take it together with:"))
    item(pdf, 40, 5, "erythromycin")
    item(pdf, 40, 6, "clarithromycin, which is like it, and")
    write(pdf, (336, 0, "Rifampicin (see section 4.5)"))
    for place, one in enumerate(behind, start=1):
        item(pdf, 320, place, one)
    paragraph(pdf, 320, 5)
    listed = next(one for one in told(pdf) if one.items)
    assert [one.text.removeprefix("Do not take it together with: ") for one in listed.items] == [
        "erythromycin.",
        "clarithromycin, which is like it, and Rifampicin (see section 4.5).",
        *(f"{one}." for one in behind),
    ]


def test_what_stands_at_the_top_of_a_column_is_not_of_the_item_before(pdf: fpdf.FPDF) -> None:
    paragraph(pdf, 40, 0)
    write(pdf, (40, 4, "Do not take it together with:"))
    item(pdf, 40, 5, "erythromycin", mark="*")
    item(pdf, 40, 6, "clarithromycin, which is much like it", mark="*")
    write(pdf, (320, 0, "Sleep-related disorders"))
    paragraph(pdf, 320, 2)
    write(pdf, (320, 6, "Tell your doctor about:"))
    item(pdf, 320, 7, "apnoea", mark="o")
    item(pdf, 320, 8, "waking up at night", mark="o")
    before, after = (one for one in told(pdf) if one.items)
    assert before.items[-1].text.endswith("much like it.")
    assert after.text == "Tell your doctor about: apnoea; waking up at night."


def test_a_sentence_goes_on_in_the_next_column(pdf: fpdf.FPDF) -> None:
    pdf.set_font_size(7)
    write(
        pdf,
        (
            40,
            -2,
            "Summary of product characteristics: a header that reaches over both of the columns",
        ),
    )
    pdf.set_font_size(10)
    write(pdf, (40, 0, "This medicine is for adults alone, and"))
    write(pdf, (40, 1, "it is not for patients who are treated"))
    write(pdf, (40, 2, "with one of the medicines such as the"))
    write(pdf, (320, 0, "Fluoroquinolones, for any length of"), (320, 1, "time. Ask your doctor."))
    assert (
        "This medicine is for adults alone, and it is not for patients who are treated with one of the "
        "medicines such as the Fluoroquinolones, for any length of time."
    ) in [one.text for one in told(pdf)]


def test_a_numbered_line_goes_on_at_its_number_although_bullets_hang(pdf: fpdf.FPDF) -> None:
    first = "1. Lamotrigine may cause a serious rash of the skin, which is one that may well"
    write(
        pdf,
        (40, 0, "Tell your doctor if you have one of these:"),
        (40, 1, "*"),
        (50, 1, f"a rash {LONG[:60]}"),
    )
    write(pdf, (50, 2, "of the other leaflet"), (40, 3, "*"), (50, 3, "hives"))
    write(pdf, (40, 5, first), (40, 6, "cause you to be in hospital. There is no way to tell."))
    for line in range(4):
        write(
            pdf,
            (
                40,
                8 + line,
                f"Text {line} of a paragraph whose lines stand as lines usually do, line",
            ),
        )
    assert f"{first.removeprefix('1. ')} cause you to be in hospital." in [
        one.text for one in told(pdf)
    ]


def test_a_capital_with_an_accent_makes_no_line_of_another_size(pdf: fpdf.FPDF) -> None:
    """Many fonts have it reach above the other letters; a larger one stands for it here."""
    write(
        pdf, (40, 0, "Bei Diabetikern und bei allen anderen Patienten wird eine sehr sorgfältige")
    )
    pdf.set_font_size(11.5)
    write(pdf, (40, 1, "Ü"))
    begun = pdf.get_string_width("Ü")
    pdf.set_font_size(10)
    write(
        pdf, (40 + begun, 1, "berwachung des Blutzuckers und auch des Blutdrucks durch einen Arzt")
    )
    write(pdf, (40, 2, "oder Apotheker empfohlen."))
    (only,) = told(pdf)
    assert only.text.startswith("Bei Diabetikern") and only.text.endswith("empfohlen.")


def test_a_line_that_is_spread_over_its_column_is_no_row(tmp_path: Path) -> None:
    """Of few long words all blanks are as wide as those between cells, and as wide as each other."""
    pdf = fpdf.FPDF(unit="pt")
    pdf.add_page()
    pdf.set_font("Helvetica", size=10)
    lines = [
        ["Überempfindlichkeit", "gegen", "Wirkstoffe", "andere"],
        ["Betablocker", "oder", "einen", "der", "sonstigen", "Bestandteile"],
        ["des", "Arzneimittels."],
    ]
    for number, words in enumerate(lines):
        widths = [pdf.get_string_width(word) for word in words]
        gap = (230 - sum(widths)) / (len(words) - 1) if number < 2 else 3
        x = 60.0
        for word, width in zip(words, widths, strict=True):
            pdf.text(x, 100 + 12 * number, word)
            x += width + gap
    path = tmp_path / "spread.pdf"
    pdf.output(str(path))
    text = extract(path).pages[0].text
    first, second, _ = text.strip().split("\n")
    assert first.endswith(f"andere{WRAPPED}") and second.endswith(f"Bestandteile{WRAPPED}")


def test_cells_that_stand_as_far_apart_as_each_other_are_a_row(tmp_path: Path) -> None:
    pdf = fpdf.FPDF(unit="pt")
    pdf.add_page()
    pdf.set_font("Helvetica", size=10)
    for number, row in enumerate(["Day 10 20 30 40", "Dose 11 21 31 41", "Rate 12 22 32 42"]):
        for place, word in enumerate(row.split()):
            pdf.text(60 + 34 * place, 100 + 12 * number, word)
    path = tmp_path / "row.pdf"
    pdf.output(str(path))
    assert WRAPPED not in extract(path).pages[0].text


@pytest.mark.parametrize(("left", "ends"), [(65.0, False), (60.0, True)])
def test_what_goes_on_below_an_item_whose_bullet_all_but_touches_its_text(
    left: float, ends: bool
) -> None:
    """Its text is set in by less than half a letter's height, and what goes on stands below it."""
    item = SetLine(
        "- an item of a list that is so long that it", 60, 300, 100, 11, 3, mark=True, body=65
    )
    on = SetLine("goes on below", left, 130, 87, 11, 25, body=left)
    after = SetLine("- another one", 60, 120, 74, 11, 3, mark=True, body=65)
    assert (line_ends([item, on, after, after])[0] is LineEnd.PARTED) is ends
