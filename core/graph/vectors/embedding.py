"""Vectors of entities: made where texts changed, removed where entities are gone, searched by type."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.encoder import Encoder
from core.domain.graph import EmbedReport, Entity
from core.domain.vectors import VECTOR_INDEXES, EntityVector, Vector
from core.errors import InputError, ModelError
from core.graph.knowledge import KnowledgeGraph
from core.graph.store import EntityVectors
from core.graph.vectors.texts import (
    MOST_RELATED,
    RELATED_TYPES,
    entity_text,
    model_mark,
    text_hash,
)
from core.logs import get_logger

EMBEDDED_TYPES = tuple(VECTOR_INDEXES)
_READ = 500  # entities read from the store at a time
_BATCH = 64  # texts embedded and written at a time: what a stop or a failure loses
_GIVEN_UP_AFTER = 3  # batches that failed one after the other: the model is not there
# US dollars for a million tokens, https://platform.openai.com/docs/pricing (2025)
_PRICES = {"text-embedding-3-small": 0.02, "text-embedding-3-large": 0.13}
_log = get_logger("embedding")


@dataclass(slots=True)
class _Tally:
    processed: int = 0
    unchanged: int = 0
    failed: int = 0
    failed_in_a_row: int = 0
    tokens: int = 0
    changed: list[tuple[Entity, str]] = field(default_factory=list)

    @property
    def done(self) -> int:
        return self.processed + self.unchanged + self.failed


@dataclass(frozen=True, slots=True)
class EntityEmbedder:
    """Keeps the vectors of a graph's entities in step with the entities.

    Args:
        encoder: called at the start of a run; may load the model.
    """

    graph: KnowledgeGraph
    vectors: EntityVectors
    encoder: Callable[[], Encoder]

    def run(
        self,
        types: Sequence[str] = EMBEDDED_TYPES,
        report: Callable[[int, int], None] = lambda _done, _total: None,
        check: Callable[[], None] = lambda: None,
    ) -> EmbedReport:
        """Embed the entities whose text changed, the most important first; forget those that are gone.

        Each batch is kept as soon as it is made, so that a run that was stopped is gone on with by
        the next. A batch that the model refuses is counted and the others go on, until three in a
        row have failed. Vectors of another model or dimension are all removed first.

        Args:
            types: of `EMBEDDED_TYPES`; vectors of the others stay as they are.
            report: (entities done, all entities).
            check: called before each batch; what it raises ends the run.

        Raises:
            InputError: a type whose entities are not embedded (``UNKNOWN_TYPE``).
            ModelError: the model cannot be loaded.
            StoreError: the graph or the vectors cannot be read or written.
        """
        started = time.perf_counter()
        _require_embedded(types)
        encoder = self.encoder()
        self.vectors.ensure(encoder.dimension)
        known = self.vectors.hashes()
        present = self._present()
        removed = self._forget(known, present, model_mark(encoder.name))
        ids = [entity_id for entity_id, kind in present.items() if kind in types]
        tally = _Tally()
        for entities in self._read(ids):
            for entity, text in self._texts(entities):
                if known.get(entity.id) == text_hash(text, encoder.name):
                    tally.unchanged += 1
                    continue
                tally.changed.append((entity, text))
                if len(tally.changed) == _BATCH:
                    check()
                    self._embed(encoder, tally)
                    report(tally.done, len(ids))
            check()
            report(tally.done, len(ids))
        self._embed(encoder, tally)
        self.vectors.settle(tally.processed)
        report(tally.done, len(ids))
        return EmbedReport(
            total=tally.done,
            processed=tally.processed,
            unchanged=tally.unchanged,
            removed=removed,
            failed=tally.failed,
            tokens=tally.tokens,
            cost_usd=tally.tokens * _PRICES.get(encoder.name, 0.0) / 1_000_000,
            seconds=time.perf_counter() - started,
        )

    def _present(self) -> dict[str, str]:
        """Entity id -> type of all that are to have a vector, the most important first."""
        graph = self.graph.projection()
        names = graph.entity_types
        return {
            entity_id: names[code]
            for entity_id, code in zip(graph.ids, graph.entity_codes.tolist(), strict=True)
            if names[code] in VECTOR_INDEXES
        }

    def _forget(self, known: Mapping[str, str], present: Mapping[str, str], mark: str) -> int:
        """Remove vectors of entities that are gone, and of another model: it would rank wrongly in
        silence. The number of those that are gone."""
        gone = [entity_id for entity_id in known if entity_id not in present]
        foreign = [
            entity_id
            for entity_id, text in known.items()
            if entity_id in present and not text.startswith(mark)
        ]
        if gone or foreign:
            self.vectors.remove([*gone, *foreign])
        return len(gone)

    def _read(self, ids: Sequence[str]) -> Iterator[list[Entity]]:
        for start in range(0, len(ids), _READ):
            yield list(self.graph.entities(ids[start : start + _READ]).values())

    def _texts(self, entities: Sequence[Entity]) -> Iterator[tuple[Entity, str]]:
        related = self._related([one.id for one in entities if one.type == "Protein"])
        for entity in entities:
            yield entity, entity_text(entity, related.get(entity.id, ()))

    def _related(self, ids: Sequence[str]) -> dict[str, list[Entity]]:
        """The most important neighbours of each id, `MOST_RELATED` of each type at least."""
        found: dict[str, list[Entity]] = {entity_id: [] for entity_id in ids}
        for kind in RELATED_TYPES:
            for fact in self.graph.neighbours(ids, MOST_RELATED, neighbour_types=[kind]):
                for own, other in ((fact.source, fact.target), (fact.target, fact.source)):
                    if own.id in found and other.type == kind:
                        found[own.id].append(other)
        for others in found.values():
            others.sort(key=lambda one: (-one.importance, one.name, one.id))
        return found

    def _embed(self, encoder: Encoder, tally: _Tally) -> None:
        batch, tally.changed = tally.changed, []
        if not batch:
            return
        if tally.failed_in_a_row >= _GIVEN_UP_AFTER:
            tally.failed += len(batch)
            return
        texts = [text for _, text in batch]
        try:
            vectors = encoder.encode(texts)
            counted = encoder.count_tokens(texts)
        except ModelError as error:
            _log.warning("entities_not_embedded", code=error.code, entities=len(batch))
            tally.failed += len(batch)
            tally.failed_in_a_row += 1
            return
        self.vectors.put(
            [
                EntityVector(entity.id, entity.type, text_hash(text, encoder.name), vector)
                for (entity, text), vector in zip(batch, vectors, strict=True)
            ]
        )
        tally.tokens += sum(min(count, encoder.max_tokens) for count in counted)
        tally.processed += len(batch)
        tally.failed_in_a_row = 0


def similar_entities(
    vectors: EntityVectors,
    vector: Vector,
    limit: int,
    types: Sequence[str] = EMBEDDED_TYPES,
) -> list[tuple[str, float]]:
    """Entity ids with their cosine similarity in [-1, 1], the most similar of all types first.

    Args:
        vector: of length 1, made with the model that the entities were embedded with.

    Raises:
        StoreError: an index is missing (``VECTOR_INDEX_MISSING``) or cannot be read.
    """
    found = [pair for kind in types for pair in vectors.query(vector, kind, limit)]
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:limit]


def _require_embedded(types: Sequence[str]) -> None:
    unknown = [kind for kind in types if kind not in VECTOR_INDEXES]
    if unknown:
        raise InputError(
            f"Entities of the type “{unknown[0][:80]}” are not embedded.",
            advice=f"Those of these types are: {', '.join(EMBEDDED_TYPES)}.",
            code="UNKNOWN_TYPE",
        )
