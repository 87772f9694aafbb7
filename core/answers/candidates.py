"""The statements of a clause's passages that may be told: found, rated, chosen, and with what they
must be told."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

from core.checking.amounts import EvidenceStatement
from core.domain.leaflets.plan import Wanted
from core.domain.vectors import Vector, Vectors
from core.evidence.evidence import ClauseEvidence
from core.evidence.learned import judge
from core.evidence.named import NamedMedicines
from core.evidence.passages import PassageReader, Quote, unique
from core.evidence.patients.beside.amount_of import telling_amount
from core.evidence.patients.beside.asking import asks_together
from core.evidence.patients.beside.steps import is_other_step, names_step, steps_of
from core.evidence.patients.beside.switching import is_opposed, is_same
from core.evidence.patients.list_items import holds_together, parted
from core.evidence.patients.species import species_in
from core.evidence.patients.whose import Whose
from core.evidence.reading.asked_cells import cells_asked, rows_asked
from core.evidence.reading.asked_items import AskedItems
from core.evidence.reading.asked_words import with_asked_forms
from core.evidence.reading.pairs import text_beside
from core.evidence.reading.papers import is_literature, with_papers
from core.evidence.reading.raised import at_least, raised
from core.evidence.relevance import Relevance, Subjects, is_of_own_medicine
from core.evidence.signals import SignalReader, Signals
from core.evidence.sources import Sources
from core.evidence.wider.beyond_hits import CERTAIN, beyond_hits
from core.evidence.wider.of_class import OfClass
from core.evidence.wider.whole_sections import WholeSection, leading_in
from core.text.language import language

# Characters of a paragraph; of a longer one the sentences around the decisive one are told.
_MOST_OF_PARAGRAPH = 700
_LONGEST_LEAD = 400  # characters of what leads in a table and is told with its rows
# Log-odds behind the best beyond which no statement is told; nor a dose that says itself whose it is.
FARTHEST = 2.5
FARTHEST_OF_THEIRS = 2 * FARTHEST
KEEP_WITHIN = 0.3  # further statements are as likely as the best one but for this, in log-odds
_ITEM_WITHIN = 0.9  # of the best item's share of the asked words, that items told alone have
_SURELY, _OF_OVERDOSE = 0.95, 0.95  # docs/decisions/relevance.md, "What happened"
_AT_MOST_UNCLEAR = 0.6  # probability of what a table answers whose rows are not told
# Log-odds within which amounts are about as likely, and how far everybody's are put before children's.
_ABOUT_AS_LIKELY, _AHEAD = 2.0, 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A statement that may be told.

    Attributes:
        score: log-odds against the other statements.
        told: the statement with what must be told with it; of a list the items that the question is
            about, or all of it.
        items: whether these are single items.
        opening: how what `told` stands under begins, where that is too far above to be told with it.
        theirs: whether it is a dose, told where doses are, that says itself that it is for those asked about.
    """

    quote: Quote
    score: float
    vector: Vector
    told: tuple[Quote, ...]
    items: bool = False
    opening: tuple[Quote, ...] = ()
    theirs: bool = False


class Candidates:
    """What may be told for one clause.

    Args:
        reader: reads the statements around a hit.
        threshold: probability that the best statement answers, below which there is no evidence.

    Attributes:
        probability: that the best statement of the last `found` answers the clause, in [0, 1].
    """

    def __init__(
        self,
        part: ClauseEvidence,
        sources: Sources,
        reader: PassageReader,
        relevance: Relevance,
        threshold: float,
    ) -> None:
        part, self._papers = with_papers(part)
        part = replace(part, clause=part.reworded or part.clause)
        titles = {hit.document.called for hit in part.hits}
        self._subjects = Subjects(part.clause, titles, sources.names.entity_ids_in)
        self._named = NamedMedicines.of(part, self._subjects, relevance)
        clause = replace(part.clause, text=self._named.without_maker(part.hits))
        part = replace(part, clause=clause)
        self._part = part = with_asked_forms(part, reader.short_forms, self._named.called)
        self._entity_ids_in = sources.names.entity_ids_in
        self._reader = reader
        self._relevance, self._threshold = relevance, threshold
        self._pairs = sources.pairs
        self._signals = SignalReader(relevance, sources.tokens, sources.leaflets)
        find = sources.leaflets.illnesses
        self._whose = Whose(part.clause, reader, relevance, lambda text: find(part.forms.put(text)))
        self._asked = AskedItems(
            part.clause, reader, relevance, sources.names.entity_ids_in, self._whose.is_for_others
        )
        self._of_class = OfClass(clause.leaflet, clause.text, reader)
        self._statements: dict[tuple[str, str, str], list[EvidenceStatement]] = {}
        self.probability = 0.0

    def found(self, seen: Container[str]) -> list[Candidate]:
        """The relevant statements whose text is not among `seen` and that may be told, best first.

        Raises:
            ModelError, StoreError: the embedding model or the library cannot be used.
        """
        quotes, signals = self._for_whom_it_is_asked(*self.signals(seen))
        if not quotes:
            return []
        papers = all(is_literature(one.hit, self._papers) for one in quotes)
        judged = judge(
            signals, lambda at: self._read([quotes[one] for one in at]), of_papers=papers
        )
        text = self._part.clause.text
        telling = [
            *self._asked.tells_incidence(quotes),
            *self._of_class.of_the_class(quotes),
            *self._whose.on_finding(quotes),
            *cells_asked(text, quotes, lambda one: self._part.called(one.hit.document)),
        ]
        self.probability = max(judged.probability, at_least(text, quotes, telling))
        told_by_row = self._threshold * self._whose.is_told_by_row(quotes)
        of_overdose = _OF_OVERDOSE * self._tells_of_overdose(quotes)
        self.probability = max(self.probability, told_by_row, of_overdose)
        if self.probability < self._threshold:
            return []
        items = {  # none for other patients is asked about
            quote.key: [
                (share * (not self._whose.is_for_others(item)), item)
                for share, item in self._asked.items(quote)
            ]
            for quote in quotes
        }
        best: dict[tuple[str, int], float] = {}
        lists = [(quote.hit.document.id, quote.list_number) for quote in quotes]
        for quote, of in zip(quotes, lists, strict=True):
            for share, _ in items[quote.key]:
                best[of] = max(best.get(of, 0.0), share)
        rated = []
        scores = raised(text, quotes, judged.log_odds.tolist(), telling)
        scores = self._grown_ups_first(quotes, self._patients_first(quotes, scores))
        for quote, of, log_odds, vector in zip(quotes, lists, scores, signals.vectors, strict=True):
            least = _ITEM_WITHIN * best.get(of, 0.0)
            alone = tuple(item for share, item in items[quote.key] if share and share >= least)
            if alone or of not in best:
                rated.append((log_odds, quote, vector, alone))
        rated.sort(key=lambda one: -one[0])
        if rated and rated[0][1].unclear:
            self.probability = min(self.probability, _AT_MOST_UNCLEAR)
        # What is told with a statement takes its time, and is wanted of the best alone.
        near = (one for one in rated if self._is_near(one[1], rated[0][0] - one[0]))
        return [self._candidate(*one) for one in near]

    def _is_near(self, quote: Quote, behind: float) -> bool:
        if behind <= FARTHEST:
            return True
        return behind <= FARTHEST_OF_THEIRS and self._whose.has_told_dose(quote)

    def _candidate(
        self, log_odds: float, quote: Quote, vector: Vector, alone: tuple[Quote, ...]
    ) -> Candidate:
        """A statement with what is told with it, or of a list the items that are told alone (`alone`)."""
        theirs = self._whose.has_told_dose(quote)
        whole = [one for one in self._of_class.all_of(quote) if not self._whose.is_for_others(one)]
        alone = tuple(whole) or alone
        if alone:
            return Candidate(quote, log_odds, vector, alone, items=True, theirs=theirs)
        told, opening = self._with_section(quote, tuple(self.told(quote)))
        return Candidate(quote, log_odds, vector, told, opening=opening, theirs=theirs)

    def signals(self, seen: Container[str] = ()) -> tuple[list[Quote], Signals]:
        """The likeliest statements whose text is not among `seen`, with what tells whether they answer.

        Raises:
            ModelError, StoreError: the embedding model or the library cannot be used.
        """
        likeliest = self._signals.likeliest(self._part, self._of_section(self._allowed(seen)))
        self._whose.look_at(likeliest)
        fits = [self._whose.fit(quote) for quote in likeliest]
        text = self._part.clause.text
        kept = [  # another patient's dose is never told, nor the way back of a change of treatment
            (one, fit)
            for one, fit in zip(likeliest, fits, strict=True)
            if not (fit.other_patient or is_opposed(text, one.text) or is_other_step(one, text))
            and not self._of_class.is_of_another(one)
        ]
        quotes, fits = [q for q, _ in kept], [one for _, one in kept]
        return quotes, self._signals.of(self._part, self._subjects, self._named, quotes, fits)

    def _for_whom_it_is_asked(
        self, quotes: list[Quote], signals: Signals
    ) -> tuple[list[Quote], Signals]:
        """Without those on impaired kidneys or liver, where an amount is asked and nobody speaks of such: their
        dose is not everybody's. Nor those of another finding or substance than asked."""
        kept = telling_amount(self._part, quotes, self._reader)
        kept = [place for place in kept if not self._whose.is_for_impaired(quotes[place])]
        kept = [kept[n] for n in self._asked.on_the_finding([quotes[n] for n in kept])]
        kept = [kept[n] for n in rows_asked(self._part.clause.text, [quotes[n] for n in kept])]
        return [quotes[place] for place in kept], signals.only(kept)

    def _read(self, quotes: Sequence[Quote]) -> Vectors | None:
        """The scores of quotes that were read beside the question."""
        put, told = self._part.forms.put, map(self._whose.narrowed, quotes)
        read = [
            self._asked.text_read(one, own.parts) for one, own in zip(quotes, told, strict=True)
        ]
        texts = [put(self.text_beside(*one)) for one in zip(quotes, read, strict=True)]
        of_papers = [is_literature(quote.hit, self._papers) for quote in quotes]
        return self._pairs.read(self._part.clause.search_text, texts, of_papers)

    def text_beside(self, one: Quote, text: str) -> str:
        """What is read of a statement, or of its words that `text` has, beside the question."""
        return text_beside(one, text, self._reader.said_before(one) if one.row else ())

    def _patients_first(self, quotes: Sequence[Quote], log_odds: Sequence[float]) -> list[float]:
        """Log-odds with what is said of the patients asked about before all else, where no dose is for them; or
        of the change of treatment that is asked about."""
        text = self._part.clause.text
        said = [place for place, one in enumerate(quotes) if is_same(text, one.text)]
        if not said and not any(map(self._whose.has_asked_dose, quotes)):
            said = [place for place, one in enumerate(quotes) if self._whose.says_of_patients(one)]
        if not said:
            return list(log_odds)
        raised = max(log_odds) - max(log_odds[place] for place in said) + KEEP_WITHIN
        return [one + raised * (place in said) for place, one in enumerate(log_odds)]

    def _grown_ups_first(self, quotes: Sequence[Quote], log_odds: Sequence[float]) -> list[float]:
        """Log-odds with the amounts of one illness, of children and of a genotype behind everybody's that are
        about as likely, where nobody asks about those."""
        few = [place for place, one in enumerate(quotes) if self._whose.is_for_few(one)]
        best = max((log_odds[place] for place in few), default=-math.inf)
        others = [
            place
            for place, one in enumerate(quotes)
            if place not in few
            and log_odds[place] >= best - _ABOUT_AS_LIKELY
            and self._whose.has_amount(one)
        ]
        behind = best - max((log_odds[place] for place in others), default=math.inf)
        if behind < 0:
            return list(log_odds)
        return [one + (behind + _AHEAD) * (place in others) for place, one in enumerate(log_odds)]

    def statements_beside(self, quote: Quote) -> list[EvidenceStatement]:
        """What the clause's passages say of a statement's product, but under a line that says it of others;
        without the rows of tables, which have other numbers each, and of lists each item."""
        document, under = quote.hit.document, quote.under
        key = (*document.subject, under)
        if key not in self._statements:
            found = {
                text: None
                for hit in self._part.hits
                if hit.document.subject == document.subject
                for one in self._reader.quotes(hit)
                if not one.row and (one.under == under or "" in (one.under, under))
                for text in ([item.text for item in one.items] or [one.text])
            }
            self._statements[key] = [EvidenceStatement(text, document.title) for text in found]
        return self._statements[key]

    def told(self, quote: Quote) -> list[Quote]:
        """A statement as it is told: with its paragraph, or its list: no contraindication without others."""
        if quote.list_number:
            listed, others = self._reader.whole_list(quote), self._whose.is_others_amount
            whole = [one for one in listed if one.key == quote.key or not others(one)]
            changed = self._reader.before(whole[0]) if holds_together(quote) else []
            dosed = [one for one in changed if self._whose.has_amount(one)]
            return [*dosed[-1:], *parted(whole, self._whose.is_for_others)]
        if quote.row:
            one_of_all = self._whose.times or names_step(self._part.clause.text)
            steps = () if one_of_all else steps_of(quote, self._reader)
            course = [one for one in steps if not self._whose.is_for_others(one)]
            rows = list(map(self._whose.narrowed, course if quote in course else [quote]))
            led = [one for one in leading_in(quote, self._reader) if self._is_told_before(one)]
            return [*led, *rows] if sum(len(one.text) for one in led) <= _LONGEST_LEAD else rows
        if quote.is_label:
            beneath = self._reader.under(quote)
            own = (one for one in beneath if not self._whose.is_for_others(one))
            return [*self._paragraph(quote), *own]
        return self._paragraph(quote)

    def _is_told_before(self, led: Quote) -> bool:
        """Whether what leads in a table is on the medicine, and for the patients asked about."""
        title = led.hit.document.called
        return self._subjects.allow(title, led.text) and not self._whose.is_for_others(led)

    def _with_section(
        self, quote: Quote, told: tuple[Quote, ...]
    ) -> tuple[tuple[Quote, ...], tuple[Quote, ...]]:
        """What is told with a statement, and apart from it, where its section is asked for and nothing else."""
        plan = self._part.clause.leaflet
        if plan is None or not self._asked.is_of_section_alone(quote):
            return told, ()
        title = quote.hit.document.called

        def is_told(one: Quote) -> bool:
            allowed = self._subjects.allow(title, one.text)
            return allowed and not self._whose.is_for_others(one)

        whole = WholeSection(self._reader, is_told, self._whose.narrowed)
        told, opening = whole.from_opening(told, self.told)
        lists = whole.lists_behind(told[-1]) if plan.wanted is Wanted.LIST else ()
        return (*told, *lists), opening

    def _paragraph(self, quote: Quote) -> list[Quote]:
        """A statement with its paragraph, as far as it speaks of the subject and of the patients that are
        asked about; of a long one with what stands around it, as much after it as before."""
        title = quote.hit.document.called
        sentences = self._reader.paragraph(quote)
        whole = [
            one
            for one in sentences
            if one.key == quote.key
            or (self._subjects.allow(title, one.text) and self._whose.is_beside(quote, one))
        ]
        first = last = next(place for place, one in enumerate(whole) if one.key == quote.key)
        left, grown = _MOST_OF_PARAGRAPH - len(quote.text), True
        while grown:
            grown = False
            if last + 1 < len(whole) and len(whole[last + 1].text) <= left:
                last, grown = last + 1, True
                left -= len(whole[last].text)
            if first > 0 and len(whole[first - 1].text) <= left:
                first, grown = first - 1, True
                left -= len(whole[first].text)
        told = whole[first : last + 1]
        return [
            one
            for one in sentences
            if one in told
            or (told[0].start < one.start < told[-1].start and not self._whose.is_for_others(one))
        ]

    def _allowed(self, seen: Container[str]) -> list[Quote]:
        """The statements of the hits that speak of the subject."""
        about, beside = self._named.documents(self._part.hits), self._named.beside(self._part.hits)
        # A word that nobody knows, beside no name that anybody knows, may be the medicine's.
        known = self._subjects.named or beside or (self._named.names and about)
        if about is None or not (known or not self._relevance.may_be_medicines(self._part.clause)):
            return []
        spoken = language(self._part.clause.text)
        animals = species_in(self._part.clause.text, spoken)
        plan = self._part.clause.leaflet
        together = plan is not None and asks_together(plan)
        quotes: dict[tuple[str, int, int, int], Quote] = {}
        for hit in self._part.hits:
            if animals and not animals & species_in(hit.chunk.text, spoken):
                continue  # what is told for people is told for no dog
            own = hit.document.subject in about
            if together and not own and self._named.is_of_a_third(hit.document):
                continue
            tells = own and bool(self._named.names)
            if not about and hit.document.subject in beside:
                tells = not is_of_own_medicine(hit.chunk)
            headed = self._named.heads(hit.chunk)
            for quote in self._reader.quotes(hit, unclear=True):
                named = own or self._named.named_in(f"{hit.chunk.heading}: {quote.text}")
                named = named and (headed or self._subjects.allow(hit.document.called, quote.text))
                if quote.text not in seen and (tells or named):
                    quotes.setdefault(quote.key, quote)
        own_documents = about if self._named.names else ()
        more = beyond_hits(
            self._part, own_documents, self._whose, self._reader, self._asked.names_finding
        )
        of_each = {one.hit.document.subject: one for one in quotes.values()}
        wider = [*more, *(each for one in of_each.values() for each in self._of_class.beyond(one))]
        return unique([*quotes.values(), *(one for one in wider if one.text not in seen)])

    def _of_section(self, quotes: list[Quote]) -> list[Quote]:
        """Those of the one section that is asked for, or of none, where nothing else is asked: in "How should X
        be taken?" no word is left that "X must not be taken" could answer."""
        plan = self._part.clause.leaflet
        asked = plan.section_alone or plan.overdose(_SURELY) if plan else None
        if asked is None or asked.probability < CERTAIN or self._whose.names_grade:
            return quotes
        own = [one for one in quotes if one.hit.chunk.section in (asked.section, "")]
        return own if any(one.hit.chunk.section for one in own) else quotes

    def _tells_of_overdose(self, quotes: Sequence[Quote]) -> bool:
        """Whether an overdose is described for sure, and nothing but what is said of one is left."""
        asked = plan.overdose(_SURELY) if (plan := self._part.clause.leaflet) else None
        return (
            asked is not None
            and not self._whose.names_grade
            and all(one.hit.chunk.section == asked.section for one in quotes)
        )
