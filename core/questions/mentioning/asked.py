"""Questions for the documents that have words in their text: "Which leaflets mention warfarin?"

What answers these is no passage but all of them: search ranks passages, and the tenth document that has the
words is as much a part of the answer as the first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from core.resources import read_table
from core.text.stems import content_words

_TABLE = read_table(__file__, "asked.toml")
# Words of a thing that is looked for as it is written; what is longer describes, and is written in many ways.
_LONGEST = 4
_QUOTES = "\"'“”„‘’«»"
_ENDS = f" ?!.,;:{_QUOTES}"


@dataclass(frozen=True, slots=True)
class Mentions:
    """What is looked for in documents, word for word.

    Attributes:
        terms: as they were written.
        every: a document must have all of them; else any.
        lacking: the documents that do not are asked for.
        tell: they are to say something of it, not only to have its name.
    """

    terms: tuple[str, ...]
    every: bool = False
    lacking: bool = False
    tell: bool = False


def mentions_asked(question: str) -> Mentions | None:
    """What documents are asked to have in their text; None for any other question, and for one that asks for
    more than a name or a few words."""
    text = " ".join(question.split()).strip(_ENDS)
    for code in _TABLE:
        for form in _forms(code):
            if found := form.fullmatch(text):
                return _mentions(found, code)
    return None


def _mentions(found: re.Match[str], code: str) -> Mentions | None:
    every, parts = False, [found["term"]]
    for key, joins_all in (("and", True), ("or", False)):
        split = _pattern(rf",? {_TABLE[code][key]} |, ").split(found["term"])
        if len(split) > 1 and (key == "and" or len(parts) == 1):
            every, parts = joins_all, split
    terms = tuple(filter(None, (_bare(one, code) for one in parts)))
    if not terms or any(len(content_words(one)) > _LONGEST for one in terms):
        return None
    groups = found.groupdict()
    every = every and len(terms) > 1
    return Mentions(terms, every, bool(groups.get("not")), bool(groups.get("tells")))


def _bare(term: str, code: str) -> str:
    """A term without what says nothing of it."""
    table = _TABLE[code]
    term = term.strip(_ENDS)
    term = _pattern(rf"^(?:{table['around']} )+").sub("", term)
    return _pattern(rf"(?: {table['behind_term']})+$").sub("", term.strip(_ENDS)).strip(_ENDS)


@cache
def _forms(code: str) -> list[re.Pattern[str]]:
    table = _TABLE[code]
    words = {
        "documents": f"(?:{'|'.join(table['documents'])})",
        "says": f"(?:{'|'.join(table['names'])}|(?P<tells>{'|'.join(table['tells'])}))",
        "said": f"(?:{'|'.join(table['named'])}|(?P<tells>{'|'.join(table['told'])}))",
        "before": table["before"],
        "behind": table["behind"],
        "not": table["not"],
    }
    # Not `format`: regular expressions have braces of their own.
    return [
        _pattern(re.sub(r"\{(\w+)\}", lambda one: words[one[1]], form)) for form in table["forms"]
    ]


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)
