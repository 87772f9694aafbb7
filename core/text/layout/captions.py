"""Which words of a page say what a table is of: those right above it, or a caption right below it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from core.text.layout.blocks import ENDS, TextBlock
from core.text.layout.line_marks import last_line
from core.text.sentences import sentence_breaks
from core.text.tables.cells import Span
from core.text.tables.lines import is_caption
from core.text.tables.notes import is_title

# "Table 2.", "Table 2:" and "Table 2" on a line of its own; "Table 2 shows ..." is a sentence.
_NUMBERED = re.compile(r"\w+\s+[\w-]+(?:[.:]|[ \t]*\n|[ \t]+[-–—][ \t])")


def caption_above(text: str, block: TextBlock) -> Span | None:
    """Where the words right above a table stand that say what it is of: a caption, or the last line of what
    ends no sentence and introduces nothing, of capitals all of them; None without any."""
    words = text[block.start : block.end]
    if is_caption(words):
        return block.start, block.end
    if block.bullet or ENDS.search(words):
        return None
    start = block.start + _last_capitals(words)
    return (start, block.end) if is_title(text[start : block.end]) else None


def _last_capitals(words: str) -> int:
    """Where the last line begins; one of capitals with those before it that are, too."""
    start = last_line(words)
    while start and words[start:].isupper():
        before = start - len(words[:start].splitlines(keepends=True)[-1])
        if not words[before:start].isupper() or ENDS.search(words[:start]):
            break
        start = before
    return start


def captions_below(
    text: str, blocks: Sequence[TextBlock], parted: Callable[[TextBlock, TextBlock], bool]
) -> dict[int, Span]:
    """Where the captions of tables stand that have theirs below, by the block that the caption is, as an index.

    What stands between two tables is the caption of the second, unless that one has its own below it, too.

    Args:
        parted: whether a page begins between two blocks.
    """
    found: dict[int, Span] = {}
    for place in range(1, len(blocks)):
        if (
            blocks[place].row
            or not blocks[place - 1].row
            or parted(blocks[place - 1], blocks[place])
        ):
            continue
        first = _first_row(blocks, place - 1)
        above = first - 1
        has_own = (
            above >= 0
            and above not in found
            and is_caption(text[blocks[above].start : blocks[above].end])
            and not parted(blocks[above], blocks[first])
        )
        if has_own or not _is_numbered(text, blocks[place]):
            continue
        end = _behind_rows(blocks, place + 1)
        if end == place + 1 or (end < len(blocks) and _is_numbered(text, blocks[end])):
            found[place] = _titled(text, blocks[place])
    return found


def _first_row(blocks: Sequence[TextBlock], last: int) -> int:
    while last and blocks[last - 1].row:
        last -= 1
    return last


def _behind_rows(blocks: Sequence[TextBlock], place: int) -> int:
    while place < len(blocks) and blocks[place].row:
        place += 1
    return place


def _is_numbered(text: str, block: TextBlock) -> bool:
    words = text[block.start : block.end]
    return is_caption(words) and bool(_NUMBERED.match(words))


def _titled(text: str, block: TextBlock) -> Span:
    """A caption's number and first sentence: what follows explains signs and short forms."""
    ends = [end for end, _ in sentence_breaks(text, block.start, block.end)]
    number = _NUMBERED.match(text, block.start)
    behind = number.end() if number is not None else block.start
    return block.start, next((end for end in ends if end > behind), block.end)
