"""The words of a text, as two versions of it are compared.

Two texts are the same when their words are. White space, bullets, ligatures, hyphens inside words and
punctuation between them are no words; signs that change an amount (<, ≥, %, a minus) are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_SIGNS = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "µ": "μ"}
)
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_QUOTES = re.compile("[’ʼ′]")
# Beyond the hyphen at a line's end stands the other half of the word, or of a compound: "breast-\nfeeding".
_BROKEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u2011]\s*\n\s*(?=[^\W\d_])")
_ENDS_BROKEN = re.compile(r"[^\W\d_][-\u2010\u2011]\s*$")
_WORD = re.compile(
    r"\d+(?:[.,]\d+)*"
    r"|[^\W\d_]\w*(?:['·/-][^\W\d_]\w*)*"
    r"|(?<![\w-])-(?=\d)|(?<=\d)-(?=\d)|(?<=\d )-(?= \d)"
    r"|[<>≤≥±=+%°~]"
)


class TextWord(NamedTuple):
    """A word of a text: `key` is compared first, without regard to capitals, `exact` then."""

    key: str
    exact: str
    start: int
    end: int


def unbroken(text: str) -> str:
    """A text with its ligatures taken apart and without the line breaks behind hyphens."""
    return _BROKEN.sub("-", text.translate(_SIGNS))


def ends_broken(text: str) -> bool:
    """Whether a text ends in a hyphen behind a letter, as a word does that goes on in what follows."""
    return _ENDS_BROKEN.search(text) is not None


def words(text: str) -> tuple[TextWord, ...]:
    """The words of a text, in order, with where they stand in it."""
    plain = _QUOTES.sub("'", _DASHES.sub("-", text))
    found = []
    for match in _WORD.finditer(plain):
        exact = match[0].replace("-", "") or "-"
        found.append(TextWord(exact.casefold(), exact, *match.span()))
    return tuple(found)


def is_number(word: TextWord) -> bool:
    """Whether a word is written in digits."""
    return word.exact[0].isdigit()


def spans_of(found: Sequence[TextWord], places: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Where words stand in their text; neighbours as one."""
    spans: list[tuple[int, int]] = []
    last = -2
    for place in sorted(places):
        if place == last + 1 and spans:
            spans[-1] = (spans[-1][0], found[place].end)
        else:
            spans.append((found[place].start, found[place].end))
        last = place
    return tuple(spans)
