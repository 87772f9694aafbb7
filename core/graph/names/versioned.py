"""What is built from all names of a graph, built again when the graph changes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Generic, TypeVar

from core.errors import StoreUnavailable
from core.graph.knowledge import KnowledgeGraph

Built = TypeVar("Built")
Names = Iterable[tuple[str, str, str]]  # as `GraphStore.all_names` yields them


class FromNames(Generic[Built]):
    """Keeps what `build` made of a graph's names; thread-safe.

    While the store cannot be reached the last one goes on, so that questions and ingestion do.

    Attributes:
        version: of the graph that it was built from; None before the first.
        stale: whether the store could not be reached when last asked, so that names may be lacking;
            what was built from none stands in for the first.
    """

    def __init__(self, graph: KnowledgeGraph, build: Callable[[Names], Built]) -> None:
        self._graph = graph
        self._build = build
        self._lock = threading.Lock()
        self._built = build(())
        self.version: int | None = None
        self.stale = False

    def get(self) -> Built:
        """For the graph as it is now, or as it was when it was last reached.

        Raises:
            StoreError: the store is there but cannot be read.
        """
        with suppress(StoreUnavailable):
            return self.of_now()
        return self._built

    def of_now(self) -> Built:
        """For the graph as it is now.

        Raises:
            StoreUnavailable: it cannot be reached.
            StoreError: likewise.
        """
        try:
            if self._graph.version() != self.version:
                self._renew()
        except StoreUnavailable:
            self.stale = True
            raise
        self.stale = False
        return self._built

    def _renew(self) -> None:
        with self._lock:
            version = self._graph.version()  # before the names: an import between is seen next time
            if version != self.version:
                self._built = self._build(self._graph.store.all_names())
                self.version = version
