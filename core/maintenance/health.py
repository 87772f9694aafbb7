"""The state of every store and model, for the System page, the API and the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from core.documents.library.shelves import ABSTRACTS
from core.documents.store.registry import Registry
from core.documents.store.vectors import VectorStore
from core.domain.documents import IndexCounts
from core.domain.encoder import Encoder
from core.domain.health import Health, PartHealth
from core.domain.vectors import VECTOR_INDEXES
from core.encoders.sentence_transformer import BUNDLED
from core.errors import MateriaError
from core.graph.knowledge import KnowledgeGraph
from core.graph.store import EntityVectors
from core.maintenance.vector_gaps import vector_gaps
from core.settings import Settings


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """Asks every part how it is.

    Args:
        is_loaded: whether an embedding model of that name is in memory.
    """

    settings: Settings
    library: Registry
    graph: KnowledgeGraph
    entity_vectors: EntityVectors
    vectors: VectorStore
    encoder: Callable[[], Encoder]
    is_loaded: Callable[[str], bool]
    schema_version: int

    def run(self) -> Health:
        """Every part with its state; never raises."""
        return Health(
            (
                _part("Library", self._library_state),
                _part("Knowledge graph", self._graph_state, self.settings.neo4j_uri),
                _part("Vector store", self._vector_state),
                _part("Embedding model", self._encoder_state),
                _part("Language model", self._model_state),
            )
        )

    def _library_state(self) -> tuple[str, Mapping[str, Any]]:
        counts = {
            index.name: self.library.count_index(index.name) for index in self.library.indexes()
        }
        abstracts = counts.get(ABSTRACTS, IndexCounts()).documents
        where = "Neo4j" if self.settings.documents_in_neo4j else "SQLite, embedded"
        return where, {
            "documents": sum(count.documents for count in counts.values()) - abstracts,
            "abstracts": abstracts,
            "pages": sum(count.pages for count in counts.values()),
            "chunks": sum(count.chunks for count in counts.values()),
            "schema version": self.schema_version,
        }

    def _graph_state(self) -> tuple[str, Mapping[str, Any]]:
        where = (
            f"Neo4j, {self.settings.neo4j_uri}" if self.settings.uses_neo4j else "SQLite, embedded"
        )
        counts = self.graph.counts_by_type()
        facts: dict[str, Any] = {
            "entities": sum(counts.values()),
            "relationships": self.graph.count_relationships(),
            "embedded entities": sum(self.entity_vectors.counts().values()),
            "entities with text for an embedding": sum(
                counts.get(kind, 0) for kind in VECTOR_INDEXES
            ),
        }
        gaps = vector_gaps(self.graph, self.entity_vectors, model_fits=True)
        if gaps.missing:
            facts["missing vector indexes"] = (
                f"{', '.join(gaps.missing)} (python -m core embed-graph)"
            )
        return where, facts

    def _vector_state(self) -> tuple[str, Mapping[str, Any]]:
        where = (
            f"Chroma server {self.settings.chroma_host}:{self.settings.chroma_port}"
            if self.settings.chroma_host
            else "Chroma, embedded"
        )
        counts = {
            index.name: self.vectors.count(index.collection) for index in self.library.indexes()
        }
        return where, {f"vectors in {name}": count for name, count in counts.items()}

    def _encoder_state(self) -> tuple[str, Mapping[str, Any]]:
        name = self.settings.embedding_model
        if name != BUNDLED and not self.is_loaded(name):
            return f"{name}, loads with the first question", {}
        encoder = self.encoder()
        loaded = getattr(encoder, "loaded", True)
        return f"{encoder.name}, {'loaded' if loaded else 'loads with the first question'}", {
            "runs on": getattr(encoder, "runtime", "torch"),
            "dimension": encoder.dimension,
            "longest text in tokens": encoder.max_tokens,
        }

    def _model_state(self) -> tuple[str, Mapping[str, Any]]:
        if not self.settings.uses_language_model:
            return "extractive answers, offline", {}
        return f"{self.settings.chat_model} ({self.settings.llm_provider})", {
            "endpoint": self.settings.chat_base_url or "the provider's own"
        }


def _part(
    name: str, state: Callable[[], tuple[str, Mapping[str, Any]]], address: str = ""
) -> PartHealth:
    try:
        detail, facts = state()
    except MateriaError as error:
        where = {"server": address} if address else {}
        return PartHealth(name, False, str(error), {"code": error.code, **where})
    return PartHealth(name, True, detail, dict(facts))
