"""Misspelt names in questions: what was meant, where only one name can be, or what may be.

A word is touched only when nothing knows it: no name, no English word, no word of the library. One
error (a letter wrong, missing, too many, or two exchanged) away from a single entity's name it is
read as that name; two errors give suggestions only, because prednisone is not prednisolone. So does
another first letter, which is seldom mistyped: cystatin is not nystatin.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from string import ascii_lowercase

from rapidfuzz import process
from rapidfuzz.distance import OSA

from core.domain.names import name_key
from core.graph.names.versioned import Names
from core.text.word_lists import word_frequencies

_READ_TYPES = frozenset(("Drug", "Disease", "ClinicalDisease", "Protein"))
_SYMBOL_TYPE = "Protein"
_SHORTEST = 6  # letters of a word that is read otherwise: shorter ones have too many neighbours
_SHORTEST_TWO_ERRORS = 8  # two of six letters leave hardly a likeness
_MOST_SUGGESTIONS = 3
# Unknown words of a question that are looked for, with one error and with two, which takes some
# milliseconds: in a question in another language, or in a pasted table, hardly a word is known.
_MOST_UNKNOWN, _MOST_TWO_ERRORS = 8, 3
_LOOKED_AT = 4  # names for each entity that is asked for: some are synonyms of one
_LEAST_LIKENESS = 0.7  # of a whole name, 1 minus errors by length
_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)")


def words_in(text: str) -> list[str]:
    """The words of a text that may be spelt wrong, in order: without digits and hyphens."""
    return _WORD.findall(text)


@dataclass(frozen=True, slots=True)
class Reading:
    """``question[start:end]`` is `written` and is read as `read`, in the same case."""

    start: int
    end: int
    written: str
    read: str


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

    def beside(self, other: Spelling) -> Spelling:
        """With what another found of words of which this one reads nothing."""
        read = {one.start for one in self.readings}
        more = [one for one in other.readings if one.start not in read]
        read.update(one.start for one in more)
        suggested = {one.start: one for one in (*other.suggestions, *self.suggestions)}
        return Spelling(
            tuple(sorted((*self.readings, *more), key=lambda one: one.start)),
            tuple(suggested[start] for start in sorted(suggested) if start not in read),
        )

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
                    if len(key) >= _SHORTEST - 1:
                        _add(targets, key, _Target(word, entity_id, whole, not symbol))
        self._targets = targets
        self._letters = frozenset("".join(targets))
        self._keys = list(self._names)
        self._by_length: dict[int, list[str]] = {}
        for key in targets:
            self._by_length.setdefault(len(key), []).append(key)

    @classmethod
    def of_words(cls, words: Iterable[str]) -> Speller:
        """One that knows names of one word each, that no graph has."""
        return cls((word, f"word {word}", "Drug") for word in words)

    def knows(self, word: str) -> bool:
        """Whether a word is one of a name, or of everyday English."""
        return self._is_known(name_key(word))

    def check(self, question: str, in_library: Callable[[str], bool]) -> Spelling:
        """Readings and suggestions for a question.

        Args:
            in_library: whether a word in lower case stands in the texts of the library; asked last,
                of words that are unknown otherwise.
        """
        readings: list[Reading] = []
        suggestions: list[Suggestion] = []
        looked_for = with_two = 0
        for match in _WORD.finditer(question):
            key = name_key(match[0])
            if looked_for == _MOST_UNKNOWN or self._is_known(key) or in_library(key):
                continue
            looked_for += 1
            near = self._one_error(key)
            read = self._reading(key, near)
            if read:
                where = match.start(), match.end(), match[0]
                readings.append(Reading(*where, _in_case_of(match[0], read)))
                continue
            if len(key) >= _SHORTEST_TWO_ERRORS and with_two < _MOST_TWO_ERRORS:
                with_two += 1
                near += [word for word in self._two_errors(key) if word not in near]
            if near:
                shown = tuple(self._targets[word].shown for word in near[:_MOST_SUGGESTIONS])
                suggestions.append(Suggestion(match.start(), match.end(), match[0], shown))
        return Spelling(tuple(readings), tuple(suggestions))

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
        if len(key) < _SHORTEST or key in self._known or key in word_frequencies("en"):
            return True
        return key.endswith("s") and (key[:-1] in self._known or key[:-1] in word_frequencies("en"))

    def _one_error(self, key: str) -> list[str]:
        """Words of names with one error between, whole names first; by trying all, which takes a
        tenth of the time of comparing all words."""
        tried = _one_error_from(key, self._letters)
        return sorted(tried & self._targets.keys(), key=self._rank)

    def _two_errors(self, key: str) -> list[str]:
        """Words of names with at most two errors between, whole names first."""
        near: list[str] = []
        for length in range(len(key) - 2, len(key) + 3):
            words = self._by_length.get(length, [])
            found = process.extract(key, words, scorer=OSA.distance, score_cutoff=2, limit=None)
            near.extend(word for word, _, _ in found)
        return sorted(near, key=self._rank)

    def _rank(self, key: str) -> tuple[bool, str]:
        return not self._targets[key].whole, key

    def _reading(self, key: str, near: list[str]) -> str:
        """The word that is meant when there is one, or when all are names of one entity."""
        targets = [self._targets[word] for word in near]
        if not targets or not all(target.readable for target in targets):
            return ""
        if key[1:] == near[0][1:]:
            return ""
        owners = {target.owner if target.whole else "" for target in targets}
        if len(targets) > 1 and (len(owners) > 1 or "" in owners):
            return ""
        return targets[0].shown


def everyday_words_near(word: str) -> list[str]:
    """Words of everyday English with one error between and the same first letter, the commonest first;
    none for a short word, or one that is everyday itself."""
    key, everyday = name_key(word), word_frequencies("en")
    if len(key) < _SHORTEST or key in everyday:
        return []
    tried = _one_error_from(key, frozenset(ascii_lowercase))
    near = (one for one in tried if one[:1] == key[:1] and one in everyday)
    return sorted(near, key=lambda one: (-everyday[one], one))


def _one_error_from(key: str, letters: frozenset[str]) -> set[str]:
    """All with a letter wrong, missing, too many, or two exchanged."""
    halves = [(key[:place], key[place:]) for place in range(len(key) + 1)]
    tried = {before + after[1:] for before, after in halves}
    tried |= {before + after[1::-1] + after[2:] for before, after in halves}
    for letter in letters:
        tried.update(before + letter + after for before, after in halves)
        tried.update(before + letter + after[1:] for before, after in halves)
    return tried


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
