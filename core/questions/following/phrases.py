"""Phrases of a question that goes on: what each names, behind the preposition that tells its part."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.domain.graph import Entity, Mention
from core.questions.leaflets.reader import conditions_of
from core.resources import read_table
from core.text.language import language

GRAMMAR: dict[str, Any] = read_table(__file__, "fragments.toml")
"""Of questions that go on: words, by what they are to it."""
PREPOSITIONS, DETERMINERS, OF = (
    frozenset(GRAMMAR[name].split()) for name in ("prepositions", "determiners", "of")
)
_PARTICLES = frozenset(GRAMMAR["particles"].split())
_COUNTERPARTS = [frozenset(one.split()) for one in GRAMMAR["counterparts"]]
WORD = re.compile(r"[^\W_]+(?:[-'’/][^\W_]+)*|[^\w\s]")
"""Matches a word or a mark."""
OPENER = re.compile(rf"\s*(?:(?:{'|'.join(GRAMMAR['openers'])})\b[\s,]*)+", re.IGNORECASE)
"""What a question that goes on begins with."""
LONGEST_PHRASE = 4
"""Words of what is replaced, where it is no entity's name."""
DRUG = "Drug"
"""The type of a medicine."""

Find = Callable[[str], Sequence[tuple[Mention, Entity]]]


@dataclass(frozen=True, slots=True)
class Phrase:
    """``text[start:end]``, without determiners, with the preposition before it, or "".

    Attributes:
        opens: where its preposition begins, or itself.
        measured: whether a number stands in it, and no entity ("of 25 kg").
    """

    part: str
    opens: int
    start: int
    end: int
    words: int
    named: tuple[tuple[Mention, Entity], ...]
    measured: bool = False

    @property
    def types(self) -> set[str]:
        return {entity.type for _, entity in self.named}

    @property
    def is_name(self) -> bool:
        """Whether it is the names of entities, and nothing beside them."""
        return bool(self.named) and self.named[0][0].start <= self.start <= self.end == (
            self.named[-1][0].end
        )

    @property
    def replaced(self) -> tuple[int, int]:
        """From its beginning to its last name; all of it where it has none."""
        return self.start, self.named[-1][0].end if self.named else self.end


def phrases_in(text: str, start: int, find: Find) -> Iterator[Phrase]:
    """The phrases between prepositions, marks and the beginning and end of a text."""
    named = [one for one in find(text) if one[0].start >= start]
    part, opens, words = "", start, list[re.Match[str]]()

    def told() -> Iterator[Phrase]:
        if len(words) > 1 and _is_particle(text, words[-1]):
            words.pop()
        if words:
            first, last = words[0].start(), words[-1].end()
            inside = tuple(one for one in named if first <= one[0].start < last)
            measured = not inside and any(char.isdigit() for char in text[first:last])
            begin = opens if part else first
            yield Phrase(part, begin, first, last, len(words), inside, measured)
            words.clear()

    for match in WORD.finditer(text, start):
        plain = match[0].casefold()
        within = any(m.start < match.start() < m.end for m, _ in named)
        if within:
            words.append(match)
        elif plain in PREPOSITIONS or not plain[0].isalnum():
            yield from told()
            part, opens = (plain if plain in PREPOSITIONS else ""), match.start()
        elif words or plain not in DETERMINERS:
            words.append(match)
    yield from told()


def _is_particle(text: str, word: re.Match[str]) -> bool:
    """Whether a word is that of a verb that stands before it, in a language that parts them."""
    ends = not text[word.end() :].strip(" ?.!")
    return ends and word[0].casefold() in _PARTICLES and language(text) in ("de", "nl")


def without_opener(text: str) -> str:
    """What follows on what a question that goes on begins with."""
    opener = OPENER.match(text)
    return text[opener.end() :] if opener else text


def measured_phrases(phrases: Sequence[Phrase], text: str) -> list[Phrase]:
    """Phrases, each with the number that measures it: "a clearance of 20 mL/min", "children under 3 months"."""
    found: list[Phrase] = []
    for one in phrases:
        if found and one.measured and (one.part in OF or _is_measure_of(one, found[-1], text)):
            found[-1] = replace(found[-1], end=one.end, words=found[-1].words + one.words)
        else:
            found.append(one)
    return found


def _is_measure_of(one: Phrase, before: Phrase, text: str) -> bool:
    """Whether a number is somebody's only together with the phrase before it."""
    alone, both = text[one.opens : one.end], text[before.opens : one.end]
    return not conditions_of(alone) and bool(conditions_of(both)) and before.end <= one.opens


def are_counterparts(one: str, other: str) -> bool:
    """Whether of two prepositions one can take the place of the other: "before", "during"."""
    return any(one in both and other in both for both in _COUNTERPARTS)


def replaced(text: str, put: Sequence[tuple[tuple[int, int], str]]) -> str:
    for (start, end), words in sorted(put, reverse=True):
        text = f"{text[:start]}{words}{text[end:]}"
    return f"{text.rstrip(' ?.!')}?"


def with_behind(text: str, said: Sequence[str]) -> str:
    """A question with more behind it, in brackets, or in those that it ends with."""
    whole = text.rstrip(" ?.!")
    before = f"{whole[:-1]}, " if whole.endswith(")") else f"{whole} ("
    return f"{before}{', '.join(said)})?" if said else text
