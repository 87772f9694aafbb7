"""Lists over the pages of a document: read whole, and cited with their lead-in."""

from __future__ import annotations

from pathlib import Path

import fpdf

from core.domain.answers import DocumentCitation
from core.domain.documents import Hit
from core.evidence.citations import CitationBook
from core.evidence.passages import PassageReader, Quote, unique
from core.workspace import Workspace

REASONS = [
    f"if you have condition {letter * 3}, which {'goes on and ' * 4}on"
    for letter in "abcdefghijklmnopqrstuvwx"
]


def make_leaflet(path: Path) -> Path:
    """A list of contraindications that runs over a page's end, between running headers."""

    class Pdf(fpdf.FPDF):
        def header(self) -> None:
            self.set_font("Helvetica", size=9)
            self.cell(0, 8, "Zorvexil leaflet for tests", new_x="LMARGIN", new_y="NEXT")

    pdf = Pdf()
    pdf.add_page()
    pdf.set_font("Helvetica", size=12)
    lines = ["2. Do not take Zorvexil", "Do not take Zorvexil:", *(f"- {r}" for r in REASONS),
             "3. How to store Zorvexil", "Keep Zorvexil in a dry place."]  # fmt: skip
    for line in lines:
        pdf.multi_cell(0, 12, line, new_x="LMARGIN", new_y="NEXT")
    assert pdf.page_no() == 2
    pdf.output(str(path))
    return path


def test_a_list_over_a_page_break_is_read_whole(own_workspace: Workspace, tmp_path: Path) -> None:
    result = own_workspace.library.ingest(make_leaflet(tmp_path / "Zorvexil.pdf"))
    store = own_workspace.library_store
    found = store.chunks_by_id(c.id for c in store.document_chunks(result.document_id))
    reader = PassageReader(store)
    quotes = unique(
        [q for chunk, document in found.values() for q in reader.quotes(Hit(chunk, document, 1, 1))]
    )
    listed = [quote for quote in quotes if quote.list_number]
    whole = reader.whole_list(listed[-1])
    assert {quote.hit.chunk.page for quote in whole} == {1, 2}
    said = " ".join(quote.text for quote in whole)
    assert [reason for reason in REASONS if reason not in said] == []
    assert all(quote.text.startswith("Do not take Zorvexil: if you") for quote in whole)
    assert "leaflet for tests" not in said + " ".join(quote.text for quote in quotes)
    for quote in [*whole, *quotes]:
        page = store.page(result.document_id, quote.hit.chunk.page)
        assert page is not None and page.text[quote.start : quote.end] == quote.source
    (storage,) = [quote for quote in quotes if "dry place" in quote.text]
    assert reader.whole_list(storage) == [storage] == reader.paragraph(storage)
    (third,) = reader.single_items(whole[0], lambda text: "condition ccc," in text)
    assert third.text.startswith("Do not take Zorvexil: if you have condition ccc,")
    assert third.source.split()[-1] == "on" and "ddd" not in third.source
    check_lead_ins(reader, whole, "Do not take Zorvexil:")


def check_lead_ins(reader: PassageReader, whole: list[Quote], lead_in: str) -> None:
    """What is cited for each part of a list, and for its third item alone, holds the lead-in."""
    book = CitationBook()
    for quote in [*whole, reader.single_items(whole[0], lambda _text: True)[2]]:
        numbers = book.quoted(quote)
        cited = [one for one in book.citations if one.n in numbers]
        assert sum(isinstance(c, DocumentCitation) and lead_in in c.quote for c in cited) == 1
        for begin, end in quote.item_spans:
            words = quote.text[begin:end].split()
            assert any(words[-1] in c.quote for c in cited if isinstance(c, DocumentCitation))
        assert quote.text[: quote.item_spans[0][0]].strip() == lead_in
    assert len(book.citations) == len(whole) + 1, "the lead-in is cited with the first part"


def test_a_heading_leads_in_the_list_directly_under_it(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    """The usual form of a package leaflet: "Do not take X", then bullets without a sentence."""
    pdf = fpdf.FPDF()
    pdf.add_page()
    pdf.set_font("Helvetica", size=12)
    for line in ("2. What you need to know before you take Zorvexil", "Do not take Zorvexil",
                 "- if you are allergic", "- if you are pregnant", "Driving and using machines",
                 "Zorvexil can make you feel tired."):  # fmt: skip
        pdf.multi_cell(0, 8, line, new_x="LMARGIN", new_y="NEXT")
    pdf.output(str(tmp_path / "Zorvexil.pdf"))
    assert own_workspace.library.ingest(tmp_path / "Zorvexil.pdf").state == "ready"
    answer = own_workspace.chat.answer("When must Zorvexil not be taken?")
    assert [sentence.text for sentence in answer.sentences] == [
        "Do not take Zorvexil: if you are allergic; if you are pregnant."
    ]
