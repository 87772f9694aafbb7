"""Which entities of the graph texts name: in questions, in passages, in answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from core.domain.graph import Entity, Mention
from core.errors import StoreUnavailable
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.completion import Completer, Suggested
from core.graph.names.linker import EntityLinker
from core.graph.names.misspelt import NearWord
from core.graph.names.spelling import Speller, Spelling
from core.graph.names.versioned import FromNames

_FRESH_SECONDS = 1.0  # a server is not asked for each of hundreds of texts


class EntityNames:
    """Finds the graph's entities by their names; safe to share between threads.

    While the graph cannot be reached, the names that were read last go on.
    """

    def __init__(self, graph: KnowledgeGraph) -> None:
        self._graph = graph
        self._linkers = FromNames(graph, EntityLinker)
        self._spellers = FromNames(graph, Speller)
        self._completers = FromNames(graph, Completer)
        self._asked: tuple[float, EntityLinker | None] = (0.0, None)

    def linker(self) -> EntityLinker:
        """The linker for the graph as it is now."""
        linker = self._linkers.get()
        self._asked = time.monotonic(), linker
        return linker

    def recent_linker(self) -> EntityLinker:
        """The linker for the graph as it was a second ago."""
        asked, linker = self._asked
        fresh = linker is not None and time.monotonic() - asked <= _FRESH_SECONDS
        return linker if linker is not None and fresh else self.linker()

    @property
    def version(self) -> int | None:
        """Of the graph whose names are found, 0 before the first; None while it cannot be reached."""
        return None if self._linkers.stale else self._linkers.version or 0

    def mentions_in(self, text: str) -> list[Mention]:
        """Places where a text names entities, in order; of the graph as it was a second ago."""
        return self.recent_linker().find(text)

    def entity_ids_in(self, text: str) -> set[str]:
        """Ids of the entities named in a text; of the graph as it was a second ago."""
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

    def named_in(self, text: str) -> list[tuple[int, int, Entity]]:
        """Entities named in a text, with the places of their names, in order; none while the graph cannot
        be reached."""
        mentions = self.mentions_in(text)
        try:
            found = self._graph.entities({one.entity_id for one in mentions}) if mentions else {}
        except StoreUnavailable:
            return []
        return [
            (one.start, one.end, found[one.entity_id]) for one in mentions if one.entity_id in found
        ]

    def spelling(
        self,
        question: str,
        in_library: Callable[[str], bool],
        beside: Callable[[str], Iterable[NearWord]] = lambda _word: (),
        passages: Callable[[str], int] = lambda _word: 0,
        called: Callable[[str], str] = lambda _word: "",
    ) -> Spelling:
        """Misspelt names in a question, see `Speller.check`."""
        return self._spellers.get().check(question, in_library, beside, passages, called)

    def warm_up(self) -> None:
        """Read the names now, so that nobody need wait for them."""
        self.linker()
        self._completers.get()

    def completed(self, typed: str, limit: int = 8) -> list[Suggested]:
        """Entities that what is typed so far may mean, the best first; see `Completer.complete`.

        Raises:
            StoreUnavailable: the graph cannot be reached.
        """
        found = self._completers.of_now().complete(typed, limit)
        known = self._graph.entities(found.entity_ids)
        return [found.suggested(one, typed) for one in known.values()]

    def suggest(self, name: str, limit: int = 3) -> list[Entity]:
        """Entities whose names are spelt nearly so, the nearest first.

        Raises:
            StoreUnavailable: the graph cannot be reached.
        """
        ids = self._spellers.get().suggest(name, limit)
        return list(self._graph.entities(ids).values())
