"""Names of entities in another language than the graph's: "Gicht" is gout, "Morbus Crohn" is Crohn's disease.

A graph's names are English. What is called so in another language is put into English by the lists of words
(`core.text.glosses`), and is an entity's name where it has all the words of that, and no other: in any order,
in any form, British or American. A part of a name ("Diabetes") is none, nor is more than it ("juvenile Gicht").
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from core.domain.graph import Mention
from core.domain.names import name_key
from core.graph.names.ordinary_words import NEVER_NAMES
from core.graph.names.versioned import Names
from core.text.function_words import FUNCTION_WORDS_OF
from core.text.glosses.in_english import (
    GLOSSED,
    english_of,
    language_by_words,
    listed_words,
    spelt_out,
)
from core.text.language import LANGUAGES, languages
from core.text.spelling.international import international
from core.text.spelling.medicines import substances_in
from core.text.spelling.variants import in_one_spelling
from core.text.word_lists import word_frequencies

# Diseases, findings and medicines: what people call in their own language. Genes and pathways keep their names.
_DRUG = "Drug"
_TYPES = {_DRUG: 0, "Disease": 1, "ClinicalDisease": 1, "Phenotype": 2}
_MOST_WORDS = 7  # of a name: "kürzlicher Herzinfarkt oder Schlaganfall" has four
_SHORTEST_PLURAL, _SHORTEST_ADVERB = 5, 7  # letters
_REMEMBERED = 1_000  # texts, whose names are asked for some times each while a question is read
_SHORTEST_BEGINNING = 3  # letters that suggestions are made for
# "Meningitis without infection" is no infection.
_DENYING = frozenset(("no", "not", "non", "without"))
_LITTLE = FUNCTION_WORDS_OF["en"] - _DENYING
_WORD = re.compile(r"[^\W_]+")
_JOINED = re.compile(r"[ \u00a0\-\u2010\u2011'’]+")  # between the words of one name
_HYPHEN = re.compile(r"[\-\u2010\u2011]")
_OWNED = re.compile(r"['’]s\b")


@dataclass(frozen=True, slots=True)
class _Place:
    """A word of a text with what it is in English; `english` is empty for one without meaning of its own."""

    start: int
    end: int
    english: str
    put: bool


class ForeignNames:
    """Finds the names it was built from where they are written in another language; safe to share between
    threads.

    Args:
        names: (name, synonym, identifier or id; entity id; entity type), as `GraphStore.all_names` yields
            them, entities in descending importance.
    """

    def __init__(self, names: Names) -> None:
        owners: dict[str, list[tuple[int, str]]] = {}
        for name, entity_id, entity_type in names:
            if entity_type not in _TYPES or name == entity_id or name_key(name) in NEVER_NAMES:
                continue
            owner = _TYPES[entity_type], entity_id
            # Medicines differ by a letter as a rule: what is spelt nearly so is another one.
            keys = (_key(name), _alike(name)) if entity_type != _DRUG else (_key(name),)
            for key in dict.fromkeys(filter(None, keys)):
                if owner not in (known := owners.setdefault(key, [])):
                    known.append(owner)
        shared: dict[
            tuple[str, ...], tuple[str, ...]
        ] = {}  # most keys are of the same few entities
        self._ids: dict[str, tuple[str, ...]] = {}
        for key, known in owners.items():
            ids = tuple(entity_id for _, entity_id in sorted(known, key=lambda one: one[0]))
            self._ids[key] = shared.setdefault(ids, ids)
        self._remembered = lru_cache(_REMEMBERED)(self._found)

    def mentions(self, question: str, known: Iterable[Mention] = ()) -> list[Mention]:
        """The mentions of a question in their order: those that are known, and where it is in a language that
        there are words of, those in that language. The longest name stays where several overlap.

        Args:
            known: names of the graph in the question as they are.
        """
        kept = list(known)
        for one in self._remembered(question):
            over = [each for each in kept if each.start < one.end and one.start < each.end]
            if all(one.start <= each.start and each.end <= one.end for each in over) and not any(
                (each.start, each.end) == (one.start, one.end) for each in over
            ):
                kept = [each for each in kept if each not in over] + [one]
        return sorted(kept, key=lambda each: each.start)

    def called(self, name: str) -> tuple[str, ...]:
        """Ids of the entities that are called so in one of the languages."""
        found = (
            one.called
            for code in GLOSSED
            for one in self._in_language(name, code)
            if (one.start, one.end) == (0, len(name))
        )
        return tuple(dict.fromkeys(entity_id for ids in found for entity_id in ids))

    def beginning(self, typed: str, limit: int) -> list[tuple[str, str]]:
        """(Entity id, the word) for words of the languages that begin so and are names, at most so many."""
        found: dict[str, str] = {}
        begun = spelt_out(typed.strip())
        if len(begun) >= _SHORTEST_BEGINNING:
            keys, words = self._listed
            for at in range(bisect_left(keys, begun), len(keys)):
                if not keys[at].startswith(begun) or len(found) >= limit:
                    break
                word, ids = words[at]
                for entity_id in ids:
                    found.setdefault(entity_id, word)
        return list(found.items())[:limit]

    def _found(self, question: str) -> tuple[Mention, ...]:
        code = language_of_names(question)
        return tuple(self._in_language(question, code)) if code else ()

    def _in_language(self, text: str, code: str) -> Iterator[Mention]:
        """The longest names of a text, none overlapping another."""
        row: list[_Place] = []
        for place in _places(text, code):
            if row and not _JOINED.fullmatch(text, row[-1].end, place.start):
                yield from self._in_row(text, row)
                row = []
            row.append(place)
        yield from self._in_row(text, row)

    def _in_row(self, text: str, row: Sequence[_Place]) -> Iterator[Mention]:
        at = 0
        while at < len(row):
            for end in range(min(len(row), at + _MOST_WORDS), at, -1):
                written = text[row[at].start : row[end - 1].end]
                if ids := self._of_words(written, row[at:end]):
                    yield Mention(ids[0], row[at].start, row[end - 1].end, written, ids)
                    at = end - 1
                    break
            at += 1

    def _of_words(self, written: str, words: Sequence[_Place]) -> tuple[str, ...]:
        """Whose name words are; none's where they begin or end with one without meaning, or all of them are as
        a graph writes them."""
        if not (words[0].english and words[-1].english):
            return ()
        english = " ".join(one.english for one in words)
        if not _is_same_medicine(written, english):
            return ()
        if any(one.put for one in words) and (ids := self._ids.get(_key(english))):
            return ids
        in_one = _HYPHEN.sub("", written)  # "trombo-embolie"
        forms = (english, in_one) if in_one != written else (english,)
        return next(filter(None, (self._ids.get(_alike(form)) for form in forms)), ())

    @cached_property
    def _listed(self) -> tuple[list[str], list[tuple[str, tuple[str, ...]]]]:
        """Words of the lists that are names, folded and in their order, with whose."""
        found = {
            spelt_out(word): (word, ids)
            for code in GLOSSED
            for word, english in listed_words(code)
            if _is_same_medicine(word, english) and (ids := self._ids.get(_key(english)))
        }
        keys = sorted(found)
        return keys, [found[key] for key in keys]


def language_of_names(question: str) -> str:
    """Which of the languages that there are words of the names of a question may be in; empty for none. Where
    its commonest words are as much English as of one of these ("Was hilft gegen ..."), it may be that one."""
    if code := language_by_words(question):
        return code
    likely = languages(question)
    known = [code for code in likely if code in GLOSSED]
    told = len(likely) < len(LANGUAGES) and len(known) == 1
    english = word_frequencies("en")
    others = (word for word in _WORD.findall(question) if word.casefold() not in english)
    return known[0] if told and any(english_of(word, known[0]) for word in others) else ""


def _places(text: str, code: str) -> Iterator[_Place]:
    little = FUNCTION_WORDS_OF[code]
    for found in _WORD.finditer(text):
        english = english_of(found.group(), code)
        words = _words(english or found.group())
        empty = found.group().casefold() in little and _DENYING.isdisjoint(words)
        yield _Place(*found.span(), "" if empty else " ".join(words), put=bool(english))


def _key(name: str) -> str:
    """What names are compared by: their words without endings, in one spelling and order. By their stems a
    "conduction disorder" would be a conduct disorder, and a tonsil tonsillitis."""
    return " ".join(sorted({_bare(word) for word in _words(name)}))


@lru_cache(50_000)
def _bare(word: str) -> str:
    """A word of several as that of one ("fits" are not what is fit), and an adverb, which German and Dutch have
    no form for, as what it is made of ("actieve": actively)."""
    word = in_one_spelling(word)
    word = word.removesuffix("ly") if len(word) >= _SHORTEST_ADVERB else word
    if len(word) < _SHORTEST_PLURAL or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("shes", "ches", "xes", "sses")) else word[:-1]


def _alike(name: str) -> str:
    """The same by an international spelling, which stands in no other key."""
    words = _words(name)
    alike = sorted({international(word, beside=len(words) > 1) for word in words})
    return "~" + " ".join(alike) if alike else ""


def _words(name: str) -> list[str]:
    plain = _OWNED.sub("", name.casefold())
    return [word for word in _WORD.findall(plain) if word not in _LITTLE or len(word) < 2]


def _is_same_medicine(written: str, english: str) -> bool:
    """Whether what names a medicine names it in English too: a name is never put for another's."""
    return substances_in(written) <= substances_in(english)
