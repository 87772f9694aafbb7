"""A question of which some places have been read already."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.domain.leaflets.conditions import DocumentCondition
from core.questions.leaflets.lexicon import LeafletWords, lexicon_of, spaced
from core.text.function_words import FUNCTION_WORDS_OF, OF_QUESTIONS, OF_QUESTIONS_IN
from core.text.language import language
from core.text.quantities import Quantity, normalised, quantities
from core.text.word_lists import word_frequencies

WORD = re.compile(r"[^\W_]+(?:[-'’.,][^\W_]+)*")
EMPTY = OF_QUESTIONS.union(
    *(FUNCTION_WORDS_OF[code] for code in ("en", "de", "nl")), *OF_QUESTIONS_IN.values()
)


@dataclass
class QuestionText:
    """A question's text, and what its places mean.

    Attributes:
        text: as `core.text.quantities.normalised` gives it.
        conditions: with the place where each begins.
        whole: what it is a part of; None where it is none.
    """

    text: str
    words: LeafletWords
    numbers: list[Quantity]
    conditions: list[tuple[int, DocumentCondition]] = field(default_factory=list)
    _taken: bytearray = field(default_factory=bytearray)
    whole: QuestionText | None = None
    _said: dict[tuple[str, str], bool] = field(default_factory=dict)
    _keys: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, question: str) -> QuestionText:
        """A question of which nothing has been read."""
        text = spaced(normalised(question))
        return cls(text, lexicon_of(text), quantities(text), [], bytearray(len(text)))

    def part(self, start: int, end: int) -> QuestionText:
        """``text[start:end]``, in the same language, of which nothing has been read."""
        text = self.text[start:end].strip()
        numbered = any(start <= one.start < end for one in self.numbers)
        numbers = quantities(text) if numbered else []
        return QuestionText(text, self.words, numbers, [], bytearray(len(text)), self)

    def matches(self, table: str, key: str) -> Iterable[re.Match[str]]:
        """Where the lexicon's words of a key stand; what a whole has nowhere, no part of it has."""
        said = (self.whole or self).says(table, key)
        return self.words.pattern(table, key).finditer(self.text) if said else ()

    def impaired(self, organ: str) -> Iterable[re.Match[str]]:
        """Where it is said that an organ does not work well."""
        said = (self.whole or self).says(organ, "")
        return self.words.organ(organ).finditer(self.text) if said else ()

    def says(self, table: str, key: str) -> bool:
        """Whether any of the lexicon's words of a key stand in it; without a key, of an organ that does not
        work well."""
        known = self._said.get((table, key))
        if known is None:
            pattern = self.words.pattern(table, key) if key else self.words.organ(table)
            known = self._said[table, key] = pattern.search(self.text) is not None
        return known

    def keys(self, table: str) -> Sequence[str]:
        """The keys of one of the lexicon's tables that it, or its whole, has words of."""
        whole = self.whole or self
        known = whole._keys.get(table)
        if known is None:
            keys = self.words.keys(table)
            known = whole._keys[table] = tuple(key for key in keys if whole.says(table, key))
        return known

    @property
    def is_english(self) -> bool:
        """Whether it is in English; one without common words, by whether most of its words are."""
        spoken = language(self.text)
        if spoken:
            return spoken == "en"
        listed = word_frequencies("en")
        words = [word.group().casefold() for word in WORD.finditer(self.text)]
        return sum(word in listed for word in words) * 2 > len(words)

    def is_free(self, start: int, end: int) -> bool:
        """Whether nothing has been read in ``text[start:end]``."""
        return not any(self._taken[start:end])

    def take(self, start: int, end: int) -> None:
        """Note that ``text[start:end]`` has been read."""
        self._taken[start:end] = b"\x01" * (end - start)

    def add(self, start: int, end: int, condition: DocumentCondition) -> None:
        """Note a condition that ``text[start:end]`` states; one that is there already is not doubled."""
        self.take(start, end)
        if all(known != condition for _, known in self.conditions):
            self.conditions.append((start, condition))

    def has(self, kind: type) -> bool:
        """Whether a condition of a kind is known."""
        return any(isinstance(one, kind) for _, one in self.conditions)

    def negated(self, start: int) -> bool:
        """Whether a "no" or "without" stands right before a place."""
        return bool(self.before("negation", "words", start))

    def before(self, table: str, key: str, start: int, least: int = 0) -> re.Match[str] | None:
        """One of the lexicon's words that ends right before a place, not before `least`."""
        pattern = self.words.pattern(table, key, frame=r"(?<!\w)(?:{})[\s,:(=]*$")
        return pattern.search(self.text, max(least, start - 40), start)

    def left_over(self) -> tuple[str, ...]:
        """The content words of which nothing has been read, as they are written, each once."""
        found = (
            match
            for match in WORD.finditer(self.text)
            if match.group().casefold() not in EMPTY and self.is_free(match.start(), match.end())
        )
        words = (match.group() for match in found)
        return tuple(dict.fromkeys(word for word in words if len(word) > 1 or word.isdigit()))


def begins_sentences(name: str, text: str) -> bool:
    """Whether a name of one word stands nowhere in a text but where a sentence begins, so that its capital
    tells nothing."""
    places = [one.start() for one in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
    begun = (text[:place].rstrip() for place in places)
    return bool(places) and all(not before or before[-1] in ".?!" for before in begun)
