"""Where cells stand below each other: columns of lines that begin, end or have their middle in one place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from core.documents.reading.tables.words import Line, PlacedWord

SAME = 1.5  # points by which what is aligned may stand apart
_WORD_GAP = 0.45  # line heights; words of one phrase stand nearer
_EXACT = 0.8  # points by which cells of one column begin apart that all but touch those before them
_FREE = 0.3  # line heights that stay free before a column where no word of a phrase begins with it
_OF_LINES = 0.5  # share of the lines with several phrases that have one in a column
_FEWEST = 2  # lines that have one
_MOST_COLUMNS = 12
_BELOW = 4  # lines below one among which a row has its next


@dataclass(frozen=True, slots=True)
class WordRun:
    """Words of a line that stand together, in the page and in the file; where they begin and end, in points."""

    words: tuple[PlacedWord, ...]
    left: float
    right: float

    @classmethod
    def of(cls, words: Sequence[PlacedWord]) -> Self:
        left, right = min(one.box[0] for one in words), max(one.box[2] for one in words)
        return cls(tuple(words), left, right)

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


def order_of(words: Sequence[PlacedWord]) -> dict[int, int]:
    """The place of each word in the file, by where it begins."""
    drawn = sorted(words, key=lambda one: one.start)
    return {word.start: place for place, word in enumerate(drawn)}


def phrases_of(line: Line, order: Mapping[int, int]) -> list[WordRun]:
    """The phrases of a line, from the left: parted where a wide space stands, or where the file draws something
    else between two words.

    Args:
        order: the place of each word in the file, by where it begins.
    """
    found: list[list[PlacedWord]] = []
    # A word without tall letters says little of how high the line is.
    widest = _WORD_GAP * max(word.height for word in line)
    for word in line:
        before = found[-1][-1] if found else None
        if (
            before is not None
            and word.box[0] - before.box[2] <= widest
            and order[word.start] == order[before.start] + 1
        ):
            found[-1].append(word)
        else:
            found.append([word])
    return [WordRun.of(own) for own in found]


def may_begin(lines: Sequence[Sequence[WordRun]], place: int) -> bool:
    """Whether a phrase of a line, but the first, stands in line with one of the next lines."""
    return any(
        abs(edge(one) - edge(other)) <= SAME
        for below in lines[place + 1 : place + 1 + _BELOW]
        for other in below
        for one in lines[place][1:]
        for edge in (_left, _right, _middle)
    )


def aligned_columns(lines: Sequence[Sequence[WordRun]]) -> list[float]:
    """Where the columns behind the first begin, in points from the left; none where nothing tells.

    A column begins where no word of any line reaches over, and phrases of at least half of the lines that have
    several begin, end or have their middle in one place. A phrase that goes over the place where others begin
    is two cells that all but touch, if one of its words begins just there.

    Args:
        lines: their phrases.
    """
    several = [line for line in lines if len(line) > 1]
    least = max(_FEWEST, _OF_LINES * len(several))
    behind = [phrase for line in several for phrase in line[1:]]
    every = [phrase for line in lines for phrase in line]
    found = set()
    for edge in (_left, _right, _middle):
        for group in _groups(behind, edge):
            begin = min(phrase.left for phrase in group)
            own = len(group)
            if edge is _left and own >= _FEWEST:
                own = sum(any(_has_word_at(one, begin, SAME) for one in line) for line in several)
            if own >= least and _is_free(begin, every):
                found.add(begin)
    begins: list[float] = []
    for begin in sorted(found):
        # What ends in one place begins with its longest; two of one column are that one.
        if not begins or _is_used(begins[-1], begin, every):
            begins.append(begin)
    return begins if len(begins) < _MOST_COLUMNS else []


def _left(phrase: WordRun) -> float:
    return phrase.left


def _right(phrase: WordRun) -> float:
    return phrase.right


def _middle(phrase: WordRun) -> float:
    return (phrase.left + phrase.right) / 2


def _groups(phrases: Sequence[WordRun], edge: Callable[[WordRun], float]) -> list[list[WordRun]]:
    """Phrases whose edges are in one place."""
    found: list[list[WordRun]] = []
    for phrase in sorted(phrases, key=edge):
        if found and edge(phrase) - edge(found[-1][0]) <= SAME:
            found[-1].append(phrase)
        else:
            found.append([phrase])
    return found


def _is_free(begin: float, phrases: Sequence[WordRun]) -> bool:
    """Whether nothing reaches over a place, or stands right before it, but a cell that ends there."""
    return all(
        phrase.left >= begin - SAME
        or phrase.right <= begin - _FREE * phrase.words[0].height
        or (phrase.right <= begin or _has_word_at(phrase, begin, _EXACT))
        for phrase in phrases
    )


def _has_word_at(phrase: WordRun, begin: float, within: float) -> bool:
    return any(abs(word.box[0] - begin) <= within for word in phrase.words)


def _is_used(begin: float, further: float, phrases: Sequence[WordRun]) -> bool:
    """Whether some phrase stands in the column that begins at one place and ends before the other."""
    return any(begin - SAME <= phrase.left < further - SAME for phrase in phrases)
