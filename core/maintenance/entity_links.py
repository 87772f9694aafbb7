"""Which entities texts name: in questions, in passages as they come in, and in all passages anew."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

from core.documents.store.library import LinkedTexts
from core.domain.graph import Entity, Mention
from core.errors import StoreUnavailable
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.linker import EntityLinker, LinkerCache, count_mentions
from core.graph.names.spelling import SpellerCache, Spelling

_REPORTED_EVERY = 500  # chunks
_MIXED = -1  # some chunks were linked with another version than the rest
_FRESH_SECONDS = 1.0  # a server is not asked for each of hundreds of texts


class KeptNumber(Protocol):
    """A number that is kept."""

    def value(self) -> int: ...
    def set(self, value: int) -> None: ...


class EntityLinks:
    """Finds entities in texts, and knows with which version of the graph the passages were linked.

    Args:
        linked: the version of the graph that every stored passage was linked with.
    """

    def __init__(
        self,
        graph: KnowledgeGraph,
        linkers: LinkerCache,
        library: Callable[[], LinkedTexts],
        linked: KeptNumber,
    ) -> None:
        self._graph = graph
        self._linkers = linkers
        self._library = library
        self._linked = linked
        self._lock = threading.Lock()
        self._spellers = SpellerCache(graph)
        self._asked: tuple[float, EntityLinker | None] = (0.0, None)

    def linker(self) -> EntityLinker:
        """The linker; while the graph cannot be reached, the last one that was built."""
        return self._linkers.linker()

    def mentions_in(self, text: str) -> list[Mention]:
        """Places where a text names entities, in order; of the graph as it was a second ago."""
        return self._recent().find(text)

    def ids_in(self, text: str) -> set[str]:
        """Ids of the entities named in a text."""
        return {mention.entity_id for mention in self.mentions_in(text)}

    def entities_in(self, text: str) -> list[Entity]:
        """Entities named in a text, in the order of their first place; none while the graph cannot be
        reached."""
        ids = list(dict.fromkeys(mention.entity_id for mention in self.linker().find(text)))
        try:
            found = self._graph.entities(ids) if ids else {}
        except StoreUnavailable:
            return []
        return [found[entity_id] for entity_id in ids if entity_id in found]

    def count(self, text: str) -> dict[str, int]:
        """Entity id -> mentions in a passage that is coming in."""
        linker = self._recent()
        version = self._version()
        with self._lock:
            if version != self._linked.value():
                self._linked.set(_MIXED)
        return count_mentions(linker.find(text))

    def _recent(self) -> EntityLinker:
        now = time.monotonic()
        asked, linker = self._asked
        if linker is None or now - asked > _FRESH_SECONDS:
            linker = self.linker()
            self._asked = now, linker
        return linker

    @property
    def due(self) -> bool:
        """Whether passages were linked with another graph than the present one."""
        try:
            return self._linked.value() != self._graph.version()
        except StoreUnavailable:
            return False

    def spelling(self, question: str, in_library: Callable[[str], bool]) -> Spelling:
        """Misspelt names in a question, see `Speller.check`."""
        return self._spellers.speller().check(question, in_library)

    def suggest(self, name: str, limit: int) -> list[Entity]:
        """Entities whose names are spelt nearly so, the nearest first.

        Raises:
            StoreUnavailable: the graph cannot be reached.
        """
        ids = self._spellers.speller().suggest(name, limit)
        return list(self._graph.entities(ids).values())

    def relink(
        self,
        report: Callable[[int], None] = lambda _chunks: None,
        check: Callable[[], None] = lambda: None,
    ) -> int:
        """Find entities in all passages again; the number of passages.

        Args:
            report: passages done.
            check: called now and then; what it raises ends the work, and the old links stay.

        Raises:
            StoreUnavailable: the graph cannot be reached.
        """
        version = self._graph.version()
        linker = self.linker()
        self._asked = time.monotonic(), linker
        mentions = {}
        for number, chunk in enumerate(self._library().all_chunks(), start=1):
            mentions[chunk.id] = count_mentions(linker.find(chunk.text))
            if number % _REPORTED_EVERY == 0:
                check()
                report(number)
        self._library().replace_mentions(mentions)
        with self._lock:
            self._linked.set(version if self._version() == version else _MIXED)
        return len(mentions)

    def _version(self) -> int:
        """Of the graph that passages are linked with; none that there ever was while it is away."""
        return _MIXED if self._linkers.stale else self._linkers.version or 0
