"""Short forms of clinical terms that those who use them do not explain: "AF", "eGFR", "UTI".

``standard_forms.tsv`` has each in lower case with what it stands for, the usual wording first. They are those
of charts and of journals' lists of what need not be explained, written down from common usage; what is as usual
for something else is left out (MS, RR, HR, AS, CI).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from core.resources import read_text
from core.text.language import languages
from core.text.spelling.everyday import is_everyday
from core.text.spelling.short_forms import ShortForm

_TOKEN = re.compile(r"[^\W_]+")
_CAPITALS = 2  # of a form that is written as one


@cache
def standard_forms() -> Mapping[str, tuple[str, ...]]:
    """What the forms stand for, by the form in lower case."""
    lines = (line.split("\t") for line in read_text(__file__, "standard_forms.tsv").splitlines())
    return {short: tuple(words) for short, *words in lines}


def is_meant_short(word: str, text: str) -> bool:
    """Whether a word of a text is meant as a short form: it is written as one ("AF", "CrCl", "UTIs"), or is no
    word of English nor of the languages that the text may be in ("cap", "im", "alt")."""
    if sum(map(str.isupper, word)) >= _CAPITALS:
        return True
    return not any(is_everyday(word, code) for code in dict.fromkeys(("en", *languages(text))))


def forms_in(text: str) -> Iterator[ShortForm]:
    """The forms that a text has, as it writes them, each with each of its wordings."""
    for match, all_words in _found(text):
        yield from (ShortForm(match[0], words) for words in all_words)


def places_of_forms(text: str) -> Iterator[tuple[int, int, ShortForm]]:
    """Where a text has such forms, each from start to end, in its usual wording."""
    for match, all_words in _found(text):
        yield *match.span(), ShortForm(match[0], all_words[0])


def _found(text: str) -> Iterator[tuple[re.Match[str], tuple[str, ...]]]:
    for match in _TOKEN.finditer(text):
        all_words = standard_forms().get(match[0].casefold(), ())
        if all_words and is_meant_short(match[0], text):
            yield match, all_words
