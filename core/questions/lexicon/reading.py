"""Lexicons read from their files, once, and made fit for a graph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from core.graph.phrases import relationship_phrase
from core.questions.lexicon import (
    LOGIC,
    SHORTEST_MISSPELT,
    WANTS,
    Apart,
    Lexicon,
    Sense,
    Stems,
    WordKind,
    Written,
    words_of,
)
from core.questions.lexicon.grammar import Grammar, read_grammar
from core.resources import read_table

_FOLDER = Path(__file__).parent
_OF_GRAPHS = "en"  # the language of the names of types and relationships
_APART = " ... "  # between the parts of a phrase


@cache
def languages() -> tuple[str, ...]:
    """Codes of the languages that there is a lexicon for."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.toml")))


@cache
def said(language: str) -> dict[str, Any] | None:
    """The words of a language for plans (`core.questions.spoken`); None where its lexicon has none."""
    table = read_table(__file__, f"{language}.toml")
    found: dict[str, Any] | None = table.get("said")
    return found


@dataclass(frozen=True, slots=True)
class _File:
    """The lexicon of a language as its file has it.

    Attributes:
        senses, apart, cardinals: as in `Lexicon`.
    """

    grammar: Grammar
    nothing: frozenset[str]
    stems: Stems
    cardinals: tuple[str, ...]
    senses: dict[tuple[str, ...], list[Written]] = field(default_factory=dict)
    apart: dict[str, list[Apart]] = field(default_factory=dict)

    def add(self, phrases: Iterable[str], sense: Sense) -> None:
        """Enters phrases with what they mean."""
        for phrase in phrases:
            first, parted, second = phrase.partition(_APART)
            if parted:
                for one in self.stems.key(first):
                    self.apart.setdefault(one, []).append(Apart(self.stems.key(second), sense))
                continue
            written = tuple(one.plain for one in words_of(phrase)), sense
            senses = self.senses.setdefault(self.stems.key(phrase), [])
            if written not in senses:
                senses.append(written)

    def bare(self, phrases: Sequence[str]) -> list[str]:
        """ "Participate" of "participate in": the preposition may stand elsewhere."""
        empty = self.nothing | self.grammar.small
        stems = set(map(self.stems.of, empty))
        found = []
        for phrase in phrases:
            first, _, last = phrase.rpartition(" ")
            if not first or last not in self.grammar.prepositions or first.endswith(" ..."):
                continue
            if first not in empty and self.stems.of(first) not in stems:
                found.append(first)
        return found


@cache
def _read(language: str) -> _File:
    table = read_table(__file__, f"{language}.toml")
    stemmer = table["stemmer"]
    forms = {
        Stems(stemmer).of(form): Stems(stemmer).of(word)
        for word, several in table.get("forms", {}).items()
        for form in several.split()
    }
    apart = {
        form: word for word, several in table.get("apart", {}).items() for form in several.split()
    }
    nothing = frozenset(table["nothing"]["words"].casefold().split())
    stems = Stems(stemmer, forms, apart)
    cardinals = tuple(table["conversation"]["cardinals"])
    file = _File(read_grammar(table), nothing, stems, cardinals)
    for name, phrases in table["types"].items():
        file.add(phrases, Sense(WordKind.TYPE, types=_with_clinical(name)))
    for row in table["relationships"]:
        types = tuple(row["types"])
        verbs = row.get("verbs", ())
        said = Sense(WordKind.VERB, relationships=types, both_said=row.get("both_said", False))
        file.add([*verbs, *file.bare(verbs)], said)
        for names, phrases in row.get("nouns", {}).items():
            ends = tuple(one for name in names.split() for one in _with_clinical(name))
            file.add(phrases, Sense(WordKind.NOUN, ends, types))
    for kind in WANTS:
        file.add(table["wants"][kind], Sense(kind))
    for kind in LOGIC:
        file.add(table["logic"][kind], Sense(kind))
    _add_conversation(file, table["conversation"])
    file.add(table["nothing"]["phrases"], Sense(WordKind.NOTHING))
    ties = [one for one in table["nothing"]["ties"] if file.stems.key(one) in file.senses]
    file.add(ties, Sense(WordKind.TIE))
    file.add(table["logic"]["unclear"], Sense(WordKind.UNCLEAR))
    return file


def _add_conversation(file: _File, said: dict[str, Any]) -> None:
    file.add(said["them"], Sense(WordKind.THEM))
    for forms in (said["ordinals"], said["ordinal_forms"]):
        for number, form in enumerate(forms):
            file.add([form], Sense(WordKind.ORDINAL, number=number))
    for form in said["numbered"]:
        for number in range(1, 100):
            file.add([f"{form} {number}"], Sense(WordKind.ORDINAL, number=number - 1))
        for number, word in enumerate(said["cardinals"]):
            file.add([f"{form} {word}"], Sense(WordKind.ORDINAL, number=number))


@cache
def lexicon(language: str, relationships: tuple[str, ...], types: tuple[str, ...]) -> Lexicon:
    """The lexicon of a language for a graph: types and relationships that it does not know are called
    what their names say ("DRUG_CLASS": "drug class").

    Args:
        relationships, types: of the graph.
    """
    file = _read(language)
    known, key = file.senses, file.stems.key
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
                senses.setdefault(_without_auxiliary(key(phrase)), []).append(((), sense))
    for name in types:
        if name not in of_types:
            phrase = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name)
            written = tuple(one.plain for one in words_of(phrase))
            senses.setdefault(key(phrase), []).append(
                (written, Sense(WordKind.TYPE, types=(name,)))
            )
    of_phrases = {word for found in senses.values() for phrase, _ in found for word in phrase}
    words = of_phrases | file.nothing | file.grammar.small
    return Lexicon(
        senses,
        file.grammar,
        file.nothing,
        tuple(sorted(one for one in words if len(one) >= SHORTEST_MISSPELT)),
        file.stems,
        language,
        file.apart,
        frozenset(relationships),
        file.cardinals,
    )


def _without_auxiliary(phrase: tuple[str, ...]) -> tuple[str, ...]:
    """What a relationship is called by, without the "is" of "is associated with"."""
    auxiliaries = _read(_OF_GRAPHS).grammar.auxiliaries
    return phrase[1:] if len(phrase) > 1 and phrase[0] in auxiliaries else phrase


def _with_clinical(name: str) -> tuple[str, ...]:
    return ("Disease", "ClinicalDisease") if name == "Disease" else (name,)
