"""Words of a page with their boxes, and the lines that they stand in."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median, median_low

from core.documents.reading.reading_order import Box

NEAR_LINE = 0.35  # line heights between two lines of one cell, at most
_SHARED = 0.5  # of the lower word's height that two words of one line share


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """``page_text[start:end]``, without white space, and its box in points."""

    start: int
    end: int
    text: str
    box: Box

    @property
    def x(self) -> float:
        return (self.box[0] + self.box[2]) / 2

    @property
    def y(self) -> float:
        return (self.box[1] + self.box[3]) / 2

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]


Line = list[PlacedWord]


def lines_of(words: Sequence[PlacedWord]) -> list[Line]:
    """Words by the lines that they stand in, from the top, each line from the left."""
    lines: list[Line] = []
    for word in sorted(words, key=lambda one: -one.y):
        # The highest letters of a line tell where it is; raised and lowered ones are on it.
        first = max(lines[-1], key=lambda one: one.height) if lines else None
        if first is not None:
            shared = min(first.box[3], word.box[3]) - max(first.box[1], word.box[1])
            if shared >= _SHARED * min(first.height, word.height):
                lines[-1].append(word)
                continue
        lines.append([word])
    return [sorted(line, key=_order(line)) for line in lines]


def _order(line: Line) -> Callable[[PlacedWord], float]:
    """From the left; as in the file where a script runs from the right."""
    foreign = [word.text for word in line if not word.text.isascii()]
    if any(unicodedata.bidirectional(one) in ("R", "AL") for text in foreign for one in text):
        return lambda word: word.start
    return lambda word: word.box[0]


def distance(upper: Line, lower: Line) -> float:
    """The free space between two lines, in heights of a line; a raised mark in one of its cells makes a line no
    higher."""
    height = median(word.height for word in (*upper, *lower))
    top = median_low(w.box[3] for w in lower)
    return (min(w.box[1] for w in upper) - top) / max(height, 1.0)
