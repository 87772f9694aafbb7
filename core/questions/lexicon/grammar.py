"""Words of grammar by what they do in a question, endings, and the order of words: data of a lexicon."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Endings = tuple[
    tuple[str, str], ...
]  # an ending of a word as the lexicon has it, and what it becomes

_BEHIND = re.compile(r"[,:]\s+(\w+)")  # what a part of a sentence begins with


@dataclass(frozen=True)
class Grammar:
    """The grammar of one language.

    Attributes:
        auxiliaries, prepositions, determiners: words as they are.
        elsewhere: words that ask for something else than entities: a time, a reason, a way.
        others: words for what is not the same: they say nothing only where the same kind is named.
        than: those of them that most and fewest are said with.
        ways: those of them that a connection or a comparison is asked with.
        places: those that stand for "in which" behind a noun.
        articles, definite: before a name; before a type that was named before.
        asking, relative, possessives: "which", "that", "their".
        having, being, doing: verbs that say little, in all their forms.
        bearing: between what brings something about and that ("with").
        by, of: before what does it; before what a noun is said of.
        naming: before a noun that says what a name is ("as").
        bonds: words for a relationship of any kind.
        adverbs: determiners that stand before verbs as well.
        pairing: "and" between what "both" stands before.
        ends: what a set is linked to, where it is asked for by a word in front of that set and its verb.
        too: said of the list before, by themselves.
        remains: what is left of words that an apostrophe cuts.
        whether, way, no_way: phrases that ask for yes or no, for a way, and those that begin like one.
        requests: what a request begins with, which is no question for yes or no ("could you show").
        possessive: endings of a name that something belongs to.
        plural: endings of nouns; `inflected`: of what a question wants; `adjective`: of what stands
            before the last word of a phrase; `name`: of the names of entities.
        participles, nominal: endings of verbs before nouns, and of nouns.
        verb_last: a verb may stand behind its names and close its clause.
        verb_first: a verb before all else asks for yes or no.
        not_last: a "not" may stand behind what it denies.
        participle_first: a participle may stand before its noun, and what it is said of behind that.
        capital_nouns: nouns, and no verbs, have a capital.
    """

    auxiliaries: frozenset[str]
    prepositions: frozenset[str]
    determiners: frozenset[str]
    elsewhere: frozenset[str]
    others: frozenset[str]
    than: frozenset[str]
    ways: frozenset[str]
    places: frozenset[str]
    articles: frozenset[str]
    definite: frozenset[str]
    asking: frozenset[str]
    relative: frozenset[str]
    possessives: frozenset[str]
    having: frozenset[str]
    being: frozenset[str]
    doing: frozenset[str]
    bearing: frozenset[str]
    by: frozenset[str]
    of: frozenset[str]
    naming: frozenset[str]
    bonds: frozenset[str]
    adverbs: frozenset[str]
    pairing: frozenset[str]
    ends: frozenset[str]
    too: frozenset[str]
    remains: frozenset[str]
    whether: tuple[str, ...]
    way: tuple[str, ...]
    no_way: tuple[str, ...]
    requests: tuple[str, ...]
    possessive: tuple[str, ...]
    plural: Endings
    inflected: Endings
    adjective: tuple[str, ...]
    name: tuple[str, ...]
    participles: tuple[str, ...]
    nominal: tuple[str, ...]
    verb_last: bool
    verb_first: bool
    not_last: bool
    participle_first: bool
    capital_nouns: bool

    @cached_property
    def small(self) -> frozenset[str]:
        """Words that name nothing."""
        parts = self.auxiliaries | self.prepositions | self.determiners
        return parts | self.elsewhere | self.others

    @cached_property
    def article(self) -> str:
        """One that stands before any noun, for where none was said."""
        return min(self.articles & self.definite)

    @cached_property
    def _belongs(self) -> re.Pattern[str]:
        return re.compile(rf"{_one_of(self.possessive)}(?!\w)")

    @cached_property
    def _does(self) -> re.Pattern[str]:
        return _words(rf"{_one_of(self.asking)}\b(?: \w+)? {_one_of(self.doing)}")

    @cached_property
    def _whether(self) -> re.Pattern[str]:
        return _words(_one_of(self.whether))

    @cached_property
    def _asks(self) -> re.Pattern[str]:
        return _words(_one_of(sorted(self.asking | self.elsewhere)))

    @cached_property
    def _way(self) -> re.Pattern[str]:
        not_meant = rf"(?!{_one_of(self.no_way)}\b)" if self.no_way else ""
        return _words(not_meant + _one_of(self.way))

    def is_possessive(self, text: str, end: int) -> bool:
        """Whether a name that ends at a place of a text is one that something belongs to."""
        return bool(self._belongs.match(text.replace("’", "'"), end))

    def asks_whether(self, question: str) -> bool:
        """Whether a question says that yes or no is wanted."""
        return bool(self._whether.search(question))

    def asks_whether_behind(self, question: str) -> bool:
        """Whether yes or no is asked for behind what it is asked of: "For gout, is X a treatment?"."""
        asked = not self._asks.search(question)
        return asked and any(
            one[1].casefold() in self.auxiliaries for one in _BEHIND.finditer(question)
        )

    def asks_way(self, question: str) -> bool:
        """Whether a question asks how."""
        return bool(self._way.search(question))

    def requests_it(self, question: str) -> bool:
        """Whether a question is a request: "Could you show me ..."."""
        return question.casefold().startswith(tuple(f"{one} " for one in self.requests))

    def asks_subject(self, question: str) -> bool:
        """Whether what is asked for is done by the first set ("what do drugs ... act on?")."""
        return bool(self._does.search(question))


def read_grammar(table: Mapping[str, Any]) -> Grammar:
    """The grammar that stands in the tables ``grammar``, ``endings`` and ``order`` of a lexicon."""
    endings = table["endings"]
    parts: dict[str, Any] = dict(table["order"])
    for name, words in table["grammar"].items():
        several = isinstance(words, str)
        parts[name] = frozenset(words.casefold().split()) if several else tuple(words)
    for name in ("plural", "inflected"):
        parts[name] = tuple((old, new) for old, new in endings[name])
    for name in ("possessive", "adjective", "name", "participles", "nominal"):
        parts[name] = tuple(endings[name])
    return Grammar(**parts)


def _one_of(words: Iterable[str]) -> str:
    """A pattern for one of some words, the longest first."""
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})"


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b{pattern}\b", re.IGNORECASE)
