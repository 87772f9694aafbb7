"""A chunk's text cut into statements that can be quoted: sentences, lists with their lead-in, and rows of
tables with their heads.

Text from a PDF is hard-wrapped; lines are joined to paragraphs first, with exact offsets kept, so
that every statement can be marked on its page.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from core.text.function_words import FUNCTION_WORDS_OF
from core.text.layout.blocks import ENDS, TextBlock, text_blocks
from core.text.layout.captions import caption_above, captions_below
from core.text.layout.item_ends import ended_items
from core.text.layout.lead_ins import lead_in
from core.text.layout.line_marks import without_bullet
from core.text.layout.lines_over import (
    CONDITION,
    FREQUENCY,
    LINE_WITHOUT_END,
    LineOver,
    LinesOver,
    is_heading,
    rows_in_lines,
    tells_how_often,
)
from core.text.sentences import sentence_spans
from core.text.tables.cells import Span
from core.text.tables.lines import is_caption
from core.text.tables.notes import RowNote, TableNotes, TableRow, is_signed, parted_at_notes
from core.text.tables.told import RunningTable

# Taken off a step: "2. Open the bottle."
_ITEM_NUMBER = re.compile(r"(?:\d{1,2}|[a-z]|[IVX]{1,4})\.\s+(?=[\"“'(\[]?[A-ZÄÖÜ0-9])")
_LONGEST_PART = 700  # characters; a longer list is told in several parts, each with the lead-in
_LEADERS = re.compile(r"\.{5,}|(?:\. ){5,}")  # a line of a table of contents
# "3 years", under the heading "Shelf life".
_AMOUNT_ALONE = re.compile(r"\d+(?:[.,]\d+)?\s+[^\W\d_]{3,}(?:\s+[^\W\d_]+){0,3}[.]?$")
_FEWEST_WORDS = 3
_BARE_ITEM = 8  # words; a shorter list item without its lead-in says nothing


@dataclass(frozen=True, slots=True)
class Lead:
    """The words that introduce a list ("Do not take X if:"), and a number that names the list.

    `heading` says that they are the heading above the text. ``text[start:end]`` is where they stand, in
    the text that they were found in; -1 where that is not known.
    """

    text: str
    number: int
    heading: bool = False
    start: int = -1
    end: int = -1


@dataclass(frozen=True, slots=True)
class Statement:
    """``text[start:end]`` of the page is what `text` says, up to white space, bullets and lead-in; of a row
    of a table, its cells, with what they are told with.

    `list_number` is the same for all parts of one list (a contraindication must not be told without
    the others); 0 outside a list. `items` are the part's items, each told with the lead-in.
    `paragraph` is where the sentence's paragraph begins; -1 in a list and in a `row` of a table. `lead` is what
    a list, or an item of one, is told with: its `text` begins with that. `with_it` are the places of what a
    row is told with: the table's caption and heads, and the label of its group; caption and label are its
    `labels`, with which `text` begins. `beyond` is where what begins on one page goes on, on each one after it.
    `before` is where heads and caption of a row stand that begin on an earlier page: by how many pages (0 or
    less; 0 where all pages are one text), start and end.
    What is `unclear` are the words of a table whose rows are not told: no sentence. `parts` are the cells of
    a row, each with its head; `notes` are those that it points to. `of_table` says that it is of such a note.
    `under` are the lines that stand over its paragraph and those before it, as headings do, in order.
    """

    text: str
    start: int
    end: int
    list_number: int = 0
    items: tuple[Statement, ...] = ()
    paragraph: int = -1
    lead: Lead | None = None
    row: bool = False
    labels: tuple[str, ...] = ()
    with_it: tuple[Span, ...] = ()
    beyond: tuple[Span, ...] = ()
    before: tuple[tuple[int, int, int], ...] = ()
    unclear: bool = False
    parts: tuple[str, ...] = ()
    notes: tuple[RowNote, ...] = ()
    of_table: bool = False
    under: tuple[LineOver, ...] = ()

    @property
    def says_something(self) -> bool:
        """Whether it is no question, as headings are that run on in a text ("How should I store X?"), and not
        `unclear`."""
        return not self.unclear and (bool(self.list_number) or not self.text.endswith("?"))


def statements(
    text: str,
    is_furniture: Callable[[str], bool],
    lead: Lead | None = None,
    next_list: int = 1,
    breaks: Sequence[int] = (),
) -> tuple[list[Statement], Lead | None]:
    """The statements of a text, in order, without headings, page furniture and fragments.

    Args:
        is_furniture: whether a line is a running header or footer, or the section's own heading.
        lead: the lead-in of a list that was running when the text before this one ended.
        next_list: number for the first list found here; later ones count up.
        breaks: where further pages begin, ascending. A sentence or an item may go on there; the parts of a list
            and the rows of a table do not.

    Returns:
        The statements, and the lead-in of the list that is still running at the end.
    """
    found: list[Statement] = []
    items: list[TextBlock] = []
    rows: list[TextBlock] = []
    running: list[RunningTable] = []  # one that the next page may go on with
    title: list[LineOver] = []  # the heading right above it
    tables = TableNotes(lambda start, end: _statement(text, start, end).text)
    # A heading stands for the first block only.
    opening = lead if lead is not None and lead.heading else None

    def tell_list() -> None:
        if items:
            told = _list(text, items, lead, breaks) if lead else _items(text, items)
            found.extend(replace(one, under=over.lines) for one in told)
            items.clear()

    def tell_table(before: TextBlock | None, caption: Span | None) -> None:
        lines = [(row.start, row.end) for row in rows]
        last = running[-1] if running and not caption else None
        cut, heads = (last.cut, last.heads) if last else (None, [])
        if caption or not (running and running[-1].goes_on_in(lines[0])):
            caption = caption or (caption_above(text, before) if before else None)
            running[:] = [RunningTable(text, caption)]
            words = _statement(text, *caption).text if caption else ""
            title[:] = [LineOver(words)] if is_heading(words) and not is_caption(words) else []
        told_of_table = running[-1].told(lines, cut, heads)
        if any(told.whole for told in told_of_table):
            # The next page tells it whole.
            del found[max(place for place, one in enumerate(found) if one.row)]
            tables.drop_last_row()
        page = bisect_left(breaks, lines[0][0] + 1)
        top = breaks[page - 1] if page else 0
        tables.take_table([TableRow(told.lead, told.parts, page) for told in told_of_table])
        for told in told_of_table:
            found.append(
                Statement(
                    told.text,
                    *told.span,
                    row=True,
                    labels=told.lead,
                    with_it=tuple(one for one in told.with_it if one[0] >= top),
                    before=tuple((0, *one) for one in told.with_it if one[0] < top),
                    parts=told.parts,
                    under=(*over.lines, *title),
                )
            )
        rows.clear()

    blocks = ended_items(text, list(text_blocks(text, is_furniture, breaks)))
    over = LinesOver([block.start for block in blocks])
    in_rows = rows_in_lines(text, blocks)
    below = captions_below(text, blocks, lambda one, other: _parted(one, other, breaks))
    above: TextBlock | None = None
    for place, (block, after) in enumerate(zip_longest(blocks, blocks[1:])):
        if above is not None and _parted(above, block, breaks):
            above = None
        if block.row:
            tell_list()
            opening = lead = None
            rows.append(block)
            if after is None or not after.row or _parted(block, after, breaks):
                tell_table(above, below.get(place + 1))
            if after is None or not after.row:
                running.clear()
            continue
        if block.unclear:
            tell_list()
            above = opening = lead = None
            found.append(replace(_statement(text, block.start, block.end), unclear=True))
            continue
        if text[block.start : block.end].isdecimal():
            continue  # a page's number between two items
        if block.start in in_rows:
            tell_list()
            above = opening = lead = None
            line = _statement(text, block.start, block.end)
            parts = (line.text,)
            found.append(
                replace(line, text=f"{line.text}.", row=True, parts=parts, under=over.lines)
            )
            tables.take_table([TableRow((), parts, bisect_left(breaks, block.start + 1))])
            continue
        above = block
        words = text[block.start : block.end]
        is_note = tables.take_paragraph(
            words,
            (block.start, block.end),
            bisect_left(breaks, block.start + 1),
            is_sentence=block.bullet or bool(ENDS.search(words)),
        )
        if is_note:
            above = None
        if block.bullet or (block.number and _goes_with(block, items, lead)):
            items.append(block)
            opening = None
            continue
        tell_list()
        heading, opening, lead = opening, None, None
        spoken = list(_sentences(text, block))
        words_end = text[block.start : block.end].rstrip()
        intro = lead_in(words_end, spoken, bullet=after is not None and after.bullet)
        if intro is not None:
            spoken = [one for one in spoken if one is not intro]
            if after is not None and not (after.bullet or after.number):
                if len(intro.text.split()) >= _BARE_ITEM:
                    spoken.append(intro)
                elif not spoken:
                    over.take(intro.text.rstrip(" :"), block.start)
            lead = Lead(intro.text, next_list, start=intro.start, end=intro.end)
            next_list += 1
        if heading and len(spoken) == 1 and _completes(heading, spoken[0].text):
            # "Shelf life", and under it nothing but "3 years": the heading makes it a statement.
            only = spoken[0]
            told = f"{heading.text} {only.text}"
            found.append(replace(only, text=told, list_number=heading.number, lead=heading))
            continue
        if place in below:  # it is told with each row, but for what explains signs
            spoken = [one for one in spoken if one.start >= below[place][1]]
            above = None
        over_table = after is not None and after.row
        if over_table and is_caption(words) and place not in below:
            continue  # it is told with each row
        of_table = is_caption(words) or over_table
        if len(spoken) == 1 and not (is_note or of_table) and is_heading(spoken[0].text):
            over.take(spoken[0].text, block.start)
        found.extend(
            replace(item, paragraph=block.start, under=over.lines)
            for item in spoken
            if _is_sentence(item.text)
        )
    tell_list()
    found = _noted(found, [own for rows_of_table in tables.told() for own in rows_of_table])
    return _with_frequencies(found, next_list), lead


def _noted(found: Sequence[Statement], notes: Sequence[tuple[RowNote, ...]]) -> list[Statement]:
    """Statements, the rows with their notes, and what stands in these notes as such.

    Args:
        notes: of each row, in order.
    """
    of_rows = iter(notes)
    spans = {place[1:] for own in notes for note in own for place in note.places}
    return [
        replace(one, notes=next(of_rows))
        if one.row
        else replace(one, of_table=any(start <= one.start < end for start, end in spans))
        for one in found
    ]


def _parted(block: TextBlock, after: TextBlock, breaks: Sequence[int]) -> bool:
    """Whether a page begins between the beginnings of two blocks."""
    return bisect_left(breaks, block.start + 1) < bisect_left(breaks, after.start + 1)


def heading_lead(words: str, number: int) -> Lead:
    """A heading as the lead-in of what stands directly under it: with a colon, unless it breaks off ("Ask a
    doctor before use if you have")."""
    breaks_off = words.split()[-1].casefold() in FUNCTION_WORDS_OF["en"]
    return Lead(words if breaks_off else f"{words}:", number, heading=True)


def _completes(heading: Lead, words: str) -> bool:
    """Whether a sentence under a heading is none without it: an amount alone, or the end of what the heading
    begins."""
    runs_on = not heading.text.endswith(":") and words[:1].islower()
    return runs_on or bool(_AMOUNT_ALONE.match(words))


def _goes_with(block: TextBlock, items: Sequence[TextBlock], lead: Lead | None) -> bool:
    """Whether a numbered paragraph is an item: behind a lead-in, or behind others."""
    return items[0].number if items else lead is not None and not lead.heading


def paragraph_spans(
    text: str, is_furniture: Callable[[str], bool] = lambda _line: False
) -> list[tuple[int, int]]:
    """Where a text's paragraphs, headings and list items begin and end: all of it but white space and the
    lines that are page furniture."""
    return [(block.start, block.end) for block in text_blocks(text, is_furniture)]


def spoken_words(text: str) -> str:
    """A paragraph, a list item or a part of one as it is read: without its bullet, the hyphens that its
    lines end in, and its line breaks."""
    return _statement(text, 0, len(text)).text


def _with_frequencies(found: list[Statement], number: int) -> list[Statement]:
    """Lines such as "Common (...): ..." as the parts of one list: how often is told whole."""
    lines = [bool(FREQUENCY.match(item.text)) and not item.list_number for item in found]
    if sum(lines) < 2:
        return found
    return [
        replace(item, list_number=number, items=(item,), paragraph=-1) if is_line else item
        for item, is_line in zip(found, lines, strict=True)
    ]


def _is_sentence(words: str) -> bool:
    if tells_how_often(words):
        return True
    count = len(words.split())
    if _LEADERS.search(words):
        return False
    is_whole = ENDS.search(words) or CONDITION.search(words) or is_signed(words)
    return count >= _FEWEST_WORDS and bool(is_whole or count >= LINE_WITHOUT_END)


def _sentences(text: str, block: TextBlock) -> Iterator[Statement]:
    for start, end in sentence_spans(text, block.start, block.end):
        number = _ITEM_NUMBER.match(text, start, end)
        start = number.end() if number else start
        begins = [start + place for place in parted_at_notes(text[start:end])]
        for begin, close in zip(begins, [*begins[1:], end], strict=True):
            yield _statement(text, begin, begin + len(text[begin:close].rstrip()))


def _items(text: str, items: list[TextBlock]) -> Iterator[Statement]:
    """List items without a lead-in, each on its own."""
    for item in items:
        spoken = _statement(text, item.start, item.end)
        if len(spoken.text.split()) >= _BARE_ITEM:
            yield spoken


def _list(
    text: str, items: list[TextBlock], lead: Lead, breaks: Sequence[int]
) -> Iterator[Statement]:
    """A list in as few parts as its length and its pages allow, every part with the lead-in."""
    items = _with_their_own(
        [i for i in items if any(map(str.isalnum, _statement(text, i.start, i.end).text))]
    )
    part: list[TextBlock] = []
    for item in [*items, None]:
        if part and (
            item is None
            or item.end - part[0].start > _LONGEST_PART
            or _parted(part[0], item, breaks)
        ):
            spoken = [_statement(text, one.start, one.end).text.rstrip(".;, ") for one in part]
            yield Statement(
                f"{lead.text} {'; '.join(spoken).replace(':; ', ': ')}.",
                part[0].start,
                part[-1].end,
                lead.number,
                tuple(
                    Statement(f"{lead.text} {words}.", one.start, one.end, lead=lead)
                    for words, one in zip(spoken, part, strict=True)
                ),
                lead=lead,
            )
            part = []
        if item is not None:
            part.append(item)


def _with_their_own(items: Sequence[TextBlock]) -> list[TextBlock]:
    """Items, each with those that stand in it."""
    whole: list[TextBlock] = []
    for item in items:
        if whole and item.depth > whole[-1].depth:
            whole[-1] = replace(whole[-1], end=item.end)
        else:
            whole.append(item)
    return whole


def _statement(text: str, start: int, end: int) -> Statement:
    words = without_bullet(text[start:end])
    # A hyphen at a line's end joins the halves of a word; "breast-\nfeeding" keeps its hyphen.
    words = re.sub(r"(?<=[a-z])\u00ad\s*\n?\s*", "", words)
    return Statement(" ".join(words.split()), start, end)
