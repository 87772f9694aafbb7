"""Short forms of clinical terms that those who use them do not explain: "AF", "eGFR", "UTI".

``standard_forms.tsv`` has each in lower case with what it stands for, the usual wording first. They are those
of charts and of journals' lists of what need not be explained, written down from common usage; what is as usual
for something else is left out (MS, RR, HR, AS, CI).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from core.resources import read_text
from core.text.spelling.short_forms import ShortForm

_CAPITALS = 2  # of a form that is written as one


@cache
def standard_forms() -> Mapping[str, tuple[str, ...]]:
    """What the forms stand for, by the form in lower case."""
    lines = (line.split("\t") for line in read_text(__file__, "standard_forms.tsv").splitlines())
    return {short: tuple(words) for short, *words in lines}


def is_written_short(word: str) -> bool:
    """Whether a word is written as a short form: "AF", "CrCl", "UTIs"."""
    return sum(map(str.isupper, word)) >= _CAPITALS


@cache
def as_short_forms() -> tuple[ShortForm, ...]:
    """Each form, in capitals, with each of its wordings."""
    return tuple(
        ShortForm(short.upper(), words)
        for short, all_words in standard_forms().items()
        for words in all_words
    )
