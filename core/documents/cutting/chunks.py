"""Pages become chunks: exact slices of one page, inside one section, short enough for the model.

Every character of a page stands in some chunk, so that nothing a document says is beyond search.
Text is first parted without gaps at the best places, then overlaps are added, then whatever has too
many tokens is parted again; each step keeps the page covered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile
from typing import TypeAlias, cast

from semchunk.semchunk import chunk as cut_semantically

from core.documents.cutting.furniture import line_key, repeated_lines
from core.documents.cutting.parts import with_part
from core.documents.cutting.sections import sections
from core.domain.documents import CONTEXT_END, Chunk, Page, Product, Profile, Section, chunk_id
from core.text.sentences import sentence_breaks
from core.text.tables.lines import HEAD, is_caption, is_row

_LONGEST_CONTEXT = 120  # characters
_SHORTEST_TITLE = 40  # characters of the title that a long heading must leave
_MOST_OF_CAPTION = 3  # lines
_LONGEST_HEADS = 200  # characters of a table's caption and heads behind that
_LONGEST_SEMANTIC = 512  # tokens
_WIDEST_SEARCH = 400  # characters on either side of a middle in which a place to cut is sought
_LONGEST_HEADINGS = 200  # characters of headings in a row; more are a table of contents

# Where a text may be cut, best first, with the ends of sentences second. PDF lines end wherever the paper
# did: the end of a line is a paragraph's only after a sentence or before a bullet, and otherwise worse
# than a sentence's end.
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*|(?<=[.!?:;])[ \t]*\n\s*|\n\s*(?=[•\-–▪●◦·] ?)")
_LINE = re.compile(r"\s*\n\s*")
_WORD = re.compile(r"\s+")

CountTokens: TypeAlias = Callable[[Sequence[str]], list[int]]


@dataclass(frozen=True, slots=True)
class _Sizes:
    """Characters: what a piece aims at, how far its end may lie from there, and its limits."""

    target: int
    slack: int
    longest: int
    whole: int  # a text up to this length stays in one piece
    overlap: int


# A leaflet's chunk is a piece of at most 800 and up to 200 of the piece before it: at most 1,000.
_LEAFLET = _Sizes(target=640, slack=150, longest=800, whole=1000, overlap=200)
# Never under 100: what is left of a text longer than `whole` is shared out evenly.
_ABSTRACT = _Sizes(target=800, slack=150, longest=1000, whole=1000, overlap=0)


@dataclass(frozen=True, slots=True)
class _Piece:
    """text[start:end] of a page; before `core` it repeats the piece before it."""

    page: Page
    section: Section
    context: str
    start: int
    core: int
    end: int

    @property
    def embedding_text(self) -> str:
        text = self.page.text[self.start : self.end]
        return f"{self.context}\n{text}" if self.context else text


def chunk_pages(
    pages: Sequence[Page],
    profile: Profile,
    *,
    document_id: str,
    title: str,
    count_tokens: CountTokens,
    max_tokens: int,
    corrections: int = 0,
    products: Sequence[Product] = (),
) -> list[Chunk]:
    """Chunks of a document in reading order, with ids as `chunk_id` makes them.

    A page without text has none. Leaflet chunks have at most 1,000 characters, about 200 of them
    shared with their neighbour; abstract chunks about 800, at most 1,000, and at least 100 unless
    one is a page's only one or more would exceed `max_tokens`; semantic chunks at most 512 tokens.

    Args:
        count_tokens: tokens of each text, special tokens included (`Encoder.count_tokens`).
        max_tokens: what the model reads of a chunk's `embedding_text`; at least 32.
        corrections, products: as of the document. No chunk is of two products, and each has the title of
            its own before it.
    """
    contexts = [
        _Contexts(name, count_tokens, max_tokens)
        for name in [one.title for one in products] or [title]
    ]
    beginnings = [(one.page, one.start) for one in products]
    pieces: list[_Piece] = []
    parted = {} if profile is Profile.ABSTRACT else sections(pages, beginnings)
    headers = _running_headers(pages)
    for page in pages:
        if not page.text or page.text.isspace():
            continue
        whole = (Section("", "", 0, len(page.text)),)
        of_product: dict[int, list[Section]] = {}
        for section in parted.get(page.number, whole):
            place = sum(begin <= (page.number, section.start) for begin in beginnings)
            of_product.setdefault(max(place - 1, 0), []).append(section)
        for place, own in of_product.items():
            for section in _bodies(page.text, own, headers):
                context = contexts[place].line(with_part(section.part, section.heading))
                pieces += _cut(page, section, context, profile, count_tokens, max_tokens)
    pieces = _fit(pieces, count_tokens, max_tokens)
    return [
        _chunk(piece, chunk_id(document_id, position, corrections), document_id, position)
        for position, piece in enumerate(pieces)
    ]


def _chunk(piece: _Piece, identifier: str, document_id: str, position: int) -> Chunk:
    return Chunk(
        id=identifier,
        document_id=document_id,
        position=position,
        page=piece.page.number,
        section=piece.section.code,
        heading=piece.section.heading,
        start=piece.start,
        end=piece.end,
        text=piece.page.text[piece.start : piece.end],
        context=piece.context,
    )


class _Contexts:
    """The lines that are embedded in front of chunks, at most a quarter of what the model reads."""

    def __init__(self, title: str, count_tokens: CountTokens, max_tokens: int) -> None:
        self._title = " ".join(title.split())
        self._count_tokens = count_tokens
        self._longest = max_tokens // 4
        self._lines: dict[str, str] = {}

    def line(self, heading: str) -> str:
        """``title · heading``, of a paper ``title · part · heading``; a long title gives way to them."""
        if heading not in self._lines:
            line = self._title
            if heading and heading != line:
                room = max(_SHORTEST_TITLE, _LONGEST_CONTEXT - len(heading) - 3)
                line = f"{line[:room].rstrip()} · {heading}" if line else heading
            line = line[:_LONGEST_CONTEXT].rstrip()
            while line and self._count_tokens([line])[0] > self._longest:
                line = line[: len(line) * 3 // 4].rstrip()
            self._lines[heading] = line
        return self._lines[heading]


def _running_headers(pages: Sequence[Page]) -> frozenset[str]:
    """First lines that stand on more than one page, or count with the pages ("Page 2 of 4")."""
    firsts = Counter(_words(page.text.lstrip().partition("\n")[0]) for page in pages)
    furniture = repeated_lines(pages)
    return frozenset(
        line
        for line, times in firsts.items()
        if line and (times > 1 or line_key(line) in furniture)
    )


def _words(text: str) -> str:
    return " ".join(text.split())


def _bodies(text: str, parts: Sequence[Section], headers: frozenset[str]) -> list[Section]:
    """Sections without those that are only a heading, a running header or blank: the next one
    takes them in.

    The section that takes them in keeps its own code and heading. Headings at a page's end stay as
    they are; a long row of headings is a table of contents and belongs to no section.
    """
    bodies: list[Section] = []
    waiting: int | None = None  # where the headings that wait for a body begin
    for i, part in enumerate(parts):
        start = part.start if waiting is None else waiting
        body = _words(text[part.start : part.end])
        bare = not body or body == part.heading or (i == 0 and body in headers)
        last = i + 1 == len(parts)
        if not body and last and bodies:
            bodies[-1] = replace(bodies[-1], end=part.end)
        elif bare and not last:
            waiting = start
        elif part.start - start > _LONGEST_HEADINGS:
            bodies += [Section("", "", start, part.start), part]
            waiting = None
        else:
            bodies.append(replace(part, start=start))
            waiting = None
    return bodies


def _cut(
    page: Page,
    section: Section,
    context: str,
    profile: Profile,
    count_tokens: CountTokens,
    max_tokens: int,
) -> list[_Piece]:
    """A section's pieces before their tokens are checked."""
    sizes = _ABSTRACT if profile is Profile.ABSTRACT else _LEAFLET
    if profile is Profile.SEMANTIC:
        body = page.text[section.start : section.end]
        budget = _semantic_budget(context, count_tokens, max_tokens)
        starts = [section.start + start for start in _semantic(body, count_tokens, budget)]
        overlap = 0
    else:
        starts = _starts(page.text, section.start, section.end, sizes)
        overlap = sizes.overlap
    ends = [*starts[1:], section.end]
    begins = [_overlap_start(page.text, section.start, core, overlap) for core in starts]

    return [
        _with_heads(_Piece(page, section, context, begin, core, end), count_tokens, max_tokens)
        if profile is not Profile.ABSTRACT
        else _Piece(page, section, context, begin, core, end)
        for begin, core, end in zip(begins, starts, ends, strict=True)
    ]


def _with_heads(piece: _Piece, count_tokens: CountTokens, max_tokens: int) -> _Piece:
    """A piece with the heads of the table in whose middle it begins behind its context, where they fit."""
    context = piece.context.partition(CONTEXT_END)[0]
    line = f"{context}{_of_table(piece.page.text, piece.section.start, piece.start)}"
    fits = line == context or count_tokens([line])[0] <= max_tokens // 2
    return replace(piece, context=line if fits else context)


def _of_table(text: str, first: int, begin: int) -> str:
    """The caption and the heads of a table in whose middle a piece begins, to stand behind its context, as its
    rows do not say what they are of; "" elsewhere.

    Args:
        first: where the section begins.
    """
    *above, own = text[first:begin].split("\n")
    own += text[begin:].partition("\n")[0]
    lines = [own, *reversed(above)]
    rows = list(takewhile(is_row, lines))
    told = [line for line in reversed(rows) if line.startswith(HEAD)]
    before = lines[len(rows) : len(rows) + _MOST_OF_CAPTION]
    caption = next((place for place, line in enumerate(before) if is_caption(line)), None)
    if told and caption is not None:
        told[:0] = reversed(before[: caption + 1])
    return f"{CONTEXT_END}{_words(' '.join(told))[:_LONGEST_HEADS]}" * bool(told)


def _starts(text: str, start: int, end: int, sizes: _Sizes) -> list[int]:
    """Where the pieces of text[start:end] begin, the first at `start`; all about equally long."""
    if end - start <= sizes.whole:
        return [start]
    starts = [start]
    while end - starts[-1] > sizes.longest:
        rest = end - starts[-1]
        share = rest // -(-rest // sizes.target)
        middle = starts[-1] + share
        starts.append(_best_cut(text, middle - sizes.slack, middle + sizes.slack, middle))
    return starts


def _cuts(text: str, low: int, high: int) -> Iterator[list[int]]:
    """Places in [low, high] where a text may be cut, in order, the best kind of place first."""
    yield [found.end() for found in _PARAGRAPH.finditer(text, low, high)]
    yield [following for _, following in sentence_breaks(text, low, high)]
    for pattern in (_LINE, _WORD):
        yield [found.end() for found in pattern.finditer(text, low, high)]


def _best_cut(text: str, low: int, high: int, wanted: int) -> int:
    """The best place to cut in [low, high], near `wanted` among equals; `wanted` inside a word."""
    for places in _cuts(text, low, high):
        if places:
            return min(places, key=lambda place: abs(place - wanted))
    return wanted


def _overlap_start(text: str, first: int, core: int, overlap: int) -> int:
    """Where a piece that begins at `core` starts to repeat the text before it: a sentence or line
    start at most `overlap` characters back, or else a word's."""
    low = max(first, core - overlap)
    if low >= core or core == first:
        return core
    if low == first:
        return first
    for places in _cuts(text, low, core):
        if places and places[0] < core:
            return places[0]
    return core


def _semantic_budget(context: str, count_tokens: CountTokens, max_tokens: int) -> int:
    with_context, empty = count_tokens([f"{context}\n", ""])
    return max(1, min(_LONGEST_SEMANTIC, max_tokens) - (with_context - empty))


def _semantic(body: str, count_tokens: CountTokens, budget: int) -> list[int]:
    """Starts of semchunk's chunks; the white space that it drops stays with the chunk before it."""

    @cache
    def count(text: str) -> int:
        return count_tokens([text])[0]

    found = cut_semantically(body, budget, count, memoize=False, offsets=True)
    _, offsets = cast(tuple[list[str], list[tuple[int, int]]], found)
    return [0, *sorted({start for start, _ in offsets[1:]} - {0})]


def _fit(pieces: list[_Piece], count_tokens: CountTokens, max_tokens: int) -> list[_Piece]:
    """Pieces with at most `max_tokens` tokens: a long one gives up its overlap, then is halved."""
    fitting: list[tuple[int, _Piece]] = []
    pending = list(enumerate(pieces))
    while pending:
        counts = count_tokens([piece.embedding_text for _, piece in pending])
        longer: list[tuple[int, _Piece]] = []
        for (order, piece), tokens in zip(pending, counts, strict=True):
            if tokens <= max_tokens or piece.end - piece.start < 2:
                fitting.append((order, piece))
            else:
                shorter = _shorter(piece)
                if is_row(piece.page.text[piece.start : piece.end]):
                    shorter = [_with_heads(one, count_tokens, max_tokens) for one in shorter]
                longer += [(order, part) for part in shorter]
        pending = longer
    fitting.sort(key=lambda item: (item[0], item[1].start))
    return [piece for _, piece in fitting]


def _shorter(piece: _Piece) -> list[_Piece]:
    if piece.core > piece.start:
        return [replace(piece, start=piece.core)]
    length = piece.end - piece.start
    middle = piece.start + length // 2
    slack = min(length // 4, _WIDEST_SEARCH)
    cut = _best_cut(piece.page.text, middle - slack, middle + slack, middle)
    return [replace(piece, end=cut), replace(piece, start=cut, core=cut)]
