"""A language model's text cut into sentences, each with the citation numbers that stand by it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.checking.citation_marks import plain_marks
from core.text.sentences import MARK, sentence_spans

_MARKS = re.compile(MARK)
_LINE_MARKUP = re.compile(r"^(?:\s*>)?\s*(?:(?:[-*•+]|\d{1,2}[.)])\s+)")
_HEADING = re.compile(r"^\s*#{1,6}\s")
_BOLD_HEADING = re.compile(r"^\s*\*\*[^*\d]{1,60}\*\*:?\s*$")
_RULE = re.compile(r"^[\s|:*_=-]*$")
_WIDEST_RANGE = 20


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence without marks and markup, and the numbers of its marks in order, also unknown ones."""

    text: str
    numbers: tuple[int, ...]


def marked_sentences(text: str) -> list[Marked]:
    """Sentences of a text with their marks; a mark belongs to the sentence before it.

    Headings and the head row of a table are left out; a table's row and a list's item are sentences.
    The words before a list ("Do not take it if:") have the marks of its items.
    """
    text = plain_marks(text)
    found: list[Marked] = []
    waiting = -1  # the sentence that introduces the list which is being read
    for line, is_item in _lines(text):
        spoken = [_marked(line[start:end]) for start, end in sentence_spans(line)]
        if waiting >= 0 and is_item:
            numbers = tuple(n for one in spoken for n in one.numbers)
            found[waiting] = replace(found[waiting], numbers=found[waiting].numbers + numbers)
        elif spoken:
            waiting = -1
        for one in spoken:
            if one.text:
                found.append(one)
            elif found and one.numbers:
                found[-1] = replace(found[-1], numbers=found[-1].numbers + one.numbers)
            elif one.numbers:
                found.append(one)
        if spoken and spoken[-1].text.endswith(":") and not spoken[-1].numbers:
            waiting = len(found) - 1
    return found


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Lines without markup, and whether each is an item of a list or a table's row."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if _RULE.match(line):
            continue
        marked = bool(_MARKS.search(line))
        if not marked and (_HEADING.match(line) or _BOLD_HEADING.match(line)):
            continue
        if line.lstrip().startswith("|"):
            if not marked and _RULE.match(following) and "|" in following:
                continue
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            yield ", ".join(cell for cell in cells if cell), True
            continue
        plain = re.sub(r"^\s*#{1,6}\s+", "", line)
        yield _LINE_MARKUP.sub("", plain).strip(), bool(_LINE_MARKUP.match(line))


def _marked(raw: str) -> Marked:
    words = re.sub(r"\*\*|__|(?<!\w)[*_`]+(?=\w)|(?<=\w)[*_`]+(?!\w)", "", _MARKS.sub("", raw))
    words = re.sub(r"\s+([.,;:!?])(?!\d)", r"\1", " ".join(words.split()))
    if not any(map(str.isalnum, words)):
        words = ""
    return Marked(words, tuple(_mark_numbers(raw)))


def _mark_numbers(raw: str) -> list[int]:
    found: list[int] = []
    for mark in _MARKS.findall(raw):
        for part in mark[1:-1].split(","):
            ends = [int(value) for value in re.findall(r"\d+", part)]
            # "[2-4]" is a range; an absurd one is read as its two ends.
            if len(ends) == 2 and 0 < ends[1] - ends[0] < _WIDEST_RANGE:
                found.extend(range(ends[0], ends[1] + 1))
            else:
                found.extend(ends)
    return found
