"""The state of every store, model and tool, for the System page, the API and the command line."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Protocol

from core.conversations.service import Conversations
from core.documents.library.shelves import ABSTRACTS
from core.documents.store.library import LibraryStore
from core.documents.store.vectors import VectorStore
from core.domain.documents import IndexCounts
from core.domain.encoder import Encoder
from core.domain.health import PartHealth
from core.domain.vectors import VECTOR_INDEXES
from core.encoders.sentence_transformer import BUNDLED
from core.errors import MateriaError, VectorsUnavailable
from core.graph.knowledge import KnowledgeGraph
from core.graph.store import EntityVectors
from core.logs import get_logger
from core.maintenance.stores import Stores
from core.maintenance.vector_gaps import vector_gaps
from core.settings import Settings
from core.stores.sqlite.database import Database

_TOOL_SECONDS = 10.0
_LATEST = 3  # conversations that are looked through for the last answer of a model
_log = get_logger("health")


class ChosenModel(Protocol):
    """The choice of the language model."""

    @property
    def settings(self) -> Settings: ...


class Looked(Protocol):
    """The workspace that is looked at."""

    @property
    def models(self) -> ChosenModel: ...
    @property
    def database(self) -> Database: ...
    @property
    def stores(self) -> Stores: ...
    @property
    def library_store(self) -> LibraryStore: ...
    @property
    def graph(self) -> KnowledgeGraph: ...
    @property
    def entity_vectors(self) -> EntityVectors: ...
    @property
    def vectors(self) -> VectorStore: ...
    @property
    def conversations(self) -> Conversations: ...

    def encoder(self) -> Encoder: ...


@dataclass(frozen=True, slots=True)
class PartState:
    """What a part says of itself."""

    detail: str
    facts: Mapping[str, Any]
    version: str = ""
    latency_ms: float | None = None


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """Asks every part how it is, by a question that costs next to nothing.

    Args:
        is_loaded: whether an embedding model of that name is in memory.
    """

    workspace: Looked
    is_loaded: Callable[[str], bool]

    @property
    def parts(self) -> Mapping[str, Callable[[], PartHealth]]:
        """Name -> what asks the part; it never raises, and may take as long as the part hangs."""
        asked: dict[str, Callable[[], PartState]] = {
            "Library": self._library_state,
            "Full text": self._full_text_state,
            "Knowledge graph": self._graph_state,
            "Vector store": self._vector_state,
            "Conversations": self._conversation_state,
            "Embedding model": self._encoder_state,
            "Language model": self._model_state,
            "PDF reader": _reader_state,
            "Text recognition": self._ocr_state,
        }
        return {name: _asking(name, state, self._address(name)) for name, state in asked.items()}

    @property
    def settings(self) -> Settings:
        return self.workspace.models.settings

    @property
    def library(self) -> LibraryStore:
        return self.workspace.library_store

    def _address(self, name: str) -> str:
        return self.settings.neo4j_uri if name in ("Knowledge graph", "Conversations") else ""

    def _library_state(self) -> PartState:
        counts = {
            index.name: self.library.count_index(index.name) for index in self.library.indexes()
        }
        abstracts = counts.get(ABSTRACTS, IndexCounts()).documents
        latency = _timed(self.library.indexes)
        where = "Neo4j" if self.settings.documents_in_neo4j else "SQLite, embedded"
        facts = {
            "documents": sum(count.documents for count in counts.values()) - abstracts,
            "abstracts": abstracts,
            "pages": sum(count.pages for count in counts.values()),
            "chunks": sum(count.chunks for count in counts.values()),
            "schema version": self.workspace.database.schema_version,
        }
        return PartState(
            where, facts, self._store_version(self.settings.documents_in_neo4j), latency
        )

    def _full_text_state(self) -> PartState:
        names = [index.name for index in self.library.indexes()]
        latency = _timed(lambda: self.library.search_text("dose", names, 1)) if names else None
        own = self.settings.documents_in_neo4j
        where = "Neo4j" if own else "SQLite FTS5, embedded"
        facts = {"rows": self.library.count_text_rows()}
        return PartState(where, facts, self._store_version(own), latency)

    def _conversation_state(self) -> PartState:
        latency = _timed(lambda: self.workspace.conversations.list(limit=1))
        where = "Neo4j" if self.settings.uses_neo4j else "SQLite, embedded"
        return PartState(where, {}, self._store_version(self.settings.uses_neo4j), latency)

    def _store_version(self, on_server: bool) -> str:
        return self.workspace.stores.version() if on_server else f"SQLite {sqlite3.sqlite_version}"

    def _graph_state(self) -> PartState:
        where = (
            f"Neo4j, {self.settings.neo4j_uri}" if self.settings.uses_neo4j else "SQLite, embedded"
        )
        latency = _timed(self.workspace.graph.version)
        counts = self.workspace.graph.counts_by_type()
        facts: dict[str, Any] = {
            "entities": sum(counts.values()),
            "relationships": self.workspace.graph.count_relationships(),
            "entities with text for an embedding": sum(
                counts.get(kind, 0) for kind in VECTOR_INDEXES
            ),
        }
        try:
            facts |= self._entity_vectors()
        except VectorsUnavailable:  # the graph works: the vector store says what is wrong
            facts["embedded entities"] = "not known while the vector store is away"
        return PartState(where, facts, self._store_version(self.settings.uses_neo4j), latency)

    def _entity_vectors(self) -> dict[str, Any]:
        graph, vectors = self.workspace.graph, self.workspace.entity_vectors
        facts: dict[str, Any] = {"embedded entities": sum(vectors.counts().values())}
        gaps = vector_gaps(graph, vectors, model_fits=True)
        if gaps.missing:
            missing = f"{', '.join(gaps.missing)} (python -m core embed-graph)"
            facts["missing vector indexes"] = missing
        return facts

    def _vector_state(self) -> PartState:
        where = (
            f"Chroma server {self.settings.chroma_host}:{self.settings.chroma_port}"
            if self.settings.chroma_host
            else "Chroma, embedded"
        )
        self.workspace.vectors.collections()  # the first time it is opened, which is not its latency
        latency = _timed(self.workspace.vectors.collections)
        counts = {
            index.name: self.workspace.vectors.count(index.collection)
            for index in self.library.indexes()
        }
        facts = {f"vectors in {name}": count for name, count in counts.items()}
        return PartState(where, facts, f"Chroma {_version('chromadb')}", latency)

    def _encoder_state(self) -> PartState:
        name = self.settings.embedding_model
        if name != BUNDLED and not self.is_loaded(name):
            return PartState(f"{name}, loads with the first question", {})
        encoder = self.workspace.encoder()
        loaded = getattr(encoder, "loaded", True)
        runtime = getattr(encoder, "runtime", "torch")
        latency = (
            _timed(lambda: encoder.encode(["dose"])) if loaded and self._is_here(name) else None
        )
        state = "loaded" if loaded else "loads with the first question"
        facts = {
            "runs on": runtime,
            "dimension": encoder.dimension,
            "longest text in tokens": encoder.max_tokens,
        }
        package = "onnxruntime" if "ONNX" in runtime else "sentence-transformers"
        detail = f"{encoder.name}, {encoder.dimension} dimensions, {state}"
        return PartState(detail, facts, f"{package} {_version(package)}", latency)

    def _is_here(self, name: str) -> bool:
        """Whether a model runs on this machine: an endpoint's costs."""
        return not name.startswith("text-embedding-")

    def _model_state(self) -> PartState:
        if not self.settings.uses_language_model:
            return PartState("extractive answers, offline", {})
        where = f"{self.settings.chat_model} ({self.settings.llm_provider})"
        # It is not asked: that could cost. Its last answers say how long it takes.
        facts = {"endpoint": self.settings.chat_base_url or "the provider's own"}
        return PartState(where, facts, latency_ms=self._last_call())

    def _last_call(self) -> float | None:
        """Milliseconds of the last answer that a model wrote, if one of the latest was."""
        known = self.workspace.conversations
        turns = [turn for one in known.list()[:_LATEST] for turn in known.history(one.id)]
        written = [one for one in turns if "model" in one.answer.timings_ms]
        latest = max(written, key=lambda one: one.created_at, default=None)
        return latest.answer.timings_ms["model"] if latest else None

    def _ocr_state(self) -> PartState:
        if not self.settings.ocr:
            return PartState("off (MATERIA_OCR)", {})
        if shutil.which("tesseract") is None:
            return PartState("Tesseract is not installed; pages that are pictures have no text", {})
        started = time.perf_counter()
        asked = ["tesseract", "--version"]
        told = subprocess.run(asked, capture_output=True, timeout=_TOOL_SECONDS, check=False)
        latency = (time.perf_counter() - started) * 1000
        first = (told.stdout or told.stderr).decode(errors="replace").partition("\n")[0]
        languages = self.settings.ocr_languages or "those installed"
        return PartState("Tesseract", {"languages": languages}, first.strip()[:60], latency)


def _reader_state() -> PartState:
    return PartState("pdfium, a process for each file", {}, f"pypdfium2 {_version('pypdfium2')}")


def _asking(name: str, state: Callable[[], PartState], address: str) -> Callable[[], PartHealth]:
    def asked() -> PartHealth:
        where = {"server": address} if address else {}
        try:
            found = state()
        except MateriaError as error:
            facts = {"code": error.code, **where}
            return PartHealth(name, False, error.message, facts, advice=error.advice)
        except Exception as error:  # a page about trouble must not fail with it
            _log.exception("part_not_asked", part=name)
            detail = f"It could not be asked ({type(error).__name__})."
            return PartHealth(name, False, detail, where, advice="The log says more.")
        return PartHealth(
            name, True, found.detail, dict(found.facts), found.version, found.latency_ms
        )

    return asked


def _timed(question: Callable[[], object]) -> float:
    """Milliseconds that an answer takes."""
    started = time.perf_counter()
    question()
    return (time.perf_counter() - started) * 1000


@cache
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
