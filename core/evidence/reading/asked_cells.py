"""Cells of a table that a question names by row and column: "the hazard ratio for myocardial infarction"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from core.evidence.passages import Quote
from core.evidence.relevance import GENERIC
from core.text.stems import content_words, stem, stems

_WORD = re.compile(r"[^\W_]+")
_YES = re.compile(r":\s*(?:yes|ja)$", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_ENDPOINT = re.compile(r"\bend[ -]?point(?=s?\b)", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_MOST_WORDS = 6  # of a row's name: a longer one is a sentence, and no name
_LONGEST_INITIALS = 4
# What any study is told with.
_OF_STUDIES = frozenset(
    map(stem, ("patients", "trial", "study", "group", "reported", "result", "occurred", "seen"))
)


def cells_asked(
    question: str, quotes: Sequence[Quote], called: Callable[[Quote], str] = lambda _: ""
) -> list[int]:
    """The places of the rows that are called as the question says, in all words of that, in a table that has
    a column called as it says; where it says nothing ("at week 12", "in women") that row, table and document
    do not.

    Args:
        called: what a quote's document is called.
    """
    found = []
    for place, one in enumerate(quotes):
        if one.row and len(one.parts) > 1 and _is_named(question, one.parts):
            parted = (part.rpartition(": ") for part in one.parts[1:])
            heads = [head for head, colon, _ in parted if colon and _is_said(question, head)]
            if heads and _is_all_said(question, f"{one.text} {called(one)}", heads):
                found.append(place)
    return found


def _is_all_said(question: str, text: str, heads: Sequence[str]) -> bool:
    """Whether a text has all words and numbers of a question but those that ask, and those for which it has
    initials."""
    own = stems(_as_asked(text))
    short = {word for head in heads for word in content_words(_IN_BRACKETS.sub(" ", head))}
    spelt = {word for form, words in _initials(question).items() if form in short for word in words}
    left = [word for word in content_words(_as_asked(question)) if word not in spelt]
    numbers = set(_NUMBER.findall(question)) - set(_NUMBER.findall(text))
    return not numbers and all(stem(word) in own | GENERIC | _OF_STUDIES for word in left)


def rows_asked(question: str, quotes: Sequence[Quote]) -> list[int]:
    """The places of the quotes, without rows that the question does not name where it names others of their
    table, in all words of what these are called ("Primary endpoint"), which is not what the document is."""
    named = [
        one.row
        and bool(one.parts)
        and _is_named(question, one.parts)
        and not stems(one.parts[0].rpartition(": ")[2]) <= stems(one.hit.document.called)
        for one in quotes
    ]
    tables = {_table(one) for one, has in zip(quotes, named, strict=True) if has}
    return [
        place
        for place, one in enumerate(quotes)
        if named[place] or not one.row or _table(one) not in tables
    ]


def _table(row: Quote) -> tuple[str, str, tuple[str, ...]]:
    return row.hit.document.id, row.hit.chunk.heading, row.labels


def _is_named(question: str, parts: Sequence[str]) -> bool:
    """Whether a question has all words of what a row is called: its first cell, below that column's head, or of
    a table without heads what its other cell stands behind."""
    first = _YES.sub("", parts[0])
    name = first.rpartition(": ")[2] if len(parts) > 1 else first.partition(": ")[0]
    bare = _as_asked(_IN_BRACKETS.sub(" ", name))
    words = content_words(bare)
    numbers = set(_NUMBER.findall(bare))
    return (
        0 < len(words) <= _MOST_WORDS
        and {stem(word) for word in words} <= _stems_of(question)
        and numbers <= set(_NUMBER.findall(question))
    )


def _as_asked(text: str) -> str:
    """A text with one word for what papers call "outcome" and "endpoint"."""
    return _ENDPOINT.sub("outcome", text)


def _is_said(question: str, head: str) -> bool:
    """Whether a question has all words of a column's head but those in brackets, at length or as their initials
    ("HR" of "hazard ratio")."""
    words = content_words(_IN_BRACKETS.sub(" ", head))
    if not words or any(map(str.isdigit, words)):
        return False
    spelt = {stem(word) for word in words} - _stems_of(question)
    return not spelt or all(word in _initials(question) for word in words if stem(word) in spelt)


@lru_cache(maxsize=64)
def _stems_of(question: str) -> frozenset[str]:
    return frozenset(stems(_as_asked(question)))


@lru_cache(maxsize=64)
def _initials(question: str) -> dict[str, set[str]]:
    """The initials of each two words and more that stand side by side in a question, with these words."""
    words = [word.casefold() for word in _WORD.findall(question)]
    found: dict[str, set[str]] = {}
    for length in range(2, _LONGEST_INITIALS + 1):
        for begin in range(len(words) - length + 1):
            side_by_side = words[begin : begin + length]
            form = "".join(word[0] for word in side_by_side)
            found.setdefault(form, set()).update(side_by_side)
    return found
