"""Which lines of a page are headings, and which its title, by the way they are set and whatever they say.

A heading stands on lines of its own, in bold type or in letters larger than the text's, and what it heads
follows: lines of the text, items, or another heading. On a page that is mostly bold, weight tells nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.documents.reading.typesetting.paragraphs import LineEnd, SetLine
from core.text.tables.lines import is_caption

_LARGER = 1.06  # heights of the text's letters
_TITLE = 1.2
_MOST_LINES = 4  # of a heading
_MOST_OF_TITLE = 5
_LONGEST = 100  # characters of a heading
_LONGEST_TITLE = 240
_BOLD_SHARE = 0.4  # of a page's letters that are bold
_FEWEST_LETTERS = 3
_FEWEST_WORDS = 3  # of a title; fewer are a journal's name or a mark
_TOP = 0.5  # of a page's lines, among which its title is
_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2})*\s+(?P<words>[^\W\d_].*)")
_LEVELS = 1.1, 1.25  # heights of the text's letters, from which on a heading is of the next level


@dataclass(frozen=True, slots=True)
class SetHeadings:
    """Line numbers of a page.

    Attributes:
        title: from the first line of the title to behind its last; empty without one.
        headings: of each its lines, in order from the page's end.
        levels: how far each is above the text by its size: 1, 2 or 3.
    """

    title: range = range(0)
    headings: tuple[range, ...] = ()
    levels: tuple[int, ...] = ()

    def goes_on(self, line: int) -> bool:
        """Whether a line is one of a heading's, and not the last."""
        return any(line in one and line + 1 in one for one in self.headings)

    def ended(self, line: int) -> int:
        """The level of the heading that a line ends; 0 where it ends none."""
        levels = zip(self.headings, self.levels, strict=True)
        return next((level for one, level in levels if one.stop == line + 1), 0)


def set_headings(lines: Sequence[SetLine], ends: Sequence[LineEnd]) -> SetHeadings:
    """The headings and the title of a page.

    Args:
        lines: in reading order.
        ends: what the end of each is; see `line_ends`.
    """
    size = _text_size(lines)
    if not size:
        return SetHeadings()
    letters = sum(len(one.text) for one in lines)
    bold = sum(len(one.text) for one in lines if all(one.bold))

    def is_set_off(line: SetLine) -> bool:
        larger = line.height >= _LARGER * size
        heavy = all(line.bold) and bold <= _BOLD_SHARE * letters
        apart = line.fixed or line.mark or is_caption(line.text.strip())
        return not apart and (larger or heavy)

    found: list[range] = []
    end = len(lines)
    while end:
        start = _begin(lines, ends, end, is_set_off)
        own = lines[start:end]
        goes_on = start and ends[start - 1] is LineEnd.WRAPPED
        if (
            is_set_off(own[0])
            and not goes_on
            and _is_heading(own)
            and _heads(lines, ends, range(start, end), found, size)
        ):
            found.append(range(start, end))
        end = start
    levels = (1 + sum(lines[one.start].height >= each * size for each in _LEVELS) for one in found)
    return SetHeadings(_title(lines, size), tuple(found), tuple(levels))


def _text_size(lines: Sequence[SetLine]) -> float:
    """The height of the letters that most of a page's text has; 0 without text."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.height, 1)] += len(line.text)
    return max(sizes, key=lambda one: sizes[one], default=0.0)


def _begin(
    lines: Sequence[SetLine],
    ends: Sequence[LineEnd],
    end: int,
    is_set_off: Callable[[SetLine], bool],
) -> int:
    """The first line of what a set-off line ends; the line itself where it is not."""
    start = end - 1
    if not is_set_off(lines[start]):
        return start
    while start and end - start <= _MOST_LINES and not _is_numbered(lines[start].text):
        line, after = lines[start - 1], lines[start]
        joined = ends[start - 1] is not LineEnd.PARTED and line.is_over(after)
        if not (joined and is_set_off(line) and line.is_of_size(after)):
            break
        start -= 1
    return start


def _is_heading(own: Sequence[SetLine]) -> bool:
    words = " ".join(one.text.strip() for one in own)
    return (
        len(own) <= _MOST_LINES
        and len(words) <= _LONGEST
        and (words[:1].isupper() or _is_numbered(words))
        and not words.endswith((".", ",", ";", ":"))
        and "...." not in words
        and sum(one.isalpha() for one in words) >= _FEWEST_LETTERS
        and all(all(one.bold) for one in own) == all(own[0].bold)
    )


def _is_numbered(words: str) -> bool:
    """Whether words begin with a heading's number: "5.1.1 Amoxicillin", but not "2.5 mg"."""
    found = _NUMBERED.match(words.strip())
    return found is not None and found["words"][:1].isupper()


def _heads(
    lines: Sequence[SetLine],
    ends: Sequence[LineEnd],
    place: range,
    found: Sequence[range],
    size: float,
) -> bool:
    """Whether what stands behind some lines is what a heading has below it.

    Args:
        size: of the text's letters.
    """
    end = place.stop
    if end == len(lines) or not lines[end - 1].is_over(lines[end]):
        return False
    after = lines[end]
    if after.mark:
        return True
    if found and found[-1].start == end:
        return True
    own = lines[end - 1]
    heavier = all(own.bold) and not all(after.bold) and after.height < _LARGER * own.height
    is_text = (heavier or own.height >= _LARGER * after.height) and not after.fixed
    runs = ends[end] is LineEnd.WRAPPED or after.text.endswith((".", ":", "!", "?"))
    if is_text and runs:
        return True
    # Below one with a number, or in letters both larger and heavier than the text's, a table may begin at once,
    # or a text of which nothing tells that it runs on.
    larger = all(own.bold) and own.height >= _LARGER * size
    return _is_numbered(lines[place.start].text) or larger


def _title(lines: Sequence[SetLine], size: float) -> range:
    """The lines in the largest letters of a page's upper half."""
    upper = lines[: max(int(_TOP * len(lines)), _MOST_OF_TITLE)]
    runs: list[range] = []
    for place, line in enumerate(upper):
        if line.fixed or line.mark or line.height < _TITLE * size or _is_numbered(line.text):
            continue
        if runs and runs[-1].stop == place and lines[place - 1].is_of_size(line):
            runs[-1] = range(runs[-1].start, place + 1)
        else:
            runs.append(range(place, place + 1))

    def words(one: range) -> list[str]:
        text = " ".join(lines[i].text for i in one)
        return [word for word in text.split() if any(sign.isalpha() for sign in word)]

    runs = [
        one
        for one in runs
        if len(one) <= _MOST_OF_TITLE
        and len(words(one)) >= _FEWEST_WORDS
        and len(" ".join(words(one))) <= _LONGEST_TITLE
    ]
    return max(
        runs, key=lambda one: (round(lines[one.start].height, 1), -one.start), default=range(0)
    )
