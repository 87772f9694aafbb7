"""Statements around search hits, read from whole sections rather than from single chunks.

A chunk may end in the middle of a list; a quoted contraindication list must not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from core.documents.cutting.furniture import line_key, repeated_lines
from core.documents.store.texts import Texts
from core.domain.documents import Chunk, Document, Hit
from core.text.model_talk import without_orders
from core.text.statements import Lead, Statement, statements

_SECTION_NUMBER = re.compile(r"^\s*\d+(?:\.\d+)*[.)]?\s+")


@dataclass(frozen=True, slots=True)
class Quote:
    """A statement of a page: `hit` is the chunk it begins in, offsets are those of the page's text.

    Attributes:
        row: whether it is a row of a table.
        lead: the caption and the label that such a row of a table is told with; `text` begins with them.
        with_it: start, end and words of what else of the page the text says: a table's heads.
    """

    hit: Hit
    text: str
    start: int
    end: int
    source: str
    list_number: int = 0
    items: tuple[Statement, ...] = ()
    paragraph: int = -1
    row: bool = False
    lead: tuple[str, ...] = ()
    with_it: tuple[tuple[int, int, str], ...] = ()

    @property
    def key(self) -> tuple[str, int, int, int]:
        return (self.hit.document.id, self.hit.chunk.page, self.start, self.end)

    @property
    def unit(self) -> tuple[str, int, int]:
        """Equal for the parts of one list and for the sentences of one paragraph."""
        if self.list_number:
            return (self.hit.document.id, 0, self.list_number)
        begin = self.paragraph if self.paragraph >= 0 else self.start
        return (self.hit.document.id, self.hit.chunk.page, begin)


@dataclass(frozen=True, slots=True)
class _Block:
    """A run of chunks of one page under one heading, and its statements with page offsets."""

    chunks: tuple[Chunk, ...]
    page_text: str
    statements: tuple[Statement, ...]


class PassageReader:
    """Reads the documents of hits, each once, without what is addressed to a language model. Made for one
    question, then dropped."""

    def __init__(self, library: Texts) -> None:
        self._library = library
        self._blocks: dict[str, list[_Block]] = {}

    def quotes(self, hit: Hit) -> list[Quote]:
        """The statements that a hit's chunk has a part of, in reading order."""
        chunk = hit.chunk
        return [
            self._quote(hit, block, statement)
            for block in self._read(hit.document)
            if block.chunks[0].page == chunk.page
            for statement in block.statements
            if statement.start < chunk.end and statement.end > chunk.start
        ]

    def whole_list(self, quote: Quote) -> list[Quote]:
        """All parts of the list that a quote belongs to, in order; the quote alone outside a list."""
        if not quote.list_number:
            return [quote]
        return [
            self._quote(quote.hit, block, statement)
            for block in self._read(quote.hit.document)
            for statement in block.statements
            if statement.list_number == quote.list_number
        ]

    def paragraph(self, quote: Quote) -> list[Quote]:
        """The sentences of a quote's paragraph, in order; the quote alone in a list."""
        if quote.paragraph < 0:
            return [quote]
        return [
            self._quote(quote.hit, block, statement)
            for block in self._read(quote.hit.document)
            if block.chunks[0].page == quote.hit.chunk.page
            for statement in block.statements
            if statement.paragraph == quote.paragraph
        ]

    def _quote(self, hit: Hit, block: _Block, statement: Statement) -> Quote:
        inside = [c for c in block.chunks if c.start <= statement.start < c.end]
        chunk = hit.chunk if hit.chunk in inside or not inside else inside[0]
        return Quote(
            hit=replace(hit, chunk=chunk),
            text=statement.text,
            start=statement.start,
            end=statement.end,
            source=block.page_text[statement.start : statement.end],
            list_number=statement.list_number,
            items=statement.items,
            paragraph=statement.paragraph,
            row=statement.row,
            lead=statement.lead,
            with_it=tuple((a, b, block.page_text[a:b]) for a, b in statement.with_it),
        )

    @staticmethod
    def single_items(quote: Quote, wanted: Callable[[str], bool]) -> list[Quote]:
        """The items of a list part whose text is wanted, each as a quote of its own."""
        return [
            replace(
                quote,
                text=item.text,
                start=item.start,
                end=item.end,
                source=quote.source[item.start - quote.start : item.end - quote.start],
                list_number=0,
                items=(),
                paragraph=-1,
            )
            for item in quote.items
            if wanted(item.text)
        ]

    def _read(self, document: Document) -> list[_Block]:
        if document.id not in self._blocks:
            self._blocks[document.id] = self._read_blocks(document.id, bool(document.orders))
        return self._blocks[document.id]

    def _read_blocks(self, document_id: str, orders: bool) -> list[_Block]:
        pages = self._library.pages(document_id)
        texts = {page.number: page.text for page in pages}
        # What is addressed to a language model is no statement; offsets stay as they are.
        told = {page.number: without_orders(page.text) if orders else page.text for page in pages}
        repeated = repeated_lines(pages)
        chunks = self._library.document_chunks(document_id)
        blocks: list[_Block] = []
        lead: Lead | None = None
        lists = 1
        before: tuple[str, str] | None = None
        for (page, section, heading), run in groupby(
            chunks, key=lambda c: (c.page, c.section, c.heading)
        ):
            members = tuple(run)
            start, end = members[0].start, max(chunk.end for chunk in members)
            text = texts.get(page, "")
            # A list runs on over the page's end only under the same heading.
            running = lead if before == (section, heading) else _heading_lead(heading, lists)
            lists = max(lists, running.number + 1 if running else 0)
            if before != (section, heading):
                start = _after_heading(text, start, end, heading)
            plain = told.get(page, "")[start:end]
            found, lead = statements(plain, _furniture(repeated, heading), running, lists)
            lists = max([lists, *(s.list_number + 1 for s in found)])
            lists = max(lists, lead.number + 1 if lead else 0)
            moved = tuple(_moved(statement, start) for statement in found)
            blocks.append(_Block(members, text, moved))
            before = (section, heading)
        return blocks


def _moved(statement: Statement, by: int) -> Statement:
    items = tuple(replace(i, start=i.start + by, end=i.end + by) for i in statement.items)
    return replace(
        statement,
        start=statement.start + by,
        end=statement.end + by,
        items=items,
        paragraph=statement.paragraph + by if statement.paragraph >= 0 else -1,
        with_it=tuple((start + by, end + by) for start, end in statement.with_it),
    )


def _after_heading(text: str, start: int, end: int, heading: str) -> int:
    """Where the body of a section begins: bare headings may stand before its own."""
    place = start
    for line in text[start:end].splitlines(keepends=True):
        place += len(line)
        if " ".join(line.split()) == heading:
            return place
    return start


def _heading_lead(heading: str, number: int) -> Lead | None:
    """A heading as the lead-in of a list that stands directly under it ("Do not take X", bullets)."""
    words = _SECTION_NUMBER.sub("", heading).rstrip(" :.")
    return Lead(f"{words}:", number, heading=True) if words else None


def _furniture(repeated: frozenset[str], heading: str) -> Callable[[str], bool]:
    own = line_key(heading)
    return lambda line: (key := line_key(line)) in repeated or (bool(own) and key == own)


def unique(quotes: Sequence[Quote]) -> list[Quote]:
    """Quotes without those that say the same words again, in order."""
    kept: dict[str, Quote] = {}
    for quote in quotes:
        kept.setdefault(quote.text, quote)
    return list(kept.values())
