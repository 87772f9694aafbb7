"""The statements of a clause's passages that may be told: found, rated, chosen, and with what they
must be told."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

from core.domain.documents import Hit
from core.domain.vectors import Vector
from core.evidence.evidence import ClauseEvidence
from core.evidence.named import NamedMedicines
from core.evidence.passages import PassageReader, Quote, unique
from core.evidence.relevance import Relevance, Subjects
from core.evidence.sources import Sources
from core.evidence.species import species_in
from core.questions.answer_types import expected
from core.text.language import language
from core.text.quantities import numbers

_MOST_CANDIDATES = 16  # statements embedded for a clause
# A long list is recognised by its lead-in and first items; the model's time grows with its length.
_SCORED_CHARACTERS = 320
_SECTION_BONUS = 0.15  # a statement of the section that was asked for
_WARNINGS_BONUS = 0.05  # of warnings, which "careful" and "risk" ask for in whatever section
_TYPE_BONUS = 0.12  # a statement with the kind of thing that is asked for (a dose, a time)
# Sentences of a paragraph are told with the one that was chosen from this share of its relevance on:
# what follows explains it, what stands before often speaks of something else.
_FOLLOWS_WITHIN = 0.5
_PRECEDES_WITHIN = 0.8
_KEEP_WITHIN = 0.94  # further sentences reach this share of the best one's score
_TOO_SIMILAR = 0.9  # cosine above which a second statement says the same
_MOST_ITEMS = 40  # items of lists embedded for a clause
_ITEM_WITHIN = 0.9  # items of a list told alone reach this share of the best one's relevance
# A list of contraindications, under whatever heading.
_FORBIDS = re.compile(
    r"[^:,]{0,60}\b(?:do not|must not|should not|d[aü]rf(?:en)?\b.{0,30}\bnicht)\s+(?:be\s+)?"
    r"(?:take|use|give|start|(?:ein|an|ver)?(?:ge)?(?:nomm|wend|nehm))",
    re.IGNORECASE,
)
_Key = tuple[str, int, int, int]  # of a quote


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A statement that may be told.

    Attributes:
        relevance: in [0, 1]; `score` has the bonuses added.
        items: of a list, those that the question is about; empty when it is about the whole list.
    """

    quote: Quote
    relevance: float
    score: float
    vector: Vector
    items: tuple[Quote, ...] = ()


class Candidates:
    """What may be told for one clause.

    Args:
        reader: reads the statements around a hit.
        threshold: relevance below which a statement is not evidence.
    """

    def __init__(
        self,
        part: ClauseEvidence,
        sources: Sources,
        reader: PassageReader,
        relevance: Relevance,
        threshold: float,
    ) -> None:
        self._part = part
        self._encoder = sources.encoder
        self._entity_ids_in = sources.names.entity_ids_in
        self._reader = reader
        self._relevance = relevance
        self._threshold = threshold
        titles = {hit.document.title for hit in part.hits}
        self._subjects = Subjects(part.clause, titles, self._entity_ids_in)
        self._named = NamedMedicines.of(part, self._subjects, relevance)
        self._wanted = expected(part.clause.text)

    def found(self, seen: Container[str]) -> list[Candidate]:
        """The relevant statements whose text is not among `seen`, best first.

        Raises:
            ModelError, StoreError: the embedding model or the library cannot be used.
        """
        if self._relevance.unknown_names(self._part.clause):
            return []
        quotes = self._likeliest(self._allowed(seen))
        rated = self._rated(quotes)
        items = self._items(quotes)
        # The items that the question is about may stand in another part of the same list.
        best: dict[tuple[str, int], float] = {}
        for quote in quotes:
            if quote.key in items:
                place = (quote.hit.document.id, quote.list_number)
                best[place] = max(best.get(place, 0.0), items[quote.key][0][0])
        candidates = []
        for quote, (relevance, vector) in zip(quotes, rated, strict=True):
            own = items.get(quote.key, [])
            best_item = best.get((quote.hit.document.id, quote.list_number))
            if self._wanted.lacking(quote.text) or (not own and best_item is not None):
                continue
            relevance = max([relevance, *(score for score, _ in own)])
            if relevance < self._threshold:
                continue
            least = _ITEM_WITHIN * (best_item or 0.0)
            alone = tuple(item for score, item in own if score >= least)
            if own and not alone:
                continue
            score = relevance + self._bonus(quote)
            candidates.append(Candidate(quote, relevance, score, vector, alone))
        return sorted(candidates, key=lambda candidate: -candidate.score)

    def quotes(self, hit: Hit) -> list[Quote]:
        """The statements that a hit's chunk has a part of."""
        return self._reader.quotes(hit)

    def told(self, candidate: Candidate) -> list[Quote]:
        """A statement as it is told: with its short paragraph, or with its list.

        One contraindication must not be told without the others; but who asks about something that
        single items name wants these, not all the rest.
        """
        if candidate.items:
            return list(candidate.items)
        if candidate.quote.list_number:
            return self._reader.whole_list(candidate.quote)
        return self._paragraph(candidate)

    def _paragraph(self, candidate: Candidate) -> list[Quote]:
        """A statement with the sentences of its short paragraph that go with it."""
        quote = candidate.quote
        others = [
            one
            for one in self._reader.paragraph(quote)
            if one.key != quote.key and self._subjects.allow(quote.hit.document.title, one.text)
        ]
        told = [quote]
        for one, (relevance, _) in zip(others, self._rated(others), strict=True):
            share = _FOLLOWS_WITHIN if one.start > quote.start else _PRECEDES_WITHIN
            if relevance >= share * candidate.relevance:
                told.append(one)
        return told

    def _allowed(self, seen: Container[str]) -> list[Quote]:
        """The statements of the hits that speak of the subject, each text once."""
        about = self._named.documents(self._part.hits)
        if about is None:
            return []
        spoken = language(self._part.clause.text)
        animals = species_in(self._part.clause.text, spoken)
        quotes: dict[_Key, Quote] = {}
        for hit in self._part.hits:
            title = hit.document.title
            # What is told for people is told for no dog.
            if animals and not animals & species_in(hit.chunk.text, spoken):
                continue
            for quote in self._reader.quotes(hit):
                if (
                    quote.text not in seen
                    and self._subjects.allow(title, quote.text)
                    and (hit.document.id in about or self._named.named_in(quote.text))
                ):
                    quotes.setdefault(quote.key, quote)
        return unique(list(quotes.values()))

    def _likeliest(self, quotes: Sequence[Quote]) -> list[Quote]:
        """The quotes worth embedding, judged by words, section, kind and the similarity of their chunk."""

        def promise(quote: Quote) -> float:
            return self._bonus(quote) + self._relevance_of(quote, quote.hit.similarity)

        return sorted(quotes, key=promise, reverse=True)[:_MOST_CANDIDATES]

    def _items(self, quotes: Sequence[Quote]) -> dict[_Key, list[tuple[float, Quote]]]:
        """By the key of a list's statement, its items that the question is about with their relevance,
        best first; no entry where it is about the whole list."""
        about = [
            (quote, item)
            for quote in quotes
            if quote.list_number and len(quote.items) > 1
            for item in self._items_asked_about(quote)
        ][:_MOST_ITEMS]
        rated = self._rated([item for _, item in about])
        found: dict[_Key, list[tuple[float, Quote]]] = {}
        for (quote, item), (relevance, _) in zip(about, rated, strict=True):
            found.setdefault(quote.key, []).append((relevance, item))
        return {key: sorted(pairs, key=lambda one: -one[0]) for key, pairs in found.items()}

    def _items_asked_about(self, quote: Quote) -> list[Quote]:
        lead = _lead_of(quote)
        # What the lead-in says is said of all items.
        words = [
            word
            for word in self._relevance.specific_words(self._part.clause, quote.hit)
            if not self._relevance.says(lead, [word])
        ]
        title = self._entity_ids_in(quote.hit.document.title)
        others = {entity.id for entity in self._part.clause.entities} - title if title else set()

        def wanted(text: str) -> bool:
            own = text.removeprefix(lead)
            return self._relevance.says(own, words) or bool(self._entity_ids_in(own) & others)

        return self._reader.single_items(quote, wanted)

    def _rated(self, quotes: Sequence[Quote]) -> list[tuple[float, Vector]]:
        """Relevance in [0, 1] and vector of each quote."""
        if not quotes:
            return []
        vectors = self._encoder().encode([_scored(quote) for quote in quotes])
        return [
            (self._relevance_of(quote, float(vector @ self._part.vector)), vector)
            for quote, vector in zip(quotes, vectors, strict=True)
        ]

    def _relevance_of(self, quote: Quote, similarity: float) -> float:
        text = f"{quote.hit.chunk.context} {quote.text}"
        return self._relevance.of(self._part.clause, text, similarity, quote.hit)

    def _bonus(self, quote: Quote) -> float:
        """What a statement's section, and the kind of thing that it tells, add to its relevance."""
        section = quote.hit.chunk.section
        bonus = _TYPE_BONUS if self._wanted.met(quote.text) else 0.0
        asked = self._part.clause.sections
        if "contraindications" in asked and quote.list_number and _FORBIDS.match(quote.text):
            bonus += _SECTION_BONUS
        elif section in asked:
            bonus += _WARNINGS_BONUS if section == "warnings" else _SECTION_BONUS
        return bonus


def choose(candidates: Sequence[Candidate], most: int) -> list[Candidate]:
    """The best statements that do not repeat each other: one of a paragraph, of a list, of a wording.

    Doses of two patient groups are worded alike; statements with other numbers are no repetition.
    """
    chosen: list[Candidate] = []
    for candidate in candidates:
        if len(chosen) == most:
            break
        if chosen and candidate.score < _KEEP_WITHIN * chosen[0].score:
            break
        if any(
            candidate.quote.unit == other.quote.unit
            or (
                float(candidate.vector @ other.vector) > _TOO_SIMILAR
                and numbers(candidate.quote.text) == numbers(other.quote.text)
            )
            for other in chosen
        ):
            continue
        chosen.append(candidate)
    return chosen


def _scored(quote: Quote) -> str:
    """What is embedded of a quote: a long list is recognised by its lead-in and first items."""
    return f"{quote.hit.chunk.context}: {quote.text}"[:_SCORED_CHARACTERS]


def _lead_of(quote: Quote) -> str:
    """What all items of a list's statement begin with: its lead-in."""
    texts = [item.text for item in quote.items]
    least, most = min(texts, default=""), max(texts, default="")
    same = 0
    while same < min(len(least), len(most)) and least[same] == most[same]:
        same += 1
    return least[:same]
