"""Lists of real pages: which items a lead-in has, as the library reads a leaflet."""

from __future__ import annotations

from pathlib import Path

import fpdf

from core.documents.cutting.chunks import chunk_pages
from core.documents.reading.extract import extract
from core.domain.documents import Profile
from core.evidence.blocks import BlockSource, read_blocks
from core.text.statements import Statement

_LEFT, _WIDTH = 20, 170  # mm


def _statements(path: Path, *paragraphs: str) -> list[Statement]:
    """What is told of a PDF with these paragraphs."""
    pdf = fpdf.FPDF()
    pdf.set_margin(_LEFT)
    pdf.set_font("Helvetica", size=10)
    pdf.add_page()
    for one in paragraphs:
        pdf.multi_cell(_WIDTH, 5, one, new_x="LMARGIN", new_y="NEXT", align="L")
    pdf.output(str(path))
    pages = extract(path).pages
    chunks = chunk_pages(
        pages,
        Profile.LEAFLET,
        document_id="a",
        title="Nimorvan",
        count_tokens=lambda texts: [len(text) // 4 for text in texts],
        max_tokens=256,
    )
    blocks = read_blocks(BlockSource(pages, chunks, orders=False)).blocks
    return [one for block in blocks for one in block.statements]


def test_a_medication_guide_without_its_lines_has_each_list_under_its_own_lead_in(
    tmp_path: Path,
) -> None:
    """Signs of two kinds, headings in the middle of items: as the label service gives such guides."""
    told = _statements(
        tmp_path / "guide.pdf",
        "You will have a test of your heart before your first dose of Nimorvan. Call your healthcare "
        "provider if you have any of the following symptoms of a slow heart rate: o dizziness o "
        "lightheadedness o feeling like your heart is skipping beats o chest pain o tiredness. "
        "Follow what your healthcare provider says. What is "
        "Nimorvan? Nimorvan is a medicine used to treat:",
        "\x95 adults with an active bowel disease. It is not known if it is safe in children. Do not take "
        "Nimorvan if you:",
        "\x95 have had a stroke in the last 6 months.",
        "\x95 have untreated sleep apnea. Before taking Nimorvan, tell your healthcare provider if you:",
        "\x95 have had skin cancer.",
        "\x95 are breastfeeding. Talk about the best way to feed your baby. How should I take Nimorvan? "
        "Take it once a day. Follow these rules:",
        "\x95 Do not skip a dose.",
        "\x95 If you miss a dose, take the next one the following day. How should I store Nimorvan?",
        "\x95 Store it at room temperature, away from children.",
    )
    assert [item.text for one in told for item in one.items][5:] == [
        "Nimorvan is a medicine used to treat: adults with an active bowel disease. It is not known if it "
        "is safe in children.",
        "Do not take Nimorvan if you: have had a stroke in the last 6 months.",
        "Do not take Nimorvan if you: have untreated sleep apnea.",
        "Before taking Nimorvan, tell your healthcare provider if you: have had skin cancer.",
        "Before taking Nimorvan, tell your healthcare provider if you: are breastfeeding. Talk about the "
        "best way to feed your baby.",
        "Follow these rules: Do not skip a dose.",
        "Follow these rules: If you miss a dose, take the next one the following day.",
        "How should I store Nimorvan? Store it at room temperature, away from children.",
    ]
    slow = [item.text for item in told[1].items]
    assert len(slow) == 5 and all("symptoms of a slow heart rate: " in one for one in slow)
    assert sum("slow heart rate" in one.text for one in told) == 1


def test_a_leaflet_s_list_with_inner_items_keeps_its_lead_in(tmp_path: Path) -> None:
    """Items of an item are set in: what it introduces is no list beside it."""
    told = _statements(
        tmp_path / "leaflet.pdf",
        "Do not take Nimorvan if you:",
        "\x95 have a disease of the liver. Signs of it are:",
        "      o yellow eyes",
        "      o dark urine",
        "\x95 are allergic to it. Are you not sure? Ask your doctor.",
        "\x95 have asthma",
    )
    (listed,) = (one for one in told if one.items)
    assert [item.text.startswith("Do not take Nimorvan if you ") for item in listed.items] == [
        True
    ] * 3
