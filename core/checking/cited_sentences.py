"""A language model's text cut into sentences, each with the citation numbers that stand by it.

Own rules: pySBD knows one language at a time, has not changed since 2021, takes a mark for a sentence
and would still need the marks, lists and tables handled here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.checking.citation_marks import MARK, plain_marks

_MARKS = re.compile(MARK)
# A sentence's end, what closes it, and the marks that follow.
_END = re.compile(rf"(?<=[.!?])(?:[\"”')*_]*)((?:\s*(?:{MARK}))*)(?:\s+|$)(?=[^\s\[]|$)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.\s?g|i\.\s?e|approx|vs|Drs?|Prof|Mr|Mrs|Nos?|Nr|Fig|Tab|cf|resp|max|min|bzw|ca|ggf|"
    r"usw|inkl|sog|evtl|St|incl|spp|subsp|Abs|mg|ml|tabl|z\.\s?B|d\.\s?h|u\.\s?a|i\.\s?v|i\.\s?m|"
    r"s\.\s?c|p\.\s?o|b\.\s?i\.\s?d|t\.\s?i\.\s?d)|\b[A-Z])\.$",
    re.IGNORECASE,
)
# After these a capital begins a new sentence; after the others it belongs to the abbreviation.
_MAY_END = re.compile(
    r"(?:\b(?i:mg|ml|max|min|usw|resp|No|i\.\s?v|i\.\s?m|s\.\s?c|p\.\s?o|b\.\s?i\.\s?d|t\.\s?i\.\s?d)"
    r"|(?<!\b[a-z]\.)(?<!\b[a-z]\.\s)\b[A-Z])\.$"
)
_GERMAN_ORDINAL = re.compile(r"(?i)\b(?:am|im|der|die|das|des|dem|den|zum|vom|bis)\s\d{1,2}\.$")
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
        spoken = [_marked(part) for part in _split(line)]
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


def _split(line: str) -> list[str]:
    found = []
    start = 0
    for match in _END.finditer(line):
        before = _MARKS.sub("", line[start : match.start()]).rstrip()
        following = line[match.end() : match.end() + 1]
        if not match[1] and following and _runs_on(before, following):
            continue
        found.append(line[start : match.end()].strip())
        start = match.end()
    return [part for part in (*found, line[start:].strip()) if part]


def _runs_on(before: str, following: str) -> bool:
    """Whether the full stop at the end of `before` is of an abbreviation or an ordinal."""
    if _ABBREVIATION.search(before):
        return not (_MAY_END.search(before) and following.isupper())
    return bool(_GERMAN_ORDINAL.search(before)) or (before.endswith(".") and following.islower())


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
