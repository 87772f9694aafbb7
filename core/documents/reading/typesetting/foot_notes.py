"""Where the notes at a page's foot begin, told by their letters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from core.documents.reading.typesetting.paragraphs import SetLine
from core.text.tables.lines import is_row

_OF_TEXT = 0.15  # of a page's letters that have the size of its text; notes may have more
_NOTE_SIZE = 0.93  # of the size of the text; a note's letters are smaller
_NOTE = re.compile(r"(?:\d{1,3}|[*†‡§¶#]{1,3})\s+\S")


def notes_at(lines: Sequence[SetLine]) -> int | None:
    """Which line the notes at a page's foot begin with, in smaller letters than the text and with their mark;
    None without any."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.height, 1)] += len(line.text)
    usual = [size for size, count in sizes.items() if count >= _OF_TEXT * sizes.total()]
    most = _NOTE_SIZE * max(usual, default=0.0)
    last = len(lines)
    while last and lines[last - 1].text.isdecimal():  # the page's number
        last -= 1
    first = last
    while first and lines[first - 1].height <= most:
        first -= 1
    texts = [(at, lines[at].text) for at in range(first, last)]
    found = next((at for at, text in texts if _NOTE.match(text) and not is_row(text)), None)
    return found if found and lines[found - 1].is_above(lines[found]) else None
