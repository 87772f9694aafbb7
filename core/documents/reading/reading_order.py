"""The order in which a person reads the lines of a PDF page.

A PDF holds text in the order in which it was drawn, which nearly always is the reading order, and
the only source that knows columns and tables. So it is kept, and only what contradicts the lines'
positions is moved: a list's texts that were drawn after all of its bullets, bullets that were drawn
after other text than their own, and stretches of lines that stand wholly above earlier ones (a page number
drawn first, a header drawn last).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Box: TypeAlias = tuple[float, float, float, float]  # left, bottom, right, top in points

_BULLETS = frozenset(
    "•▪●◦○■□▢☐☑☒❏❑►»›‣⁃➔➜➢➤✓✔❖\uf0b7\uf0a7"
)  # the last two: Symbol and Wingdings bullets
# Bullets beside words alone: in a table a dash stands for nothing, and a number for itself.
_DASHES = frozenset("-\u2013\u2014")
_NUMBER = re.compile(r"\(?(?:\d{1,2}|[A-Za-z]|[ivx]{1,4})[.)]")
_WORD = re.compile(r"[^\W\d_]{3,}")
_WIDEST_INDENT = 5  # heights of a line between a bullet and its text
_LINE_GAP = 0.9  # heights of a line between a list item's first line and its second
_TOUCH = 0.3  # of a line's height, by which boxes of neighbouring lines may overlap
_COVERED = 0.5  # of the narrower stretch's width that the wider one shares when one is above it


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page: its text without the line end, and its box; None when it is blank."""

    text: str
    box: Box | None


def reading_order(lines: Sequence[Line], is_upright: Callable[[int], bool]) -> list[list[int]]:
    """Indices of the lines in reading order; each inner list is one row (a bullet and its text).

    Every index from 0 to ``len(lines) - 1`` is there exactly once. `is_upright` says of a line
    whether it runs across the page; it is asked only of pages with something to move.
    """
    ordered = [[i] for i in range(len(lines))]
    tops = [i for i, line in enumerate(lines) if line.box is not None]
    if not any(_is_above(lines[b], lines[a]) for a, b in itertools.pairwise(tops)):
        return ordered
    if not all(map(is_upright, tops)):
        return ordered
    ordered = _with_their_bullets(lines, ordered)
    return [row for run in _sorted_runs(lines, ordered) for row in run]


def _turns_back(lines: Sequence[Line], rows: Sequence[Sequence[int]]) -> int:
    """How often a row stands above the one before it."""
    placed = [lines[row[0]] for row in rows if lines[row[0]].box is not None]
    return sum(_is_above(after, before) for before, after in itertools.pairwise(placed))


def _is_above(line: Line, other: Line) -> bool:
    """Whether `line` stands wholly above `other`, side by side or not."""
    if line.box is None or other.box is None:
        return False
    height = min(line.box[3] - line.box[1], other.box[3] - other.box[1])
    return line.box[1] >= other.box[3] - _TOUCH * height


def _with_their_bullets(lines: Sequence[Line], rows: list[list[int]]) -> list[list[int]]:
    """Bullets that were drawn apart from their texts share a row with these: they come to their texts, or the
    texts, with their second lines, follow their bullets, whichever leaves less to read upwards."""
    texts: dict[int, int] = {}  # of a bullet
    for i, line in enumerate(lines):
        if _is_bullet(line):
            found = _text_beside(lines, i)
            if found is not None and found != i + 1 and found not in texts.values():
                texts[i] = found
    if not texts:
        return rows
    ways = (_texts_to_bullets(lines, rows, texts), _bullets_to_texts(rows, texts))
    return min(ways, key=lambda moved: _turns_back(lines, moved))


def _is_bullet(line: Line) -> bool:
    mark = line.text.strip()
    return mark in _BULLETS or _needs_words(mark)


def _needs_words(mark: str) -> bool:
    """Whether a mark begins an item beside words alone."""
    return mark in _DASHES or bool(_NUMBER.fullmatch(mark))


def _bullets_to_texts(rows: Sequence[list[int]], texts: Mapping[int, int]) -> list[list[int]]:
    bullets = {found: bullet for bullet, found in texts.items()}
    return [[bullets[i], i] if i in bullets else [i] for (i,) in rows if i not in texts]


def _texts_to_bullets(
    lines: Sequence[Line], rows: Sequence[list[int]], texts: Mapping[int, int]
) -> list[list[int]]:
    owned = {bullet: [found] for bullet, found in texts.items()}
    taken = set(texts.values())
    for i, own in owned.items():
        following = own[0] + 1
        while (
            following < len(lines)
            and following not in taken
            and _runs_on(lines[i], lines[following - 1], lines[following])
        ):
            own.append(following)
            taken.add(following)
            following += 1
    moved: list[list[int]] = []
    for (i,) in rows:
        if i in taken:
            continue
        first, *rest = owned.get(i, [-1])
        moved.append([i] if first < 0 else [i, first])
        moved += [[following] for following in rest]
    return moved


def _text_beside(lines: Sequence[Line], bullet: int) -> int | None:
    """The nearest text to the right of a bullet, on its row."""
    mark = lines[bullet].box
    if mark is None:
        return None
    height = mark[3] - mark[1]
    nearest, distance = None, _WIDEST_INDENT * height
    for i, line in enumerate(lines):
        if line.box is None or _is_bullet(line):
            continue
        shared = min(mark[3], line.box[3]) - max(mark[1], line.box[1])
        gap = line.box[0] - mark[2]
        if shared >= height / 2 and -_TOUCH * height <= gap < distance:
            nearest, distance = i, gap
    needs_words = _needs_words(lines[bullet].text.strip())
    if needs_words and nearest is not None and not _WORD.search(lines[nearest].text):
        return None
    return nearest


def _runs_on(bullet: Line, line: Line, following: Line) -> bool:
    """Whether `following` is the next line of the list item that `line` belongs to."""
    if bullet.box is None or line.box is None or following.box is None:
        return False
    if _is_bullet(following) or following.box[0] < bullet.box[2]:
        return False
    height = line.box[3] - line.box[1]
    return abs(following.box[0] - line.box[0]) <= height and (
        0 <= line.box[3] - following.box[3] <= height * (1 + _LINE_GAP)
    )


@dataclass(slots=True)
class _Run:
    """Rows that go down the page, and the box around them."""

    rows: list[list[int]]
    box: Box

    def is_above(self, other: _Run) -> bool:
        """Whether it stands wholly above `other`, in the same column."""
        shared = min(self.box[2], other.box[2]) - max(self.box[0], other.box[0])
        narrower = min(self.box[2] - self.box[0], other.box[2] - other.box[0])
        return self.box[1] >= other.box[3] - _TOUCH and shared >= narrower * _COVERED


def _sorted_runs(lines: Sequence[Line], rows: Sequence[list[int]]) -> list[list[list[int]]]:
    """Runs of rows; one that stands above others in its column comes before them."""
    runs: list[_Run] = []
    last: Line | None = None
    leading: list[list[int]] = []  # blank lines before anything that has a place
    for row in rows:
        line = lines[row[0]]
        if line.box is None:
            (runs[-1].rows if runs else leading).append(row)
            continue
        box = around([place for i in row if (place := lines[i].box)])
        if last is None or _is_above(line, last):
            runs.append(_Run([row], box))
        else:
            runs[-1].rows.append(row)
            runs[-1].box = around([runs[-1].box, box])
        last = line
    if runs:
        runs[0].rows[:0] = leading
    return [run.rows for run in _downwards(runs)]


def _downwards(runs: Sequence[_Run]) -> list[_Run]:
    """Runs after those above them; otherwise one that follows in the file follows here too."""
    waiting = list(range(len(runs)))
    found: list[int] = []
    while waiting:
        free = [i for i in waiting if not any(runs[other].is_above(runs[i]) for other in waiting)]
        chosen = next((i for i in free if found and i > found[-1]), free[0])
        found.append(chosen)
        waiting.remove(chosen)
    return [runs[i] for i in found]


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box that holds all of them."""
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)
