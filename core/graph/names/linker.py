"""Entity names found in a text: whole words, the longest name where several overlap.

Names are matched in two ways. Ordinary names ("metformin", "type 2 diabetes mellitus") match in any
case; symbols ("ACE", "CAT", "HIV") and identifiers ("DB00331") only exactly as written, because in
lower case many of them are English words. The number of an identifier may have zeros in front or not:
"MONDO:0005148" is "MONDO:5148".
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import ahocorasick  # a C module without stubs

from core.domain.graph import Mention
from core.graph.names.ordinary_words import GENE_WORDS, NEVER_NAMES

# Texts whose mentions are kept, and their longest: an answer asks for those of the same titles and statements
# some ten times each.
_REMEMBERED = 1_000
_LONGEST_REMEMBERED = 600
_SHORTEST_NAME = 3  # two letters ("as", "II") are found in every text
_SHORTEST_ANY_CASE = 5  # an all-caps name this long without a digit is a word ("ASPIRIN")
_SHORTEST_PLURAL = 5  # "drugs" is drug-like for long names; "CATs" is not
_SYMBOL_TYPE = "Protein"  # its names are gene symbols, which keep their case at any length
_FIRST_TYPES = {"Drug": 0, "Disease": 1, "ClinicalDisease": 1}
_OTHER_TYPES = 2
_CLINICAL_TYPES = {*_FIRST_TYPES, "Phenotype"}

# A compact identifier (https://identifiers.org): a database, a colon, what it calls the entity.
_COMPACT = re.compile(r"[A-Za-z][\w.]*:(?=\S*\d)(\S+)")
_NUMBERED = re.compile(r"(?<!\w)([A-Za-z][\w.]*):(\d+)(?!\w)")
# What is plain even without its database: "DB00331", "D001241", and UniProt's accession numbers
# (https://www.uniprot.org/help/accession_numbers).
_ACCESSION = re.compile(
    r"[A-Z]{1,6}\d{4,}|[OPQ]\d[A-Z\d]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z\d]{2}\d){1,2}"
)

# One character for one character, so that offsets stay those of the given text.
_ALIKE = str.maketrans(
    "\u2010\u2011\u2012\u2013\u2212\u2018\u2019\u00a0\u2009\u202f\n\t\r",
    "-----''      ",
)


@dataclass(frozen=True, slots=True)
class _Name:
    """Who a name belongs to; a smaller `preference` wins the name."""

    entity_id: str
    preference: tuple[int, int, int]
    is_symbol: bool
    takes_plural: bool


@dataclass(frozen=True, slots=True)
class _Candidate:
    start: int
    end: int
    name: _Name


class EntityLinker:
    """Finds the names it was built from; safe to share between threads.

    Args:
        names: (name, synonym, identifier or id; entity id; entity type), entities in descending
            importance, each with its name first, as `GraphStore.all_names` yields them. A name of
            several entities goes to a drug first, then to a disease, then to a symbol written
            exactly so, then to the most important.
    """

    def __init__(self, names: Iterable[tuple[str, str, str]]) -> None:
        any_case: dict[str, _Name] = {}
        exact: dict[str, _Name] = {}
        numbered: dict[str, _Name] = {}
        last_id = ""
        for order, (raw, entity_id, entity_type) in enumerate(names):
            is_first, last_id = entity_id != last_id, entity_id
            name = " ".join(raw.translate(_ALIKE).split())
            if len(name) < _SHORTEST_NAME or not any(map(str.isalpha, name)):
                continue
            identifier = _COMPACT.fullmatch(name) or (raw == entity_id and not is_first)
            symbol = bool(identifier) or _is_symbol(name, entity_type)
            key = name if symbol else _fold(name)
            if _is_ordinary_word(key, entity_type):
                continue
            preference = (_FIRST_TYPES.get(entity_type, _OTHER_TYPES), 0 if symbol else 1, order)
            found = _Name(entity_id, preference, symbol, not symbol and _takes_plural(key))
            if not identifier:
                _keep(exact if symbol else any_case, key, found)
                continue
            for key in _spellings(name):
                _keep(numbered if _NUMBERED.fullmatch(key) else exact, key, found)
        self._any_case = _automaton(any_case)
        self._exact = _automaton(exact)
        self._numbered = numbered
        self._remembered = lru_cache(_REMEMBERED)(self._found)

    def find(self, text: str) -> list[Mention]:
        """The mentions in a text in their order, none overlapping another.

        ``text[mention.start:mention.end] == mention.text``, with a plural's "s" included. Where
        names overlap the longest is kept, of equally long ones the first.
        """
        found = self._found if len(text) > _LONGEST_REMEMBERED else self._remembered
        return list(found(text))

    def _found(self, text: str) -> tuple[Mention, ...]:
        plain = text.translate(_ALIKE)
        candidates = [
            *_candidates(self._any_case, _fold(plain)),
            *(c for c in _candidates(self._exact, plain) if not _is_shouted_word(plain, c)),
            *_numbered_candidates(self._numbered, plain),
        ]
        candidates.sort(key=lambda c: (c.start - c.end, c.start, c.name.preference))
        taken = bytearray(len(text))
        mentions = []
        for candidate in candidates:
            start, end = candidate.start, candidate.end
            if not any(taken[start:end]):
                taken[start:end] = b"\x01" * (end - start)
                mentions.append(Mention(candidate.name.entity_id, start, end, text[start:end]))
        return tuple(sorted(mentions, key=lambda mention: mention.start))


def count_mentions(mentions: Iterable[Mention]) -> dict[str, int]:
    """Entity id -> number of its mentions, the most frequent first."""
    return dict(Counter(mention.entity_id for mention in mentions).most_common())


def _keep(keys: dict[str, _Name], key: str, found: _Name) -> None:
    keys[key] = min(keys.get(key, found), found, key=lambda owner: owner.preference)


def _spellings(identifier: str) -> Iterator[str]:
    """An identifier as it is, its number without zeros in front, its accession number alone."""
    yield identifier
    numbered = _NUMBERED.fullmatch(identifier)
    if numbered:
        yield _without_zeros(numbered)
    elif (local := identifier.rpartition(":")[2]) != identifier and _ACCESSION.fullmatch(local):
        yield local


def _without_zeros(numbered: re.Match[str]) -> str:
    return f"{numbered[1]}:{numbered[2].lstrip('0') or '0'}"


def _is_symbol(name: str, entity_type: str) -> bool:
    if any(map(str.islower, name)):
        return False
    return (
        entity_type == _SYMBOL_TYPE or len(name) < _SHORTEST_ANY_CASE or any(map(str.isdigit, name))
    )


def _is_ordinary_word(key: str, entity_type: str) -> bool:
    """Whether a name in lower case hardly ever means its entity in a sentence.

    Drugs, diseases and findings keep their names ("gold", "death"), except the emptiest words.
    """
    return key in NEVER_NAMES or (key in GENE_WORDS and entity_type not in _CLINICAL_TYPES)


def _takes_plural(key: str) -> bool:
    return len(key) >= _SHORTEST_PLURAL and key[-1].isalpha() and key[-1] != "s"


def _fold(text: str) -> str:
    """Lower case, character for character: one whose lower case is longer (İ) stays as it is."""
    if text.isascii():
        return text.lower()
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)


def _automaton(names: dict[str, _Name]) -> ahocorasick.Automaton | None:
    if not names:
        return None  # an empty automaton refuses to search
    automaton = ahocorasick.Automaton()
    for key, name in names.items():
        automaton.add_word(key, (len(key), name))
    automaton.make_automaton()
    return automaton


def _candidates(automaton: ahocorasick.Automaton | None, text: str) -> Iterator[_Candidate]:
    if automaton is None:
        return
    for last, (length, name) in automaton.iter(text):
        start, end = last + 1 - length, last + 1
        if start > 0 and _is_word_character(text[start - 1]):
            continue
        if name.takes_plural and text[end : end + 1] == "s":
            end += 1
        if end == len(text) or not _is_word_character(text[end]):
            yield _Candidate(start, end, name)


def _numbered_candidates(names: Mapping[str, _Name], text: str) -> Iterator[_Candidate]:
    for numbered in _NUMBERED.finditer(text):
        name = names.get(numbered[0]) or names.get(_without_zeros(numbered))
        if name is not None:
            yield _Candidate(numbered.start(), numbered.end(), name)


def _is_word_character(character: str) -> bool:
    return character.isalnum() or character == "_" or unicodedata.combining(character) != 0


def _is_shouted_word(text: str, candidate: _Candidate) -> bool:
    """Whether a symbol that is also an English word stands in a run of capitals: "DO NOT REST"."""
    if text[candidate.start : candidate.end].lower() not in NEVER_NAMES | GENE_WORDS:
        return False
    before: Sequence[str] = text[: candidate.start].rsplit(None, 1)[-1:]
    after: Sequence[str] = text[candidate.end :].split(None, 1)[:1]
    beside_before = before if text[candidate.start - 1 : candidate.start].isspace() else ()
    beside_after = after if text[candidate.end : candidate.end + 1].isspace() else ()
    return any(
        len(word) > 1 and word.isalpha() and word.isupper()
        for word in (*beside_before, *beside_after)
    )
