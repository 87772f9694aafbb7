"""Titles and headings that are told by the way they are set, whatever they say."""

from __future__ import annotations

import fpdf
import pypdfium2 as pdfium
import pytest

from core.documents.cutting.products import about
from core.documents.cutting.sections import sections
from core.documents.reading.page_text import page_text
from core.domain.documents import Page
from core.text.layout.line_marks import HEADING, TITLE, WRAPPED
from core.text.tables.lines import HEAD

TEXT = (
    "Patients were assigned by an interactive web response system with permuted blocks of four, and neither "
    "they nor the investigators knew which of the two they were given until the end of the trial."
)


@pytest.fixture
def pdf() -> fpdf.FPDF:
    document = fpdf.FPDF()
    document.add_page()
    return document


def say(
    document: fpdf.FPDF, words: str, size: float = 10, style: str = "", width: float = 0
) -> None:
    document.set_font("Helvetica", style=style, size=size)
    document.multi_cell(width, size * 0.5, words, new_x="LMARGIN", new_y="NEXT")
    document.ln(2)


def read(document: fpdf.FPDF) -> list[Page]:
    opened = pdfium.PdfDocument(bytes(document.output()))
    return [Page(n, page_text(one.get_textpage())[0]) for n, one in enumerate(opened, start=1)]


def marked(page: Page, mark: str) -> list[str]:
    lines = page.text.split("\n")
    return [line.strip() for line in lines if line.rstrip(WRAPPED).endswith(mark)]


def headings(found: list[Page]) -> list[str]:
    return [one.heading for each in sections(found).values() for one in each]


def titled(found: list[Page]) -> str:
    return about(found, {}, "name of the file", lambda _text: {}, lambda _ids: {})[0]


def test_unknown_headings_part_a_paper_and_its_title_is_read(pdf: fpdf.FPDF) -> None:
    say(pdf, "Journal of Examples")
    say(
        pdf,
        "A trial of two medicines in adults with relapses: what was found in two years",
        15,
        "B",
    )
    say(pdf, "Study design and participants", 10, "B")
    say(pdf, TEXT)
    say(pdf, "Randomisation", 13)
    say(pdf, TEXT)
    found = read(pdf)
    title = "A trial of two medicines in adults with relapses: what was found in two years"
    assert " ".join(marked(found[0], TITLE)) == title == titled(found)
    assert marked(found[0], HEADING) == ["Study design and participants", "Randomisation"]
    assert headings(found)[1:] == ["Study design and participants", "Randomisation"]


def test_a_heading_on_two_lines_is_one(pdf: fpdf.FPDF) -> None:
    say(pdf, "Summary of what was done in the first year and what in the second", 10, "B", width=60)
    say(pdf, TEXT)
    (found,) = read(pdf)
    whole = "Summary of what was done in the first year and what in the second"
    assert headings([found]) == [whole]


def test_bold_text_and_what_begins_bold_are_no_headings(pdf: fpdf.FPDF) -> None:
    say(pdf, f"Warning of all that may happen\n{TEXT}", 10, "B")
    say(pdf, TEXT, 10, "B")
    assert marked(read(pdf)[0], HEADING) == []
    mixed = fpdf.FPDF()
    mixed.add_page()
    mixed.set_font("Helvetica", size=10)
    mixed.multi_cell(0, 5, f"**Background** {TEXT}", markdown=True, new_x="LMARGIN", new_y="NEXT")
    assert marked(read(mixed)[0], HEADING) == []


def test_a_medicine_s_section_goes_on_under_a_heading_that_no_table_knows(pdf: fpdf.FPDF) -> None:
    say(pdf, "4.3 Contraindications", 10, "B")
    say(pdf, "It must not be taken by patients with a known allergy to any of its ingredients.")
    say(pdf, "People who climb", 10, "B")
    say(pdf, "They must not take it above 3,000 metres, as it is not known what happens there.")
    assert [one.code for one in sections(read(pdf))[1]] == ["contraindications"]


def test_a_line_in_the_middle_of_a_sentence_is_no_heading() -> None:
    item = f"• Überempfindlichkeit gegen einen der Hilfsstoffe gemäss{WRAPPED}\nZusammensetzung"
    text = f"Kontraindikationen\n{item}\n• Gicht"
    assert [(one.code, one.heading) for one in sections([Page(1, text)])[1]] == [
        ("contraindications", "Kontraindikationen")
    ]


@pytest.mark.parametrize(
    "kind", ["Summary of Product Characteristics", "Guidance for Industry", "DRAFT GUIDANCE"]
)
def test_the_kind_of_a_document_is_no_title(kind: str) -> None:
    page = Page(1, f"{kind}{TITLE}\n\nQuvorin tablets in adults{TITLE}\n\n{TEXT}")
    assert titled([page]) == "Quvorin tablets in adults"
    assert titled([Page(1, f"{kind}{TITLE}\n\n{TEXT}")]) == "name of the file"


def test_a_long_title_ends_with_a_part_of_it() -> None:
    part = "Direct communication on a medicine and all that contains it"
    page = Page(
        1,
        f"{part}: serious injury of the liver and how it is looked for - {'very ' * 30}soon{TITLE}\n\n{TEXT}",
    )
    assert titled([page]) == f"{part}: serious injury of the liver and how it is looked for"


def test_a_stamp_at_the_edge_does_not_turn_the_page(pdf: fpdf.FPDF) -> None:
    pdf.set_font("Helvetica", size=10)
    with pdf.rotation(90, 8, 150):
        pdf.text(8, 150, "arXiv:1706.05966v1 [cs.LG] 19 Jun 2017")
    say(pdf, TEXT)
    assert f"{WRAPPED}\n" in read(pdf)[0].text


def table(document: fpdf.FPDF, rows: list[tuple[str, ...]]) -> None:
    document.set_font("Helvetica", size=9)
    with document.table() as drawn:
        for cells in rows:
            row = drawn.row()
            for cell in cells:
                row.cell(cell)
    document.ln(3)


ROWS = [("Age", "Dose"), ("1 to 4 years", "250 mg three times daily"), ("5 to 11 years", "500 mg")]


def test_headings_with_numbers_stand_above_tables_too(pdf: fpdf.FPDF) -> None:
    """A chapter of a book: it begins with its own number, and tables follow at once."""
    say(pdf, TEXT)
    say(pdf, "5.1 Antibacterials", 13, "B")
    say(pdf, "5.1.1 Amoxicillin (capsules 250 mg, 500 mg)", 11.5, "B")
    table(pdf, ROWS)
    say(pdf, TEXT)
    say(pdf, "5.1.2 Cefalexin", 11.5, "B")
    table(pdf, ROWS)
    say(pdf, TEXT)
    found = read(pdf)
    assert headings(found)[1:] == [
        "5.1 Antibacterials",
        "5.1.1 Amoxicillin (capsules 250 mg, 500 mg)",
        "5.1.2 Cefalexin",
    ]


def test_a_table_s_caption_is_no_heading_nor_part_of_one(pdf: fpdf.FPDF) -> None:
    say(pdf, TEXT)
    say(pdf, "6 Reversal in major bleeding", 13, "B")
    say(pdf, "Table 3 Reversal agents by the medicine that is taken", 10, "B")
    table(pdf, ROWS)
    say(pdf, TEXT)
    assert marked(read(pdf)[0], HEADING) == ["6 Reversal in major bleeding"]


def test_headings_with_numbers_in_one_style_are_two(pdf: fpdf.FPDF) -> None:
    pdf.set_font("Helvetica", style="B", size=12)
    for words in ("5 WARNINGS AND PRECAUTIONS", "5.1 Infusion-Related Reactions"):
        pdf.multi_cell(0, 6, words, new_x="LMARGIN", new_y="NEXT")
    say(pdf, TEXT)
    assert headings(read(pdf)) == ["5 WARNINGS AND PRECAUTIONS", "5.1 Infusion-Related Reactions"]


def test_a_large_heading_ends_the_section_above_it_and_a_small_one_does_not(pdf: fpdf.FPDF) -> None:
    say(pdf, "Contraindications", 12.5, "B")
    say(pdf, TEXT)
    say(pdf, "People who climb", 10, "B")
    say(pdf, TEXT)
    say(pdf, "Regimen details", 12.5, "B")
    table(pdf, ROWS)
    say(pdf, TEXT)
    told = [(one.code, one.heading) for one in sections(read(pdf))[1]]
    assert told == [("contraindications", "Contraindications"), ("", "Regimen details")]


def test_a_numbered_heading_is_no_title(pdf: fpdf.FPDF) -> None:
    say(pdf, "2 Classify the bleeding risk of the procedure", 14, "B")
    say(pdf, TEXT)
    assert titled(read(pdf)) == "name of the file"


def test_a_table_below_a_heading_keeps_its_heads(pdf: fpdf.FPDF) -> None:
    say(pdf, TEXT)
    say(pdf, "4.1 Doses by age", 13, "B")
    table(pdf, ROWS)
    (page,) = read(pdf)
    assert f"4.1 Doses by age{HEADING}{HEADING}{HEADING}\n{HEAD}Age\tDose\n" in page.text


def test_a_large_bold_line_heads_short_lines_too(pdf: fpdf.FPDF) -> None:
    say(pdf, "Your citalopram tablets", 20, "B")
    say(pdf, TEXT)
    say(pdf, "Why am I taking it?", 12, "B")
    say(pdf, "It is an antidepressant")
    say(pdf, TEXT)
    assert "Why am I taking it?" in marked(read(pdf)[0], HEADING)
