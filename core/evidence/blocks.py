"""A document cut into statements, run of chunks by run of chunks, and kept for the next question."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from core.documents.cutting.furniture import line_key, repeated_lines
from core.domain.documents import Chunk, Page
from core.text.model_talk import without_orders
from core.text.statements import Lead, Statement, statements

_MOST_KEPT = 4_000_000  # characters of pages whose blocks are kept: some 2,000 pages
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
class StatementBlock:
    """A run of chunks of one page under one heading, and its statements with page offsets."""

    chunks: tuple[Chunk, ...]
    page_text: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class StatementBlocks:
    """The blocks of a document, and what its lists are told with, by the lists' numbers."""

    blocks: tuple[StatementBlock, ...]
    leads: Mapping[int, LeadIn]


@dataclass(frozen=True, slots=True)
class BlockSource:
    """What blocks are read from: the same of it gives the same blocks."""

    pages: Sequence[Page]
    chunks: Sequence[Chunk]
    orders: bool

    @property
    def size(self) -> int:
        return sum(len(page.text) for page in self.pages)


class BlockCache:
    """The blocks of the documents that were read last, for as long as the library has the same pages and
    chunks of them; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._read: OrderedDict[str, tuple[BlockSource, StatementBlocks]] = OrderedDict()
        self._size = 0

    def blocks(
        self, document_id: str, source: BlockSource, read: Callable[[BlockSource], StatementBlocks]
    ) -> StatementBlocks:
        """Those of a document, read anew where its pages or chunks are others by now."""
        with self._lock:
            known = self._read.get(document_id)
        if known is None or known[0] != source:
            known = source, read(source)
        with self._lock:
            self._forget(document_id)
            self._read[document_id] = known
            self._size += source.size
            while self._size > _MOST_KEPT and len(self._read) > 1:
                self._forget(next(iter(self._read)))
        return known[1]

    def _forget(self, document_id: str) -> None:
        if gone := self._read.pop(document_id, None):
            self._size -= gone[0].size


def read_blocks(source: BlockSource) -> StatementBlocks:
    """The statements of a document's runs of chunks, in order."""
    pages, chunks = source.pages, source.chunks
    texts = {page.number: page.text for page in pages}
    # What is addressed to a language model is no statement; offsets stay as they are.
    told = {
        page.number: without_orders(page.text) if source.orders else page.text for page in pages
    }
    repeated = repeated_lines(pages)
    blocks: list[StatementBlock] = []
    leads: dict[int, LeadIn] = {}

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
        found, lead = statements(plain, furniture_of(repeated, heading), running, lists)
        lists = max([lists, *(s.list_number + 1 for s in found)])
        lists = max(lists, lead.number + 1 if lead else 0)
        for one in [*(statement.lead for statement in found), lead]:
            note(one, members, text, start)
        moved = tuple(_moved(statement, start) for statement in found)
        blocks.append(StatementBlock(members, text, moved))
        before = (section, heading)
    return StatementBlocks(tuple(blocks), leads)


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


def _heading_place(text: str, start: int, end: int, heading: str) -> tuple[tuple[int, int], int]:
    """Where a section's own heading stands, (-1, -1) where it is not found, and where the body begins:
    bare headings may stand before its own."""
    place = start
    for line in text[start:end].splitlines(keepends=True):
        place += len(line)
        if heading and " ".join(line.split()) == heading:
            begin = place - len(line.lstrip())
            return (begin, begin + len(line.strip())), place
    return (-1, -1), start


def _heading_lead(heading: str, number: int) -> Lead | None:
    """A heading as the lead-in of a list that stands directly under it ("Do not take X", bullets)."""
    words = _SECTION_NUMBER.sub("", heading).rstrip(" :.")
    return Lead(f"{words}:", number, heading=True) if words else None


def furniture_of(repeated: frozenset[str], heading: str) -> Callable[[str], bool]:
    """Whether a line of a section is a running header or footer, or the section's own heading."""
    own = line_key(heading)
    return lambda line: (key := line_key(line)) in repeated or (bool(own) and key == own)
