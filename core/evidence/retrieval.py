"""Steps 1 and 2 of a question's way: passages for each clause, then the graph around them."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

from core.domain.answers import place
from core.domain.documents import Document, Hit
from core.domain.graph import NAMED_IN_QUESTION, Subgraph
from core.domain.plans import Want
from core.domain.provenance.within import EVERYTHING, Within
from core.domain.vectors import Vector, Vectors
from core.errors import EmbeddingMismatch, ModelError, StoreError, StoreUnavailable
from core.evidence.asked_sections import sections_asked
from core.evidence.computed import compute, is_computed_alone, told_of_part
from core.evidence.computing.part_of_graph import (
    NOT_MENTIONED,
    documents_of,
    like_in,
    part_of,
    similar_in,
)
from core.evidence.computing.similar import Likeness
from core.evidence.evidence import ClauseEvidence, Evidence, LeftOut, Searched
from core.evidence.graph_facts import fact_groups
from core.evidence.named import documents_about
from core.evidence.naming.of_papers import own_studies
from core.evidence.patients.special import chunks_on_patients
from core.evidence.reading.foreign import in_words_of_documents
from core.evidence.reading.papers import shares_of_part
from core.evidence.relevance import Subjects
from core.evidence.sources import Sources
from core.evidence.wider.asked_passages import chunks_of, naming
from core.evidence.wider.mentioning import hits_of
from core.evidence.wider.reordered import by_statements
from core.graph.walks.expand import expand
from core.logs import get_logger
from core.questions.clauses import Clause
from core.questions.papers.asked_part import parts_asked
from core.questions.plan_reading.listing import needs_graph
from core.questions.routing import QueryType, Strategy, strategy
from core.search.options import SearchOptions
from core.search.retriever import Retriever
from core.settings import Settings

# What a passage gains in the order of the candidates, not in the score that is shown, for being of the
# section that is asked for and for standing in a document about the medicine that is named: both
# together outrank a passage on another medicine, neither alone an irrelevant one.
_SECTION_BOOST = 0.2
_SUBJECT_BOOST = 0.3
# From this probability on a section that was learned to be asked for is brought whole.
_LIKELY = 0.5
_MENTIONED_SEEDS = 6  # entities of the passages that seed the expansion beside the named ones
_MENTIONED_RELEVANCE = 0.5
# Cosine of a question and an entity's text from which on the entity is a seed; not calibrated yet.
_SIMILAR_ENOUGH = 0.5
SIMILAR = "similar to the question"
_MOST_LIKE = 5  # entities like a named one that seed the expansion where likeness is asked for
# What one index can suffer from while others can be searched: its model or its vectors are gone.
_UNSEARCHABLE = (EmbeddingMismatch, ModelError, StoreError)
# Passages kept for a clause, times top_k, of which the answerer chooses (docs/decisions/relevance.md); and how
# many more of these for a language model, whose prompt has room for 6,000 tokens.
_CLAUSE_FACTOR, _FURTHER_FACTOR = 3, 2 / 3
_log = get_logger("answers")


@dataclass(frozen=True, slots=True)
class EvidenceFinder:
    """Finds evidence in both stores.

    Args:
        similar_to: entities whose text resembles a vector, id and cosine similarity, best first.
        per_entity, limit: caps of the expansion.
        like: entities by their vectors.
    """

    sources: Sources
    retriever: Retriever
    similar_to: Callable[[Vector], Sequence[tuple[str, float]]]
    top_k: int
    candidates: int
    per_entity: int
    limit: int
    like: Likeness = lambda _ids, _types: ()

    @classmethod
    def of(
        cls,
        settings: Settings,
        sources: Sources,
        retriever: Retriever,
        similar_to: Callable[[Vector], Sequence[tuple[str, float]]],
        like: Likeness,
    ) -> Self:
        """One with the sizes that settings give."""
        return cls(
            sources,
            retriever,
            similar_to,
            settings.top_k,
            settings.candidates,
            settings.neighbours_per_entity,
            settings.expansion_limit,
            like,
        )

    def retrieve(
        self,
        clauses: Sequence[Clause],
        indexes: tuple[str, ...],
        within: Within = EVERYTHING,
        *,
        all_of_them: bool,
    ) -> Searched:
        """Passages and entities for each clause by similarity, best first (KG-22).

        Args:
            indexes: names; none means that no passage is looked for.
            within: what passages are taken from.
            all_of_them: fail when one of them cannot be searched, rather than leave it out.

        Raises:
            EmbeddingMismatch, ModelError, StoreError: an index cannot be searched, or none of them can.
        """
        vectors = self.sources.encoder().encode([clause.search_text for clause in clauses])
        try:
            return self._search(clauses, vectors, indexes, within)
        except _UNSEARCHABLE:
            if all_of_them:
                raise
            left_out = self._unsearchable(clauses, vectors, indexes)
            missing = {one.index for one in left_out}
            usable = tuple(name for name in indexes if name not in missing)
            if not usable:
                raise
        return replace(self._search(clauses, vectors, usable, within), left_out=left_out)

    def _unsearchable(
        self, clauses: Sequence[Clause], vectors: Vectors, indexes: tuple[str, ...]
    ) -> tuple[LeftOut, ...]:
        left_out = []
        for name in indexes:
            try:
                self._search(clauses[:1], vectors[:1], (name,), EVERYTHING)
            except _UNSEARCHABLE as error:
                left_out.append(LeftOut(name, error))
                _log.warning("index_left_out", index=name, code=error.code)
        return tuple(left_out)

    def _search(
        self,
        clauses: Sequence[Clause],
        vectors: Vectors,
        indexes: tuple[str, ...],
        within: Within,
    ) -> Searched:
        documents = documents_of(self.sources.library, within)
        options = SearchOptions(
            indexes=indexes,
            k=2 * self.candidates,
            candidates=self.candidates,
            quotes=False,
            documents=documents or (),
            sections=within.sections,
        )
        found = []
        passages = self.sources.passages()
        notices = dict.fromkeys([NOT_MENTIONED] if documents is None else [])
        for clause, vector in zip(clauses, vectors, strict=True):
            ranked: list[Hit] = []
            reworded = None
            if clause.mentioned is not None:
                ranked = hits_of(clause.mentioned)
            elif indexes and documents is not None:  # to the retriever none means all of them
                options = replace(options, documents=clause.documents or documents)
                ranked, about, notice = self._ranked(clause, vector, options, within)
                own = [hit for hit in ranked if hit.document.subject in about] or ranked
                chunks_of = self.sources.library.document_chunks
                if reworded := in_words_of_documents(clause, own, chunks_of):
                    vector = self.sources.encoder().encode([reworded.search_text])[0]
                    ranked, _, notice = self._ranked(reworded, vector, options, within)
                asked = (reworded or clause).search_text
                ranked = by_statements(asked, ranked, passages, self.sources.tokens)
                notices[notice] = None
            similar = {
                entity_id: similarity
                for entity_id, similarity in similar_in(self.similar_to, within)(vector)
                if similarity >= _SIMILAR_ENOUGH
            }
            kept = _CLAUSE_FACTOR * self.top_k
            further = tuple(ranked[kept : kept + round(_FURTHER_FACTOR * kept)])
            hits = tuple(ranked[:kept])
            studies = own_studies(clause, hits, partial(self.sources.relevance, options.indexes))
            part = ClauseEvidence(clause, vector, hits, reworded=reworded, studies=studies)
            found.append(replace(part, further=further, similar=similar))
        return Searched(tuple(found), indexes, tuple(filter(None, notices)))

    def _ranked(
        self, clause: Clause, vector: Vector, options: SearchOptions, within: Within
    ) -> tuple[list[Hit], dict[tuple[str, str], Document], str]:
        """Passages for a clause in the order of their promise, the documents on what it names, and what the
        search has to tell."""
        result = self.retriever.search(clause.search_text, options, vector)
        names, relevance = self.sources.names.entity_ids_in, self.sources.relevance
        about = documents_about(clause, result.hits, names, lambda: relevance(options.indexes))
        hits, named = naming(clause, result.hits, about, within, lambda: relevance(options.indexes))
        return self._boosted(clause, hits, named, about, within), about, result.notice

    def _boosted(
        self,
        clause: Clause,
        hits: Sequence[Hit],
        named: Container[str],
        about: Mapping[tuple[str, str], Document],
        within: Within,
    ) -> list[Hit]:
        """Hits, and the asked section of documents on the subject, in the order of their promise.

        Args:
            named: ids of those that name what no document is on.
            about: the documents on the subject, by `Document.subject`.
        """
        sections = sections_asked(clause)
        likely = [
            code
            for code, share in sections.items()
            if share >= _LIKELY and within.has_section(code)
        ]
        # A title may have the trade name alone.
        own = about or {hit.document.subject: hit.document for hit in hits[:1]}
        headed = chunks_on_patients(
            clause.leaflet, own.values(), self.sources.library.document_chunks
        )
        boosted = []
        document_chunks = self.sources.library.document_chunks
        found = [*hits, *chunks_of(likely if about else (), headed, hits, own, document_chunks)]
        text, vector_of = clause.search_text, self.sources.leaflets.vector
        of_part = shares_of_part(found, lambda: parts_asked(text, vector_of))
        for hit, share in zip(found, of_part, strict=True):
            asked = max(share, sections.get(hit.chunk.section, 0.0))
            promise = hit.relative + _SECTION_BOOST * asked
            if hit.chunk.id in headed:
                promise = hits[0].relative + _SECTION_BOOST
            if hit.document.subject in about or (not about and hit.chunk.id in named):
                promise += _SUBJECT_BOOST
            boosted.append(replace(hit, relative=promise / (1.0 + _SECTION_BOOST + _SUBJECT_BOOST)))
        return sorted(boosted, key=lambda hit: (-hit.relative, hit.chunk.id))

    def expand(
        self,
        question: str,
        found: Sequence[ClauseEvidence],
        query_type: QueryType,
        within: Within = EVERYTHING,
    ) -> Evidence:
        """The facts that clauses ask for, and the subgraph around named, similar and mentioned
        entities; while the graph cannot be reached passages alone, and none for a clause that only the
        graph answers."""
        graph = part_of(self.sources.graph, within)
        narrowed = replace(
            self, sources=replace(self.sources, graph=graph), like=like_in(self.like, within)
        )
        try:
            evidence = narrowed._expanded(question, found, query_type)
        except StoreUnavailable:
            parts = tuple(map(self._without_graph, found))
            evidence = Evidence(question, parts, graph_missing=True)
        return replace(evidence, within=within)

    def _without_graph(self, part: ClauseEvidence) -> ClauseEvidence:
        clause = part.clause
        plan = clause.plan.plan if clause.plan is not None and clause.plan.plan.complete else None
        alone = plan is not None and (is_computed_alone(clause) or plan.want is Want.PATH)
        titles = {hit.document.called for hit in part.hits}
        named = Subjects(clause, titles, self.sources.names.entity_ids_in).named
        if not alone and not needs_graph(clause, named=named):
            return part
        return replace(part, hits=(), further=(), unanswerable=True)

    def _expanded(
        self, question: str, found: Sequence[ClauseEvidence], query_type: QueryType
    ) -> Evidence:
        self.sources.graph.version()  # asks a server even when the question names no entity
        chosen = strategy(query_type, question)
        seeds, reasons = self._seeds(found, chosen)
        parts = tuple(self._with_facts(part, chosen) for part in found)
        # What was computed is complete as it is: a model would only leave some of it out.
        listed = all(
            part.clause.is_of_documents or (part.computed and is_computed_alone(part.clause))
            for part in parts
        )
        _log.info(
            "strategy",
            query_type=query_type,
            by_vectors=chosen.by_vectors,
            along=chosen.along,
            everything=chosen.everything,
            wants=[part.clause.plan.plan.want for part in parts if part.clause.plan],
        )
        return Evidence(question, parts, self._around(seeds, reasons, chosen), exact=listed)

    def _seeds(
        self, found: Sequence[ClauseEvidence], chosen: Strategy
    ) -> tuple[dict[str, float], dict[str, str]]:
        """Entity id -> relevance, and why, of those that the expansion begins with."""
        seeds: dict[str, float] = {}
        reasons: dict[str, str] = {}

        def add(entity_id: str, relevance: float, reason: str) -> None:
            if relevance > seeds.get(entity_id, 0.0):
                seeds[entity_id], reasons[entity_id] = relevance, reason

        named = [entity for part in found for entity in part.clause.entities]
        for entity in named:
            add(entity.id, 1.0, NAMED_IN_QUESTION)
        for entity in named if chosen.by_vectors else ():
            for entity_id, similarity in self.like([entity.id], [entity.type])[:_MOST_LIKE]:
                add(entity_id, similarity, f"similar to {entity.name}")
        for part in found:
            for entity_id, similarity in part.similar.items():
                add(entity_id, similarity, SIMILAR)
        for entity_id, reason in self._mentioned(found).items():
            if entity_id not in seeds:
                add(entity_id, _MENTIONED_RELEVANCE, reason)
        return seeds, reasons

    def _around(
        self, seeds: Mapping[str, float], reasons: Mapping[str, str], chosen: Strategy
    ) -> Subgraph:
        """The surroundings of seeds: along the relationships that are asked for, else along all."""
        found = Subgraph()
        for along in dict.fromkeys((chosen.along, ())) if seeds else ():
            found = expand(
                self.sources.graph,
                seeds,
                reasons,
                per_entity=self.per_entity,
                limit=self.limit,
                relationship_types=along,
            )
            if found.facts:
                break
        return found

    def _with_facts(self, part: ClauseEvidence, chosen: Strategy) -> ClauseEvidence:
        """A clause with what the graph answers it; nothing where its plan is not complete."""
        graph, read = self.sources.graph, part.clause.plan
        if part.clause.is_of_documents:
            return part
        if read is None:
            return replace(part, groups=tuple(fact_groups(part.clause, graph)))
        computed = compute(read, graph, chosen, self.like)
        return replace(part, computed=told_of_part(computed, graph))

    def _mentioned(self, found: Sequence[ClauseEvidence]) -> Mapping[str, str]:
        """The entities that the best passages mention most, with the reason in words."""
        hits = [hit for part in found for hit in part.hits[: self.top_k]]
        mentions = self.sources.library.mentions_of_chunks([hit.chunk.id for hit in hits])
        counts: dict[str, int] = {}
        where: dict[str, str] = {}
        for hit in hits:
            for entity_id, count in mentions.get(hit.chunk.id, {}).items():
                counts[entity_id] = counts.get(entity_id, 0) + count
                source = place(hit.document.file, hit.chunk.page)
                where.setdefault(entity_id, f"mentioned in {source}")
        most = sorted(counts, key=lambda key: (-counts[key], key))[:_MENTIONED_SEEDS]
        return {entity_id: where[entity_id] for entity_id in most}
