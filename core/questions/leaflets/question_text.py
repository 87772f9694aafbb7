"""A question of which some places have been read already, and its numbers: one by one, or two that are the ends
of one range."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from core.domain.leaflets.conditions import DocumentCondition, Range
from core.questions.leaflets.ages import IN_YEARS
from core.questions.leaflets.lexicon import LeafletWords, lexicon_of, spaced
from core.text.function_words import FUNCTION_WORDS_OF, OF_QUESTIONS, OF_QUESTIONS_IN
from core.text.language import language
from core.text.limits import AT_LEAST, AT_MOST, without_bound
from core.text.quantities import Quantity, normalised, quantities
from core.text.word_lists import word_frequencies

WORD = re.compile(r"[^\W_]+(?:[-'’.,][^\W_]+)*")
EMPTY = OF_QUESTIONS.union(
    *(FUNCTION_WORDS_OF[code] for code in ("en", "de", "nl")), *OF_QUESTIONS_IN.values()
)
_UNITS: dict[tuple[str, int], Literal["year", "month", "week", "day"]] = {
    ("month", 12): "year",
    ("month", 1): "month",
    ("hour", 168): "week",
    ("hour", 24): "day",
}
_JOIN = re.compile(
    r"\s*(?:-|to|and|bis(?: (?:einschlie(?:ß|ss)lich|einschl\.|inklusive|inkl\.))?|und|tot(?: en met)?|en|until"
    r"|t/m)\s*",
    re.IGNORECASE,
)
_JOIN_SIGNS = re.compile(r"\s*[<≤]=?\s*[^\W\d][^\d<>≤≥.;]{0,30}[<≤]=?\s*")  # "30 ≤ eGFR < 90"
_JOIN_BOUNDED = re.compile(
    r"(?:\s*of age)?[\s,]*(?:-|to|and|but|bis|und|aber|jedoch|tot|en|maar|until)?\s*", re.IGNORECASE
)


@dataclass
class QuestionText:
    """A question's text, and what its places mean.

    Attributes:
        text: as `core.text.quantities.normalised` gives it.
        conditions: with the place where each begins.
        whole: what it is a part of; None where it is none.
        label_end: of a told row of a table, where its first cell ends; 0 of another text.
    """

    text: str
    words: LeafletWords
    numbers: list[Quantity]
    conditions: list[tuple[int, DocumentCondition]] = field(default_factory=list)
    _taken: bytearray = field(default_factory=bytearray)
    whole: QuestionText | None = None
    label_end: int = 0
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


@dataclass(frozen=True, slots=True)
class Span:
    """One number, or two that are the ends of a range."""

    first: Quantity
    last: Quantity

    @property
    def start(self) -> int:
        return self.first.start

    @property
    def end(self) -> int:
        return self.last.end

    def range(self, scale: float = 1.0, *, own_factor: bool = False, places: int = 3) -> Range:
        """Both ends, times the unit's own factor where asked for, over `scale`."""

        def value(one: Quantity) -> float:
            return round(float(one.amount if own_factor else one.value) / scale, places)

        low, high = value(self.first), value(self.last)
        if self.first is not self.last:
            return Range(low, high)
        if self.first.worded == AT_LEAST:
            return Range(low, None)
        return Range(None, high) if self.first.worded == AT_MOST else Range(low, high)


def ranges_in(question: QuestionText) -> list[tuple[int, int]]:
    """Places of the ranges of a text: two numbers with what joins them."""
    return [(one.start, one.end) for one in spans(question) if one.first is not one.last]


def spans(question: QuestionText) -> Iterator[Span]:
    """The numbers of a text in order."""
    # "1.73 m2" below the line of a clearance stands in it.
    numbers = [
        one
        for n, one in enumerate(question.numbers)
        if not n or one.start >= question.numbers[n - 1].end
    ]
    i = 0
    while i < len(numbers):
        one = numbers[i]
        after = numbers[i + 1] if i + 1 < len(numbers) else None
        if after is not None and _is_range(question.text, one, after):
            unit = one if one.unit else after
            if in_years(one) and in_years(after):  # "6 months to 12 years"
                yield Span(one, after)
            else:
                yield Span(
                    replace(one, unit=unit.unit, factor=unit.factor),
                    replace(after, unit=unit.unit, factor=unit.factor),
                )
            i += 2
        else:
            yield Span(one, one)
            i += 1


def in_years(one: Quantity) -> float:
    """A time in years; 0 for what is none."""
    unit = unit_of_age(one)
    return float(one.value) * IN_YEARS[unit] if unit else 0.0


def _is_range(text: str, one: Quantity, after: Quantity) -> bool:
    """Whether two numbers are the ends of one range: "10 to 18 kg", "10 to less than 18 kg", "at least 10 kg
    but under 18 kg"."""
    alike = one.unit == after.unit or not one.unit or not after.unit
    if in_years(one) and in_years(after):
        alike, grows = True, in_years(one) < in_years(after)
    else:
        grows = one.value < after.value
    if not (alike and grows):
        return False
    between = text[one.end : after.start]
    if _JOIN.fullmatch(between) or _JOIN_SIGNS.fullmatch(between):
        return True
    if (
        after.worded != AT_MOST
        or one.worded == AT_MOST
        or (one.unit and one.factor != after.factor and not in_years(one))
    ):
        return False
    joined = without_bound(between)
    return bool(_JOIN_BOUNDED.fullmatch(joined)) and (bool(joined.strip(" ,")) or one.worded != 0)


def unit_of_age(one: Quantity) -> Literal["year", "month", "week", "day"] | None:
    """The unit of a quantity that may be an age; None of any other."""
    return _UNITS.get((one.unit, int(one.factor)))
