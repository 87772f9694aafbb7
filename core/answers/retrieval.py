"""Steps 1 and 2 of a question's way: passages for each clause, then the graph around them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.answers.clauses import Clause
from core.answers.evidence import ClauseEvidence, Evidence
from core.answers.graph_facts import fact_groups
from core.answers.relevance import Subjects
from core.documents.encoder import Encoder
from core.documents.store import LibraryStore
from core.domain.answers import place
from core.domain.documents import Document, Hit
from core.domain.graph import NAMED_IN_QUESTION, Subgraph
from core.domain.vectors import Vector
from core.errors import StoreUnavailable
from core.graph.expand import expand
from core.graph.knowledge import KnowledgeGraph
from core.search.retriever import Retriever, SearchOptions
from core.search.routing import QueryType

# What a passage gains, in fused score, for being of the section that is asked for and for standing in
# a document about the medicine that is named. Fused scores of neighbours in a result differ by about
# .05, so that both together outrank a passage on another medicine, neither alone an irrelevant one.
_SECTION_BOOST = 0.2
_SUBJECT_BOOST = 0.3
# A chunk of the asked section that search did not bring: as good as a middling hit, and only so many.
_UNFOUND_SCORE = 0.5
_MOST_ADDED = 6
_MENTIONED_SEEDS = 6  # entities of the passages that seed the expansion beside the named ones
_MENTIONED_RELEVANCE = 0.5
# Cosine of a question and an entity's text from which on the entity is a seed; not calibrated yet.
_SIMILAR_ENOUGH = 0.5
SIMILAR = "similar to the question"
_CLAUSE_FACTOR = 2  # passages kept for a clause, times top_k: the answerer chooses among them


@dataclass(frozen=True, slots=True)
class EvidenceFinder:
    """Finds evidence in both stores.

    Args:
        entities_in: ids of the entities named in a text.
        similar_to: entities whose text resembles a vector, id and cosine similarity, best first.
        per_entity, limit: caps of the expansion.
    """

    library: LibraryStore
    graph: KnowledgeGraph
    retriever: Retriever
    encoder: Callable[[], Encoder]
    entities_in: Callable[[str], set[str]]
    similar_to: Callable[[Vector], Sequence[tuple[str, float]]]
    top_k: int
    candidates: int
    per_entity: int
    limit: int

    def retrieve(self, clauses: Sequence[Clause], indexes: tuple[str, ...]) -> list[ClauseEvidence]:
        """Passages and entities for each clause by similarity, best first (KG-22)."""
        vectors = self.encoder().encode([clause.search_text for clause in clauses])
        options = SearchOptions(
            indexes=indexes, k=2 * self.candidates, candidates=self.candidates, quotes=False
        )
        found = []
        for clause, vector in zip(clauses, vectors, strict=True):
            result = self.retriever.search(clause.search_text, options, vector)
            hits = self._boosted(clause, result.hits)[: _CLAUSE_FACTOR * self.top_k]
            similar = {
                entity_id: similarity
                for entity_id, similarity in self.similar_to(vector)
                if similarity >= _SIMILAR_ENOUGH
            }
            found.append(ClauseEvidence(clause, vector, tuple(hits), similar=similar))
        return found

    def _boosted(self, clause: Clause, hits: Sequence[Hit]) -> list[Hit]:
        """Hits, and the asked section of documents on the subject, in the order of their promise."""
        subjects = Subjects(clause, {hit.document.title for hit in hits}, self.entities_in)
        about = {
            hit.document.id: hit.document for hit in hits if subjects.is_about(hit.document.title)
        }
        boosted = []
        for hit in [*hits, *self._asked_sections(clause, hits, about)]:
            score = hit.relative
            if hit.chunk.section and hit.chunk.section in clause.sections:
                score += _SECTION_BOOST
            if hit.document.id in about:
                score += _SUBJECT_BOOST
            boosted.append(replace(hit, score=score / (1.0 + _SECTION_BOOST + _SUBJECT_BOOST)))
        return sorted(boosted, key=lambda hit: (-hit.score, hit.chunk.id))

    def _asked_sections(
        self, clause: Clause, hits: Sequence[Hit], about: Mapping[str, Document]
    ) -> list[Hit]:
        """Chunks of the asked sections that search did not bring.

        "Who should not take X?" has hardly a word in common with "A history of allergy to penicillins
        is a contraindication"; that it stands under Contraindications is what counts.
        """
        present = {hit.chunk.id for hit in hits}
        lowest = min((hit.similarity for hit in hits), default=0.0)
        missing = [
            Hit(chunk, document, _UNFOUND_SCORE, lowest, _UNFOUND_SCORE)
            for document in about.values()
            for chunk in self.library.document_chunks(document.id)
            if chunk.section and chunk.section in clause.sections and chunk.id not in present
        ]
        return missing[:_MOST_ADDED]

    def expand(
        self, question: str, found: Sequence[ClauseEvidence], query_type: QueryType
    ) -> Evidence:
        """The facts that clauses ask for, and the subgraph around named, similar and mentioned
        entities; passages alone while the graph cannot be reached."""
        try:
            return self._expanded(question, found, query_type)
        except StoreUnavailable:
            return Evidence(question, tuple(found), graph_missing=True)

    def _expanded(
        self, question: str, found: Sequence[ClauseEvidence], query_type: QueryType
    ) -> Evidence:
        self.graph.version()  # asks a server even when the question names no entity
        seeds: dict[str, float] = {}
        reasons: dict[str, str] = {}
        for part in found:
            for entity in part.clause.entities:
                seeds[entity.id] = 1.0
                reasons[entity.id] = NAMED_IN_QUESTION
        for part in found:
            for entity_id, similarity in part.similar.items():
                if similarity > seeds.get(entity_id, 0.0):
                    seeds[entity_id] = similarity
                    reasons[entity_id] = SIMILAR
        for entity_id, reason in self._mentioned(found).items():
            if entity_id not in seeds:
                seeds[entity_id] = _MENTIONED_RELEVANCE
                reasons[entity_id] = reason
        subgraph = (
            expand(self.graph, seeds, reasons, per_entity=self.per_entity, limit=self.limit)
            if seeds
            else Subgraph()
        )
        exact = query_type is QueryType.EXACT
        parts = tuple(
            replace(part, groups=tuple(fact_groups(part.clause, self.graph, exact=exact)))
            for part in found
        )
        listed = exact and all(part.groups for part in parts)
        return Evidence(question, parts, subgraph, exact=listed)

    def _mentioned(self, found: Sequence[ClauseEvidence]) -> Mapping[str, str]:
        """The entities that the best passages mention most, with the reason in words."""
        hits = [hit for part in found for hit in part.hits[: self.top_k]]
        mentions = self.library.mentions_of_chunks([hit.chunk.id for hit in hits])
        counts: dict[str, int] = {}
        where: dict[str, str] = {}
        for hit in hits:
            for entity_id, count in mentions.get(hit.chunk.id, {}).items():
                counts[entity_id] = counts.get(entity_id, 0) + count
                source = place(hit.document.file, hit.chunk.page)
                where.setdefault(entity_id, f"mentioned in {source}")
        most = sorted(counts, key=lambda key: (-counts[key], key))[:_MENTIONED_SEEDS]
        return {entity_id: where[entity_id] for entity_id in most}
