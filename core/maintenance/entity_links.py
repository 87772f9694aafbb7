"""Links from passages to the entities that they name: as passages come in, and of all of them anew."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from core.documents.store.library import LinkedTexts
from core.errors import StoreUnavailable
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.graph.names.linker import count_mentions

_REPORTED_EVERY = 500  # chunks
_MIXED = -1  # some chunks were linked with another version than the rest


class KeptNumber(Protocol):
    """A number that is kept."""

    def value(self) -> int: ...
    def set(self, value: int) -> None: ...


class EntityLinks:
    """Links passages, and knows with which version of the graph they were linked.

    Args:
        linked: the version of the graph that every stored passage was linked with.
    """

    def __init__(
        self,
        graph: KnowledgeGraph,
        names: EntityNames,
        library: LinkedTexts,
        linked: KeptNumber,
    ) -> None:
        self._graph = graph
        self._names = names
        self._library = library
        self._linked = linked
        self._lock = threading.Lock()

    def count(self, text: str) -> dict[str, int]:
        """Entity id -> mentions in a passage that is coming in."""
        linker = self._names.recent_linker()
        version = self._names.version
        with self._lock:
            if self._linked.value() not in (version, _MIXED):
                self._linked.set(_MIXED)
        return count_mentions(linker.find(text))

    @property
    def due(self) -> bool:
        """Whether passages were linked with another graph than the present one."""
        try:
            return self._linked.value() != self._graph.version()
        except StoreUnavailable:
            return False

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
        linker = self._names.linker()
        mentions = {}
        for number, chunk in enumerate(self._library.all_chunks(), start=1):
            mentions[chunk.id] = count_mentions(linker.find(chunk.text))
            if number % _REPORTED_EVERY == 0:
                check()
                report(number)
        self._library.replace_mentions(mentions)
        with self._lock:
            self._linked.set(version if self._names.version == version else _MIXED)
        return len(mentions)
