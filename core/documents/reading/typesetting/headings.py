"""Which lines of a page are headings by the way they are set, whatever they say.

A heading stands on lines of its own, in bold type or in letters larger than those of the text, and text follows it.
What is only that is a heading also where no table knows its words ("Study design and participants"). Nothing is taken
for one on a page whose text is bold itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.documents.reading.typesetting.paragraphs import LineEnd, SetLine
from core.text.layout.line_marks import ENDS_CLAUSE

_LARGER = 1.06  # heights of the text's letters
_MOST_LINES = 3  # of a heading
_LONGEST = 120  # characters of one
_BOLD_SHARE = 0.4  # of a page's letters; where more of them are bold, bold sets nothing off
_TITLE = 1.2  # heights of the text's letters
_FEWEST_LETTERS = 3


def headings_at(lines: Sequence[SetLine], ends: Sequence[LineEnd]) -> dict[int, int]:
    """Of each heading, which line it begins with and which one it ends before.

    Args:
        lines: of a page, in reading order.
        ends: what the end of each is; see `line_ends`.
    """
    size = text_size(lines)
    letters = sum(len(one.text) for one in lines)
    bold = sum(len(one.text) for one in lines if all(one.bold))
    told_by_weight = bold <= _BOLD_SHARE * letters

    def is_set_off(line: SetLine) -> bool:
        larger = line.height >= _LARGER * size
        return not (line.fixed or line.mark) and (larger or (told_by_weight and all(line.bold)))

    found: dict[int, int] = {}
    last = len(lines)
    for start in range(len(lines) - 1, -1, -1):
        first = lines[start]
        if not is_set_off(first) or (start and _is_one(lines, start - 1, ends, is_set_off)):
            continue
        end = start + 1
        while end < len(lines) and _is_one(lines, end - 1, ends, is_set_off):
            end += 1
        ...
    return found
