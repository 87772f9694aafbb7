"""The extractive answerer: sentences quoted from the evidence, joined with facts of the graph.

Needs no language model and invents nothing: a document sentence is the document's own words, a graph
sentence names only stored relationships.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.answers.boxed import DOSE, SURE, asks_for_boxed, boxed_warnings
from core.answers.candidates import Candidate, Candidates
from core.answers.confidence import answers
from core.answers.leaflets.cautioned import cautioned, combined
from core.answers.leaflets.choosing import choose, lists_alone, shown_within
from core.answers.leaflets.mentioned import tell_mentioned, tell_named
from core.answers.leaflets.of_each import DocumentStanding, certain_first, of_own_document
from core.answers.leaflets.on_medicine import leaflets_on, of_other_leaflets
from core.answers.leaflets.telling import Telling
from core.checking.rivals import contradicted_numbers
from core.domain.answers import Block, Sentence, Support
from core.domain.documents import Document
from core.domain.graph import Fact
from core.domain.plans import Want
from core.domain.provenance.within import Within
from core.evidence.citations import CitationBook
from core.evidence.computed import is_computed_alone
from core.evidence.evidence import ClauseEvidence, Evidence
from core.evidence.graph_facts import ASKED_FOR, sentence_for
from core.evidence.named import NamedMedicines
from core.evidence.passages import Quote, unique
from core.evidence.reading.words_met import WordsMet
from core.evidence.relevance import Relevance, Subjects, names_title
from core.evidence.sources import Sources
from core.evidence.wider.whole_sections import labelled_once
from core.questions.following.fragments import is_courtesy
from core.text.tables.lines import UNREAD
from core.text.titles import name_in

_ENOUGH_SENTENCES = 8  # no further clause is answered then; a list that was begun is finished
# Document statements for a clause; one when the graph already lists the answer.
_PER_CLAUSE = 2
_ONLY_CLAUSE = 3
_FEW_MEDICINES = 2  # that are held against each other; of more one statement each
_LONGEST_TITLE = 40  # characters; a longer one is no name of a medicine


@dataclass(frozen=True, slots=True)
class Quoted:
    """What the evidence says, in its own words.

    Attributes:
        sentences: in the order of the question's clauses; empty when nothing reaches the threshold.
        blocks: that the sentences from documents belong to.
        probabilities: that the best statement of a clause answers it, in [0, 1]; of the evidence's
            clauses that were looked at, in their order.
        untold: clauses for which nothing is told.
    """

    sentences: tuple[Sentence, ...]
    blocks: tuple[Block, ...]
    probabilities: tuple[float, ...]
    untold: tuple[str, ...] = ()


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
        telling = Telling(self._sources.passages(), relevance, book)
        several = sum(part.clause.one_of_several for part in evidence.clauses)
        for part in map(of_own_document, evidence.clauses):
            if part.clause.titled:
                telling.seen = set()  # what two documents say in the same words, both say
            # Of medicines that are held against each other each has its answer.
            if len(telling.sentences) >= _ENOUGH_SENTENCES and not part.clause.one_of_several:
                telling.untold.append(part.clause.text)
                continue
            if part.clause.mentioned is not None:
                tell_mentioned(part.clause.mentioned, telling)
                continue
            if asks_for_boxed(part.clause.text):
                if self._tell_boxed(part, telling):
                    continue
                if part.clause.titled:  # which of them have one is asked
                    telling.untold.append(name_in(part.clause.titled))
                    telling.probabilities.append(0.0)
                    continue
            most = _ONLY_CLAUSE if len(evidence.clauses) == 1 else _PER_CLAUSE
            self._tell(part, 1 if several > _FEW_MEDICINES else most, evidence, telling)
        telling.blocks, telling.sentences = certain_first(
            telling.blocks, telling.sentences, telling.standings, self._threshold
        )
        self._add_boxed(telling.dosed.values(), telling)
        return Quoted(
            tuple(telling.sentences),
            tuple(telling.blocks),
            tuple(telling.probabilities),
            tuple(telling.untold),
        )

    def _tell_boxed(self, part: ClauseEvidence, telling: Telling) -> bool:
        """Answer a clause with the boxed warnings of its medicines, if they have one."""
        titles = {hit.document.title for hit in part.hits}
        subjects = Subjects(part.clause, titles, self._entity_ids_in)
        named = NamedMedicines.of(part, subjects, telling.relevance)
        own = (named.documents(part.hits) or ()) if named.names else ()
        documents = {one.document.subject: one.document for one in part.hits}
        if not self._add_boxed([documents[key] for key in documents if key in own], telling):
            return False
        telling.probabilities.append(SURE)
        return True

    def _add_boxed(self, documents: Iterable[Document], telling: Telling) -> bool:
        """The boxed warnings of documents, behind what is told; whether there are any."""
        boxes, warnings = boxed_warnings(
            documents,
            self._sources.library,
            telling.reader,
            telling.book,
            telling.seen,
            len(telling.blocks) + 1,
        )
        telling.blocks += boxes
        telling.sentences += warnings
        return bool(warnings)

    def _tell(self, part: ClauseEvidence, most: int, evidence: Evidence, telling: Telling) -> None:
        """Answer one clause with at most so many statements and what is told with them."""
        listing = _is_listing(part)
        if listing:
            # A list of all relationships is complete; one statement more would only stand beside it.
            alone = part.computed is not None and is_computed_alone(part.clause)
            most = 0 if evidence.exact or alone else 1
        told = self._graph_sentences(part, telling.book)
        candidates = Candidates(
            part, self._sources, telling.reader, telling.relevance, self._threshold
        )
        # Thanks ask for nothing.
        found = [] if is_courtesy(part.clause.text) else candidates.found(telling.seen)
        if part.combined is not None:
            # What other documents say, and what else this one says, is no answer.
            chosen, listing = combined(part), False
        elif listing and any(one.citations for one in told):
            near = choose(found, _ONLY_CLAUSE)
            chosen = self._beside_list(part, near, candidates.probability)[:most]
        else:
            alone = len(evidence.clauses) == 1 and not told
            chosen = (
                choose(found, most, shown_within(candidates.probability))
                if alone
                else choose(found, most)
            )
            chosen = lists_alone(chosen, part.clause.leaflet)
            if chosen and not listing:
                chosen += self._of_other_leaflets(part, chosen, telling, evidence.within)
        answering = chosen
        if not listing and part.combined is None:
            chosen = cautioned(part, answering, telling.reader)
        before = len(telling.blocks)
        told_with = _told_with(chosen, telling.seen, whole=most > 1 or part.clause.one_of_several)
        quoted = self._document_sentences(part, candidates, telling, told_with)
        if not (told or quoted):  # that nothing is said of it would not be so
            quoted = tell_named(part.clause.named_in, telling)
            named = DocumentStanding(candidates.probability, 0.0)
            telling.standings |= {one.n: named for one in telling.blocks[before:]}
        if part.clause.titled and not part.clause.called and answering:
            words = WordsMet.of(
                part, telling.relevance, telling.reader, self._sources.tokens, self._entity_ids_in
            )
            own = DocumentStanding.of(answering[0], candidates.probability, words)
            telling.standings |= {one.n: own for one in telling.blocks[before:]}
        if DOSE in part.clause.sections and any(one in answering for one in chosen):
            sources = {(block.document_id, block.subject) for block in telling.blocks[before:]}
            documents = (hit.document for hit in part.hits)
            telling.dosed |= {one.subject: one for one in documents if one.subject in sources}
        if quoted and part.computed is not None and part.computed.is_empty:
            told = []  # documents answer: that the graph has nothing of it is said above the answer
        telling.sentences += told + quoted if listing else quoted + told
        if not (told or quoted or part.clause.beside):
            telling.untold.append(name_in(part.clause.titled) or part.clause.text)
        telling.probabilities.append(candidates.probability)

    def _of_other_leaflets(
        self, part: ClauseEvidence, chosen: list[Candidate], telling: Telling, within: Within
    ) -> list[Candidate]:
        on_it = leaflets_on(part, self._sources, telling.relevance, within)
        return of_other_leaflets(
            part,
            chosen,
            on_it,
            self._sources,
            telling.reader,
            telling.relevance,
            self._threshold,
        )

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
        telling: Telling,
        told_with: Iterable[tuple[list[Quote], Candidate]],
    ) -> list[Sentence]:
        """The best statements with what is told with them, in new blocks."""
        sentences: list[Sentence] = []
        before = ("", "")  # the document of the sentence before
        for quotes, one in told_with:
            first = next((each for each in quotes if each.key == one.quote.key), quotes[0])
            block = Block.of(len(telling.blocks) + 1, first.hit, under=first.under)
            telling.blocks.append(block)
            for quote in quotes:
                sentence = self._sentence(part, quote, candidates, telling.book, before)
                before = quote.hit.document.subject
                told = replace(sentence, block=block.n, others=quote.others, row=quote.row)
                sentences.append(replace(told, decisive=_is_decisive(quote, one)))
        return sentences

    def _sentence(
        self,
        part: ClauseEvidence,
        quote: Quote,
        candidates: Candidates,
        book: CitationBook,
        before: tuple[str, str],
    ) -> Sentence:
        """A statement as a sentence; `before` is the document of the one before it, by its `subject`."""
        if quote.unclear:
            return Sentence(UNREAD, Support.DOCUMENT, book.quoted(quote))
        text = quote.text
        if quote.hit.document.subject != before:
            text = self._with_subject(part, quote)
        moved = len(text) - len(quote.text)
        numbers = book.quoted(quote)
        facts = [book.fact(fact, ASKED_FOR) for fact in self._named_facts(part, quote)]
        return Sentence(
            text,
            Support.BOTH if facts else Support.DOCUMENT,
            (*numbers, *facts),
            tuple(_rivals(quote, candidates)),
            items=tuple((start + moved, end + moved) for start, end in quote.item_spans),
        )

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

    def _beside_list(
        self, part: ClauseEvidence, chosen: Sequence[Candidate], probability: float
    ) -> list[Candidate]:
        """Those that may stand beside the graph's list: they say its relationship, or are likely to answer and
        name a member of it, or are of the asked medicine's own document. Of the 24 that stood beside lists of
        the evaluation before, the 10 that are of the first two kinds were right, and none of the others
        (docs/decisions/relevance.md)."""
        ends = {end.id for fact in part.facts for end in (fact.source, fact.target)}
        members = ends - {entity.id for entity in part.clause.entities}

        def speaks_of_it(quote: Quote) -> bool:
            named = self._entity_ids_in(f"{quote.hit.document.title} {quote.text}")
            own = names_title(quote.hit.document.title, part.clause.text)
            likely = answers(probability) and (own or bool(members & named))
            return likely or bool(self._named_facts(part, quote))

        return [
            one for one in chosen if any(map(speaks_of_it, one.told if one.items else [one.quote]))
        ]

    def _named_facts(self, part: ClauseEvidence, quote: Quote) -> list[Fact]:
        """Facts of the clause whose both ends the statement (or its leaflet's title) names."""
        named = self._entity_ids_in(quote.text)
        with_title = named | self._entity_ids_in(quote.hit.document.title)
        return [
            fact
            for fact in part.facts
            if {fact.source.id, fact.target.id} <= with_title
            and {fact.source.id, fact.target.id} & named
        ]


def _rivals(quote: Quote, candidates: Candidates) -> list[str]:
    """What other statements of the quote's document, of those found, say against its numbers."""
    if quote.row:
        return []
    return contradicted_numbers(quote.text, candidates.statements_beside(quote))


def _told_with(
    chosen: Sequence[Candidate], seen: set[str], whole: bool
) -> Iterator[tuple[list[Quote], Candidate]]:
    """What is told with each candidate and is not in `seen`, in reading order; those of one document
    together, the best one's first.

    Args:
        seen: texts; grows.
        whole: a statement needs its paragraph; beside a list from the graph it stands alone.
    """
    documents = list(dict.fromkeys(one.quote.hit.document.subject for one in chosen))
    for one in sorted(chosen, key=lambda each: documents.index(each.quote.hit.document.subject)):
        told = unique(one.told if whole or one.items else (one.quote,))
        for parts in (one.opening if whole else (), told):
            quotes = [each for each in parts if each.text not in seen]
            seen.update(each.text for each in quotes)
            if quotes:
                yield labelled_once(sorted(quotes, key=lambda each: each.key)), one


def _is_decisive(quote: Quote, one: Candidate) -> bool:
    """Whether a quote is what answers, not what is told with it; of a list all is that is for the patients
    asked about."""
    own = one.quote.list_number
    if quote.others:
        return False
    return one.items or (bool(own) and quote.list_number == own) or quote.key == one.quote.key


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
    return told and part.clause.asks_list and not own_section
