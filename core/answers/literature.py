"""An answer from the passages of one search, and from nothing else (AX-10); and what in them matched."""

from __future__ import annotations

import time
from collections.abc import Sequence

from core.answers import prompts
from core.answers.confidence import may_not_answer, passage_relevance
from core.answers.draft import Draft
from core.answers.generation import AnswerGenerator, returned
from core.domain.answers import Answer, Sentence, Support
from core.domain.documents import Hit
from core.domain.stopping import StopSignal
from core.evidence.evidence import ClauseEvidence, Evidence
from core.evidence.reading.interaction import best_cosines
from core.evidence.sources import Sources
from core.questions.reading import QuestionReader
from core.questions.routing import route


class HitAnswerer:
    """Answers from search hits: the statements that answer a query best, or what the language model
    writes from the hits.

    Args:
        generator: one that tells nothing of the graph.
    """

    def __init__(
        self, sources: Sources, reader: QuestionReader, generator: AnswerGenerator
    ) -> None:
        self._sources = sources
        self._reader = reader
        self._generator = generator

    def answer(self, query: str, hits: Sequence[Hit], *, model_only: bool = False) -> Answer:
        """An answer whose citations all stand in documents of `hits`; a refusal when none of their
        statements is relevant, without a call of the language model. When the model fails, the answer
        quotes, and says why in its notice.

        Args:
            model_only: no quotes stand in the place of a language model that fails.

        Raises:
            ModelError: the embedding model cannot be used; with `model_only`, or the language model.
            StoreError: the library cannot be read.
        """
        with self._sources.tokens.asking():
            return self._answered(query, hits, model_only)

    def _answered(self, query: str, hits: Sequence[Hit], model_only: bool) -> Answer:
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
        draft = self._draft(evidence, scope, model_only)
        sentences = draft.sentences
        rated = passage_relevance(draft.citations, evidence, draft.probabilities)
        return Answer(
            question=query,
            read_as=query,
            query_type=route(query),
            refused=not sentences,
            sentences=sentences or (Sentence(prompts.REFUSAL, Support.UNSUPPORTED, ()),),
            citations=draft.citations if sentences else (),
            entities=(),
            nearest=(),
            timings_ms={"generate": (time.perf_counter() - started) * 1000},
            model=draft.model,
            session="",
            disclaimer=prompts.CLOSING,
            notice=draft.notice,
            usage=draft.usage,
            failure=draft.failure,
            scope=scope,
            blocks=draft.blocks,
            may_not_answer=may_not_answer(sentences, draft.citations, rated),
        )

    def _draft(self, evidence: Evidence, scope: tuple[str, ...], model_only: bool) -> Draft:
        return returned(
            self._generator.generate(
                evidence,
                self._sources.relevance(scope),
                (),
                StopSignal(),
                model_only=model_only,
            )
        )

    def sentences(self, query: str, hits: Sequence[Hit]) -> dict[str, tuple[int, int]]:
        """Chunk id -> the statement of the chunk that is nearest to the query, as offsets of the page's
        text, end exclusive; chunks without a statement are left out.

        Nearness is late interaction, as in `core.evidence.signals`.

        Raises:
            ModelError, StoreError: the embedding model or the library cannot be used.
        """
        with self._sources.tokens.asking():
            reader = self._sources.passages()
            question = self._sources.tokens.question(query)
            found = {}
            for hit in hits:
                quotes = reader.quotes(hit)
                if quotes:
                    read = self._sources.tokens.statements(quotes)
                    best = quotes[int(best_cosines(question, read).mean(axis=1).argmax())]
                    found[hit.chunk.id] = (best.start, best.end)
            return found
