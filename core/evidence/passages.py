"""Statements around search hits, read from whole sections rather than from single chunks.

A chunk may end in the middle of a list; a quoted contraindication list must not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from core.documents.cutting.parts import over_table
from core.documents.store.texts import Texts
from core.domain.documents import Chunk, Document, Hit
from core.evidence.blocks import (
    BlockCache,
    BlockSource,
    LeadIn,
    Place,
    StatementBlock,
    StatementBlocks,
    read_blocks,
    said_over,
)
from core.text.leads import must_hold
from core.text.spelling.short_forms import ShortForm
from core.text.statements import Statement


@dataclass(frozen=True, slots=True)
class QuotedNote:
    """A note of a table, as `RowNote` has it.

    Attributes:
        places: chunk, start, end and words of each of its parts.
        parts: numbers of the row's parts that it is said of; empty where it is said of the row.
    """

    text: str
    places: tuple[tuple[Chunk, int, int, str], ...]
    parts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Quote:
    """A statement of a page: `hit` is the chunk it begins in, offsets are those of the page's text.

    Attributes:
        lead: what a list, or an item of one, is told with: `text` begins with its words.
        row: whether it is a row of a table.
        labels: the caption and the label that such a row is told with; `text` begins with them.
        with_it: start, end and words of what else of the page the text says: a table's heads.
        beyond: chunk, start, end and words of what the text says on other pages, one for each.
        unclear: whether it is a table whose rows are not told, which is shown and never quoted.
        parts: the cells of a row, each with its head.
        notes: those that such a row points to.
        of_table: whether it is of a note that rows of a table point to.
        others: whether its items hold for other patients than those asked about.
        under: the line over its paragraph, below the heading, or the words that open it; see `said_over`.
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
    beyond: tuple[tuple[Chunk, int, int, str], ...] = ()
    unclear: bool = False
    parts: tuple[str, ...] = ()
    notes: tuple[QuotedNote, ...] = ()
    of_table: bool = False
    others: bool = False
    under: str = ""

    @property
    def key(self) -> tuple[str, int, int, int]:
        return (self.hit.document.id, self.hit.chunk.page, self.start, self.end)

    @property
    def context(self) -> str:
        """What it stands under: title and heading, and the line below that."""
        context = over_table(self.hit.chunk.titled) if self.row else self.hit.chunk.titled
        return f"{context} · {self.under}" if self.under else context

    @property
    def headings(self) -> str:
        """The heading that it stands under, and the line below that where it says for whom it is."""
        heading = self.hit.chunk.heading
        return f"{heading}\n{self.under}" if self.under else heading

    @property
    def unit(self) -> tuple[str, int, int]:
        """Equal for the parts of one list and for the sentences of one paragraph."""
        if self.list_number:
            return (self.hit.document.id, 0, self.list_number)
        if self.paragraph >= 0:
            return (self.hit.document.id, -1, self.paragraph)
        return (self.hit.document.id, self.hit.chunk.page, self.start)

    @property
    def is_label(self) -> bool:
        """Whether it is a line that says what stands under it, and no sentence."""
        plain = not (self.list_number or self.row or self.unclear)
        return plain and self.text.rstrip()[-1:].isalnum()

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
        # With the hit: what is kept by its address must not be freed.
        self._quotes: dict[tuple[int, bool], tuple[Hit, list[Quote]]] = {}

    def quotes(self, hit: Hit, *, unclear: bool = False) -> list[Quote]:
        """The statements that a hit's chunk has a part of, in reading order; with `unclear` also the tables
        whose rows are not told."""
        known = self._quotes.get((id(hit), unclear))
        if known is None:
            known = self._quotes[id(hit), unclear] = (hit, self._quotes_of(hit, unclear))
        return list(known[1])

    def _quotes_of(self, hit: Hit, unclear: bool) -> list[Quote]:
        chunk = hit.chunk
        read = self._read(hit.document)
        found = []
        for number, place in read.of_page.get(chunk.page, ()):
            block = read.blocks[number]
            statement = block.statements[place]
            if (unclear or statement.says_something) and (
                _has_part(chunk, block, statement.start, statement.end)
                or any(_has_part(chunk, *one) for one in _beyond(read.blocks, number, statement))
            ):
                found.append(self._quote(hit, block, statement))
        return found

    def telling(self, hit: Hit, wanted: Callable[[Chunk, Statement], bool]) -> list[Quote]:
        """The wanted statements of a document on a hit's product, in order, with the chunks they begin in."""
        return [
            self._quote(hit, block, statement)
            for block in self._read(hit.document).blocks
            if hit.document.tells(block.chunks[0])
            for statement in block.statements
            if not statement.unclear and wanted(block.chunks[0], statement)
        ]

    def short_forms(self, document: Document) -> Sequence[ShortForm]:
        """Those that a document gives."""
        return self._read(document).short_forms

    def notes_beyond(self, hit: Hit) -> list[tuple[Chunk, int, int, str]]:
        """Where the notes of a passage's rows stand that are no part of it: chunk, start, end and words."""
        own = hit.chunk
        places = [place for one in self.quotes(hit) for note in one.notes for place in note.places]
        return [
            one
            for one in dict.fromkeys(places)
            if not (one[0].page == own.page and own.start <= one[1] and one[2] <= own.end)
        ]

    def whole_list(self, quote: Quote) -> list[Quote]:
        """All parts of the list that a quote belongs to, in order; the quote alone outside a list."""
        if not quote.list_number:
            return [quote]
        read = self._read(quote.hit.document)
        parts = _at(read, read.of_list.get(quote.list_number, ()))
        return [self._quote(quote.hit, *one) for one in parts]

    def paragraph(self, quote: Quote) -> list[Quote]:
        """The sentences of a quote's paragraph, in order; the quote alone in a list."""
        if quote.paragraph < 0:
            return [quote]
        return [self._quote(quote.hit, *one) for one in self._paragraph(quote)]

    def said_before(self, quote: Quote) -> list[str]:
        """What the sentences before a quote in its paragraph say; of a row what leads in its table."""
        if quote.row:
            read = self._read(quote.hit.document)
            return read.lead_in(quote.hit.chunk, quote.start, quote.labels)
        return [
            statement.text
            for block, statement in (self._paragraph(quote) if quote.paragraph >= 0 else ())
            if (block.chunks[0].page, statement.start, statement.end) < quote.key[1:]
        ]

    def _paragraph(self, quote: Quote) -> Iterator[tuple[StatementBlock, Statement]]:
        read = self._read(quote.hit.document)
        return _at(read, read.of_paragraph.get(quote.paragraph, ()))

    def before(self, quote: Quote) -> list[Quote]:
        """What stands before a quote under its heading, in order; on earlier pages too."""
        begin = (quote.hit.chunk.page, quote.start)
        return [one for one in self._under_heading(quote) if (one.hit.chunk.page, one.end) <= begin]

    def behind(self, quote: Quote) -> list[Quote]:
        """What stands behind a quote under its heading, in order; on later pages too."""
        end = (quote.hit.chunk.page, quote.end)
        return [one for one in self._under_heading(quote) if (one.hit.chunk.page, one.start) >= end]

    def _under_heading(self, quote: Quote) -> list[Quote]:
        """All that stands with a quote under one heading."""
        for _, blocks in groupby(self._read(quote.hit.document).blocks, _heading):
            run = [(block, one) for block in blocks for one in block.statements]
            if any(_is_at(quote, *each) for each in run):
                return [self._quote(quote.hit, *each) for each in run]
        return []

    def under(self, label: Quote) -> list[Quote]:
        """The paragraph or list that stands under a line which labels it; none on another page or under another
        heading."""
        place = (label.hit.chunk.page, label.hit.chunk.heading)
        found: list[Quote] = []
        for block in self._read(label.hit.document).blocks:
            first = block.chunks[0]
            for statement in block.statements if (first.page, first.heading) == place else ():
                if statement.start >= label.end:
                    one = self._quote(label.hit, block, statement)
                    if found and one.unit != found[0].unit:
                        return found
                    found.append(one)
        return found

    def _quote(self, hit: Hit, block: StatementBlock, statement: Statement) -> Quote:
        inside = [c for c in block.chunks if c.start <= statement.start < c.end] or block.chunks
        chunk = hit.chunk if hit.chunk in inside else inside[0]
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
            beyond=self._beyond(hit.document, block, statement),
            parts=statement.parts,
            notes=self._notes(hit.document, block, statement),
            of_table=statement.of_table,
            unclear=statement.unclear,
            under=said_over(statement.under, self.short_forms(hit.document)),
        )

    def _notes(
        self, document: Document, block: StatementBlock, statement: Statement
    ) -> tuple[QuotedNote, ...]:
        if not statement.notes:
            return ()
        blocks = self._read(document).blocks
        number = next(place for place, one in enumerate(blocks) if one is block)
        return tuple(
            QuotedNote(
                note.text,
                tuple(
                    (_chunk_at(one, start), start, end, one.page_text[start:end])
                    for ahead, start, end in note.places
                    for one in blocks[number + ahead : number + ahead + 1]
                ),
                note.parts,
            )
            for note in statement.notes
        )

    def _beyond(
        self, document: Document, block: StatementBlock, statement: Statement
    ) -> tuple[tuple[Chunk, int, int, str], ...]:
        """Where a statement goes on behind its page, and where a row's heads stand before it."""
        if not (statement.beyond or statement.before):
            return ()
        blocks = self._read(document).blocks
        number = next(place for place, one in enumerate(blocks) if one is block)
        before = ((blocks[number + by], start, end) for by, start, end in statement.before)
        return tuple(
            (_chunk_at(one, start), start, end, one.page_text[start:end])
            for one, start, end in (*_beyond(blocks, number, statement), *before)
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
        """The items of a list part whose text is wanted, each a quote; none where several hold together."""
        if quote.lead is not None and must_hold(quote.lead.text, len(quote.items)) > 1:
            return []
        return [
            replace(
                quote,
                text=item.text,
                start=item.start,
                end=item.end,
                source=quote.source[item.start - quote.start : item.end - quote.start],
                beyond=quote.beyond if item.beyond else (),
                list_number=0,
                items=(),
                paragraph=-1,
                lead=quote.lead and _lead_of(quote.lead, first=item.start == quote.start),
            )
            for item in quote.items
            if wanted(item.text)
        ]

    def _read(self, document: Document) -> StatementBlocks:
        if document.id not in self._blocks:
            source = BlockSource(
                self._library.pages(document.id),
                self._library.document_chunks(document.id),
                bool(document.orders),
            )
            self._blocks[document.id] = self._cache.blocks(document.id, source, read_blocks)
        return self._blocks[document.id]


def _at(
    read: StatementBlocks, places: Sequence[Place]
) -> Iterator[tuple[StatementBlock, Statement]]:
    """The statements at these places, each with its block."""
    for number, place in places:
        yield read.blocks[number], read.blocks[number].statements[place]


def _has_part(chunk: Chunk, block: StatementBlock, start: int, end: int) -> bool:
    """Whether a chunk has a part of ``block.page_text[start:end]``."""
    return block.chunks[0].page == chunk.page and start < chunk.end and end > chunk.start


def _beyond(
    blocks: Sequence[StatementBlock], number: int, statement: Statement
) -> Iterator[tuple[StatementBlock, int, int]]:
    """The blocks that a statement of a block goes on in, and where."""
    for block, (start, end) in zip(blocks[number + 1 :], statement.beyond, strict=False):
        yield block, start, end


def _chunk_at(block: StatementBlock, start: int) -> Chunk:
    return next((c for c in block.chunks if c.start <= start < c.end), block.chunks[0])


def _lead_of(lead: LeadIn, first: bool) -> LeadIn:
    """The lead-in of a single item: behind other items it does not stand before it."""
    return lead if first else replace(lead, gap=None)


def _heading(block: StatementBlock) -> tuple[str, str]:
    return block.chunks[0].section, block.chunks[0].heading


def _is_at(quote: Quote, block: StatementBlock, statement: Statement) -> bool:
    same_page = block.chunks[0].page == quote.hit.chunk.page
    return same_page and statement.start <= quote.start < statement.end


def unique(quotes: Sequence[Quote]) -> list[Quote]:
    """Quotes without those that say the same words again, in order."""
    kept: dict[str, Quote] = {}
    for quote in quotes:
        kept.setdefault(quote.text, quote)
    return list(kept.values())
