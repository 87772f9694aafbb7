"""Which entities of the graph texts name: in questions, in passages, in answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from core.domain.graph import Entity, Mention
from core.errors import StoreUnavailable
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.completion import Completer, Suggested
from core.graph.names.foreign_names import ForeignNames, language_of_names
from core.graph.names.linker import EntityLinker
from core.graph.names.misspelt import NearWord
from core.graph.names.spelling import Speller, Spelling
from core.graph.names.versioned import FromNames
from core.text.glosses.in_english import glosses_of, in_languages, spelt_out
from core.text.spelling.salts import parted_salts

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
        self._foreign = FromNames(graph, ForeignNames)
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
        """Ids of the entities named in a text; of one that names none, of those that it has in one word with
        their salts. Of the graph as it was a second ago."""
        found = self.mentions_in(text)
        if not found and (parted := parted_salts(text)) != text:
            found = self.mentions_in(parted)
        return {mention.entity_id for mention in found}

    def mentions_asked(self, question: str) -> list[Mention]:
        """The same of a question: also those in another language than the graph's (`ForeignNames`)."""
        known = self.mentions_in(question)
        return (
            self._foreign.get().mentions(question, known) if language_of_names(question) else known
        )

    def entities_asked(self, question: str) -> list[Entity]:
        """Entities named in a question, in the order of their first place, those in another language with what
        they are called there as a synonym; none while the graph cannot be reached."""
        mentions = self.mentions_asked(question)
        written = {one.entity_id: one.text for one in mentions if one.called}
        try:
            found = self._graph.entities(list(dict.fromkeys(one.entity_id for one in mentions)))
        except StoreUnavailable:
            return []
        return [
            replace(one, synonyms=(*one.synonyms, written[one.id])) if one.id in written else one
            for one in found.values()
        ]

    def called(self, name: str) -> list[Entity]:
        """Entities that are called so in another language than the graph's.

        Raises:
            StoreUnavailable: the graph cannot be reached.
        """
        return list(self._graph.entities(self._foreign.of_now().called(name)).values())

    def with_words(self, part: str, types: Collection[str], limit: int = 4) -> list[Entity]:
        """Entities of some types with a name that has all words of a part of it, which may be in another
        language, the most important first.

        Raises:
            StoreUnavailable: the graph cannot be reached.
        """
        completer, forms = self._completers.of_now(), in_languages(part)
        ids = dict.fromkeys(one for form in forms for one in completer.with_words(form))
        found = self._graph.entities(list(ids)).values()
        return [one for one in found if one.type in types][:limit]

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
        """Misspelt names in a question, see `Speller.check`; no word that its own language has is one."""
        code = language_of_names(question)

        def is_known(word: str) -> bool:
            return bool(code and glosses_of(code).find(spelt_out(word))) or in_library(word)

        return self._spellers.get().check(question, is_known, beside, passages, called)

    def warm_up(self) -> None:
        """Read the names now, so that nobody need wait for them."""
        self.linker()
        self._completers.get()
        self._foreign.get()

    def completed(self, typed: str, limit: int = 8) -> list[Suggested]:
        """Entities that what is typed so far may mean, the best first; see `Completer.complete`.

        Raises:
            StoreUnavailable: the graph cannot be reached.
        """
        found = self._completers.of_now().complete(typed, limit)
        known = self._graph.entities(found.entity_ids)
        named = [found.suggested(one, typed) for one in known.values()]
        if any(one.exact for one in named):
            return named
        spelt_so = [] if found.read_as else named
        others = self._in_another_language(typed, limit, whole=bool(spelt_so))
        ids = {one.entity.id for one in others}
        rest = [one for one in (spelt_so or ([] if others else named)) if one.entity.id not in ids]
        return [*others, *rest][:limit]

    def _in_another_language(self, typed: str, limit: int, *, whole: bool) -> list[Suggested]:
        """Entities that are called as is typed, or but for `whole` begin so, in another language."""
        written = typed.strip()
        names = self._foreign.of_now()
        ids = dict.fromkeys(names.called(written), written)
        if not whole:
            ids |= {one: word for one, word in names.beginning(typed, limit) if one not in ids}
        known = self._graph.entities(list(ids)).values()
        return [Suggested(one, ids[one.id], exact=ids[one.id] == written) for one in known]

    def suggest(self, name: str, limit: int = 3) -> list[Entity]:
        """Entities whose names are spelt nearly so, the nearest first.

        Raises:
            StoreUnavailable: the graph cannot be reached.
        """
        ids = self._spellers.get().suggest(name, limit)
        return list(self._graph.entities(ids).values())
