"""Where the graph and a medicine's own document say different things about the same two: treated there,
contraindicated here.

Looked for are the relationships that a question is about: between the entities that it names, those
that its answer tells, and, where it asks for a section of one medicine's document, those that the
section could speak against. Which relationships a section may speak against is said in
disagreements.toml; what a statement of it says without any limit, in `core.checking.section_claims`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from core.checking.section_claims import Claim, claims
from core.domain.answers import Sentence, Support, place
from core.domain.documents import Document, Hit
from core.domain.evidence.doubts import AT_ODDS
from core.domain.graph import Entity, Fact
from core.domain.names import name_key
from core.domain.plans import Named, Plan, Selection
from core.domain.provenance.within import Within
from core.errors import StoreUnavailable
from core.evidence.citations import CitationBook
from core.evidence.evidence import ClauseEvidence, Disagreement, Evidence
from core.evidence.graph_facts import ASKED_FOR
from core.evidence.passages import Quote
from core.evidence.sources import Sources
from core.graph.phrases import relationship_phrase
from core.resources import read_table

_DRUG = "Drug"


@dataclass(frozen=True, slots=True)
class _Rule:
    relationships: frozenset[str]
    section: str
    denied: bool
    said: str


_RULES = tuple(
    _Rule(frozenset(row["relationships"]), row["section"], row["denied"], row["said"])
    for row in read_table(__file__, "disagreements.toml")["disagreements"]
)
_TYPES = frozenset[str]().union(*(rule.relationships for rule in _RULES))


class Disagreements:
    """Compares the graph with the documents of the medicines that a question is about."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    def found(self, evidence: Evidence, indexes: Sequence[str]) -> tuple[Disagreement, ...]:
        """What is at odds, in the order of the clauses; nothing while the graph cannot be reached.

        Args:
            indexes: names of those that may be looked in.

        Raises:
            StoreError: a store cannot be read.
        """
        try:
            facts = {fact.key: fact for part in evidence.clauses for fact in self._facts(part)}
        except StoreUnavailable:
            return ()
        if not facts:
            return ()
        documents = self._documents(facts.values(), indexes, evidence.within)
        sections = _SectionClaims(self._sources)
        found: dict[tuple[object, tuple[str, str]], Disagreement] = {}
        for fact in facts.values():
            for rule in self._rules(fact, evidence.within):
                for drug, other in ((fact.source, fact.target), (fact.target, fact.source)):
                    for document in documents.get(drug.id, ()):
                        quote = sections.saying(rule, self._same(other), document, drug)
                        if quote is not None:
                            told = Disagreement(_told(fact, other, rule, quote), fact, quote)
                            found.setdefault((fact.key, document.subject), told)
        return tuple(found.values())

    # -- relationships -----------------------------------------------------------------------------

    def _facts(self, part: ClauseEvidence) -> Iterator[Fact]:
        """The relationships that a clause is about, of the types that a document may speak against."""
        graph, clause = self._sources.graph, part.clause
        ids = [one.id for one in clause.entities]
        if clause.plan is not None:
            ids += [one for named in _named_in(clause.plan.plan) for one in named.ids]
        told = list(part.facts)
        if len(set(ids)) > 1:
            told += graph.facts_between(list(dict.fromkeys(ids)))
        if part.computed is not None:
            told += self._listed(part)
        drugs = [one for one in clause.entities if one.type == _DRUG]
        if len(drugs) == 1 and len(set(ids)) == 1 and not clause.wanted_types:
            for rule in _RULES:
                if rule.section in clause.sections:
                    for name in sorted(rule.relationships):
                        told += graph.facts(drugs[0].id, name)
        yield from (fact for fact in told if fact.type in _TYPES)

    @staticmethod
    def _rules(fact: Fact, within: Within) -> Iterator[_Rule]:
        """Those that sections which may be looked in can speak against a relationship by."""
        for rule in _RULES:
            if fact.type in rule.relationships and within.has_section(rule.section):
                yield rule

    def _listed(self, part: ClauseEvidence) -> list[Fact]:
        """The relationships that put all members into the lists of a clause."""
        graph = self._sources.graph
        projection = graph.projection()
        codes = {name: code for code, name in enumerate(projection.relationship_types)}
        lists = part.computed.lists if part.computed is not None else ()
        return graph.facts_of(
            projection,
            [
                (projection.position[source], codes[kind], projection.position[target])
                for one in lists
                for member in one.members
                for source, kind, target in member.relationships
                if kind in _TYPES and {source, target} <= projection.position.keys()
            ],
        )

    # -- documents ---------------------------------------------------------------------------------

    def _documents(
        self, facts: Iterable[Fact], indexes: Sequence[str], within: Within
    ) -> Mapping[str, list[Document]]:
        """Of each medicine the documents about it alone: what another of a combination's components
        must not be used in says nothing about it."""
        wanted = {
            end.id for fact in facts for end in (fact.source, fact.target) if end.type == _DRUG
        }
        found: dict[str, list[Document]] = {}
        for index in indexes:
            told = self._sources.library.documents(index)
            for document in (one for whole in told for one in whole.each()):
                named = self._sources.names.entity_ids_in(document.title)
                if not named & wanted or not within.has_document(document.id):
                    continue
                drugs = [one for one in self._entities(named) if one.type == _DRUG]
                if len(drugs) == 1 and drugs[0].id in wanted:
                    found.setdefault(drugs[0].id, []).append(document)
        return found

    def _entities(self, ids: Iterable[str]) -> list[Entity]:
        return list(self._sources.graph.entities(sorted(ids)).values())

    def _same(self, entity: Entity) -> set[str]:
        """An entity with its namesakes: texts name one of them."""
        key = name_key(entity.name)
        alike = self._sources.graph.entities_named(entity.name)
        return {entity.id, *(one.id for one in alike if name_key(one.name) == key)}


class _SectionClaims:
    """What the sections of documents say without any limit, each read once. Made for one question."""

    def __init__(self, sources: Sources) -> None:
        self._library = sources.library
        self._mentions_in = sources.names.mentions_in
        self._reader = sources.passages()
        self._named: dict[tuple[str, str], dict[str, set[str]]] = {}
        self._read: dict[tuple[tuple[str, str], str], list[tuple[Quote, Claim]]] = {}

    def saying(
        self, rule: _Rule, wanted: AbstractSet[str], document: Document, drug: Entity
    ) -> Quote | None:
        """The first statement of a rule's section that says so of one of the wanted entities."""
        if not wanted & self._named_in(document).get(rule.section, set()):
            return None
        key = (document.subject, rule.section)
        if key not in self._read:
            self._read[key] = list(self._claims(document, rule.section, drug))
        return next(
            (
                quote
                for quote, claim in self._read[key]
                if claim.denied is rule.denied and claim.entity_ids & wanted
            ),
            None,
        )

    def _named_in(self, document: Document) -> Mapping[str, set[str]]:
        """By section the entities that a document names, as they were found when it came in."""
        if document.subject not in self._named:
            chunks = [
                one for one in self._library.document_chunks(document.id) if document.tells(one)
            ]
            found = self._library.mentions_of_chunks([chunk.id for chunk in chunks])
            named: dict[str, set[str]] = {}
            for chunk in chunks:
                named.setdefault(chunk.section, set()).update(found.get(chunk.id, ()))
            self._named[document.subject] = named
        return self._named[document.subject]

    def _claims(
        self, document: Document, section: str, drug: Entity
    ) -> Iterator[tuple[Quote, Claim]]:
        for chunk in self._library.document_chunks(document.id):
            if chunk.section != section or not document.tells(chunk):
                continue
            for quote in self._single(Hit(chunk, document, 0.0, 0.0, 0.0)):
                mentions = self._mentions_in(quote.text)
                for claim in claims(quote.text, chunk.heading, section, mentions, {drug.id}):
                    yield quote, claim

    def _single(self, hit: Hit) -> Iterator[Quote]:
        """Statements, and of lists each item alone."""
        for quote in self._reader.quotes(hit):
            if quote.items:
                yield from self._reader.single_items(quote, lambda _text: True)
            else:
                yield quote


def _named_in(plan: Plan) -> Iterator[Named]:
    """All entities that a plan names."""
    yield from plan.subjects
    for selection in plan.sets:
        yield from _named_in_set(selection)


def _named_in_set(selection: Selection) -> Iterator[Named]:
    for condition in selection.all_conditions():
        if isinstance(condition.of, Named):
            yield condition.of
        else:
            yield from _named_in_set(condition.of)


def _told(fact: Fact, other: Entity, rule: _Rule, quote: Quote) -> str:
    verb = relationship_phrase(fact.type, True)
    page = quote.hit.chunk.page
    where = f"{place(quote.hit.document.file, page)}{',' if page else ''}"
    said = rule.said.format(of=other.name)
    words = f"{fact.source.name} {verb} {fact.target.name}"
    return f"The graph says that {words}; {where} {said}: “{quote.text}”"


def told_first(disagreements: Sequence[Disagreement], book: CitationBook) -> tuple[Sentence, ...]:
    """What stands above an answer: one sentence for each disagreement, with both sources.

    Args:
        book: is filled with them.
    """
    return tuple(
        Sentence(
            one.text,
            Support.BOTH,
            (*book.quoted(one.quote), book.fact(one.fact, ASKED_FOR)),
            (AT_ODDS,),
        )
        for one in disagreements
    )
