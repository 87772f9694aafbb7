"""A document's statements, block by block."""

from __future__ import annotations

from core.documents.cutting.chunks import chunk_pages
from core.domain.documents import Page, Profile
from core.evidence.blocks import BlockSource, read_blocks


def test_an_empty_line_is_no_heading_of_its_own() -> None:
    """Text under no heading is told from its first word on, however its paragraphs are set off."""
    pages = [Page(1, "Take one tablet a day.\n\nDo not take two of them.")]
    chunks = chunk_pages(
        pages,
        Profile.LEAFLET,
        document_id="a",
        title="A leaflet",
        count_tokens=lambda texts: [len(text) // 4 for text in texts],
        max_tokens=256,
    )
    (block,) = read_blocks(BlockSource(pages, chunks, orders=False)).blocks
    assert [one.text for one in block.statements] == [
        "Take one tablet a day.",
        "Do not take two of them.",
    ]
