"""A document cut into statements, run of chunks by run of chunks, and kept for the next question."""

from __future__ import annotations

import re
import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Self

from core.documents.cutting.furniture import counts_pages, line_key, repeated_lines
from core.documents.cutting.parts import ADMINISTRATIVE, DISCUSSION, part_of
from core.domain.documents import Chunk, Page
from core.questions.leaflets.reader import says_ages, says_for_whom
from core.text.layout.line_marks import NOTES
from core.text.layout.lines_over import LineOver, telling_over
from core.text.model_talk import without_orders
from core.text.spelling.short_forms import ShortForm, short_forms
from core.text.spelling.standard_forms import forms_in
from core.text.statements import Lead, Statement, heading_lead, statements
from core.text.tables.lines import CUT, caption_of, is_row
from core.text.tables.notes import moved

_MOST_KEPT = 4_000_000  # characters of pages whose blocks are kept: some 2,000 pages
_SENTENCE_END = re.compile(r"[.!?][\"'”’“)\]]*\s*$")
_WORD = re.compile(r"\w+")
_SECTION_NUMBER = re.compile(r"^\s*\d+(?:\.\d+)*[.)]?\s+")
Place = tuple[int, int]
"""A block's place in its document, and a statement's in its block."""


# Parts whose headings say what stands below them ("Funding.").
_TELLING = frozenset({DISCUSSION, ADMINISTRATIVE})


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
    """The blocks of a document, and what its lists are told with, by the lists' numbers.

    Attributes:
        of_page: where the statements stand that a page has a part of, in reading order.
        of_paragraph, of_list: where those of a paragraph and those of a list stand.
        short_forms: that the document gives.
    """

    blocks: tuple[StatementBlock, ...]
    leads: Mapping[int, LeadIn]
    of_page: Mapping[int, Sequence[Place]]
    of_paragraph: Mapping[int, Sequence[Place]]
    of_list: Mapping[int, Sequence[Place]]
    short_forms: Sequence[ShortForm] = ()

    @classmethod
    def of(cls, blocks: Sequence[StatementBlock], leads: Mapping[int, LeadIn]) -> Self:
        """The blocks with the places of their statements."""
        pages: dict[int, list[Place]] = {}
        paragraphs: dict[int, list[Place]] = {}
        lists: dict[int, list[Place]] = {}
        for number, block in enumerate(blocks):
            for place, one in enumerate(block.statements):
                # What goes on behind its page does so in the next blocks, one after the other.
                over = blocks[number : number + 1 + len(one.beyond)]
                for page in {part.chunks[0].page for part in over}:
                    pages.setdefault(page, []).append((number, place))
                if one.paragraph >= 0:
                    paragraphs.setdefault(one.paragraph, []).append((number, place))
                if one.list_number:
                    lists.setdefault(one.list_number, []).append((number, place))
        text = "\n".join(dict.fromkeys(block.page_text for block in blocks))
        return cls(tuple(blocks), leads, pages, paragraphs, lists, short_forms(text))

    def lead_in(self, chunk: Chunk, start: int, labels: Sequence[str]) -> list[str]:
        """What leads in the table of a row: the last sentence before it under its heading, where that ends in
        a colon. Behind a table with another caption it leads in nothing.

        Args:
            start: of the row, in the text of the chunk's page.
            labels: that it is told with.
        """
        caption = caption_of(labels)
        for number, place in reversed(self.of_page.get(chunk.page, ())):
            block = self.blocks[number]
            one = block.statements[place]
            here = (block.chunks[0].page, block.chunks[0].heading) == (chunk.page, chunk.heading)
            if not here or one.end > start:
                continue
            if not one.row:
                return [one.text] if one.text.rstrip().endswith(":") else []
            if caption_of(one.labels) != caption:
                return []
        return []


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
    chunks of them; safe to share between threads.

    Attributes:
        was_full: whether any had to go for want of room.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._read: OrderedDict[str, tuple[BlockSource, StatementBlocks]] = OrderedDict()
        self._size = 0
        self.was_full = False

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
                self.was_full = True
        return known[1]

    def _forget(self, document_id: str) -> None:
        if gone := self._read.pop(document_id, None):
            self._size -= gone[0].size


@dataclass(frozen=True, slots=True)
class _Run:
    """Chunks of one page under one heading: ``text[start:end]`` of the page, without what stands at the edges
    of every page; `told` is the page as it is read. `notes` is where those at the page's foot stand."""

    chunks: tuple[Chunk, ...]
    text: str
    told: str
    start: int
    end: int
    notes: tuple[int, int] = (0, 0)

    @classmethod
    def of(cls, chunks: tuple[Chunk, ...], text: str, told: str) -> _Run:
        start, end = chunks[0].start, max(chunk.end for chunk in chunks)
        notes = told.find(NOTES, start, end)
        return cls(
            chunks,
            text,
            told,
            start,
            end if notes < 0 else notes,
            (end if notes < 0 else notes, end),
        )


@dataclass(frozen=True, slots=True)
class _Chain:
    """Runs of pages that follow each other, under one heading, as one text: what stands at the end of a page
    may go on over it.

    Attributes:
        begins: where each run begins in `text`.
    """

    runs: tuple[_Run, ...]
    text: str
    begins: tuple[int, ...]

    @classmethod
    def of(cls, runs: Sequence[_Run]) -> _Chain:
        text, begins = "", []
        for run in runs:
            if text:
                # A whole sentence at a page's end may be a note's: nothing goes on behind it.
                text += "\n\n" if _SENTENCE_END.search(text) else "\n"
            begins.append(len(text))
            text += run.told[run.start : run.end]
        return cls(tuple(runs), text, tuple(begins))

    def place(self, offset: int) -> tuple[int, int]:
        """The run that a character of the text is of, and where it stands on its page."""
        number = bisect_right(self.begins, offset) - 1
        return number, self.runs[number].start + offset - self.begins[number]

    def spans(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """Run, start and end of each part of ``text[start:end]`` on its own page."""
        found = []
        for number, begin in enumerate(self.begins):
            run = self.runs[number]
            first, last = max(start, begin), min(end, begin + run.end - run.start)
            if first < last:
                found.append((number, run.start + first - begin, run.start + last - begin))
        return found

    def moved(self, statement: Statement, before: int) -> tuple[int, Statement]:
        """The run that a statement begins in, and the statement with the offsets of its page.

        Args:
            before: characters of the document before this text: paragraphs are known by where they begin there.
        """
        (number, start, end), *others = self.spans(statement.start, statement.end)
        by = start - statement.start
        return number, replace(
            statement,
            start=start,
            end=end,
            items=tuple(self.moved(one, before)[1] for one in statement.items),
            paragraph=statement.paragraph + before if statement.paragraph >= 0 else -1,
            with_it=tuple((begin + by, close + by) for begin, close in statement.with_it),
            beyond=tuple((begin, close) for _, begin, close in others),
            before=tuple(
                (place - number, first, last)
                for _, begin, close in statement.before
                for place, first, last in self.spans(begin, close)
            ),
            notes=moved(
                statement.notes,
                lambda begin, close: tuple(
                    (place - number, first, last) for place, first, last in self.spans(begin, close)
                ),
            ),
        )


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
    lists, before = 1, 0
    for (_, heading, _), same in groupby(chunks, key=lambda c: (c.section, c.heading, c.titled)):
        is_furniture = furniture_of(repeated, heading)
        runs = [
            _Run.of(members, texts.get(page, ""), told.get(page, ""))
            for page, members in ((page, tuple(run)) for page, run in groupby(same, _page))
        ]
        lead = _heading_lead(heading, lists)
        place, body = _heading_place(runs[0].text, runs[0].start, runs[0].end, heading)
        if lead is not None and place != (-1, -1):
            words = runs[0].text[slice(*place)]
            leads[lead.number] = LeadIn(lead.text, _of(runs[0], place[0]), *place, words)
        lists = max(lists, lead.number + 1 if lead else 0)
        runs[0] = replace(runs[0], start=body)
        chain = _Chain.of(_joined(runs, is_furniture))
        found, last = statements(chain.text, is_furniture, lead, lists, chain.begins[1:])
        found = _headed(chain.text, found)
        lists = max([lists, *(s.list_number + 1 for s in found)])
        lists = max(lists, last.number + 1 if last else 0)
        for one in [*(statement.lead for statement in found), last]:
            if one is not None and one.number not in leads and one.start >= 0:
                number, begin, close = chain.spans(one.start, one.end)[0]
                run = chain.runs[number]
                words = run.text[begin:close]
                leads[one.number] = LeadIn(one.text, _of(run, begin), begin, close, words)
        by_run: dict[int, list[Statement]] = {}
        for statement in found:
            number, own = chain.moved(statement, before)
            by_run.setdefault(number, []).append(own)
        before += len(chain.text)
        for number, run in enumerate(chain.runs):
            notes, _ = statements(run.told[slice(*run.notes)], is_furniture, None, lists)
            lists = max([lists, *(s.list_number + 1 for s in notes)])
            alone = _Chain((replace(run, start=run.notes[0], end=run.notes[1]),), "", (0,))
            by_run.setdefault(number, []).extend(alone.moved(one, before)[1] for one in notes)
            before += run.notes[1] - run.notes[0]
        blocks += [
            StatementBlock(run.chunks, run.text, tuple(by_run.get(number, ())))
            for number, run in enumerate(chain.runs)
        ]
    return StatementBlocks.of(blocks, leads)


def _headed(text: str, found: Sequence[Statement]) -> list[Statement]:
    """Statements, those of a paragraph that opens with the heading of a paper's part ("Limitations. First")
    under that. What stands under "Results" of an abstract says so itself."""
    openings: dict[int, tuple[LineOver, ...]] = {}
    for one in found:
        if one.paragraph >= 0 and one.paragraph not in openings:
            opening = text[one.paragraph : one.start].strip().rstrip(".:")
            told = part_of(opening) in _TELLING
            openings[one.paragraph] = (LineOver(opening),) if told else ()
    return [replace(one, under=openings.get(one.paragraph) or one.under) for one in found]


def said_over(lines: Sequence[LineOver], forms: Sequence[ShortForm]) -> str:
    """Of the lines that stand over a paragraph those that say for whom it is or which part of a paper, as
    `telling_over` finds them; "" where there is none.

    Args:
        forms: short forms of the document ("DVT").
    """
    return " · ".join(telling_over(lines, lambda line: _is_telling(line, forms), says_ages))


def _is_telling(line: str, forms: Sequence[ShortForm]) -> bool:
    if says_for_whom(line) or part_of(line) in _TELLING:
        return True
    own = set(_WORD.findall(line))
    spelt = (one.words for one in (*forms, *forms_in(line)) if one.short in own)
    return any(map(says_for_whom, spelt))


def _page(chunk: Chunk) -> int:
    return chunk.page


def _of(run: _Run, begin: int) -> Chunk:
    """The chunk of a run that a character of its page stands in."""
    return next((c for c in run.chunks if c.start <= begin < c.end), run.chunks[0])


def _joined(runs: Sequence[_Run], is_furniture: Callable[[str], bool]) -> list[_Run]:
    """Runs without the white space and the furniture that stand where one page ends and the next begins."""
    found = []
    for number, run in enumerate(runs):
        lines = []
        offset = run.start
        for line in run.told[run.start : run.end].splitlines(keepends=True):
            if (words := line.strip()) and not (is_furniture(words) or counts_pages(words)):
                lines.append((offset, offset + len(_without_end(line))))
            offset += len(line)
        first = lines[0][0] if number and lines else run.start
        last = lines[-1][1] if number + 1 < len(runs) and lines else run.end
        found.append(replace(run, start=first, end=max(first, last)))
    return found


def _without_end(line: str) -> str:
    """A line without white space at its end, but for what says that its row goes on."""
    words = line.rstrip()
    return words + CUT if is_row(line) and line.startswith(words + CUT) else words


def _heading_place(text: str, start: int, end: int, heading: str) -> tuple[tuple[int, int], int]:
    """Where a section's own heading stands, (-1, -1) where it is not found, and where the body begins:
    bare headings may stand before its own."""
    words = r"\s+".join(map(re.escape, heading.split()))
    found = re.compile(rf"^[^\S\n]*({words})\s*?(?:\n|\Z)", re.MULTILINE).search(text, start, end)
    return (found.span(1), found.end()) if heading and found else ((-1, -1), start)


def _heading_lead(heading: str, number: int) -> Lead | None:
    """A heading as the lead-in of a list that stands directly under it ("Do not take X", bullets)."""
    words = _SECTION_NUMBER.sub("", heading).rstrip(" :.")
    return heading_lead(words, number) if words else None


def furniture_of(repeated: frozenset[str], heading: str) -> Callable[[str], bool]:
    """Whether a line of a section is a running header or footer, or the section's own heading."""
    own = line_key(heading)
    return lambda line: (key := line_key(line)) in repeated or (bool(own) and key == own)
