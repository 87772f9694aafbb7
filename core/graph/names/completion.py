"""Entities found by what is being typed: the beginning of a name, words of it, an identifier, misspelt ones.

What is typed may be British or American, and its words may stand in another order than in the name. Only where
nothing is called so is it taken for misspelt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA

from core.domain.graph import Entity
from core.domain.names import entity_names, name_key
from core.graph.names.misspelt import errors_allowed
from core.graph.names.name_index import NameIndex, letter_mask
from core.graph.names.versioned import Names
from core.text.spelling.typing_errors import cost
from core.text.spelling.variants import in_one_spelling

LONGEST_QUERY = 200  # characters; no name that is looked for by typing is longer
_SHORTEST_PART = 3  # letters that are looked for inside words
_MOST_READINGS = 3  # of a misspelt word
_MOST_MISSPELT = 2  # words of one query


@dataclass(frozen=True, slots=True)
class Completed:
    """What may be meant by what was typed.

    Attributes:
        entity_ids: the best first: called exactly so, then beginning so, then with a word that begins so,
            then containing it; each in descending importance.
        read_as: what it was read as where it is misspelt; else "".
        exact: how many are called exactly so.
    """

    entity_ids: tuple[str, ...] = ()
    read_as: str = ""
    exact: int = 0

    def suggested(self, entity: Entity, typed: str) -> Suggested:
        """An entity with the name by which it was found."""
        key = name_key(self.read_as or typed)
        called = _name_for(entity, key)
        return Suggested(
            entity,
            "" if called == entity.name else called,
            self.read_as,
            exact=name_key(typed) in map(name_key, entity_names(entity)),
        )


@dataclass(frozen=True, slots=True)
class Suggested:
    """An entity that may be meant.

    Attributes:
        also_called: the synonym or identifier by which it was found; "" where it is its name.
        read_as: what was typed is misspelt, and was read so; else "".
        exact: it is called as was typed.
    """

    entity: Entity
    also_called: str = ""
    read_as: str = ""
    exact: bool = False


class Completer:
    """Knows the names of a graph; safe to share between threads.

    Args:
        names: (name, synonym, identifier or id; entity id; entity type), as `GraphStore.all_names`
            yields them, entities in descending importance, each with its name first.
    """

    def __init__(self, names: Names) -> None:
        self._ids: list[str] = []
        plain, codes = _Keys(), _Keys()
        for name, entity_id, _ in names:
            is_first = not self._ids or self._ids[-1] != entity_id
            if is_first:
                self._ids.append(entity_id)
            owner, key = len(self._ids) - 1, name_key(name)[:LONGEST_QUERY]
            if _is_code(name, entity_id, is_first):
                codes.add(owner, (key, key.rpartition(":")[2]))
            else:
                plain.add(owner, (key, in_one_spelling(key)))
        self._plain = NameIndex(plain.keys, plain.owners)
        self._codes = NameIndex(codes.keys, codes.owners)

    def complete(self, typed: str, limit: int) -> Completed:
        """Entities that may be meant, at most `limit`.

        Args:
            typed: a name or a part of one, in any case, British or American.
        """
        key = name_key(typed)
        if not key or len(key) > LONGEST_QUERY:
            return Completed()
        found = self._spelt(key, limit)
        if found.entity_ids:
            return found
        for reading in self._readings(in_one_spelling(key)):
            found = self._spelt(reading, limit)
            if found.entity_ids:
                return Completed(found.entity_ids, reading)
        return Completed()

    def with_words(self, part: str, limit: int = 40) -> list[str]:
        """Ids of entities with a name that has all these words, as they are, in descending importance."""
        words = in_one_spelling(name_key(part))
        found = self._plain.with_words(words, limit, whole=True) if words.strip() else []
        return [self._ids[one] for one in found]

    def _spelt(self, key: str, limit: int) -> Completed:
        """Entities for what is spelt right."""
        forms = [one for one in dict.fromkeys((key, in_one_spelling(key))) if one.strip()]
        sides = (self._plain, self._codes) if any(map(str.isdigit, key)) else (self._plain,)
        places = {one: None for side in sides for form in forms for one in side.called(form)}
        exact = len(places)
        tiers: list[Callable[[NameIndex, str], Iterable[int]]] = [
            lambda side, form: side.beginning(form, limit),
            lambda side, form: side.with_words(form, limit),
        ]
        if len(key) >= _SHORTEST_PART:
            tiers.append(lambda side, form: side.containing(form, limit))
        for tier in tiers:
            if len(places) >= limit:
                break
            new = {place for side in sides for form in forms for place in tier(side, form)}
            places.update(dict.fromkeys(sorted(new)))
        chosen = list(places)[:limit]
        return Completed(tuple(self._ids[one] for one in chosen), exact=min(exact, limit))

    def _readings(self, key: str) -> Iterator[str]:
        """What may be meant by words that no word of a name begins with, the likeliest first."""
        words = key.split()
        unknown = [n for n, word in enumerate(words) if not self._plain.begins_a_word(word)]
        if not 0 < len(unknown) <= _MOST_MISSPELT:
            return
        meant = [self._near(words[n], whole=n < len(words) - 1) for n in unknown]
        for chosen in product(*meant):
            read = dict(zip(unknown, chosen, strict=True))
            yield " ".join(read.get(n, word) for n, word in enumerate(words))

    def _near(self, word: str, *, whole: bool) -> Sequence[str]:
        """Words of names, or beginnings of them, as few errors away as a word's length allows; the first
        letter, which is seldom mistyped, is the same."""
        allowed = errors_allowed(word)
        if not allowed:
            return ()
        alike = self._plain.beginning_alike(word)
        # An error adds a letter that the word has not, at most: most words are passed over so.
        lacking = letter_mask(word) & ~self._plain.letters[alike]
        few = np.flatnonzero(np.bitwise_count(lacking) <= allowed) + alike.start
        near = [self._plain.words[one] for one in few.tolist()]
        lengths = range(len(word) - allowed, len(word) + allowed + 1)
        if whole:
            options = {one for one in near if len(one) in lengths}
        else:
            options = {one[:length] for one in near for length in lengths if len(one) >= length}
        found = process.extract(
            word, list(options), scorer=OSA.distance, score_cutoff=allowed, limit=None
        )
        ranked = sorted(found, key=lambda one: (cost(word, one[0]), one[0]))
        return _unlike([one for one, _, _ in ranked])[:_MOST_READINGS]


class _Keys:
    """Keys with their owners, none twice of one."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.owners: list[int] = []
        self._known: tuple[int, set[str]] = (-1, set())

    def add(self, owner: int, keys: Iterable[str]) -> None:
        if self._known[0] != owner:
            self._known = owner, set()
        for key in keys:
            if key.strip() and key not in self._known[1]:
                self._known[1].add(key)
                self.keys.append(key)
                self.owners.append(owner)


def _name_for(entity: Entity, key: str) -> str:
    """The name that fits a key best: that is it, begins so, has its words, contains it."""
    words = in_one_spelling(key).split()

    def fit(name: str) -> tuple[bool, bool, bool, bool]:
        own = in_one_spelling(name_key(name))
        has = all(f" {word}" in f" {own}" for word in words)
        return name_key(name) == key, own.startswith(in_one_spelling(key)), has, key in own

    return max(entity_names(entity), key=fit)


def _is_code(name: str, entity_id: str, is_first: bool) -> bool:
    """Whether a name is an identifier, which is found by itself alone: thousands begin with "mesh:"."""
    return (name == entity_id and not is_first) or (":" in name and " " not in name)


def _unlike(words: Sequence[str]) -> list[str]:
    """The words without those that begin with an earlier one, or that one begins with."""
    kept: list[str] = []
    for word in words:
        if not any(word.startswith(one) or one.startswith(word) for one in kept):
            kept.append(word)
    return kept
