"""The paragraphs, items and tables of a leaflet's side effects, each with the frequency that it stands under.

The frequency comes from structure alone: the label a paragraph begins with, the lead-in or heading of a list,
the head of a table's column, the cell of its row. What merely stands near says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from core.boards.reading.frequencies import label, of_cell, of_number
from core.boards.reading.tables import COMPARATORS, COUNTS, ENDS
from core.documents.cutting.furniture import repeated_lines
from core.domain.boards.records import Frequency
from core.domain.documents import Chunk, Page
from core.evidence.blocks import furniture_of
from core.text.layout.blocks import TextBlock, text_blocks
from core.text.layout.line_marks import BULLET
from core.text.model_talk import without_orders
from core.text.sentences import sentence_spans
from core.text.tables.told import ToldRow, told_rows

_LINE_ENDS = str.maketrans("\n\r\t\u2002\u2004\u2008", "      ")
_LONGEST_LABEL = 18  # words; a longer paragraph is none, colon or not
_ENDED = (".", "!", "?", ":", ";")


@dataclass(frozen=True, slots=True)
class SectionPart:
    """A paragraph, an item or a cell.

    Attributes:
        text: as it stands on the page, line ends as spaces: ``page[start:end]``, a label before it left out.
        whole: the place of all of it, label and bullet included.
        listed: it stands as an item or a cell, or behind a label: each of its parts is a reaction by itself.
        others: it stands under a label that names another medicine, a class or a placebo.
    """

    chunk: Chunk
    text: str
    start: int
    whole: tuple[int, int]
    frequency: Frequency | None
    listed: bool
    others: bool = False


@dataclass
class _Under:
    """What the text so far says about the next paragraph."""

    frequency: Frequency | None = None
    others: bool = False
    led: bool = False  # a lead-in stands directly before
    bullets: bool = False  # items came under the label
    open: bool = False  # the paragraph before has not ended


@dataclass(frozen=True, slots=True)
class _Run:
    chunks: tuple[Chunk, ...]
    text: str
    start: int


def parts(
    pages: Sequence[Page],
    chunks: Sequence[Chunk],
    sections: frozenset[str],
    speaks_of_others: Callable[[str], bool],
    *,
    orders: bool,
) -> Iterator[SectionPart]:
    """All of the sections, in order.

    Args:
        chunks: of the document, in order.
        speaks_of_others: whether a label is of another medicine, of a class or of a placebo.
        orders: the document has sentences that are addressed to a language model; they are left out.
    """
    texts = {one.number: without_orders(one.text) if orders else one.text for one in pages}
    repeated = repeated_lines(pages)
    under, before, ended = _Under(), "", False
    wanted = [one for one in chunks if one.section in sections]
    for (page, heading), members in groupby(wanted, key=lambda one: (one.page, one.heading)):
        of_run = tuple(members)
        if heading != before:
            above = label(heading)
            under = _Under(
                above.frequency if above and above.end == len(heading) else None,
                speaks_of_others(heading),
            )
            before, ended = heading, bool(ENDS.match(heading))
        run = _Run(of_run, texts.get(page, ""), of_run[0].start)
        text = run.text[run.start : max(one.end for one in of_run)]
        blocks = list(text_blocks(text, furniture_of(repeated, heading)))
        place = 0
        while place < len(blocks) and not ended:
            block = blocks[place]
            rows = 1
            if block.row:
                while place + rows < len(blocks) and blocks[place + rows].row:
                    rows += 1
                lines = [(one.start, one.end) for one in blocks[place : place + rows]]
                for row in told_rows(text, lines, None):
                    yield from _of_row(run, row)
                under = _Under(others=under.others)
            elif block.unclear or _words(text, block) == heading:
                pass
            elif ENDS.match(_words(text, block)):
                ended = True
            else:
                yield from _of_block(run, text, block, under, speaks_of_others)
            place += rows


def _words(text: str, block: TextBlock) -> str:
    return " ".join(text[block.start : block.end].split())


def _of_block(
    run: _Run, text: str, block: TextBlock, under: _Under, speaks_of_others: Callable[[str], bool]
) -> Iterator[SectionPart]:
    bullet = BULLET.match(text, block.start, block.end) if block.bullet else None
    begin = bullet.end() if bullet else block.start
    words = text[begin : block.end].translate(_LINE_ENDS)
    if not words.strip():
        return
    whole = (block.start, block.end)
    found = label(words)
    if found is not None and found.end == len(words):
        under.frequency, under.led, under.bullets, under.open = found.frequency, True, False, False
        under.others = speaks_of_others(words)
        return
    if found is not None:
        yield _part(run, words[found.end :], begin + found.end, whole, found.frequency, listed=True)
        if not block.bullet:
            under.frequency, under.led, under.others = found.frequency, False, False
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
    listed = block.bullet or runs_on or under.led or under.frequency is not None
    made = _part(run, words, begin, whole, under.frequency, listed=listed)
    yield replace(made, others=under.others)
    under.open = not words.rstrip().endswith(_ENDED) and under.frequency is not None
    if not block.bullet and not under.open and under.frequency is None:
        under.led = False


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
