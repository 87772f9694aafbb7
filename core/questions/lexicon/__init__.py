"""What words of a question mean to the graph, by language: data (``en.toml``, ...); see `reading`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from rapidfuzz import process
from rapidfuzz.distance import OSA

from core.questions.lexicon.grammar import Grammar
from core.text.stems import stem
from core.text.word_lists import word_frequencies

_WORD = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*|[&|∪∩#]")
_CLOSING = re.compile(r"\s*(?:[,;:.?!]|$)")
_LONGEST = 7  # words of a phrase
SHORTEST_MISSPELT = 4  # letters
Written = tuple[tuple[str, ...], "Sense"]  # a phrase as it stands in the lexicon, with a sense


class WordKind(StrEnum):
    """What a word or phrase of a question is."""

    NAME = "name"
    TYPE = "type"
    VERB = "verb"
    NOUN = "noun"
    COUNT = "count"
    EVERYTHING = "everything"
    COMPARE = "compare"
    SHARE = "share"
    MOST = "most"
    LEAST = "least"
    SIMILAR = "similar"
    PATH = "path"
    THEM = "them"
    ORDINAL = "ordinal"
    NOT = "not"
    NEITHER = "neither"
    NOR = "nor"
    AND = "and"
    OR = "or"
    BUT = "but"
    BOTH = "both"
    EITHER = "either"
    NOTHING = "nothing"
    TIE = "tie"  # a verb that may say no more than the noun beside it
    UNCLEAR = "unclear"  # a negation of which nobody can say how far it reaches
    INCLUDE = "include"


# What may be wanted of the sets of a question; where a word has several, the first is meant.
WANTS = (
    WordKind.COUNT,
    WordKind.EVERYTHING,
    WordKind.COMPARE,
    WordKind.SHARE,
    WordKind.MOST,
    WordKind.LEAST,
    WordKind.SIMILAR,
    WordKind.PATH,
)
LOGIC = (
    WordKind.NOT,
    WordKind.NEITHER,
    WordKind.NOR,
    WordKind.AND,
    WordKind.OR,
    WordKind.BUT,
    WordKind.BOTH,
    WordKind.EITHER,
    WordKind.INCLUDE,
)
_JOINING = frozenset({WordKind.AND, WordKind.OR, WordKind.BUT})
_INFLECTED = frozenset(
    {
        WordKind.COUNT,
        WordKind.COMPARE,
        WordKind.SHARE,
        WordKind.SIMILAR,
        WordKind.PATH,
        WordKind.NOT,
        WordKind.EVERYTHING,
    }
)


@dataclass(frozen=True, slots=True)
class Sense:
    """One meaning of a phrase.

    Attributes:
        types: of a type's noun, and of a noun that one end of a relationship is called by.
        relationships: of a verb or such a noun; the first that fits is meant.
        number: of an ordinal, from 0.
        both_said: of a verb that means the relationship only where the types of both ends are said.
    """

    kind: WordKind
    types: tuple[str, ...] = ()
    relationships: tuple[str, ...] = ()
    number: int = 0
    both_said: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question with its place; `closes`: with a mark behind it that ends a clause."""

    text: str
    start: int
    end: int
    closes: bool = False

    @property
    def plain(self) -> str:
        return self.text.casefold().replace("’", "'")


@dataclass(frozen=True, slots=True)
class Stems:
    """Stems of a language's words.

    Attributes:
        language: of the stemmer.
        forms: stems that the stemmer does not join to the one they belong to, with that one.
        apart: words that the stemmer joins to others which they do not belong to ("activate", "active"),
            each with what it is compared by.
    """

    language: str
    forms: Mapping[str, str] = field(default_factory=dict)
    apart: Mapping[str, str] = field(default_factory=dict)

    def of(self, word: str) -> str:
        """The stem of a word as it is compared."""
        if word in self.apart:
            return self.apart[word]
        found = stem(word, self.language)
        return self.forms.get(found, found)

    def key(self, phrase: str) -> tuple[str, ...]:
        """What a phrase is looked up by."""
        return tuple(self.of(one.plain) for one in words_of(phrase))


@dataclass(frozen=True, slots=True)
class Apart:
    """The second part of a phrase whose first stands before what it is said of ("setzt ... ein")."""

    stems: tuple[str, ...]
    sense: Sense


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The phrases of one language.

    Attributes:
        senses: by the stems of a phrase.
        grammar: words of grammar by their roles.
        nothing: words that ask and say nothing.
        words: all of four letters and more.
        stems: of words.
        code: of the language.
        apart: second parts of phrases in two parts, by the stem of the first.
        relationships: types that the graph has.
        cardinals: words for numbers, from one on.
    """

    senses: Mapping[tuple[str, ...], Sequence[Written]]
    grammar: Grammar
    nothing: frozenset[str]
    words: tuple[str, ...]
    stems: Stems
    code: str
    apart: Mapping[str, Sequence[Apart]]
    relationships: frozenset[str] = frozenset()
    cardinals: tuple[str, ...] = ()

    def is_number(self, text: str, number: int) -> bool:
        """Whether a word says a number."""
        return self.cardinals[number - 1 : number] == (text.casefold(),)

    def lacks(self, relationships: Iterable[str]) -> bool:
        """Whether the graph has none of some relationships."""
        return self.relationships.isdisjoint(relationships)

    def is_base(self, text: str) -> bool:
        """Whether a text stands in the lexicon as it is, and is no plural."""
        words = tuple(one.plain for one in words_of(text))
        return any(words == written for written, _ in self.senses.get(self.stems.key(text), ()))

    def is_empty(self, word: Word) -> bool:
        """Whether a word names nothing."""
        bare = word.plain
        for ending in self.grammar.possessive:
            bare = bare.removesuffix(ending) if ending.startswith("'") else bare
        return bare in self.grammar.remains or bare in self.grammar.small or bare in self.nothing

    def known(self, words: Sequence[Word]) -> int:
        """How many words are of this language."""
        count = place = 0
        while place < len(words):
            length, _ = self.longest(words, place)
            _, second = self.parted(words, place)
            count += max(length, len(second) + 1 if second else int(self.is_empty(words[place])))
            place += length or 1
        return count

    def longest(self, words: Sequence[Word], first: int) -> tuple[int, tuple[Sense, ...]]:
        """How many words from the first on are the longest phrase, and its senses; 0 without any."""
        plain = tuple(one.plain for one in words[first : first + _LONGEST])
        stems = tuple(map(self.stems.of, plain))
        for length in range(len(stems), 0, -1):
            noun = length == 1 and first and self._is_noun(words[first])
            found = [
                sense
                for written, sense in self.senses.get(stems[:length], ())
                if self._is_written(written, plain[:length], sense)
                and not (noun and sense.kind is WordKind.VERB)
            ]
            if found:
                return length, tuple(dict.fromkeys(found))
        return 0, ()

    def parted(self, words: Sequence[Word], first: int) -> tuple[tuple[Sense, ...], range]:
        """The senses of a phrase in two parts that a word is the first of, and the places of the words
        of its second part, which ends a clause; none without any.

        Args:
            words: of one sentence.
        """
        found: list[Sense] = []
        last = range(0)
        for one in self.apart.get(self.stems.of(words[first].plain), ()):
            size = len(one.stems)
            for place in range(first + 1, len(words) - size + 1):
                part = words[place : place + size]
                if tuple(self.stems.of(word.plain) for word in part) != one.stems:
                    continue
                if size > 1 or part[-1].closes or self._opens(words, place + 1):
                    if size > len(last):
                        found = []
                    if size >= len(last):
                        found, last = [*found, one.sense], range(place, place + size)
                    break
        return tuple(dict.fromkeys(found)), last

    def misspelt(self, word: Word) -> str:
        """The one word of the lexicon that a word which is none has one error to; "" without."""
        plain = word.plain
        if len(plain) < SHORTEST_MISSPELT or plain in word_frequencies(self.code):
            return ""
        near = process.extract(plain, self.words, scorer=OSA.distance, score_cutoff=1, limit=None)
        found = [one for one, _, _ in near]
        says_nothing = bool(found) and (self.grammar.small | self.nothing).issuperset(found)
        return found[0] if says_nothing or len(set(map(self.stems.of, found))) == 1 else ""

    def _opens(self, words: Sequence[Word], place: int) -> bool:
        """Whether what comes belongs to no word before: a preposition, or what joins clauses."""
        if place == len(words):
            return True
        if words[place].plain in self.grammar.prepositions - self.grammar.articles:
            return True
        _, senses = self.longest(words, place)
        return any(sense.kind in _JOINING for sense in senses)

    def _is_noun(self, word: Word) -> bool:
        """Whether the capital of a word that does not stand first tells that it is no verb."""
        return self.grammar.capital_nouns and word.text[0].isupper()

    def _is_written(self, phrase: tuple[str, ...], words: tuple[str, ...], sense: Sense) -> bool:
        """Whether words are a form of a phrase: verbs and ties in any, all else as it is or with an ending."""
        if sense.kind in (WordKind.VERB, WordKind.TIE):
            return True
        if sense.kind is WordKind.PATH and len(phrase) > 1:
            return phrase[-1] == words[-1]
        grammar = self.grammar
        *before, last = phrase
        for one, other in zip(before, words[:-1], strict=True):
            if other != one and other not in (f"{one}{end}" for end in grammar.adjective):
                return False
        endings = (*grammar.plural, *(grammar.inflected if sense.kind in _INFLECTED else ()))
        return words[-1] == last or any(
            last.endswith(old) and words[-1] == last.removesuffix(old) + new for old, new in endings
        )


def words_of(text: str) -> list[Word]:
    """The words of a text; those joined by hyphens apart."""
    return [
        Word(one.group(), one.start(), one.end(), bool(_CLOSING.match(text, one.end())))
        for one in _WORD.finditer(text)
    ]
