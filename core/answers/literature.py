"""An answer from the passages of one search, and from nothing else (AX-10)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from core.answers import prompts
from core.answers.extractive import ExtractiveAnswerer
from core.documents.encoder import Encoder
from core.documents.store.library import SearchStore
from core.domain.answers import Answer, Sentence, Support
from core.domain.documents import Hit
from core.domain.graph import Entity
from core.evidence.evidence import CitationBook, ClauseEvidence, Evidence
from core.evidence.passages import PassageReader
from core.evidence.relevance import Relevance
from core.questions.clauses import read_clauses
from core.questions.routing import route


class HitAnswerer:
    """Quotes the statements of search hits that answer a query best; needs no language model.

    Args:
        find_entities: entities named in a text, in the order of their places.
        entities_in: ids of the entities named in a text.
        threshold: relevance below which a statement is not evidence.
    """

    def __init__(
        self,
        library: SearchStore,
        encoder: Callable[[], Encoder],
        find_entities: Callable[[str], Sequence[Entity]],
        entities_in: Callable[[str], set[str]],
        threshold: float,
    ) -> None:
        self._library = library
        self._encoder = encoder
        self._find_entities = find_entities
        self._entities_in = entities_in
        self._threshold = threshold

    def answer(self, query: str, hits: Sequence[Hit]) -> Answer:
        """An answer whose citations all stand in documents of `hits`; a refusal when none of their
        statements is relevant.

        Raises:
            ModelError: the embedding model cannot be used.
            StoreError: the library cannot be read.
        """
        started = time.perf_counter()
        encoder = self._encoder()
        clauses = read_clauses(query, self._find_entities)
        vectors = encoder.encode([clause.search_text for clause in clauses])
        evidence = Evidence(
            query,
            tuple(
                ClauseEvidence(clause, vector, tuple(hits))
                for clause, vector in zip(clauses, vectors, strict=True)
            ),
        )
        scope = tuple(dict.fromkeys(hit.document.index for hit in hits))
        book = CitationBook()
        sentences = ExtractiveAnswerer(
            self._encoder,
            self._entities_in,
            PassageReader(self._library),
            Relevance(self._library, scope, encoder.count_tokens),
            self._threshold,
        ).answer(evidence, book)
        return Answer(
            question=query,
            read_as=query,
            query_type=route(query),
            refused=not sentences,
            sentences=tuple(sentences) or (Sentence(prompts.REFUSAL, Support.UNSUPPORTED, ()),),
            citations=book.citations if sentences else (),
            entities=(),
            nearest=(),
            timings_ms={"generate": (time.perf_counter() - started) * 1000},
            model=ExtractiveAnswerer.name,
            session="",
            disclaimer=prompts.CLOSING,
            scope=scope,
        )
