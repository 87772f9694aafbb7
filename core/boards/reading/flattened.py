"""Tables of rates whose rows stand behind each other in running text, as files have them that were made from
the words of a label alone: "Fingolimod Placebo N=783 N=773 % % Influenza 11 8 Sinusitis 11 8".

They are read only where the heads say which column is the medicine's, and each row has exactly as many numbers
as there are heads; a row of which it is not certain where its name begins is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.boards.reading.tables import BRACKETS, COMPARATORS, GROUP_ENDS, GROUP_WORDS
from core.domain.boards.records import Frequency

_SIZE = re.compile(
    r"\(?\s*\b[nN]\s*=\s*\d[\d,]*\s*\)?"
)  # "(N = 783)": how many patients a column has
_FARTHEST = (
    160  # characters between the heads of one table, and before the first and behind the last
)
_FEWEST_ROWS = 4  # fewer may be a sentence's numbers
_MOST_COLUMNS = 4
_LONGEST_NAME = 16  # words, a group's before it included
_NUMBER = r"[<>≤≥]?\s?\d+(?:\.\d+)?%?"
_NAME = r"(?<!\w)(?P<name>[^\W\d_a-zß-öø-ÿ][^\d%=:;.]*?)"  # begins with a capital
_NOTE_MARK = re.compile(r"(?:\s+[a-z](?:\s?,\s?[a-z])*|\s*[*†‡§#]+)$")
_WORD = re.compile(r"[^\W_]+")
_PREPOSITION = re.compile(r"\b(?:in|of|to|with|and|or|at|for|by|from)$")


@dataclass(frozen=True, slots=True)
class FlatRow:
    """A row: what it is of, ``text[start:name_end]``, and its numbers up to `end`."""

    start: int
    name_end: int
    end: int
    frequency: Frequency


@dataclass(frozen=True, slots=True)
class FlatTable:
    """``text[start:end]``, from the first row's beginning to the end of the last."""

    start: int
    end: int
    rows: tuple[FlatRow, ...]


def flat_tables(text: str, own: frozenset[str]) -> Iterator[FlatTable]:
    """All of a paragraph, in order.

    Args:
        text: its lines' ends as spaces.
        own: the words that name the leaflet's medicine, in lower case.
    """
    sizes = list(_SIZE.finditer(text))
    place = 0
    while place < len(sizes):
        heads = [sizes[place]]
        while (
            place + len(heads) < len(sizes)
            and sizes[place + len(heads)].start() - heads[-1].end() <= _FARTHEST
        ):
            heads.append(sizes[place + len(heads)])
        place += len(heads)
        if table := _table(text, heads, own):
            yield table


def _table(text: str, heads: Sequence[re.Match[str]], own: frozenset[str]) -> FlatTable | None:
    columns = _own_columns(text, heads, own)
    if not columns:
        return None
    end = heads[-1].end()
    pattern = re.compile(
        rf"{_NAME}\s+(?P<numbers>{_NUMBER}(?:\s+{_NUMBER}){{{len(heads) - 1}}})(?!\s*[<>≤≥]?\d)(?![\w.])"
    )
    rows = []
    found = pattern.search(text, end, end + 4 * _FARTHEST)
    if found is None or found.start() - end > _FARTHEST:
        return None
    in_percent = "%" in text[heads[0].start() : found.start()]
    begin = found.start()
    while found and len(found["name"].split()) <= _LONGEST_NAME:
        rows.append(found)
        end = found.end()
        behind = re.compile(r"\s*").match(text, end)
        found = pattern.match(text, behind.end() if behind else end)
    if len(rows) < _FEWEST_ROWS:
        return None
    told = []
    sentence_case = any(_is_in_sentence_case(one["name"]) for one in rows)
    for row in rows:
        numbers = re.findall(_NUMBER, row["numbers"])
        if not (in_percent or all("%" in one for one in numbers)):
            return None
        name = _name_place(row, sentence_case)
        if name is not None:
            said = (re.sub(r"\s", "", numbers[column]).rstrip("%") for column in columns)
            rate = Frequency(" / ".join(f"{one}%" for one in said))
            told.append(FlatRow(name[0], name[1], row.end(), rate))
    return FlatTable(begin, end, tuple(told))


def _own_columns(text: str, heads: Sequence[re.Match[str]], own: frozenset[str]) -> tuple[int, ...]:
    """Numbers of the columns that are of the medicine; none where a head does not say what it is of."""
    if not 1 < len(heads) <= _MOST_COLUMNS:
        return ()
    begins = [max(0, heads[0].start() - _FARTHEST), *(one.end() for one in heads[:-1])]
    before = [text[begin : one.start()] for begin, one in zip(begins, heads, strict=True)]
    if not any(any(map(str.isalpha, one)) for one in before[1:]):
        # All names, then all sizes: two columns in the order of their names.
        at_own, at_other = _last(before[0], own)
        if len(heads) > 2 or min(at_own, at_other) < 0:
            return ()
        return (0,) if at_own < at_other else (1,)
    places = [_last(one, own) for one in before]
    columns = tuple(number for number, (at_own, at_other) in enumerate(places) if at_own > at_other)
    others = [
        one for one, (at_own, at_other) in zip(before, places, strict=True) if at_own <= at_other
    ]
    named = [
        COMPARATORS.search(one)
        or (
            len(heads) == 2
            and any(word[0].isupper() and len(word) > 2 for word in _WORD.findall(one))
        )
        for one in others
    ]
    return columns if others and all(named) else ()


def _last(text: str, own: frozenset[str]) -> tuple[int, int]:
    """Where a text names the medicine last, and where what it is compared with; -1 for never."""
    mine = [one.start() for one in _WORD.finditer(text) if one[0].casefold() in own]
    others = [one.start() for one in COMPARATORS.finditer(text)]
    return max(mine, default=-1), max(others, default=-1)


def _is_in_sentence_case(name: str) -> bool:
    """Whether a row of several words is told as "Herpes zoster" is, not as "Back Pain"."""
    words = BRACKETS.sub(" ", _without_mark(name)).split()
    return len(words) > 1 and all(one[0].islower() for one in words[1:])


def _without_mark(name: str) -> str:
    return _NOTE_MARK.sub("", name.rstrip())


def _name_place(row: re.Match[str], sentence_case: bool) -> tuple[int, int] | None:
    """Where a row's own name stands, without the group of rows that it begins; None where that is uncertain."""
    name = _without_mark(row["name"])
    begin = max((one.end() for one in GROUP_ENDS.finditer(name)), default=0)
    if sentence_case and not begin and (word := GROUP_WORDS.match(name)):
        begin = word.end()
    told = name[begin:]
    inner = [
        one
        for one in re.finditer(
            r"(?<=\s)[^\W\d_a-z]\w*", BRACKETS.sub(lambda at: "x" * len(at[0]), told)
        )
        if one[0][0].isupper() and not one[0].isupper()
    ]
    if sentence_case and any(
        not _PREPOSITION.search(told[: one.start()].rstrip()) for one in inner
    ):
        return None
    start = row.start("name") + begin
    return (start, start + len(told)) if told.strip() else None
