"""A question in another language, word by word in English: enough to find and read English documents with.

``de.tsv`` and ``nl.tsv`` have the words, each with what an English label says for it. They were written for
this product, subject by subject, by authors who saw neither code nor questions (`docs/decisions/glosses.md`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache, lru_cache

from core.resources import read_text
from core.text.function_words import FUNCTION_WORDS_OF
from core.text.language import languages
from core.text.spelling.medicines import is_medicine
from core.text.stems import stem
from core.text.word_lists import word_frequencies

GLOSSED = {"de": "german", "nl": "dutch"}
"""The languages that there are words of, with the names of their stemmers."""

_WORD = re.compile(r"[^\W\d_]+")
_SPELT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "é": "e", "è": "e", "ë": "e", "ï": "i"}
)
_SHORTEST_COMPOUND, _LONGEST_COMPOUND = 7, 60  # letters
_SHORTEST_PART = 3
_ENDINGS = (
    "test",
    "ten",
    "tet",
    "den",
    "te",
    "de",
    "st",
    "t",
    "d",
    "e",
)  # of verbs, in both languages
# "ge" of a participle and "zu" and "te" of an infinitive, behind what German and Dutch put before verbs.
_PREFIXED = re.compile(
    "(?P<before>ab|an|auf|aus|bei|durch|ein|fort|mit|nach|um|vor|weg|weiter|zurueck|zusammen|zu|aan|af|binnen|door|in|"
    "mee|na|op|over|samen|toe|uit|voort|voor|)(?:ge|zu|te)(?P<verb>.{4,})"
)
# What German and Dutch put between the parts of a compound.
_LINKS = ("", "s", "es", "n", "en", "e", "er")


@dataclass(frozen=True, slots=True)
class Glosses:
    """The words of a language.

    Attributes:
        whole: as listed, folded -> English.
        stemmed: by their stems; of several words with one stem the first that is listed.
        little: those without a meaning of their own: prepositions begin verbs, and are no part of a compound.
    """

    language: str
    whole: Mapping[str, str]
    stemmed: Mapping[str, str]
    little: frozenset[str]

    def find(self, word: str) -> str | None:
        """The English of a folded word, in any of its forms; None for one that is not listed."""
        return (
            self.whole.get(word)
            or self.stemmed.get(stem(word, self.language))
            or next(filter(None, map(self.whole.get, _infinitives(word))), None)
        )

    def read(self, word: str) -> str | None:
        """The English of a word as it is written, listed or made of such; else None."""
        folded = spelt_out(word)
        return self.find(folded) or self.compound(folded)

    def compound(self, word: str) -> str | None:
        """The English of a compound, part by part, the longest parts first; None where a part is not listed."""
        if not _SHORTEST_COMPOUND <= len(word) <= _LONGEST_COMPOUND:
            return None
        for end in range(len(word) - _SHORTEST_PART, _SHORTEST_PART - 1, -1):
            first = self._part(word[:end])
            rest = first and (self.find(word[end:]) or self.compound(word[end:]))
            if first and rest:
                return f"{first} {rest}"
        return None

    def _part(self, part: str) -> str | None:
        for link in _LINKS:
            bare = part.removesuffix(link) if link else part
            if bare in self.little or len(bare) < _SHORTEST_PART:
                continue
            if found := self.whole.get(bare):
                return found
        return None


def _infinitives(word: str) -> Iterator[str]:
    """The infinitives that a folded word may be a form of: "lagert", "gelagert", "abzusetzen", "opgelost"."""
    found = _PREFIXED.match(word)
    bare = [word] if found is None else [word, f"{found['before']}{found['verb']}"]
    for one in bare:
        yield one
        for ending in _ENDINGS:
            if one.endswith(ending):
                yield f"{one.removesuffix(ending)}en"
                yield f"{one.removesuffix(ending)}n"


def read_glosses() -> None:
    """Read the words of all glossed languages: the first question in each would wait a second for them."""
    for code in GLOSSED:
        glosses_of(code)


def in_english(text: str, names: Iterable[str] = ()) -> str:
    """A text word by word in English; what is not known stays as it is. Empty for a text that is English, of a
    language whose words are not there, or that says nothing in it.

    Args:
        names: of medicines in the text, which stay.
    """
    code = language_by_words(text)
    if not code:
        return ""
    kept = {word for name in names for word in _WORD.findall(name.casefold())}
    glossed = _word_by_word(text, code, kept)
    return glossed if glossed != text else ""


def in_languages(text: str) -> list[str]:
    """A text as it is, and in English where its words are of a language that there are words of."""
    return list(dict.fromkeys((text, *(_word_by_word(text, code) for code in GLOSSED))))


def _word_by_word(text: str, code: str, kept: Set[str] = frozenset()) -> str:
    """A text with each word but some in English; what is not known stays as it is."""

    def put(found: re.Match[str]) -> str:
        word = found.group()
        return word if word.casefold() in kept else english_of(word, code) or word

    return _WORD.sub(put, text)


def language_by_words(text: str) -> str:
    """Which of the languages a text is in, also by the words that are listed; empty for any other."""
    likely = languages(text)
    known = [code for code in likely if code in GLOSSED]
    if len(likely) == 1:
        return next(iter(known), "")
    # A few words without any that are common: "Natalizumab Halbwertszeit".
    english = word_frequencies("en")
    words = _WORD.findall(text)
    others = [word for word in words if word.lower() not in english]
    counts = {code: sum(bool(glosses_of(code).read(one)) for one in others) for code in known}
    best = max(known, key=counts.__getitem__, default="")
    # "Was" of "Was kostet Natalizumab?" is a word of both.
    own = FUNCTION_WORDS_OF[best] if best else frozenset()
    against = sum(word.lower() in english and word.lower() not in own for word in words)
    return best if counts.get(best, 0) > against else ""


@lru_cache(maxsize=20_000)
def english_of(word: str, code: str) -> str | None:
    """The English of a word of a language that there are words of; None for one that is not listed, nor made of
    such. A medicine's name has its own or none."""
    words = glosses_of(code)
    return words.find(spelt_out(word)) if is_medicine(word.lower()) else words.read(word)


def spelt_out(word: str) -> str:
    """A word folded, its umlauts and accents spelt out."""
    return word.casefold().translate(_SPELT)


def listed_words(code: str) -> Iterator[tuple[str, str]]:
    """The words of a language of `GLOSSED` as they are listed, each with its English."""
    for line in read_text(__file__, f"{code}.tsv").splitlines():
        word, _, english = line.partition("\t")
        yield word, english


@cache
def glosses_of(code: str) -> Glosses:
    """The words of a language of `GLOSSED`."""
    whole: dict[str, str] = {}
    stemmed: dict[str, str] = {}
    for word, english in listed_words(code):
        folded = spelt_out(word)
        whole.setdefault(folded, english)
        stemmed.setdefault(stem(folded, GLOSSED[code]), english)
    little = frozenset(map(spelt_out, FUNCTION_WORDS_OF[code]))
    return Glosses(GLOSSED[code], whole, stemmed, little)
