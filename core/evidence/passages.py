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
class LeadIn:
    """The words that a list is told with, and where they stand.

    Attributes:
        chunk: that they begin in; None where their place is not known: ``page_text[start:end]`` is `source`.
        gap: the white space between them and the quote that they lead in; None where more stands there.
    """

    text: str
    chunk: Chunk | None = None
    start: int = -1
    end: int = -1
    source: str = ""
    gap: str | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    """A statement of a page: `hit` is the chunk it begins in, offsets are those of the page's text.

    `lead` is what a list, or an item of one, is told with: `text` begins with its words.
    """

    hit: Hit
    text: str
    start: int
    end: int
    source: str
    list_number: int = 0
    items: tuple[Statement, ...] = ()
    paragraph: int = -1
    lead: LeadIn | None = None

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

    @property
    def item_spans(self) -> tuple[tuple[int, int], ...]:
        """Where the items of a list stand in `text`, behind the words that lead it in."""
        if self.lead is None or (self.list_number and not self.items):
            return ()
        begin = len(self.lead.text) + 1
        spans = []
        for item in self.items or (self,):
            end = (
                begin + len(item.text) - len(self.lead.text) - 2
            )  # the space before, the full stop
            spans.append((begin, end))
            begin = end + 2  # "; "
        return tuple(spans)


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
        self._leads: dict[str, dict[int, LeadIn]] = {}

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
            lead=self._lead(hit.document, block, chunk, statement),
        )

    def _lead(
        self, document: Document, block: _Block, chunk: Chunk, statement: Statement
    ) -> LeadIn | None:
        if statement.lead is None:
            return None
        lead = self._leads[document.id].get(statement.lead.number)
        if lead is None or lead.chunk is None or lead.text != statement.lead.text:
            return LeadIn(statement.lead.text)
        between = block.page_text[lead.end : statement.start]
        joins = lead.chunk.page == chunk.page and lead.end <= statement.start
        return replace(lead, gap=between if joins and not between.strip() else None)

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
                lead=quote.lead and _lead_of(quote.lead, first=item.start == quote.start),
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
        leads = self._leads.setdefault(document_id, {})

        def note(one: Lead | None, members: tuple[Chunk, ...], text: str, by: int) -> None:
            """Remember where the words that lead in a list stand, when they are met first."""
            if one is None or one.number in leads or one.start < 0:
                return
            begin, close = one.start + by, one.end + by
            inside = [c for c in members if c.start <= begin < c.end] or [members[0]]
            leads[one.number] = LeadIn(one.text, inside[0], begin, close, text[begin:close])

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
                (above, below), start = _heading_place(text, start, end, heading)
                if running is not None:
                    note(replace(running, start=above, end=below), members, text, 0)
            plain = told.get(page, "")[start:end]
            found, lead = statements(plain, _furniture(repeated, heading), running, lists)
            lists = max([lists, *(s.list_number + 1 for s in found)])
            lists = max(lists, lead.number + 1 if lead else 0)
            for one in [*(statement.lead for statement in found), lead]:
                note(one, members, text, start)
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
    )


def _lead_of(lead: LeadIn, first: bool) -> LeadIn:
    """The lead-in of a single item: behind other items it does not stand before it."""
    return lead if first else replace(lead, gap=None)


def _heading_place(text: str, start: int, end: int, heading: str) -> tuple[tuple[int, int], int]:
    """Where a section's own heading stands, (-1, -1) where it is not found, and where the body begins:
    bare headings may stand before its own."""
    place = start
    for line in text[start:end].splitlines(keepends=True):
        place += len(line)
        if " ".join(line.split()) == heading:
            begin = place - len(line.lstrip())
            return (begin, begin + len(line.strip())), place
    return (-1, -1), start


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
