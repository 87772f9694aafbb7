"""The questions that the choice of section and kind is fitted to, with their labels."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

from core.questions.leaflets.choice import MASKS, masked
from core.questions.leaflets.question_text import EMPTY, WORD
from core.resources import read_table

_HEADINGS = "headings"
_OFTEN = 2  # times that a word stands in the phrasings of a section to be one of its words


@dataclass(frozen=True, slots=True)
class Phrasing:
    """A masked question; `kind` is empty for a heading."""

    text: str
    code: str
    section: str
    kind: str


@cache
def phrasings() -> tuple[Phrasing, ...]:
    """Those written for this, and the headings of the templates."""
    table = read_table(__file__, "phrasings.toml")
    found = []
    for section, texts in table[_HEADINGS].items():
        found += [Phrasing(_filled(text, "en"), "", section, "") for text in texts]
    for section, languages in table.items():
        if section == _HEADINGS:
            continue
        for code, kinds in languages.items():
            for kind, texts in kinds.items():
                found += [Phrasing(_filled(text, code), code, section, kind) for text in texts]
    return tuple(found)


@cache
def words_of(section: str) -> frozenset[str]:
    """The words, case folded, that ask for a section in several phrasings."""
    counts = Counter(
        word
        for one in phrasings()
        if one.section == section
        for word in {match.group().casefold() for match in WORD.finditer(one.text)}
    )
    return frozenset(word for word, n in counts.items() if n >= _OFTEN and word not in EMPTY)


def _filled(text: str, code: str) -> str:
    first, other = MASKS[code]
    return masked(text.replace("{m}", first).replace("{o}", other), (), code)
