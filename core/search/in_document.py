"""Words looked for in the text of one document, as a reader looks for them in a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from core.domain.documents import Page

_AROUND = 60  # characters of the text shown on each side of what was found


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """A place in a document where the words stand.

    Attributes:
        page: from 1; 0 in a text without pages.
        start, end: offsets of the page's text, end exclusive.
        before, after: the words around it, white space as single spaces.
        words: what stands there, likewise.
    """

    page: int
    start: int
    end: int
    before: str
    words: str
    after: str


def find_in_pages(words: str, pages: Sequence[Page], most: int) -> tuple[list[FoundPlace], bool]:
    """The first places where the words stand, in order, and whether there are more.

    Case, and the kind and length of white space, do not matter; parts of words count ("hepat").
    """
    found = list(islice(_places(words, pages), most + 1))
    return found[:most], len(found) > most


def _places(words: str, pages: Sequence[Page]) -> Iterator[FoundPlace]:
    parts = words.split()
    if not parts:
        return
    pattern = re.compile(r"\s+".join(map(re.escape, parts)), re.IGNORECASE)
    for page in pages:
        for match in pattern.finditer(page.text):
            start, end = match.span()
            before = page.text[max(0, start - _AROUND) : start]
            after = page.text[end : end + _AROUND]
            if start > _AROUND:
                before = before.partition(" ")[2]
            if end + _AROUND < len(page.text):
                after = after.rpartition(" ")[0]
            yield FoundPlace(page.number, start, end, _line(before), _line(match[0]), _line(after))


def _line(text: str) -> str:
    return " ".join(text.split())
