"""Paragraphs, items and rows of a text: which lines belong together."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.text.layout.line_marks import BULLET, DEEPER, NUMBER, WRAPPED, without_bullet
from core.text.sentences import NUMBERING, ends_sentence
from core.text.tables.cells import Span
from core.text.tables.lines import is_caption, is_row, is_unclear
from core.text.tables.notes import begins_as_note

ENDS = re.compile(r"[.!?:;][\"'”’“)\]]*\s*$")
_REFERENCE = re.compile(rf"\s*(?:{'|'.join(sorted(NUMBERING))})\.\s+\d")  # "p. 1" is no item p.
# A number or a letter behind these is no item's, also where it begins a line: "ab dem / 2. Trimenon".
_BEFORE_NUMBER = re.compile(
    r"\b(?:no\.|nos\.|nr\.|than|als|dan|am|im|der|die|das|dem|den|des|zum|zur|vom|ab|bis|[a-z]\.)$",
    re.IGNORECASE,
)
_LONGEST_BLOCK = 700  # characters of a paragraph or an item that goes on wherever its line was full
_LINE_TAIL = 200  # characters of a paragraph that tell whether it ends a sentence
_FULL_PAGE = 0.95  # share of the longest line of two pages, where a page ends
_FULL_LINE = 0.85  # share of the longest line that a wrapped line reaches, its next word added
_LISTING = (",", ";")  # behind these what stands at a page's end goes on
_DANGLING = re.compile(
    r"(?:[,(/–-]|\b(?:and|or|of|the|an?|with|as|to|in|for|by|from|like|such|not|no|is|are|your))$",
    re.IGNORECASE,
)
_CAPITALS = 4  # words; a line of fewer in capitals is a heading


@dataclass(frozen=True, slots=True)
class TextBlock:
    """``text[start:end]`` is a paragraph, a heading, an item of a list (`bullet`), a `row` of a table, or one
    whose rows are not told (`unclear`).

    `number` says that it begins as a numbered item does, `depth` in how many other items it stands.
    """

    start: int
    end: int
    bullet: bool = False
    row: bool = False
    number: bool = False
    depth: int = 0
    unclear: bool = False


def text_blocks(
    text: str, is_furniture: Callable[[str], bool], breaks: Sequence[int] = ()
) -> Iterator[TextBlock]:
    """Paragraphs, list items and rows of tables: runs of lines that belong together, without furniture.

    Args:
        breaks: where further pages begin, whose lines may be of another length.
    """
    start = end = -1
    bullet = number = wrapped = False
    depth = offset = longest = 0
    before = ""
    unclear: Span | None = None
    pages = [
        text[begin:close].splitlines()
        for begin, close in zip([0, *breaks], [*breaks, len(text)], strict=True)
    ]
    widths = [max(map(len, lines), default=0) for lines in pages]
    # Over a page's end a header or a row of a table, which may be longer than a column, does not count.
    spoken = [
        max(
            (len(one) for one in lines if not (is_row(one) or is_furniture(one.strip()))), default=0
        )
        for lines in pages
    ]
    signs: dict[
        str, int
    ] = {}  # of the list's bullets, with the depth of the first item that has it

    def ends_here(following: str, full: float) -> bool:
        """Whether the line before ends its paragraph although it has no full stop.

        It does when the next word would have fitted on it, or, in a list of items that begin in
        lower case, when it does not end in a word that wants another.
        """
        first_word = following.split()[0]
        if before.endswith(",") and is_caption(text[start:end]):
            return False
        if len(before) + 1 + len(first_word) < full:
            return True
        item = without_bullet(text[start:end])
        return bullet and item[:1].islower() and not _DANGLING.search(before)

    for line in text.splitlines(keepends=True):
        stripped = line.strip()
        line_start, line_end = offset, offset + len(line.rstrip())
        offset += len(line)
        if unclear is not None and stripped and not is_unclear(line):
            yield TextBlock(*unclear, unclear=True)
            unclear = None
        if stripped and is_row(line):
            if start >= 0:
                yield TextBlock(start, end, bullet, number=number, depth=depth)
                start = -1
            if not is_furniture(stripped):
                yield TextBlock(line_start, line_start + len(line.rstrip("\n")), row=True)
            continue
        if is_unclear(line):
            if start >= 0:
                yield TextBlock(start, end, bullet, number=number, depth=depth)
                start = -1
            unclear = (line_start, line_end) if unclear is None else (unclear[0], line_end)
            continue
        is_bullet = bool(BULLET.match(line))
        # Some PDFs put a bullet on a line of its own; the next line is its text.
        bare = start >= 0 and bullet and not without_bullet(text[start:end]).strip()
        is_number = bool(
            NUMBER.match(line) and not _REFERENCE.match(line) and not _BEFORE_NUMBER.search(before)
        )
        page = bisect_left(breaks, line_start + 1)
        is_over = start >= 0 and bisect_left(breaks, start + 1) < page  # on the page before
        goes_on = wrapped and end - start < _LONGEST_BLOCK
        goes_on = goes_on or (is_over and before.endswith(_LISTING))
        opens = (
            not stripped
            or is_furniture(stripped)
            or is_bullet
            or is_number
            or (begins_as_note(stripped) and not wrapped)
            or (start >= 0 and not goes_on and _ends(text[start:end], stripped))
            or (
                start >= 0
                and not bare
                and not (wrapped or goes_on)
                and stripped[:1].isupper()
                and not ENDS.search(before)
                and not _in_capitals(before, stripped)
                and ends_here(
                    stripped,
                    _FULL_PAGE * max(spoken[page - 1 : page + 1])
                    if is_over
                    else _FULL_LINE * longest,
                )
            )
        )
        if opens and start >= 0:
            yield TextBlock(start, end, bullet, number=number, depth=depth)
            start = -1
        if not stripped or is_furniture(stripped):
            continue
        if start < 0:
            indent = len(line) - len(line.lstrip())
            start, bullet, number = line_start + indent, is_bullet, is_number
            depth = indent // len(DEEPER) if is_bullet or is_number else 0
            if not (is_bullet or is_number):
                signs.clear()
            elif (
                is_bullet and page and not depth
            ):  # a page does not know the items of the one before
                depth = signs.get(stripped[0], 0)
            if is_bullet:
                signs.setdefault(stripped[0], depth)
        end = line_end
        longest = widths[page]
        before, wrapped = stripped, line.rstrip("\n").endswith(WRAPPED)
    if start >= 0:
        yield TextBlock(start, end, bullet, number=number, depth=depth)
    if unclear is not None:
        yield TextBlock(*unclear, unclear=True)


def _ends(words: str, line: str) -> bool:
    """Whether a paragraph's words end with a sentence, or a lead-in, before the next line."""
    found = ENDS.search(words)
    if found is None or line[:1].islower():
        return False
    # A line that begins with a sign may begin a sentence, as one with a capital may.
    following = line if line[:1].isalnum() else "Next"
    return found[0][0] in ":;" or ends_sentence(words[-_LINE_TAIL:], following)


def _in_capitals(before: str, line: str) -> bool:
    """Whether two lines belong to a text in capitals, as boxed warnings are, not to headings."""
    return before.isupper() and line.isupper() and len(before.split()) >= _CAPITALS
