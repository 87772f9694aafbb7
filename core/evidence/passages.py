"""Statements around search hits, read from whole sections rather than from single chunks.

A chunk may end in the middle of a list; a quoted contraindication list must not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.documents.store.texts import Texts
from core.domain.documents import Chunk, Document, Hit
from core.evidence.blocks import (
    BlockCache,
    BlockSource,
    LeadIn,
    StatementBlock,
    StatementBlocks,
    read_blocks,
)
from core.text.statements import Statement

_FARTHEST_BESIDE = 3  # characters between a statement and the next


@dataclass(frozen=True, slots=True)
class Quote:
    """A statement of a page: `hit` is the chunk it begins in, offsets are those of the page's text.

    Attributes:
        lead: what a list, or an item of one, is told with: `text` begins with its words.
        row: whether it is a row of a table.
        labels: the caption and the label that such a row is told with; `text` begins with them.
        with_it: start, end and words of what else of the page the text says: a table's heads.
        parts: the cells of a row, each with its head.
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
    row: bool = False
    labels: tuple[str, ...] = ()
    with_it: tuple[tuple[int, int, str], ...] = ()
    parts: tuple[str, ...] = ()

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
            # "; ", or the space behind an item that ends with a colon
            begin = end + (1 if self.text[end : end + 1] == " " else 2)
        return tuple(spans)


class PassageReader:
    """Reads the documents of hits, each once, without what is addressed to a language model. Made for one
    question, then dropped.

    Args:
        cache: blocks that other questions read.
    """

    def __init__(self, library: Texts, cache: BlockCache | None = None) -> None:
        self._library = library
        self._cache = cache or BlockCache()
        self._blocks: dict[str, StatementBlocks] = {}

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

    def before(self, quote: Quote) -> list[Quote]:
        """What stands before a quote under its heading, in order; on earlier pages too."""
        place = (quote.hit.chunk.section, quote.hit.chunk.heading)
        found: list[tuple[StatementBlock, Statement]] = []
        for block in self._read(quote.hit.document):
            first = block.chunks[0]
            if (first.section, first.heading) != place:
                found = []
            elif first.page < quote.hit.chunk.page:
                found += [(block, one) for one in block.statements]
            elif first.page == quote.hit.chunk.page and first.start <= quote.start:
                found += [(block, one) for one in block.statements if one.end <= quote.start]
                if any(one.start == quote.start for one in block.statements):
                    break
        return [self._quote(quote.hit, block, one) for block, one in found]

    def _quote(self, hit: Hit, block: StatementBlock, statement: Statement) -> Quote:
        inside = [c for c in block.chunks if c.start <= statement.start < c.end]
        chunk = hit.chunk if hit.chunk in inside or not inside else inside[0]
        return Quote(
            hit=hit if chunk is hit.chunk else replace(hit, chunk=chunk),
            text=statement.text,
            start=statement.start,
            end=statement.end,
            source=block.page_text[statement.start : statement.end],
            list_number=statement.list_number,
            items=statement.items,
            paragraph=statement.paragraph,
            lead=self._lead(hit.document, block, chunk, statement),
            row=statement.row,
            labels=statement.labels,
            with_it=tuple((a, b, block.page_text[a:b]) for a, b in statement.with_it),
            parts=statement.parts,
        )

    def _lead(
        self, document: Document, block: StatementBlock, chunk: Chunk, statement: Statement
    ) -> LeadIn | None:
        if statement.lead is None:
            return None
        lead = self._blocks[document.id].leads.get(statement.lead.number)
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

    def _read(self, document: Document) -> Sequence[StatementBlock]:
        if document.id not in self._blocks:
            source = BlockSource(
                self._library.pages(document.id),
                self._library.document_chunks(document.id),
                bool(document.orders),
            )
            self._blocks[document.id] = self._cache.blocks(document.id, source, read_blocks)
        return self._blocks[document.id].blocks


def _lead_of(lead: LeadIn, first: bool) -> LeadIn:
    """The lead-in of a single item: behind other items it does not stand before it."""
    return lead if first else replace(lead, gap=None)


def unique(quotes: Sequence[Quote]) -> list[Quote]:
    """Quotes without those that say the same words again, in order."""
    kept: dict[str, Quote] = {}
    for quote in quotes:
        kept.setdefault(quote.text, quote)
    return list(kept.values())


def neighbours(quotes: Sequence[Quote]) -> list[list[int]]:
    """Of each quote its place, with those of the quotes right before and after it in its paragraph."""
    units: dict[tuple[str, int, int], list[int]] = {}
    for place, one in enumerate(quotes):
        units.setdefault(one.unit, []).append(place)
    found = []
    for place, own in enumerate(quotes):
        others = units[own.unit] if own.paragraph >= 0 else ()
        near = [
            other
            for other in others
            if other != place
            and (
                0 <= own.start - quotes[other].end <= _FARTHEST_BESIDE
                or 0 <= quotes[other].start - own.end <= _FARTHEST_BESIDE
            )
        ]
        found.append([place, *near])
    return found
