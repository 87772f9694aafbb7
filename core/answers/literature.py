"""An answer from the passages of one search, and from nothing else (AX-10)."""

from __future__ import annotations

import time
from collections.abc import Sequence

from core.answers import prompts
from core.answers.confidence import may_not_answer, passage_relevance
from core.answers.extractive import ExtractiveAnswerer
from core.domain.answers import Answer, Sentence, Support
from core.domain.documents import Hit
from core.evidence.citations import CitationBook
from core.evidence.evidence import ClauseEvidence, Evidence
from core.evidence.sources import Sources
from core.questions.reading import QuestionReader
from core.questions.routing import route


class HitAnswerer:
    """Quotes the statements of search hits that answer a query best; needs no language model."""

    def __init__(
        self, sources: Sources, reader: QuestionReader, extractive: ExtractiveAnswerer
    ) -> None:
        self._sources = sources
        self._reader = reader
        self._extractive = extractive

    def answer(self, query: str, hits: Sequence[Hit]) -> Answer:
        """An answer whose citations all stand in documents of `hits`; a refusal when none of their
        statements is relevant.

        Raises:
            ModelError: the embedding model cannot be used.
            StoreError: the library cannot be read.
        """
        started = time.perf_counter()
        clauses = self._reader.clauses(query)
        vectors = self._sources.encoder().encode([clause.search_text for clause in clauses])
        evidence = Evidence(
            query,
            tuple(
                ClauseEvidence(clause, vector, tuple(hits))
                for clause, vector in zip(clauses, vectors, strict=True)
            ),
        )
        scope = tuple(dict.fromkeys(hit.document.index for hit in hits))
        book = CitationBook()
        quoted = self._extractive.answer(evidence, self._sources.relevance(scope), book)
        sentences = quoted.sentences
        rated = passage_relevance(book.citations, evidence, quoted.probabilities)
        return Answer(
            question=query,
            read_as=query,
            query_type=route(query),
            refused=not sentences,
            sentences=sentences or (Sentence(prompts.REFUSAL, Support.UNSUPPORTED, ()),),
            citations=book.citations if sentences else (),
            entities=(),
            nearest=(),
            timings_ms={"generate": (time.perf_counter() - started) * 1000},
            model=self._extractive.name,
            session="",
            disclaimer=prompts.CLOSING,
            scope=scope,
            blocks=quoted.blocks,
            may_not_answer=may_not_answer(book.citations, rated),
        )
