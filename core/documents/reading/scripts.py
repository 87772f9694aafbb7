"""Raised and lowered characters of a page, put back where they stand: "1.73 m2", "vitamin B12", "10⁹/L".

A PDF may draw them after everything else, and pdfium ends a line behind a raised one.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from core.documents.reading.reading_order import Box, around

_SMALL = 0.85  # of the height of the characters that a raised or lowered one stands beside
_NEAR = 0.3  # heights of a line between a character and the one raised behind it
_SHARED = 0.15  # of a raised character's height that it shares with the line
_MOSTLY = 0.5  # of a mark's height that it shares with the line that it belongs to
_MOST_CHARACTERS = 12  # of a line of nothing but raised characters
_MOST_COMPARED = 20_000  # pairs of lines; a page with more is a plot with its labels
_LONGEST = 4  # characters of one mark
_NEXT = 1.0  # heights of a line between a raised character and what goes on behind it
_WORD = re.compile(r"\S+")
# A letter that may be a note's behind a word or a number; "2e" is French for the second.
_MARKED = re.compile(r"(?<=[^\W_])(?P<mark>(?<!\d)[a-k]|(?<=\d)[a-df-k])(?![^\W_])")
_DIGITS = re.compile(r"\d[\d−–+-]*\d")
_Character: TypeAlias = tuple[str, int]  # with its origin
_RAISED = str.maketrans("0123456789-−–+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁻⁺")


@dataclass(frozen=True, slots=True)
class _Line:
    """text[start:end], the box around it, and that of its first and its last character."""

    start: int
    end: int
    box: Box
    first: Box
    last: Box


@dataclass(frozen=True, slots=True)
class _Page:
    text: Sequence[str]
    origins: Sequence[int]
    box: Callable[[int], Box]


def returned(
    text: list[str], origins: list[int], box: Callable[[int], Box]
) -> tuple[list[str], list[int]]:
    """A page's characters and their origins with raised and lowered ones in their places.

    Args:
        box: of a character, by its origin.
    """
    text, origins = _with_strays(text, origins, box)
    return _joined(text, origins, box)


def _lines(text: Sequence[str], origins: Sequence[int], box: Callable[[int], Box]) -> list[_Line]:
    """The lines that have anything to see."""
    ends = [place for place, character in enumerate(text) if character == "\n"]
    found = []
    for start, end in zip([0, *(one + 1 for one in ends)], [*ends, len(text)], strict=True):
        begin = next((place for place in range(start, end) if not text[place].isspace()), None)
        if begin is not None:
            close = next(p for p in range(end - 1, begin - 1, -1) if not text[p].isspace())
            first, last = box(origins[begin]), box(origins[close])
            found.append(_Line(start, end, around([first, last]), first, last))
    return found


def _with_strays(
    text: list[str], origins: list[int], box: Callable[[int], Box]
) -> tuple[list[str], list[int]]:
    """Lines of nothing but raised characters go behind the characters that they stand beside."""
    lines = _lines(text, origins, box)
    page = _Page(text, origins, box)
    marks: dict[int, list[tuple[float, list[_Character]]]] = {}  # by the place they follow
    left_out: set[int] = set()
    short = [line for line in lines if line.end - line.start <= 2 * _MOST_CHARACTERS]
    if len(short) * len(lines) > _MOST_COMPARED:
        return text, origins
    for line in short:
        words = [
            range(line.start + found.start(), line.start + found.end())
            for found in _WORD.finditer("".join(text[line.start : line.end]))
        ]
        if sum(map(len, words)) > _MOST_CHARACTERS or any(len(one) > _LONGEST for one in words):
            continue
        boxes = [around([box(origins[place]) for place in word]) for word in words]
        hosts = [_host(one, line, lines, page) for one in boxes]
        if any(host is None for host in hosts):
            continue
        for host, word, where in zip(hosts, words, boxes, strict=True):
            if host is not None:
                mark = [(text[one], origins[one]) for one in word]
                apart = (" ", origins[word[0]])
                if host < 0 or text[host] == "\n":
                    mark.append(apart)
                elif _is_letter_above(text[word[0]], where, text[host], box(origins[host])):
                    mark.insert(0, apart)
                marks.setdefault(host, []).append((where[0], mark))
        left_out.update(range(line.start, line.end + 1))
    if not marks:
        return text, origins
    kept: list[_Character] = []
    for place in range(-1, len(text)):
        if place >= 0 and place not in left_out:
            kept.append((text[place], origins[place]))
        for _, mark in sorted(marks.get(place, []), key=_left):
            kept += mark
    while kept and kept[-1][0] == "\n":
        kept.pop()
    return [one for one, _ in kept], [origin for _, origin in kept]


def _is_letter_above(mark: str, place: Box, host: str, beside: Box) -> bool:
    """Whether a raised letter stands behind a letter: a note's, and no part of the word."""
    return mark.isalpha() and host.isalpha() and _is_raised(place, beside)


def _left(mark: tuple[float, list[_Character]]) -> float:
    return mark[0]


def _host(mark: Box, own: _Line, lines: Sequence[_Line], page: _Page) -> int | None:
    """The place of the larger character that a mark stands right behind, of the line end that it stands
    behind where it begins a line (-1 on the first); None where there is none."""
    height = mark[3] - mark[1]
    best, most = None, _MOSTLY * height
    for line in lines:
        tall = max(line.first[3] - line.first[1], line.last[3] - line.last[1])
        left, bottom, right, top = line.box
        shared = min(top, mark[3]) - max(bottom, mark[1])
        if line is own or height > _SMALL * tall or shared < most:
            continue
        found: int | None = None
        if left - _NEXT * tall <= mark[2] <= left + _SHARED * tall:
            found = line.start - 1 if _is_alone_before(mark, line, lines) else None
        elif left <= mark[0] <= right + _NEAR * tall:
            found = _beside(mark, line, page)
        if found is not None:
            best, most = found, shared
    return best


def _beside(mark: Box, line: _Line, page: _Page) -> int | None:
    """The last character of a line that stands left of a mark, where it stands close to it and the next
    one leaves the mark its room."""
    seen = [place for place in range(line.start, line.end) if not page.text[place].isspace()]
    boxes = [page.box(page.origins[place]) for place in seen]
    middle = (mark[0] + mark[2]) / 2
    before = [i for i, one in enumerate(boxes) if (one[0] + one[2]) / 2 < middle]
    if not before:
        return None
    last = max(before, key=lambda i: boxes[i][2])
    tall = boxes[last][3] - boxes[last][1]
    following = [one[0] for one in boxes if (one[0] + one[2]) / 2 >= middle]
    if (
        mark[3] - mark[1] > _SMALL * tall
        or not -_SHARED * tall <= mark[0] - boxes[last][2] <= _NEAR * tall
        or min(following, default=mark[2]) < mark[2] - _SHARED * tall
    ):
        return None
    return seen[last]


def _is_alone_before(mark: Box, line: _Line, lines: Sequence[_Line]) -> bool:
    """Whether no other line of the page ends where a mark begins a line."""
    return not any(
        other is not line
        and 0 <= mark[0] - other.box[2] <= line.first[3] - line.first[1]
        and min(other.box[3], mark[3]) > max(other.box[1], mark[1])
        for other in lines
    )


def _joined(
    text: list[str], origins: list[int], box: Callable[[int], Box]
) -> tuple[list[str], list[int]]:
    """Without line ends behind raised characters, and with raised digits behind digits as such:
    "10⁹" is no 109, and "5¹ mg" with its footnote no 51 mg."""
    lines = _lines(text, origins, box)
    dropped = {
        line.end
        for line, after in itertools.pairwise(lines)
        if after.start == line.end + 1 and _goes_on(line, after)
    }
    raised: dict[int, str] = {}
    for line in lines:
        for found in _DIGITS.finditer("".join(text[line.start : line.end])):
            start, end = line.start + found.start(), line.start + found.end()
            first, last = box(origins[start]), box(origins[end - 1])
            if _is_raised(last, first):
                for place in range(start + 1, end):
                    if _is_raised(box(origins[place]), first):
                        raised[place] = text[place].translate(_RAISED)
    apart = {one for line in lines for one in _note_marks(text, origins, box, line)}
    if not (dropped or raised or apart):
        return text, origins
    kept: list[_Character] = []
    for place, origin in enumerate(origins):
        if place in apart:
            kept.append((" ", origin))
        if place not in dropped:
            kept.append((raised.get(place, text[place]), origin))
    return [one for one, _ in kept], [origin for _, origin in kept]


def _note_marks(
    text: Sequence[str], origins: Sequence[int], box: Callable[[int], Box], line: _Line
) -> Iterator[int]:
    """Where a letter stands that is raised behind a word or a number and ends it: a note's mark, and no part of
    it. Two are an ordinal's ("1st")."""
    for found in _MARKED.finditer("".join(text[line.start : line.end])):
        place = line.start + found.start("mark")
        if _is_raised(box(origins[place]), box(origins[place - 1])):
            yield place


def _is_raised(one: Box, beside: Box) -> bool:
    """Whether a character is smaller than the one before it, and stands above its foot."""
    height = beside[3] - beside[1]
    return one[3] - one[1] <= _SMALL * height and one[1] > beside[1] + _SHARED * height


def _goes_on(line: _Line, after: _Line) -> bool:
    """Whether a line ends with a raised or lowered character behind which the next one goes on."""
    height = after.first[3] - after.first[1]
    if line.last[3] - line.last[1] > _SMALL * height:
        return False
    shared = min(line.last[3], after.first[3]) - max(line.last[1], after.first[1])
    near = -_NEAR * height <= after.first[0] - line.last[2] <= _NEXT * height
    return near and shared >= _SHARED * (line.last[3] - line.last[1])
