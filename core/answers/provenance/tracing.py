"""The trace of an answer: kept with the turn, of bounded size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from core import __version__
from core.answers.draft import Draft, evidence_key
from core.domain.answers import Citation, DocumentCitation
from core.domain.documents import Document, Hit
from core.domain.provenance.trace import (
    DocumentVersion,
    GraphVersion,
    IndexVersion,
    PromptEvidence,
    Trace,
    TracedPassage,
)
from core.errors import StoreError
from core.evidence.evidence import ClauseEvidence, Evidence
from core.evidence.sources import Sources
from core.graph.phrases import relationship_phrase
from core.settings import Settings

# A trace is read by a person and kept with every turn: some ten kilobytes at most.
_MOST_PASSAGES = 40
_MOST_PROMPT = 80
_MOST_DOCUMENTS = 60
_LONGEST_CLAUSE = 400  # characters


@dataclass(frozen=True, slots=True)
class Tracer:
    """Writes down what an answer was made with.

    Args:
        settings: as they are now, with the language model that answers.
    """

    sources: Sources
    settings: Callable[[], Settings]

    def trace(
        self,
        evidence: Evidence,
        draft: Draft,
        citations: Sequence[Citation],
        indexes: Sequence[str],
        *,
        chosen: bool,
    ) -> Trace:
        """The trace of one answer.

        Args:
            citations: of the answer.
            indexes: names of those that were searched; `chosen` by whoever asks.

        Raises:
            StoreError: the library cannot be read.
        """
        settings = self.settings()
        passages = list(_passages(evidence, citations))
        prompt = list(_prompt(draft, citations))
        return Trace(
            program=__version__,
            clauses=tuple(_read(part)[:_LONGEST_CLAUSE] for part in evidence.clauses),
            probabilities=tuple(round(one, 4) for one in draft.probabilities),
            threshold=settings.relevance_threshold,
            passages=tuple(passages[:_MOST_PASSAGES]),
            passages_left_out=max(0, len(passages) - _MOST_PASSAGES),
            prompt=tuple(prompt[:_MOST_PROMPT]),
            prompt_left_out=max(0, len(prompt) - _MOST_PROMPT),
            earlier_turns=draft.earlier_turns,
            entities=len(evidence.subgraph.entities),
            relationships=len(evidence.subgraph.facts),
            documents=tuple(self._documents(evidence, citations))[:_MOST_DOCUMENTS],
            indexes=self._indexes(indexes),
            indexes_chosen=chosen,
            graph=None if evidence.graph_missing else self._graph(),
            settings=settings.bearing_on_answers,
        )

    def _documents(
        self, evidence: Evidence, citations: Sequence[Citation]
    ) -> Iterable[DocumentVersion]:
        """Those that are cited first, so that none of them is left out."""
        found = {hit.document.id: hit.document for part in evidence.clauses for hit in part.hits}
        cited = [one.document_id for one in citations if isinstance(one, DocumentCitation)]
        for document_id in dict.fromkeys([*cited, *found]):
            document = found.get(document_id) or self.sources.library.document(document_id)
            if document is not None:
                yield version_of(document)

    def _indexes(self, names: Sequence[str]) -> tuple[IndexVersion, ...]:
        found = (self.sources.library.index(name) for name in names)
        return tuple(
            IndexVersion(one.name, one.model, one.dimension, one.generation)
            for one in found
            if one is not None
        )

    def _graph(self) -> GraphVersion | None:
        try:
            return self.sources.graph.fingerprint()
        except StoreError:  # gone since it was searched: the answer stands
            return None


def version_of(document: Document) -> DocumentVersion:
    """A document as it is now."""
    return DocumentVersion(
        document.id, document.file, document.title, document.index, document.sha256
    )


def _read(part: ClauseEvidence) -> str:
    """A clause, with the words by which documents in another language were searched."""
    asked = part.clause.text
    return asked if part.reworded is None else f"{asked} (searched as: {part.reworded.text})"


def _passages(evidence: Evidence, citations: Sequence[Citation]) -> Iterable[TracedPassage]:
    """The best passage of each clause, then the second of each: what is left out are the worst."""
    cited = [one for one in citations if isinstance(one, DocumentCitation)]
    for rank in zip_longest(*(part.hits for part in evidence.clauses)):
        for clause, hit in enumerate(rank):
            if hit is not None:
                yield _passage(clause, hit, cited)


def _passage(clause: int, hit: Hit, cited: Sequence[DocumentCitation]) -> TracedPassage:
    chunk = hit.chunk
    number = next(
        (
            one.n
            for one in cited
            if (one.document_id, one.page) == (chunk.document_id, chunk.page)
            and one.start < chunk.end
            and one.end > chunk.start
        ),
        0,
    )
    return TracedPassage(
        clause=clause,
        document_id=hit.document.id,
        chunk_id=chunk.id,
        file=hit.document.file,
        page=chunk.page,
        section=chunk.section,
        heading=chunk.heading,
        score=round(hit.score, 4),
        before_reranking=None if hit.before_reranking is None else round(hit.before_reranking, 4),
        similarity=round(hit.similarity, 4),
        citation=number,
    )


def _prompt(draft: Draft, citations: Sequence[Citation]) -> Iterable[PromptEvidence]:
    numbers = {evidence_key(one): one.n for one in citations}
    for one in draft.given:
        yield PromptEvidence(one.n, _said(one), numbers.get(evidence_key(one), 0))


def _said(citation: Citation) -> str:
    if isinstance(citation, DocumentCitation):
        heading = " ".join(citation.heading.split())
        return f"{citation.place}, {heading}" if heading else citation.place
    verb = relationship_phrase(citation.relationship, True)
    return f"{citation.source} {verb} {citation.target}"
