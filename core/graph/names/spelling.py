"""Misspelt names in questions: what was meant, where only one name can be, or what may be.

A word is touched only when nothing knows it: no name, no medicine, no word of the language, no word of the
library; or where it is a medicine's name that neither graph nor library has, and the library has another one
of the same substance. What is near a word, and whether it is read so or only suggested, is decided in one
place for all sources (`core.graph.names.misspelt`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rapidfuzz import process
from rapidfuzz.distance import OSA

from core.domain.names import name_key
from core.graph.names.misspelt import SHORTEST, NearWord, meant, weighed, words_near
from core.graph.names.versioned import Names
from core.text.spelling.medicines import substances
from core.text.word_lists import word_frequencies

_READ_TYPES = frozenset(("Drug", "Disease", "ClinicalDisease", "Protein"))
_SYMBOL_TYPE = "Protein"
_MOST_SUGGESTIONS = 3
# Unknown words of a question that are looked for, which takes some milliseconds each: in a question in another
# language, or in a pasted table, hardly a word is known.
_MOST_UNKNOWN = 6
_LOOKED_AT = 4  # names for each entity that is asked for: some are synonyms of one
_LEAST_LIKENESS = 0.7  # of a whole name, 1 minus errors by length
_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)")


@dataclass(frozen=True, slots=True)
class Reading:
    """``question[start:end]`` is `written` and is read as `read`, in the same case.

    Attributes:
        same: it is spelt right; `read` is another name of the same substance, which the library uses.
    """

    start: int
    end: int
    written: str
    read: str
    same: bool = False


@dataclass(frozen=True, slots=True)
class Suggestion:
    """``question[start:end]`` is `written`; `names` are words of names that may be meant, the nearest
    first."""

    start: int
    end: int
    written: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spelling:
    """What was found in a question, each in the order of the text; no word is in both."""

    readings: tuple[Reading, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()

    def applied(self, question: str) -> str:
        """The question with its readings in place of what was written."""
        for reading in reversed(self.readings):
            question = question[: reading.start] + reading.read + question[reading.end :]
        return question


@dataclass(slots=True)
class _Target:
    """A word of names. `owner` is the one entity that has it as its whole name; "" when there is
    none, or several. Of a symbol, `readable` is false: symbols differ by a letter as a rule."""

    shown: str
    owner: str
    whole: bool
    readable: bool


class Speller:
    """Knows the words of a graph's names; safe to share between threads.

    Args:
        names: (name, synonym, identifier or id; entity id; entity type), as `GraphStore.all_names`
            yields them, entities in descending importance.
    """

    def __init__(self, names: Names) -> None:
        self._known: set[str] = set()
        self._names: dict[str, str] = {}
        targets: dict[str, _Target] = {}
        last_id = ""
        for name, entity_id, entity_type in names:
            is_first, last_id = entity_id != last_id, entity_id
            words = [(word, name_key(word)) for word in _WORD.findall(name)]
            self._known.update(key for _, key in words)
            if (name == entity_id and not is_first) or ":" in name:
                continue  # identifiers are looked up, not guessed
            self._names.setdefault(name_key(name), entity_id)
            if entity_type in _READ_TYPES:
                whole = len(words) == 1 and words[0][0] == name
                symbol = entity_type == _SYMBOL_TYPE and not any(map(str.islower, name))
                for word, key in words:
                    if len(key) >= SHORTEST - 1:
                        _add(targets, key, _Target(word, entity_id, whole, not symbol))
        self._targets = targets
        self._keys = list(self._names)
        self._by_length: dict[int, list[str]] = {}
        for key in targets:
            self._by_length.setdefault(len(key), []).append(key)

    def check(
        self,
        question: str,
        in_library: Callable[[str], bool],
        beside: Callable[[str], Iterable[NearWord]] = lambda _word: (),
        passages: Callable[[str], int] = lambda _word: 0,
        called: Callable[[str], str] = lambda _word: "",
    ) -> Spelling:
        """Readings and suggestions for a question.

        Args:
            in_library: whether a word in lower case stands in the texts of the library; asked last,
                of words that are unknown otherwise.
            beside: what else may be meant by a word, near as it is: titles, words of the library.
            passages: how many passages of the library have a word.
            called: what the library calls the medicine that a word is a name of, or the beginning of one, where
                it lacks that.
        """
        readings: list[Reading] = []
        suggestions: list[Suggestion] = []
        looked_for = 0
        for match in _WORD.finditer(question):
            key = name_key(match[0])
            if key not in self._known and (other := called(key)):
                spoken, same = _in_case_of(match[0], other), not other.startswith(key)
                readings.append(Reading(match.start(), match.end(), match[0], spoken, same))
                continue
            if looked_for == _MOST_UNKNOWN or self._is_known(key) or in_library(key):
                continue
            looked_for += 1
            near = [*self.near(key), *beside(key)]
            if substances(key) and not any(one.is_same(NearWord(key, key)) for one in near):
                continue  # another medicine, spelt right
            ranked = weighed(key, near, passages)
            where = match.start(), match.end(), match[0]
            read = meant(key, ranked)
            offered = [one.shown for one in ranked if one.offered][:_MOST_SUGGESTIONS]
            if read is not None:
                readings.append(Reading(*where, _in_case_of(match[0], read.shown)))
            elif offered:
                suggestions.append(Suggestion(*where, tuple(offered)))
        return Spelling(tuple(readings), tuple(suggestions))

    def near(self, key: str) -> list[NearWord]:
        """Words of names near a word in lower case, as few errors away as its length allows."""
        near = words_near(key, lambda length: self._by_length.get(length, ()))
        return [
            NearWord(word, one.shown, one.owner if one.whole else "", readable=one.readable)
            for word, one in ((word, self._targets[word]) for word in near)
        ]

    def suggest(self, name: str, limit: int = 5) -> list[str]:
        """Ids of entities with a name or synonym like one that was not found, the likest first."""
        found = process.extract(
            name_key(name),
            self._keys,
            scorer=OSA.normalized_similarity,
            score_cutoff=_LEAST_LIKENESS,
            limit=_LOOKED_AT * limit,
        )
        return list(dict.fromkeys(self._names[key] for key, _, _ in found))[:limit]

    def _is_known(self, key: str) -> bool:
        if len(key) < SHORTEST or key in self._known or key in word_frequencies("en"):
            return True
        return key.endswith("s") and (key[:-1] in self._known or key[:-1] in word_frequencies("en"))


def _add(targets: dict[str, _Target], key: str, new: _Target) -> None:
    known = targets.get(key)
    if known is None:
        targets[key] = new
        return
    known.readable |= new.readable
    if new.whole and not known.whole:
        known.shown, known.owner, known.whole = new.shown, new.owner, True
    elif new.whole and known.owner != new.owner:
        known.owner = ""


def _in_case_of(written: str, read: str) -> str:
    if written.isupper():
        return read.upper()
    return read.capitalize() if written[0].isupper() else read.lower()
