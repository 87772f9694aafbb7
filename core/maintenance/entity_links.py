"""Links from passages to the entities that they name: as passages come in, and of all of them anew."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from core.documents.store.library import LinkedTexts
from core.errors import StoreUnavailable
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.graph.names.linker import count_mentions

LINKS = "links"  # a task that is put off, see `Postponed`
_REPORTED_EVERY = 500  # chunks
_MIXED = -1  # some chunks were linked with another version than the rest


class KeptNumber(Protocol):
    """A number that is kept."""

    def value(self) -> int: ...
    def set(self, value: int) -> None: ...


@dataclass(frozen=True, slots=True)
class EntityLinks:
    """Links passages, and knows with which version of the graph they were linked.

    Args:
        linked: the version of the graph that every stored passage was linked with.
    """

    graph: KnowledgeGraph
    names: EntityNames
    library: LinkedTexts
    linked: KeptNumber
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def count(self, text: str) -> dict[str, int]:
        """Entity id -> mentions in a passage that is coming in."""
        linker = self.names.recent_linker()
        self.linked_with(self.names.version)
        return count_mentions(linker.find(text))

    def linked_with(self, version: int | None) -> None:
        """Note that passages are coming in that were linked with this version; None: nobody knows."""
        with self._lock:
            if self.linked.value() not in (version, _MIXED):
                self.linked.set(_MIXED)

    def snapshot(self) -> tuple[int | None, list[tuple[str, str, str]]]:
        """All names of the graph, see `EntityLinker`, and the version of it that they are of; none, and
        None, while it cannot be reached."""
        try:
            version = (
                self.graph.version()
            )  # before the names: what is imported between is seen later
            return version, list(self.graph.store.all_names())
        except StoreUnavailable:
            return None, []

    def medicines(self, ids: Iterable[str]) -> dict[str, str]:
        """Of entity ids those that are medicines, id -> name; none while the graph is away."""
        try:
            found = self.graph.entities(ids)
        except StoreUnavailable:
            return {}
        return {one.id: one.name for one in found.values() if one.type == "Drug"}

    @property
    def due(self) -> bool:
        """Whether passages were linked with another graph than the present one."""
        try:
            return self.linked.value() != self.graph.version()
        except StoreUnavailable:
            return False

    @property
    def mixed(self) -> bool:
        """Whether passages came in while the graph was away, or was being replaced."""
        return self.linked.value() == _MIXED

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
        version = self.graph.version()
        linker = self.names.linker()
        mentions: dict[str, dict[str, int]] = {}
        for chunk in self.library.all_chunks():
            mentions[chunk.id] = count_mentions(linker.find(chunk.text))
            if len(mentions) % _REPORTED_EVERY == 0:
                check()
                report(len(mentions))
        # Those that were cut meanwhile, because a title was corrected.
        for chunk in self.library.all_chunks():
            if chunk.id not in mentions:
                mentions[chunk.id] = count_mentions(linker.find(chunk.text))
        self.library.replace_mentions(mentions)
        with self._lock:
            self.linked.set(version if self.names.version == version else _MIXED)
        return len(mentions)
