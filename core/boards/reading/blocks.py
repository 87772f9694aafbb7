"""The paragraphs, items and tables of a leaflet's side effects, each with the frequency that it stands under.

The frequency comes from structure alone: the label a paragraph begins with, the lead-in or heading of a list,
the head of a table's column, the cell of its row. What merely stands near says nothing. What a lead-in or a
heading says is over at the next one, at the title of another part, and where sentences come instead of a list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from core.boards.reading.flattened import FlatTable, flat_tables
from core.boards.reading.tables import (
    BRACKETS,
    COMPARATORS,
    COUNTS,
    ENDS,
    GROUP_TITLES,
    OVERDOSE_SIGNS,
    OVERDOSE_TREATMENT,
    TITLES,
    VERBS,
)
from core.documents.cutting.furniture import repeated_lines
from core.domain.boards.records import Frequency
from core.domain.documents import Chunk, Page
from core.evidence.blocks import furniture_of
from core.evidence.reading.frequencies import label, of_cell, of_number
from core.text.layout.blocks import TextBlock, text_blocks
from core.text.layout.line_marks import BULLET, HEADING
from core.text.model_talk import without_orders
from core.text.sentences import sentence_spans
from core.text.tables.told import ToldRow, told_rows

_LINE_ENDS = str.maketrans("\n\r\t\u2002\u2004\u2008", "      ")
_LONGEST_LABEL = 18  # words; a longer paragraph is none, colon or not
_ENDED = (".", "!", "?", ":", ";")
LONGEST_ITEM = 9  # words outside brackets; a longer one is a sentence


@dataclass(frozen=True, slots=True)
class SectionPart:
    """A paragraph, an item or a cell.

    Attributes:
        text: as it stands on the page, line ends as spaces: ``page[start:end]``, a label before it left out.
        whole: the place of all of it, label and bullet included.
        listed: it stands as an item or a cell, or behind a label: each of its parts is a reaction by itself.
        others: it stands under a label that names another medicine, a class or a placebo.
        row: it is a row's name, and its numbers stand behind it.
        cut: whether it goes on from the page before, and over to the next, in the middle of an item.
    """

    chunk: Chunk
    text: str
    start: int
    whole: tuple[int, int]
    frequency: Frequency | None
    listed: bool
    others: bool = False
    row: bool = False
    cut: tuple[bool, bool] = (False, False)


@dataclass
class _Under:
    """What the text so far says about the next paragraph."""

    frequency: Frequency | None = None
    titled: bool = False  # a title alone says it
    others: bool = False
    led: bool = False  # a lead-in stands directly before
    bullets: bool = False  # items came under the label
    open: bool = False  # the paragraph before has not ended
    labelled: bool = False  # a label came under this heading
    groups: bool = (
        False  # organ classes were titled before the first label: each has labels of its own
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """Chunks of one page under one heading: `told` is ``text[start:]`` of the page, as far as they go."""

    chunks: tuple[Chunk, ...]
    text: str
    start: int
    told: str
    blocks: tuple[TextBlock, ...]

    @classmethod
    def of(cls, chunks: tuple[Chunk, ...], text: str, repeated: frozenset[str]) -> _Run:
        start = chunks[0].start
        told = text[start : max(one.end for one in chunks)]
        blocks = text_blocks(told, furniture_of(repeated, chunks[0].heading))
        return cls(chunks, text, start, told, tuple(blocks))

    @property
    def heading(self) -> str:
        return self.chunks[0].heading

    def words(self, block: TextBlock) -> str:
        return " ".join(self.told[block.start : block.end].split())


def parts(
    pages: Sequence[Page],
    chunks: Sequence[Chunk],
    sections: frozenset[str],
    speaks_of_others: Callable[[str], bool],
    *,
    orders: bool,
    own: frozenset[str] = frozenset(),
) -> Iterator[SectionPart]:
    """All of the sections, in order.

    Args:
        chunks: of the document, in order.
        speaks_of_others: whether a label is of another medicine, of a class or of a placebo.
        orders: the document has sentences that are addressed to a language model; they are left out.
        own: the words that name the leaflet's medicine, in lower case.
    """
    texts = {one.number: without_orders(one.text) if orders else one.text for one in pages}
    repeated = repeated_lines(pages)
    under, before, ended = _Under(), "", False
    wanted = [one for one in chunks if one.section in sections]
    runs = [
        _Run.of(tuple(members), texts.get(page, ""), repeated)
        for (page, _), members in groupby(wanted, key=lambda one: (one.page, one.heading))
    ]
    for number, run in enumerate(runs):
        if run.heading != before:
            above = label(run.heading)
            whole = above if above and above.end == len(run.heading) else None
            under = _Under(
                whole.frequency if whole else None,
                titled=whole is not None and whole.titles,
                others=speaks_of_others(run.heading),
            )
            before, ended = run.heading, bool(ENDS.match(run.heading))
        begun = bool(number) and _is_cut(runs[number - 1], run)
        goes_on = number + 1 < len(runs) and _is_cut(run, runs[number + 1])
        place, blocks = 0, run.blocks
        while place < len(blocks) and not ended:
            block = blocks[place]
            rows = 1
            if block.row:
                while place + rows < len(blocks) and blocks[place + rows].row:
                    rows += 1
                lines = [(one.start, one.end) for one in blocks[place : place + rows]]
                for row in told_rows(run.told, lines, None):
                    yield from _of_row(run, row)
                under = _Under(others=under.others)
            elif block.unclear or run.words(block) == run.heading:
                pass
            elif ENDS.match(run.words(block)) or _begins_overdose(run, place):
                ended = True
            else:
                cut = begun and not place, goes_on and place + 1 == len(blocks)
                for piece in _pieces(run, block, own):
                    if isinstance(piece, FlatTable):
                        yield from _of_flat(run, piece, block.start)
                    else:
                        for part in _of_block(run, piece, under, speaks_of_others):
                            yield replace(part, cut=cut)
            place += rows


def _is_cut(run: _Run, following: _Run) -> bool:
    """Whether an item goes on over a page: the last paragraph neither ends nor has just parted two items."""
    if run.heading != following.heading or not (run.blocks and following.blocks):
        return False
    last, first = run.blocks[-1], following.blocks[0]
    if last.row or last.unclear or first.row or first.unclear or first.bullet:
        return False
    return not run.words(last).endswith((*_ENDED, ",")) and run.words(last) != run.heading


def _begins_overdose(run: _Run, place: int) -> bool:
    """Whether a line tells the signs of an overdose, of which the treatment is told behind it."""
    return OVERDOSE_SIGNS.match(run.words(run.blocks[place])) is not None and any(
        OVERDOSE_TREATMENT.match(run.words(one)) for one in run.blocks[place + 1 :]
    )


def _of_block(
    run: _Run, block: TextBlock, under: _Under, speaks_of_others: Callable[[str], bool]
) -> Iterator[SectionPart]:
    text = run.told
    bullet = BULLET.match(text, block.start, block.end) if block.bullet else None
    begin = bullet.end() if bullet else block.start
    words = text[begin : block.end].translate(_LINE_ENDS)
    if not words.strip():
        return
    whole = (block.start, block.end)
    found = label(words)
    if found is None and not block.bullet and _is_set_as_heading(run, block):
        _go_under_heading(words.strip(), under)
        if under.frequency is not None:
            return
    under.labelled = under.labelled or found is not None
    if found is not None and found.end == len(words):
        under.frequency, under.led, under.bullets, under.open = found.frequency, True, False, False
        under.titled, under.others = found.titles, speaks_of_others(words)
        return
    if found is None and not block.bullet and _is_title(run, block):
        under.frequency, under.led, under.bullets, under.open = None, True, False, False
        under.others = speaks_of_others(words)
        return
    if found is not None:
        yield _part(run, words[found.end :], begin + found.end, whole, found.frequency, listed=True)
        if not block.bullet:
            under.frequency, under.led, under.others = found.frequency, False, False
            under.titled = False
            under.bullets, under.open = False, not words.rstrip().endswith(_ENDED)
            if not under.open:
                under.frequency = None
        return
    if words.rstrip().endswith(":"):
        *told, last = sentence_spans(words)
        for start, end in told:
            made = _part(
                run, words[start:end], begin + start, whole, under.frequency, listed=block.bullet
            )
            yield replace(made, others=under.others)
        words = words[slice(*last)]
    if words.rstrip().endswith(":") and len(words.split()) <= _LONGEST_LABEL:
        # A lead-in without a frequency begins something else.
        under.frequency, under.led, under.bullets, under.open = None, True, False, False
        under.others = speaks_of_others(words)
        return
    runs_on = under.open and words[:1].islower()
    if block.bullet:
        under.bullets = True
    elif under.bullets and not runs_on:
        # A paragraph behind the items ends their list.
        under.frequency, under.led, under.bullets = None, False, False
    elif not runs_on and under.frequency is not None and _is_prose(words, under.titled):
        under.frequency, under.led = None, False
    listed = block.bullet or runs_on or under.led or under.frequency is not None
    made = _part(run, words, begin, whole, under.frequency, listed=listed)
    yield replace(made, others=under.others)
    under.open = not words.rstrip().endswith(_ENDED) and under.frequency is not None
    if not block.bullet and not under.open and under.frequency is None:
        under.led = False


def _pieces(run: _Run, block: TextBlock, own: frozenset[str]) -> Iterator[TextBlock | FlatTable]:
    """A paragraph without the tables that run on in it, and these."""
    begin = block.start
    words = run.told[block.start : block.end].translate(_LINE_ENDS)
    for table in () if block.bullet else flat_tables(words, own):
        yield replace(block, start=begin, end=block.start + table.start)
        yield table
        begin = block.start + table.end
    rest = words[begin - block.start :]
    if begin == block.start or rest.strip():
        yield replace(block, start=begin + len(rest) - len(rest.lstrip()))


def _of_flat(run: _Run, table: FlatTable, offset: int) -> Iterator[SectionPart]:
    for row in table.rows:
        begin, end = offset + row.start, offset + row.name_end
        words = run.told[begin:end].translate(_LINE_ENDS)
        whole = begin, offset + row.end
        yield replace(_part(run, words, begin, whole, row.frequency, listed=True), row=True)


def _is_title(run: _Run, block: TextBlock) -> bool:
    """Whether a line is the title of another part of the section."""
    words = run.words(block)
    return bool(TITLES.match(words)) and VERBS.isdisjoint(words.casefold().split())


def _is_set_as_heading(run: _Run, block: TextBlock) -> bool:
    line = run.told[block.end :].split("\n", 1)[0]
    return HEADING in line and not line.strip()


def _go_under_heading(words: str, under: _Under) -> None:
    """What was said of how often ends at a heading; not at an organ class's that stands under a label."""
    is_group = GROUP_TITLES.search(words) is not None
    under.groups = under.groups or (is_group and not under.labelled)
    under.led = under.bullets = under.open = False
    if not is_group or under.groups:
        under.frequency = None


def _is_prose(words: str, strictly: bool) -> bool:
    """Whether a paragraph under a frequency is none of its lists, but tells something else in sentences.

    Args:
        strictly: nothing but a title says how often, under which anything may be told: a paragraph that does
            not begin with an item is prose. Otherwise one is where most parts of its first sentence run on.
    """
    begin, end = next(iter(sentence_spans(words)), (0, len(words)))
    parts = [one.split() for one in re.split("[,;]", BRACKETS.sub(" ", words[begin:end]))]
    run_on = [
        len(one) > LONGEST_ITEM or not VERBS.isdisjoint(map(str.casefold, one)) for one in parts
    ]
    return run_on[0] if strictly else 2 * sum(run_on) > len(run_on) and words.rstrip()[-1:] in ".!?"


def _part(
    run: _Run,
    words: str,
    begin: int,
    whole: tuple[int, int],
    frequency: Frequency | None,
    *,
    listed: bool,
) -> SectionPart:
    start = run.start + begin
    inside = [one for one in run.chunks if one.start <= start < one.end]
    return SectionPart(
        (inside or [run.chunks[0]])[0],
        words,
        start,
        (run.start + whole[0], run.start + whole[1]),
        frequency,
        listed,
    )


def _of_row(run: _Run, row: ToldRow) -> Iterator[SectionPart]:
    """The cells of a row that name reactions, with the class that their column, their row, or the row's
    group gives them, else with the rates of their row."""
    above = label(row.label)
    group = above.frequency if above and above.end == len(row.label) else None
    said = [(cell, of_cell(cell.text)) for cell in row.cells]
    of_row = next((level for _, level in said if level), None)
    rates = [
        rate
        for cell in row.cells
        if not COMPARATORS.search(cell.head)
        and not COUNTS.search(cell.head)
        and (rate := of_number(cell.text, cell.head))
    ]
    rate = Frequency(" / ".join(one.said for one in rates)) if rates else None
    told = [
        cell
        for cell, level in said
        if not level
        and any(map(str.isalpha, cell.text))
        and not of_number(cell.text, cell.head)
        and not COMPARATORS.search(cell.head)
    ]
    if len(told) > 1 and (of_row or rate) and told[0] == row.cells[0]:
        told = told[1:]  # the organ class that the row belongs to
    for cell in told:
        if not cell.own:
            continue
        frequency = of_cell(cell.head) or of_row or group or rate
        if frequency is None:
            continue
        begin, end = cell.span
        words = run.text[run.start + begin : run.start + end].translate(_LINE_ENDS)
        yield _part(run, words, begin, row.span, frequency, listed=True)
