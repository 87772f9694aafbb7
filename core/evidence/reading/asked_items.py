"""Which items of lists, and which lists, a question is about by its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain

from core.domain.leaflets.plan import ADVERSE_REACTIONS, Wanted
from core.evidence.passages import PassageReader, Quote
from core.evidence.reading.frequencies import says_how_often
from core.evidence.reading.pairs import LONGEST_READ
from core.evidence.relevance import Relevance
from core.questions.clauses import Clause
from core.questions.leaflets.lexicon import lexicon_of
from core.questions.leaflets.reader import conditions_told
from core.resources import any_of
from core.text.leads import common_lead
from core.text.quantities import without_periods
from core.text.stems import content_words, stem, stems
from core.text.tables.told import of_parts

_MANY_CELLS = 4  # of a row, from which on what is asked is lost among the others
_LONGEST_ROW = 300  # characters, whose numbers are as many tokens as a sentence of `LONGEST_READ`
_LEAST_SHARE = 0.25  # of them, by rarity; one with less ("during the trial") has it by chance
_Key = tuple[str, int, int, int]  # of a quote


class AskedItems:
    """What lists and rows say of what a clause asks about. Made for one clause, then dropped.

    Args:
        entity_ids: of the entities that a text names.
        is_for_others: whether a statement is for other patients than those asked about.
    """

    def __init__(
        self,
        clause: Clause,
        reader: PassageReader,
        relevance: Relevance,
        entity_ids: Callable[[str], set[str]],
        is_for_others: Callable[[Quote], bool],
    ) -> None:
        self._clause = clause
        self._reader = reader
        self._relevance = relevance
        self._entity_ids = entity_ids
        self._is_for_others = is_for_others
        self._found: dict[_Key, list[tuple[float, Quote]]] = {}

    def items(self, quote: Quote) -> list[tuple[float, Quote]]:
        """Of a list, the items that the question is about, with how many of its words, by rarity, each
        has; empty where it is about the whole list."""
        if quote.key not in self._found:
            self._found[quote.key] = self._items(quote)
        return self._found[quote.key]

    def text_read(self, quote: Quote, cells: Sequence[str] = ()) -> str:
        """What is read of a quote: all of it; of a list whose end would not be read the item that has most of
        the asked words, of those that are not for other patients; of a row of many cells what it is called and
        those that have asked words, where some of their heads do or its end would not be read.

        Args:
            cells: of a row, those that are not for other patients.
        """
        if quote.row and len(quote.parts) >= _MANY_CELLS and cells:
            words = set(map(stem, self._relevance.specific_words(self._clause, quote.hit)))
            words -= stems(" ".join(quote.labels))
            heads = stems(" ".join(cell.rpartition(": ")[0] for cell in cells[1:]))
            asked = [cell for cell in cells[1:] if words & stems(cell)]
            if asked and (words & heads or len(quote.text) > _LONGEST_ROW):
                cells = [cells[0], *asked]
            return of_parts(quote.labels, cells) if len(cells) < len(quote.parts) else quote.text
        if len(quote.text) <= LONGEST_READ:
            return quote.text
        told = [(share, one) for share, one in self.items(quote) if not self._is_for_others(one)]
        return max(told, key=lambda one: one[0])[1].text if told else quote.text

    def is_of_section_alone(self, quote: Quote) -> bool:
        """Whether the section that a statement stands in is asked for, and nothing else: no word of that ("side
        effects") is of some of its items alone."""
        asked = plan.section_alone if (plan := self._clause.leaflet) else None
        return asked is not None and asked.section == quote.hit.chunk.section

    def tells_incidence(self, quotes: Sequence[Quote]) -> list[int]:
        """The places of the quotes that say how often the finding comes whose frequency is asked: what is told
        of adverse reactions names it, beside a class of frequency or a rate."""
        plan = self._clause.leaflet
        if plan is None or not plan.asks_incidence:
            return []
        return [
            place
            for place, one in enumerate(quotes)
            if one.hit.chunk.section == ADVERSE_REACTIONS
            and self.names_finding(one)
            and says_how_often(one.text)
        ]

    def on_the_finding(self, quotes: Sequence[Quote]) -> list[int]:
        """The places of the quotes that may tell how often something comes, where that is asked: without lists
        and rows that do not name it, where others of their document do. All where something else is asked."""
        plan = self._clause.leaflet
        if plan is None or not plan.asks_incidence:
            return list(range(len(quotes)))
        naming = [self.names_finding(one) for one in quotes]
        named = {one.hit.document.subject for one, has in zip(quotes, naming, strict=True) if has}
        return [
            place
            for place, one in enumerate(quotes)
            if naming[place]
            or not (one.list_number or one.row)
            or one.hit.document.subject not in named
        ]

    def names_finding(self, quote: Quote) -> bool:
        """Whether it is a list or a row that has all words of the finding whose frequency is asked, or its
        entity."""
        if not (quote.list_number or quote.row):
            return False
        text = self._clause.text
        asking = stems(" ".join(one.group() for one in _asking(text).finditer(text)))
        words = self._relevance.specific_words(self._clause, quote.hit)
        own = [word for word in words if stem(word) not in asking]
        return self._share(quote.text, own, quote) == 1.0

    def _items(self, quote: Quote) -> list[tuple[float, Quote]]:
        if not (quote.list_number and quote.items) or self.is_of_section_alone(quote):
            return []
        texts = [item.text for item in quote.items]
        only = quote.lead.text if quote.lead is not None else ""
        lead = common_lead(texts) if len(texts) > 1 else only  # said of all items
        every = self._relevance.specific_words(self._clause, quote.hit)
        if self._clause.leaflet is not None and self._clause.leaflet.wanted is Wanted.LIST:
            # All that is told for "a child" is asked.
            every = [word for word in every if not conditions_told(word)]
        led = [word for word in every if self._relevance.says(lead, [word])]
        words = [word for word in every if word not in led]
        # No item is about the "day" of "per day". In a list for several patients the patient chooses beside it.
        asked = content_words(without_periods(self._clause.text))
        if any(word not in asked for word in words):
            everybody = self._reader.single_items(quote, lambda _: True)
            if not any(map(self._is_for_others, everybody)):
                words = [word for word in words if word in asked]

        # Where the lead-in has most of what is asked, an item that has the rest by chance is not all of it:
        # "which signs mean that I have to stop" asks for every one.
        def share(text: str) -> float:
            return self._share(text.removeprefix(lead), words, quote, led)

        alone = self._reader.single_items(quote, lambda text: share(text) > _LEAST_SHARE)
        return [(share(item.text), item) for item in alone]

    def _share(
        self, text: str, words: Sequence[str], quote: Quote, led: Sequence[str] = ()
    ) -> float:
        """How many of these words, by rarity, a text has, in [0, 1]; 1 where it names an entity asked about.

        Args:
            led: further ones, that it cannot have.
        """
        title = self._entity_ids(quote.hit.document.called)
        others = {entity.id for entity in self._clause.entities} - title if title else set()
        if self._entity_ids(text) & others:
            return 1.0
        rarities = {word: self._relevance.rarity(word) for word in (*words, *led)}
        found = sum(rarities[word] for word in words if self._relevance.says(text, [word]))
        return found / sum(rarities.values()) if found else 0.0


def _asking(question: str) -> re.Pattern[str]:
    """What asks how often something comes ("how often does ... occur")."""
    words = lexicon_of(question)
    asking = [words.words("frequency", key) for key in ("asking", "between", "behind")]
    return any_of([rf"(?<!\w)(?:{'|'.join(chain(*asking))})(?!\w)"])
