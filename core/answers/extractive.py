"""The extractive answerer: sentences quoted from the evidence, joined with facts of the graph.

Needs no language model and invents nothing: a document sentence is the document's own words, a graph
sentence names only stored relationships.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.answers.candidates import Candidates, choose
from core.checking.amounts import EvidenceStatement
from core.checking.rivals import contradicted_numbers
from core.domain.answers import Sentence, Support
from core.domain.plans import Want
from core.evidence.citations import CitationBook
from core.evidence.computed import is_computed_alone
from core.evidence.evidence import ClauseEvidence, Evidence
from core.evidence.graph_facts import ASKED_FOR, sentence_for
from core.evidence.passages import PassageReader, Quote, unique
from core.evidence.relevance import Relevance, names_title
from core.evidence.sources import Sources
from core.text.titles import name_in

_ENOUGH_SENTENCES = 8  # no further clause is answered then; a list that was begun is finished
# Document statements for a clause; one when the graph already lists the answer.
_PER_CLAUSE = 2
_ONLY_CLAUSE = 3
_LONGEST_TITLE = 40  # characters; a longer one is no name of a medicine


@dataclass(frozen=True, slots=True)
class Quoted:
    """What the evidence says, in its own words.

    Attributes:
        sentences: in the order of the question's clauses; empty when nothing reaches the threshold.
        probabilities: that the best statement of a clause answers it, in [0, 1]; of the evidence's
            clauses that were looked at, in their order.
    """

    sentences: tuple[Sentence, ...]
    probabilities: tuple[float, ...]


class ExtractiveAnswerer:
    """Chooses and joins sentences.

    Args:
        threshold: probability that the best statement answers, below which there is no evidence.
    """

    name = "extractive"

    def __init__(self, sources: Sources, threshold: float) -> None:
        self._sources = sources
        self._entity_ids_in = sources.names.entity_ids_in
        self._threshold = threshold

    def answer(self, evidence: Evidence, relevance: Relevance, book: CitationBook) -> Quoted:
        """Quotes and facts for each clause.

        Args:
            relevance: of the indexes that the evidence is from.
            book: is filled with what the sentences cite.

        Raises:
            ModelError, StoreError: the embedding model or the library cannot be used.
        """
        reader = PassageReader(self._sources.library)
        sentences: list[Sentence] = []
        probabilities: list[float] = []
        seen: set[str] = set()
        for part in evidence.clauses:
            if len(sentences) >= _ENOUGH_SENTENCES:
                break
            listing = _is_listing(part)
            most = _ONLY_CLAUSE if len(evidence.clauses) == 1 else _PER_CLAUSE
            if listing:
                # A list of all relationships is complete; one statement more would only stand beside it.
                alone = part.computed is not None and is_computed_alone(part.clause)
                most = 0 if evidence.exact or alone else 1
            told = self._graph_sentences(part, book)
            candidates = Candidates(part, self._sources, reader, relevance, self._threshold)
            quoted = self._document_sentences(part, candidates, book, seen, most)
            sentences.extend(told + quoted if listing else quoted + told)
            probabilities.append(candidates.probability)
        return Quoted(tuple(sentences), tuple(probabilities))

    def _graph_sentences(self, part: ClauseEvidence, book: CitationBook) -> list[Sentence]:
        if part.computed is not None:
            return [
                Sentence(
                    one.text, Support.GRAPH, tuple(book.fact(fact, ASKED_FOR) for fact in one.facts)
                )
                for one in part.computed.told
            ]
        return [
            Sentence(
                sentence_for(group),
                Support.GRAPH,
                tuple(book.fact(fact, ASKED_FOR) for fact in group.facts),
            )
            for group in part.groups
        ]

    def _document_sentences(
        self,
        part: ClauseEvidence,
        candidates: Candidates,
        book: CitationBook,
        seen: set[str],
        most: int,
    ) -> list[Sentence]:
        chosen = choose(candidates.found(seen), most)
        # Beside a list from the graph one statement is enough; alone it needs its paragraph.
        # The best block first; what is told with a statement in reading order.
        quotes = unique(
            [
                quote
                for one in chosen
                for quote in (
                    sorted(one.told, key=lambda quote: quote.key)
                    if one.items or most > 1
                    else (one.quote,)
                )
            ]
        )
        sentences: list[Sentence] = []
        told_of = ""  # the document of the sentence before
        for quote in quotes:
            if quote.text in seen:
                continue
            seen.add(quote.text)
            document = quote.hit.document
            text = quote.text if document.id == told_of else self._with_subject(part, quote)
            told_of = document.id
            places = [(quote.start, quote.end, quote.source), *quote.with_it]
            numbers = [book.passage(quote.hit, *place) for place in places]
            facts = self._agreeing_facts(part, quote, book)
            support = Support.BOTH if facts else Support.DOCUMENT
            rivals = tuple(self._rivals(part, quote, candidates))
            sentences.append(Sentence(text, support, (*numbers, *facts), rivals))
        return sentences

    @staticmethod
    def _rivals(part: ClauseEvidence, quote: Quote, candidates: Candidates) -> list[str]:
        """What other statements of the quote's document, of those found, say against its numbers; the rows
        of a table have others each."""
        document = quote.hit.document
        if quote.row:
            return []
        found = {
            text: None
            for hit in part.hits
            if hit.document.id == document.id
            for one in candidates.quotes(hit)
            if not one.row
            for text in ([item.text for item in one.items] or [one.text])
        }
        statements = [EvidenceStatement(text, document.title) for text in found]
        return contradicted_numbers(quote.text, statements)

    def _with_subject(self, part: ClauseEvidence, quote: Quote) -> str:
        """A statement; with its document's subject before it where neither question nor statement names it.

        "Do not exceed 6 tablets in 24 hours" must not be read as the dose of another medicine.
        """
        title = quote.hit.document.title
        asked = {entity.id for entity in part.clause.entities if entity.type == "Drug"}
        said, told = self._entity_ids_in(quote.text), quote.text
        # A question on two medicines names neither of them for a single statement.
        if len(asked) < 2 and not part.clause.one_of_several:
            said, told = said | asked, f"{part.clause.text} {told}"
        if (
            said & self._entity_ids_in(title)
            or len(name_in(title)) > _LONGEST_TITLE
            or names_title(title, told)
        ):
            return quote.text
        # Without its strength: "Levothyroxine 50 microgram tablets:" would be an amount before the quote.
        return f"{name_in(title)}: {quote.text}"

    def _agreeing_facts(
        self, part: ClauseEvidence, quote: Quote, book: CitationBook
    ) -> tuple[int, ...]:
        """Facts of the clause whose both ends the statement (or its leaflet's title) names."""
        named = self._entity_ids_in(quote.text)
        with_title = named | self._entity_ids_in(quote.hit.document.title)
        return tuple(
            book.fact(fact, ASKED_FOR)
            for fact in part.facts
            if {fact.source.id, fact.target.id} <= with_title
            and {fact.source.id, fact.target.id} & named
        )


def _is_listing(part: ClauseEvidence) -> bool:
    """Whether the graph's list is the answer ("which drugs treat"), not a leaflet's section.

    Side effects are listed by the graph as well, but the leaflet tells how often they come.
    """
    own_section = set(part.clause.sections) - {"indications"}
    if part.computed is not None and part.computed.read.plan.want is Want.PATH:
        return True
    if part.computed is not None and is_computed_alone(part.clause):
        return True
    told = bool(part.groups) or part.computed is not None
    return told and bool(part.clause.wanted_types) and not own_section
