"""A document's statements, block by block."""

from __future__ import annotations

import pytest

from core.documents.cutting.chunks import chunk_pages
from core.domain.documents import Chunk, Page, Profile
from core.evidence.blocks import (
    BlockSource,
    StatementBlock,
    StatementBlocks,
    read_blocks,
    said_over,
)
from core.text.layout.line_marks import NOTES
from core.text.layout.lines_over import LineOver
from core.text.spelling.short_forms import ShortForm
from core.text.tables.lines import CELL_END, HEAD


def read(*texts: str) -> tuple[list[Page], tuple[StatementBlock, ...]]:
    pages, _, found = shelved(*texts)
    return pages, found.blocks


def shelved(*texts: str) -> tuple[list[Page], list[Chunk], StatementBlocks]:
    pages = [Page(number, text) for number, text in enumerate(texts, start=1)]
    chunks = chunk_pages(
        pages,
        Profile.LEAFLET,
        document_id="a",
        title="A leaflet",
        count_tokens=lambda texts: [len(text) // 4 for text in texts],
        max_tokens=256,
    )
    return pages, chunks, read_blocks(BlockSource(pages, chunks, orders=False))


def test_a_sentence_goes_on_over_the_page_behind_its_notes() -> None:
    """Its parts are on both pages, each where it stands; notes and page numbers are none of them."""
    pages, (first, second) = read(
        f"Take it with water.\nStop the treatment when the skin or\n\n{NOTES}1 See section 4.2.\n- 1 -",
        "- 2 -\nthe eyes turn yellow. Then call a doctor.",
    )
    (water, stop, note), (call,) = first.statements, second.statements
    assert stop.text == "Stop the treatment when the skin or the eyes turn yellow."
    ((begin, end),) = stop.beyond
    assert pages[0].text[stop.start : stop.end] == "Stop the treatment when the skin or"
    assert pages[1].text[begin:end] == "the eyes turn yellow."
    assert call.text == "Then call a doctor." and call.paragraph == stop.paragraph
    assert (water.beyond, note.text) == ((), "1 See section 4.2.")


def test_a_list_at_a_page_s_end_goes_on() -> None:
    """In the middle of an item, and behind a semicolon where the next page begins with a capital."""
    _, (first, second, _) = read(
        "Do not take it:\n- with another painkiller. If you are not sure, ask a doctor or",
        "pharmacist\n- if you are allergic to it\n\nDo not put it: in your eyes; on open wounds;",
        "On burns; on the skin of children.",
    )
    (painkiller,), (allergic, eyes) = first.statements, second.statements
    assert painkiller.text.endswith("ask a doctor or pharmacist.") and painkiller.items[0].beyond
    assert allergic.text == "Do not take it: if you are allergic to it."
    assert allergic.list_number == painkiller.list_number
    assert eyes.text.endswith("on open wounds; On burns; on the skin of children.")


def test_nothing_goes_on_behind_a_whole_sentence() -> None:
    _, (first, second) = read(
        "It is a note of 12 words.", "with food, as a rule, and always at night."
    )
    assert [one.beyond for one in (*first.statements, *second.statements)] == [(), ()]


def test_an_empty_line_is_no_heading_of_its_own() -> None:
    """Text under no heading is told from its first word on, however its paragraphs are set off."""
    _, (block,) = read("Take one tablet a day.\n\nDo not take two of them.")
    assert [one.text for one in block.statements] == [
        "Take one tablet a day.",
        "Do not take two of them.",
    ]


def test_a_heading_on_several_lines_leads_in_what_stands_under_it() -> None:
    _, (block,) = read(
        "Do not take Nimorvan\u2002\ntablets\n\n- if you are allergic to it\n- at night"
    )
    (listed,) = block.statements
    assert listed.text == "Do not take Nimorvan tablets: if you are allergic to it; at night."
    lead = listed.lead
    assert lead is not None and lead.heading


def test_what_leads_in_a_table_leads_in_no_other_behind_it() -> None:
    def table(caption: str, dose: str) -> str:
        lines = [f"{HEAD}Kidneys{CELL_END}Dose", f"Mild{CELL_END}{dose}", f"Severe{CELL_END}1 mg"]
        return "\n".join([caption, *lines])

    _, chunks, blocks = shelved(
        "The doses in adults with kidney problems are as follows:\n"
        f"{table('Table 1: Adults', '20 mg')}\n{table('Table 2: Others', '10 mg')}\n"
        f"Take it with water, at any time of the day.\n{table('Table 3: More', '5 mg')}"
    )
    rows = [one for one in blocks.blocks[0].statements if one.row]
    led = [blocks.lead_in(chunks[0], one.start, one.labels) for one in rows]
    adults = ["The doses in adults with kidney problems are as follows:"]
    assert led == [adults, adults, [], [], [], []]


def test_statements_are_found_by_page_paragraph_and_list() -> None:
    """As a look at all of them finds them, in order; one that goes over a page's end from both pages."""
    pages = [
        Page(1, "Take it with water. Stop it when the skin or"),
        Page(2, "the eyes turn yellow.\n\nDo not take it:\n- with alcohol\n- at night"),
    ]
    chunks = chunk_pages(
        pages,
        Profile.LEAFLET,
        document_id="a",
        title="A leaflet",
        count_tokens=lambda texts: [len(text) // 4 for text in texts],
        max_tokens=256,
    )
    found = read_blocks(BlockSource(pages, chunks, orders=False))
    told = [
        ((number, place), one)
        for number, block in enumerate(found.blocks)
        for place, one in enumerate(block.statements)
    ]
    water, stop, alcohol = (place for place, _ in told)
    assert (list(found.of_page[1]), list(found.of_page[2])) == ([water, stop], [stop, alcohol])
    assert list(found.of_paragraph.values()) == [[water, stop]]
    assert found.of_list == {one.list_number: [place] for place, one in told if one.list_number}


def test_a_paragraph_that_opens_with_the_heading_of_a_part_stands_under_it() -> None:
    _, (block,) = read(
        "It did well in most of the patients.\n\nLimitations. First, it was short. Second, it was small.\n\n"
        "Nausea. It was mild, and went away."
    )
    assert [(one.text, [line.words for line in one.under]) for one in block.statements] == [
        ("It did well in most of the patients.", []),
        ("First, it was short.", ["Limitations"]),
        ("Second, it was small.", ["Limitations"]),
        ("It was mild, and went away.", []),
    ]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("Hypertension > Starting dose", "Hypertension"),
        ("Hypertension | Starting dose | Maintenance dose", "Hypertension"),
        ("Hypertension | Starting dose | Heart failure > Starting dose", "Heart failure"),
        ("Hypertension > How it is taken", "Hypertension"),
        # What comes behind paragraphs and is no phase of dosing is on something else.
        ("Hypertension | How it is taken", ""),
        ("Treatment of DVT and PE", "Treatment of DVT and PE"),
        ("Treatment of XYZ", ""),
        ("Treatment of ZVD", "Treatment of ZVD"),
    ],
)
def test_the_line_that_says_for_whom_is_kept_by_those_under_it(lines: str, said: str) -> None:
    """`>` before a line that stands directly below the one before it, `|` before one behind paragraphs."""
    over = [
        LineOver(part.strip(" >"), below=part.startswith(">"))
        for part in lines.replace(" >", "|>").split("|")
    ]
    assert said_over(over, [ShortForm("ZVD", "zonal valve disease")]) == said
