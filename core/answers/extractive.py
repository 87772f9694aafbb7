"""The extractive answerer: sentences quoted from the evidence, joined with facts of the graph.

Needs no language model and invents nothing: a document sentence is the document's own words, a graph
sentence names only stored relationships.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.documents.encoder import Encoder
from core.domain.answers import Sentence, Support
from core.domain.vectors import Vectors
from core.evidence.evidence import CitationBook, ClauseEvidence, Evidence, FactGroup
from core.evidence.graph_facts import sentence_for
from core.evidence.passages import PassageReader, Quote, unique
from core.evidence.relevance import Relevance, Subjects, names_title
from core.questions.answer_types import Expectation, expected
from core.text.quantities import numbers

_ENOUGH_SENTENCES = 8  # no further clause is answered then; a list that was begun is finished
# Document statements for a clause; one when the graph already lists the answer.
_PER_CLAUSE = 3
_ONLY_CLAUSE = 5
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


# A list of contraindications, under whatever heading.
_FORBIDS = re.compile(
    r"[^:,]{0,60}\b(?:do not|must not|should not|d[aü]rf(?:en)?\b.{0,30}\bnicht)\s+(?:be\s+)?"
    r"(?:take|use|give|start|(?:ein|an|ver)?(?:ge)?(?:nomm|wend|nehm))",
    re.IGNORECASE,
)
_LONGEST_TITLE = 40  # characters; a longer one is no name of a medicine
_MOST_ITEMS = 40  # items of lists embedded for a clause
_ITEM_WITHIN = 0.9  # items of a list told alone reach this share of the best one's relevance


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A statement that may be told.

    Attributes:
        relevance: in [0, 1]; `score` has the bonuses added.
        row: of its vector.
        items: of a list, those that the question is about; empty when it is about the whole list.
    """

    quote: Quote
    relevance: float
    score: float
    row: int
    items: tuple[Quote, ...] = ()


class ExtractiveAnswerer:
    """Chooses and joins sentences.

    Args:
        entities_in: ids of the entities named in a text.
        reader: reads the statements around a hit.
        threshold: relevance below which a statement is not evidence.
    """

    name = "extractive"

    def __init__(
        self,
        encoder: Callable[[], Encoder],
        entities_in: Callable[[str], set[str]],
        reader: PassageReader,
        relevance: Relevance,
        threshold: float,
    ) -> None:
        self._encoder = encoder
        self._entities_in = entities_in
        self._reader = reader
        self._relevance = relevance
        self._threshold = threshold

    def answer(self, evidence: Evidence, book: CitationBook) -> list[Sentence]:
        """Sentences in the order of the question's clauses; empty when nothing reaches the threshold."""
        sentences: list[Sentence] = []
        seen: set[str] = set()
        for part in evidence.clauses:
            if len(sentences) >= _ENOUGH_SENTENCES:
                break
            listing = _is_listing(part)
            most = _ONLY_CLAUSE if len(evidence.clauses) == 1 else _PER_CLAUSE
            told = self._graph_sentences(part.groups, book)
            # A list of all relationships is complete; one statement more would only stand beside it.
            beside = 0 if evidence.exact else 1
            quoted = self._document_sentences(part, book, seen, beside if listing else most)
            sentences.extend(told + quoted if listing else quoted + told)
        return sentences

    def _graph_sentences(self, groups: Iterable[FactGroup], book: CitationBook) -> list[Sentence]:
        return [
            Sentence(
                sentence_for(group),
                Support.GRAPH,
                tuple(book.fact(fact, fact_relevance(group)) for fact in group.facts),
            )
            for group in groups
        ]

    def _document_sentences(
        self, part: ClauseEvidence, book: CitationBook, seen: set[str], most: int
    ) -> list[Sentence]:
        candidates, vectors = self._candidates(part, seen)
        chosen = _choose(candidates, vectors, most)
        # Beside a list from the graph one statement is enough; alone it needs its paragraph.
        told = (
            [quote for one in chosen for quote in (one.items or (one.quote,))]
            if most == 1
            else [quote for one in chosen for quote in self._told(part, one)]
        )
        quotes = unique(told)
        # In reading order: a passage makes sense from top to bottom.
        quotes.sort(key=lambda quote: (quote.hit.document.file, *quote.key))
        sentences: list[Sentence] = []
        told_of = ""  # the document of the sentence before
        for quote in quotes:
            if quote.text in seen:
                continue
            seen.add(quote.text)
            document = quote.hit.document
            text = quote.text if document.id == told_of else self._with_subject(part, quote)
            told_of = document.id
            number = book.passage(quote.hit, quote.start, quote.end, quote.source)
            facts = self._agreeing_facts(part, quote, book)
            support = Support.BOTH if facts else Support.DOCUMENT
            sentences.append(Sentence(text, support, (number, *facts)))
        return sentences

    def _with_subject(self, part: ClauseEvidence, quote: Quote) -> str:
        """A statement; with its document's subject before it where neither question nor statement names it.

        "Do not exceed 6 tablets in 24 hours" must not be read as the dose of another medicine.
        """
        title = quote.hit.document.title
        asked = {entity.id for entity in part.clause.entities if entity.type == "Drug"}
        said, told = self._entities_in(quote.text), quote.text
        # A question on two medicines names neither of them for a single statement.
        if len(asked) < 2 and not part.clause.one_of_several:
            said, told = said | asked, f"{part.clause.text} {told}"
        if (
            said & self._entities_in(title)
            or len(title) > _LONGEST_TITLE
            or names_title(title, told)
        ):
            return quote.text
        return f"{title}: {quote.text}"

    def _told(self, part: ClauseEvidence, candidate: _Candidate) -> list[Quote]:
        """A statement as it is told: with its short paragraph, or with its list.

        One contraindication must not be told without the others; but who asks about something that
        single items name wants these, not all the rest.
        """
        if candidate.items:
            return list(candidate.items)
        quote = candidate.quote
        return (
            self._reader.whole_list(quote)
            if quote.list_number
            else self._paragraph(part, candidate)
        )

    def _paragraph(self, part: ClauseEvidence, candidate: _Candidate) -> list[Quote]:
        """A statement with the sentences of its short paragraph that go with it."""
        quote, subjects = candidate.quote, self._subjects(part)
        title = quote.hit.document.title
        others = [
            one
            for one in self._reader.paragraph(quote)
            if one.key != quote.key and subjects.allow(title, one.text)
        ]
        if not others:
            return [quote]
        vectors = self._encoder().encode([_scored(one) for one in others])
        told = [quote]
        for one, vector in zip(others, vectors, strict=True):
            share = _FOLLOWS_WITHIN if one.start > quote.start else _PRECEDES_WITHIN
            if self._of(part, one, float(vector @ part.vector)) >= share * candidate.relevance:
                told.append(one)
        return told

    def _subjects(self, part: ClauseEvidence) -> Subjects:
        return Subjects(part.clause, {hit.document.title for hit in part.hits}, self._entities_in)

    def _candidates(self, part: ClauseEvidence, seen: set[str]) -> tuple[list[_Candidate], Vectors]:
        if self._relevance.unknown_names(part.clause):
            return [], np.zeros((0, 0), dtype=np.float32)
        subjects = self._subjects(part)
        quotes: dict[tuple[str, int, int, int], Quote] = {}
        for hit in part.hits:
            for quote in self._reader.quotes(hit):
                if quote.text not in seen and subjects.allow(hit.document.title, quote.text):
                    quotes.setdefault(quote.key, quote)
        found = self._likeliest(part, unique(list(quotes.values())))
        vectors = self._encoder().encode([_scored(quote) for quote in found])
        similarities = vectors @ part.vector if found else np.zeros(0, dtype=np.float32)
        items = self._items(part, found)
        # The items that the question is about may stand in another part of the same list.
        best: dict[tuple[str, int], float] = {}
        for quote in found:
            if quote.key in items:
                place = (quote.hit.document.id, quote.list_number)
                best[place] = max(best.get(place, 0.0), items[quote.key][0][0])
        wanted = expected(part.clause.text)
        candidates = []
        for row, (quote, similarity) in enumerate(zip(found, similarities, strict=True)):
            own = items.get(quote.key, [])
            if wanted.lacking(quote.text) or (
                not own and (quote.hit.document.id, quote.list_number) in best
            ):
                continue
            relevance = max(
                [self._of(part, quote, float(similarity)), *(score for score, _ in own)]
            )
            if relevance < self._threshold:
                continue
            least = _ITEM_WITHIN * best.get((quote.hit.document.id, quote.list_number), 0.0)
            alone = tuple(item for score, item in own if score >= least)
            if own and not alone:
                continue
            score = relevance + _bonus(part, wanted, quote)
            candidates.append(_Candidate(quote, relevance, score, row, alone))
        candidates.sort(key=lambda candidate: (-candidate.score, candidate.row))
        return candidates, vectors

    def _of(self, part: ClauseEvidence, quote: Quote, similarity: float) -> float:
        text = f"{quote.hit.chunk.context} {quote.text}"
        return self._relevance.of(part.clause, text, similarity, quote.hit)

    def _items(
        self, part: ClauseEvidence, quotes: Sequence[Quote]
    ) -> dict[tuple[str, int, int, int], list[tuple[float, Quote]]]:
        """By the key of a list's statement, its items that the question is about with their relevance,
        best first; no entry where it is about the whole list."""
        about: list[tuple[Quote, Quote]] = []
        for quote in quotes:
            lead = _lead_of(quote)
            # What the lead-in says is said of all items.
            words = [
                word
                for word in self._relevance.specific_words(part.clause, quote.hit)
                if not (quote.items and self._relevance.says(lead, [word]))
            ]
            title = self._entities_in(quote.hit.document.title)
            others = {entity.id for entity in part.clause.entities} - title

            def wanted(
                text: str,
                words: Sequence[str] = words,
                others: set[str] = others if title else set(),
                lead: str = lead,
            ) -> bool:
                own = text.removeprefix(lead)
                return self._relevance.says(own, words) or bool(self._entities_in(own) & others)

            if quote.list_number and len(quote.items) > 1:
                about += [(quote, item) for item in self._reader.single_items(quote, wanted)]
        about = about[:_MOST_ITEMS]
        if not about:
            return {}
        vectors = self._encoder().encode([_scored(item) for _, item in about])
        found: dict[tuple[str, int, int, int], list[tuple[float, Quote]]] = {}
        for (quote, item), vector in zip(about, vectors, strict=True):
            score = self._of(part, item, float(vector @ part.vector))
            found.setdefault(quote.key, []).append((score, item))
        return {key: sorted(pairs, key=lambda one: -one[0]) for key, pairs in found.items()}

    def _likeliest(self, part: ClauseEvidence, quotes: Sequence[Quote]) -> list[Quote]:
        """The quotes worth embedding, judged by words, section, kind and the similarity of their chunk."""
        wanted = expected(part.clause.text)

        def promise(quote: Quote) -> float:
            return _bonus(part, wanted, quote) + self._of(part, quote, quote.hit.similarity)

        return sorted(quotes, key=promise, reverse=True)[:_MOST_CANDIDATES]

    def _agreeing_facts(
        self, part: ClauseEvidence, quote: Quote, book: CitationBook
    ) -> tuple[int, ...]:
        """Facts of the clause whose both ends the statement (or its leaflet's title) names."""
        named = self._entities_in(quote.text)
        with_title = named | self._entities_in(quote.hit.document.title)
        return tuple(
            book.fact(fact, fact_relevance(group))
            for group in part.groups
            for fact in group.facts
            if {fact.source.id, fact.target.id} <= with_title
            and {fact.source.id, fact.target.id} & named
        )


def _bonus(part: ClauseEvidence, wanted: Expectation, quote: Quote) -> float:
    """What a statement's section, and the kind of thing that it tells, add to its relevance."""
    section = quote.hit.chunk.section
    bonus = _TYPE_BONUS if wanted.met(quote.text) else 0.0
    asked = part.clause.sections
    if "contraindications" in asked and quote.list_number and _FORBIDS.match(quote.text):
        bonus += _SECTION_BONUS
    elif section in asked:
        bonus += _WARNINGS_BONUS if section == "warnings" else _SECTION_BONUS
    return bonus


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


def _is_listing(part: ClauseEvidence) -> bool:
    """Whether the graph's list is the answer ("which drugs treat"), not a leaflet's section.

    Side effects are listed by the graph as well, but the leaflet tells how often they come.
    """
    own_section = set(part.clause.sections) - {"indications"}
    return bool(part.groups) and bool(part.clause.wanted_types) and not own_section


def fact_relevance(group: FactGroup) -> float:
    """Relevance of a fact that the question asks for by name: 1."""
    return 1.0 if group.facts else 0.0


def _choose(candidates: Sequence[_Candidate], vectors: Vectors, most: int) -> list[_Candidate]:
    """The best statements that do not repeat each other: one of a paragraph, of a list, of a wording.

    Doses of two patient groups are worded alike; statements with other numbers are no repetition.
    """
    chosen: list[_Candidate] = []
    for candidate in candidates:
        if len(chosen) == most:
            break
        if chosen and candidate.score < _KEEP_WITHIN * chosen[0].score:
            break
        if any(
            candidate.quote.unit == other.quote.unit
            or (
                float(vectors[candidate.row] @ vectors[other.row]) > _TOO_SIMILAR
                and numbers(candidate.quote.text) == numbers(other.quote.text)
            )
            for other in chosen
        ):
            continue
        chosen.append(candidate)
    return chosen
