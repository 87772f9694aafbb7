"""What words of a question mean to the graph, by language: data (``en.toml``, ...), read once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from rapidfuzz import process
from rapidfuzz.distance import OSA

from core.graph.names.spelling import english_words
from core.graph.phrases import relationship_phrase
from core.resources import read_table
from core.text.stems import stem

_FOLDER = Path(__file__).parent
_WORD = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*|&")
_LONGEST = 7  # words of a phrase
_SHORTEST_MISSPELT = 4  # letters
_GRAMMAR = ("auxiliaries", "prepositions", "determiners", "elsewhere")
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
_LOGIC = (
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
    """

    kind: WordKind
    types: tuple[str, ...] = ()
    relationships: tuple[str, ...] = ()
    number: int = 0


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question with its place."""

    text: str
    start: int
    end: int

    @property
    def plain(self) -> str:
        return self.text.casefold().replace("’", "'")

    @property
    def stem(self) -> str:
        return stem(self.plain)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The phrases of one language.

    Attributes:
        senses: by the stems of a phrase.
        nothing: words that ask and say nothing.
        auxiliaries, prepositions, determiners: words as they are.
        words: all of four letters and more.
        elsewhere: words that ask for something else than entities: a time, a reason, a way.
    """

    senses: Mapping[tuple[str, ...], Sequence[Written]]
    nothing: frozenset[str]
    auxiliaries: frozenset[str]
    prepositions: frozenset[str]
    determiners: frozenset[str]
    elsewhere: frozenset[str]
    words: tuple[str, ...]

    @property
    def small(self) -> frozenset[str]:
        """Words of grammar, which name nothing."""
        return self.auxiliaries | self.prepositions | self.determiners | self.elsewhere

    def longest(self, words: Sequence[Word], first: int) -> tuple[int, tuple[Sense, ...]]:
        """How many words from the first on are the longest phrase, and its senses; 0 without any."""
        stems = tuple(one.stem for one in words[first : first + _LONGEST])
        plain = tuple(one.plain for one in words[first : first + _LONGEST])
        for length in range(len(stems), 0, -1):
            found = [
                sense
                for written, sense in self.senses.get(stems[:length], ())
                if _is_written(written, plain[:length], sense)
            ]
            if found:
                return length, tuple(dict.fromkeys(found))
        return 0, ()

    def misspelt(self, word: Word) -> str:
        """The one word of the lexicon that a word which is none has one error to; "" without."""
        plain = word.plain
        if len(plain) < _SHORTEST_MISSPELT or plain in english_words():
            return ""
        near = process.extract(plain, self.words, scorer=OSA.distance, score_cutoff=1, limit=None)
        found = [one for one, _, _ in near]
        says_nothing = bool(found) and (self.small | self.nothing).issuperset(found)
        return found[0] if says_nothing or len(set(map(stem, found))) == 1 else ""


def _is_written(phrase: tuple[str, ...], words: tuple[str, ...], sense: Sense) -> bool:
    """Whether words are a form of a phrase: verbs in any, all else as it is or with a simple ending."""
    if sense.kind is WordKind.VERB:
        return True
    if sense.kind is WordKind.PATH and len(phrase) > 1:
        return phrase[-1] == words[-1]
    *before, last = phrase
    if tuple(before) != words[:-1]:
        return False
    word = words[-1]
    if word == last or word in (f"{last}s", f"{last}es", f"{last}'s") or word == f"{last[:-1]}ies":
        return True
    if last.endswith("is") and word == f"{last[:-2]}es":
        return True
    return sense.kind in _INFLECTED and word in (
        f"{last}d",
        f"{last}ed",
        f"{last}ing",
        f"{last[:-1]}ing",
    )


def words_of(text: str) -> list[Word]:
    """The words of a text; those joined by hyphens apart."""
    return [Word(match.group(), match.start(), match.end()) for match in _WORD.finditer(text)]


def key(phrase: str) -> tuple[str, ...]:
    """What a phrase is looked up by."""
    return tuple(one.stem for one in words_of(phrase))


@cache
def languages() -> tuple[str, ...]:
    """Codes of the languages that there is a lexicon for."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.toml")))


@cache
def _read(language: str) -> tuple[dict[tuple[str, ...], list[Written]], dict[str, Any]]:
    table = read_table(__file__, f"{language}.toml")
    found: dict[tuple[str, ...], list[Written]] = {}

    def add(phrases: Iterable[str], sense: Sense) -> None:
        for phrase in phrases:
            written = tuple(one.plain for one in words_of(phrase)), sense
            senses = found.setdefault(key(phrase), [])
            if written not in senses:
                senses.append(written)

    prepositions = table["grammar"]["prepositions"].split()
    empty = {*table["nothing"]["words"].split(), *_words_of_grammar(table)}

    def _bare(phrase: str) -> str:
        """ "Participate" of "participate in": the preposition may stand elsewhere."""
        first, _, last = phrase.rpartition(" ")
        return first if last in prepositions else ""

    def known(word: str) -> bool:
        return bool(word) and word not in empty and stem(word) not in {stem(one) for one in empty}

    for name, phrases in table["types"].items():
        add(phrases, Sense(WordKind.TYPE, types=_with_clinical(name)))
    for row in table["relationships"]:
        types = tuple(row["types"])
        verbs = row.get("verbs", ())
        add([*verbs, *filter(known, map(_bare, verbs))], Sense(WordKind.VERB, relationships=types))
        for name, phrases in row.get("nouns", {}).items():
            add(phrases, Sense(WordKind.NOUN, _with_clinical(name), types))
    for kind in WANTS:
        add(table["wants"][kind], Sense(kind))
    for kind in _LOGIC:
        add(table["logic"][kind], Sense(kind))
    add(table["conversation"]["them"], Sense(WordKind.THEM))
    for forms in (table["conversation"]["ordinals"], table["conversation"]["ordinal_forms"]):
        for number, form in enumerate(forms):
            add([form], Sense(WordKind.ORDINAL, number=number))
    for form in table["conversation"]["numbered"]:
        for number in range(1, 100):
            add([f"{form} {number}"], Sense(WordKind.ORDINAL, number=number - 1))
        for number, word in enumerate(table["conversation"]["cardinals"]):
            add([f"{form} {word}"], Sense(WordKind.ORDINAL, number=number))
    add(table["nothing"]["phrases"], Sense(WordKind.NOTHING))
    grammar = table["grammar"]
    return found, {
        "nothing": frozenset(table["nothing"]["words"].split()),
        **{name: frozenset(grammar[name].split()) for name in _GRAMMAR},
    }


def _words_of_grammar(table: dict[str, Any]) -> set[str]:
    return {word for name in _GRAMMAR for word in table["grammar"][name].split()}


@cache
def lexicon(language: str, relationships: tuple[str, ...], types: tuple[str, ...]) -> Lexicon:
    """The lexicon of a language for a graph: types and relationships that it does not know are called
    what their names say ("DRUG_CLASS": "drug class").

    Args:
        relationships, types: of the graph.
    """
    known, rest = _read(language)
    senses = {phrase: list(found) for phrase, found in known.items()}
    of_relationships = {
        one for found in known.values() for _, each in found for one in each.relationships
    }
    of_types = {one for found in known.values() for _, each in found for one in each.types}
    for name in relationships:
        if name not in of_relationships:
            sense = Sense(WordKind.VERB, relationships=(name,))
            for phrase in {
                name.replace("_", " "),
                *(relationship_phrase(name, way) for way in (True, False)),
            }:
                senses.setdefault(_without_be(key(phrase)), []).append(((), sense))
    for name in types:
        if name not in of_types:
            phrase = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name)
            written = tuple(one.plain for one in words_of(phrase))
            senses.setdefault(key(phrase), []).append(
                (written, Sense(WordKind.TYPE, types=(name,)))
            )
    of_phrases = {word for found in senses.values() for phrase, _ in found for word in phrase}
    all_words = of_phrases.union(*rest.values())
    long = tuple(sorted(one for one in all_words if len(one) >= _SHORTEST_MISSPELT))
    return Lexicon(senses, **rest, words=long)


def _without_be(phrase: tuple[str, ...]) -> tuple[str, ...]:
    return phrase[1:] if len(phrase) > 1 and phrase[0] in {"is", "can", "has"} else phrase


def _with_clinical(name: str) -> tuple[str, ...]:
    return ("Disease", "ClinicalDisease") if name == "Disease" else (name,)
