"""Boards as pages, HTTP and command line ask for them."""

from __future__ import annotations

from collections.abc import Sequence

from core.boards.interactions import InteractionMatrices
from core.boards.medicines import Medicines
from core.boards.reading.leaflets import Leaflets
from core.boards.signals import SignalBoards
from core.domain.boards.records import InteractionBoard, SignalBoard
from core.evidence.sources import Sources


class Boards:
    """Makes boards from library and graph as they are at the moment; safe to share between threads."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._leaflets = Leaflets(sources.library, sources.graph, sources.names)
        self._interactions = InteractionMatrices(sources)

    def medicines(self) -> Medicines:
        """The medicines that can be chosen now.

        Raises:
            StoreError: the library cannot be read.
        """
        return Medicines(self._sources.library, self._sources.graph, self._sources.names)

    def signals(self, names: Sequence[str]) -> SignalBoard:
        """The signal board of medicines by their keys, ids, names or synonyms.

        Raises:
            InputError: none is named, or too many.
            NotFound: a name is no medicine's.
            StoreError: the library cannot be read.
        """
        medicines = self.medicines()
        sources = self._sources
        made = SignalBoards(sources.library, sources.graph, sources.names, self._leaflets)
        return made.board(medicines.chosen(names), medicines)

    def interactions(self, names: Sequence[str]) -> InteractionBoard:
        """The interaction matrix of medicines by their keys, ids, names or synonyms.

        Raises:
            InputError, NotFound, StoreError: see `signals`.
        """
        return self._interactions.board(self.medicines().chosen(names))
