"""Which entities are one row: those that the graph calls alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.domain.graph import Entity
from core.domain.names import name_key
from core.text.stems import content_words, stem

_FIRST_TYPES = ("SideEffect", "Phenotype")  # whose name a row has, where several are called alike


def words_key(words: str) -> str:
    """What words that the graph does not have so are grouped by: the stems of their content words in order
    of the alphabet, so that "change in taste" is "taste change"."""
    return " ".join(sorted(stem(word) for word in content_words(words))) or name_key(words)


class Rows:
    """Entities by rows: two are one where the name of one is a name or a synonym of the other."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        found = list(entities)
        self._root = {one.id: one.id for one in found}
        by_name: dict[str, list[Entity]] = {}
        for one in found:
            by_name.setdefault(name_key(one.name), []).append(one)
        for one in found:
            for name in (one.name, *one.synonyms):
                for other in by_name.get(name_key(name), ()):
                    self._join(one.id, other.id)
        members: dict[str, list[Entity]] = {}
        for one in found:
            members.setdefault(self._find(one.id), []).append(one)
        self.members: Mapping[str, list[Entity]] = members
        self._by_words = {
            words_key(name): self._find(one.id)
            for one in found
            for name in (one.name, *one.synonyms)
        }

    def of(self, entity_id: str) -> str:
        """The row's key of an entity; "" of one that is not known."""
        return self._find(entity_id) if entity_id in self._root else ""

    def saying(self, words: str) -> str:
        """The row of which a name says the same words in another order; "" without one."""
        return self._by_words.get(words_key(words), "")

    def name(self, key: str) -> str:
        """What a row is called: by the graph's reactions before its diseases, the most important first."""
        found = self.members[key]
        return min(found, key=lambda one: (one.type not in _FIRST_TYPES, -one.importance)).name

    def names(self, key: str) -> list[str]:
        """What the graph calls a row's entities; nothing for a row that is not linked."""
        return [one.name for one in self.members.get(key, ())]

    def _find(self, entity_id: str) -> str:
        while self._root[entity_id] != entity_id:
            entity_id = self._root[entity_id]
        return entity_id

    def _join(self, one: str, other: str) -> None:
        first, last = sorted((self._find(one), self._find(other)))
        self._root[last] = first
