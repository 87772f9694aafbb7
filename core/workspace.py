"""The composition root: opens stores and models from settings; all that pages, API and CLI are handed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from filelock import FileLock

from core.answers.chat import ChatLimits, ChatService
from core.answers.model import OpenAIModel
from core.answers.retrieval import EvidenceFinder
from core.conversations.service import Conversations
from core.documents.abstracts import AbstractsImport
from core.documents.encoder import Encoder, mismatch
from core.documents.extract import ExtractLimits
from core.documents.indexes import Indexes
from core.documents.jobs import JobControl, JobRunner
from core.documents.library import ABSTRACTS, Library, Source
from core.documents.submissions import Submissions
from core.documents.tasks import Tasks
from core.documents.verify import Verifier
from core.domain.documents import Index, IndexCounts
from core.domain.graph import Entity, ImportReport, Mention
from core.domain.health import Health, Part
from core.domain.jobs import Job, JobProgress
from core.encoders.sentence_transformer import BUNDLED, make_encoder
from core.errors import MateriaError, ModelError
from core.graph.importer import import_graph
from core.graph.linker import LinkerCache, count_mentions
from core.logs import configure, get_logger
from core.search.retriever import Retriever
from core.settings import Settings, load_settings
from core.stores.chroma import ChromaVectors
from core.stores.sqlite import (
    Database,
    SqliteConversations,
    SqliteGraph,
    SqliteJobs,
    SqliteLibrary,
)
from core.writer_lock import take_lock, unusable

SAMPLE = Path(__file__).resolve().parents[1] / "data"
# Empty files in the data folder: the second says that a load was begun and must be finished.
_SAMPLE_DONE = "sample-loaded"
_SAMPLE_BEGUN = "sample-begun"
_UPLOADS = "uploads"
SAMPLE_JOB = "sample"
# Importing torch would take the processor from the first page, which needs about two seconds.
_FIRST_PAGE_SECONDS = 3.0
_log = get_logger("workspace")


class Workspace:
    """Every service of one data folder.

    Opening one is cheap: Chroma, the embedding model and the language model open on first use.

    Args:
        writer: take the folder's writer lock, roll back what a crash left, and allow ingestion.
            One process at a time can; embedded Chroma is not made for two writers.

    Raises:
        Conflict: `writer`, and another process has the lock (``LIBRARY_IN_USE``).
        StoreError: the database cannot be opened.
    """

    def __init__(self, settings: Settings, *, writer: bool = True) -> None:
        self.settings = settings
        root = settings.root
        self._lock: FileLock | None = take_lock(root) if writer else None
        self._encoder_lock = threading.Lock()
        self._encoders: dict[str, Encoder] = {}
        self._warming = False
        self.database = Database(root / "materia.db")
        self.library_store = SqliteLibrary(self.database)
        self.graph = SqliteGraph(self.database)
        self.vectors = ChromaVectors(root / "chroma", settings.chroma_host, settings.chroma_port)
        self._linkers = LinkerCache(self.graph)
        self.library = Library(
            self.library_store,
            self.vectors,
            self.encoder,
            lambda text: count_mentions(self._linkers.linker().find(text)),
            root,
            ExtractLimits(
                seconds=settings.extract_seconds,
                memory_mb=settings.extract_memory_mb,
                max_pages=settings.max_pages,
                ocr=settings.ocr,
                ocr_seconds=settings.ocr_seconds,
                ocr_languages=settings.ocr_languages,
            ),
            settings.max_file_mb * 1_000_000,
        )
        self.retriever = Retriever(
            self.library_store, self.vectors, self.encoder, settings.dense_weight, self.encoder_of
        )
        self.conversations = Conversations(SqliteConversations(self.database))
        self.indexes = Indexes(self.library)
        self.verifier = Verifier(self.library)
        self._tasks = Tasks(self.library, self.indexes, root / _UPLOADS)
        self.jobs = JobRunner(
            {**self._tasks.handlers(), SAMPLE_JOB: self._sample_job},
            SqliteJobs(self.database) if writer else None,
            self._tasks.forget,
        )
        self.submissions = Submissions(self.jobs, self._tasks, self.indexes)
        self.chat = self._chat()
        self.recovered: list[str] = []
        self.resumed: list[Job] = []
        if writer:
            self._recover()

    def _chat(self) -> ChatService:
        settings = self.settings
        finder = EvidenceFinder(
            library=self.library_store,
            graph=self.graph,
            retriever=self.retriever,
            encoder=self.encoder,
            entities_in=self.entity_ids_in,
            top_k=settings.top_k,
            candidates=settings.candidates,
            per_entity=settings.neighbours_per_entity,
            limit=settings.expansion_limit,
        )
        return ChatService(
            finder,
            self.entities_in,
            self.conversations,
            OpenAIModel(settings) if settings.uses_language_model else None,
            self._answer_scope,
            ChatLimits(
                settings.relevance_threshold,
                settings.max_question_chars,
                settings.history_turns,
                settings.max_entities,
            ),
        )

    def _answer_scope(self) -> tuple[str, ...]:
        """Answers come from every index but the abstracts, which have a page of their own."""
        return tuple(
            index.name for index in self.library_store.indexes() if index.name != ABSTRACTS
        )

    # -- models ------------------------------------------------------------------------------------

    def encoder(self) -> Encoder:
        """The configured embedding model.

        Raises:
            ModelError: it cannot be loaded.
        """
        return self._encoder_named(self.settings.embedding_model)

    def encoder_of(self, index: Index) -> Encoder:
        """The model that an index was made with, configured or not.

        Raises:
            EmbeddingMismatch: it is not the configured one and cannot be loaded.
        """
        configured = self.encoder()
        if configured.name == index.model:
            return configured
        try:
            return self._encoder_named(index.model)
        except ModelError as error:
            raise mismatch(index, configured) from error

    def _encoder_named(self, name: str) -> Encoder:
        with self._encoder_lock:
            if name not in self._encoders:
                self._encoders[name] = make_encoder(name, self.settings.models)
            return self._encoders[name]

    def warm_up(self) -> None:
        """Load the embedding model in the background, once, so that no question need wait for it."""
        with self._encoder_lock:
            if self._warming:
                return
            self._warming = True

        def load() -> None:
            try:
                started = time.perf_counter()
                self.encoder().encode(["warm-up"])
                _log.info("warmed_up", seconds=round(time.perf_counter() - started, 1))
            except MateriaError as error:
                _log.warning("warm_up_failed", code=error.code)

        threading.Thread(target=load, name="warm-up", daemon=True).start()

    # -- entities in text --------------------------------------------------------------------------

    def entities_in(self, text: str) -> list[Entity]:
        """Entities named in a text, in the order of their first place."""
        ids = list(
            dict.fromkeys(mention.entity_id for mention in self._linkers.linker().find(text))
        )
        found = self.graph.entities(ids)
        return [found[entity_id] for entity_id in ids if entity_id in found]

    def mentions_in(self, text: str) -> list[Mention]:
        """Places where a text names entities, in order."""
        return self._linkers.linker().find(text)

    def entity_ids_in(self, text: str) -> set[str]:
        """Ids of the entities named in a text."""
        return {mention.entity_id for mention in self._linkers.linker().find(text)}

    # -- in ----------------------------------------------------------------------------------------

    def import_graph(self, folder: Path) -> ImportReport:
        """Import a graph folder, then link every passage to its entities anew."""
        report = import_graph(folder, self.graph)
        self.relink()
        return report

    def relink(self) -> int:
        """Find entities in all chunks again; the number of chunks."""
        linker = self._linkers.linker()
        mentions = {
            chunk.id: count_mentions(linker.find(chunk.text))
            for chunk in self.library_store.all_chunks()
        }
        self.library_store.replace_mentions(mentions)
        return len(mentions)

    # -- the sample --------------------------------------------------------------------------------

    @property
    def sample_pending(self) -> bool:
        """Whether the sample is to be loaded: it is wanted, and the library is empty or was
        interrupted while loading it. A library that somebody filled is left alone."""
        root = self.settings.root
        if not self.settings.sample or (root / _SAMPLE_DONE).exists():
            return False
        return (root / _SAMPLE_BEGUN).exists() or self.is_empty

    @property
    def is_empty(self) -> bool:
        """Whether there is neither a document nor an entity."""
        return not self.library_store.has_documents() and not self.graph.counts_by_type()

    def submit_sample(self) -> str | None:
        """Queue the loading of the sample; None when it is there already or not wanted."""
        if not self.sample_pending:
            return None
        # Not kept: whether the sample is still to be loaded, the data folder says.
        return self.jobs.submit(SAMPLE_JOB, "Sample library", keep=False)

    def _sample_job(self, control: JobControl) -> str:
        control.report(JobProgress("getting ready"))
        time.sleep(_FIRST_PAGE_SECONDS)
        return self.load_sample(control.report)

    def load_sample(self, report: Callable[[JobProgress], None] = lambda _progress: None) -> str:
        """Load graph, leaflets and abstracts of `data/`; what is there already is kept.

        Returns what was loaded, in words.

        Raises:
            MateriaError: a part of it could not be loaded.
        """
        (self.settings.root / _SAMPLE_BEGUN).touch()
        report(JobProgress("importing the graph"))
        import_graph(SAMPLE / "graph", self.graph)
        files = sorted((SAMPLE / "leaflets").glob("*.pdf"))
        sources = [Source(path, path.name) for path in files]
        steps = len(files) + 1
        for number, result in enumerate(self.library.ingest_many(sources)):
            if result.state != "ready":
                raise MateriaError(result.message, code=result.code)
            read = number + 1
            report(JobProgress("reading leaflets", result.file, read, steps, fraction=read / steps))
        report(
            JobProgress("embedding abstracts", "", len(files), steps, fraction=len(files) / steps)
        )
        abstracts = AbstractsImport(self.library).run(SAMPLE / "abstracts" / "arxivData.json")
        (self.settings.root / _SAMPLE_DONE).touch()
        return (
            f"{len(files)} leaflets, {abstracts.added + abstracts.known} abstracts and the sample graph "
            "are ready."
        )

    # -- state -------------------------------------------------------------------------------------

    def health(self) -> Health:
        """Every part with its state; never raises."""
        return Health(
            (
                _part("Library and graph store", self._database_state),
                _part("Vector store", self._vector_state),
                _part("Embedding model", self._encoder_state),
                _part("Language model", self._model_state),
            )
        )

    def _database_state(self) -> tuple[str, Mapping[str, Any]]:
        counts = {
            index.name: self.library_store.count_index(index.name)
            for index in self.library_store.indexes()
        }
        abstracts = counts.get(ABSTRACTS, IndexCounts()).documents
        return "SQLite, embedded", {
            "documents": sum(count.documents for count in counts.values()) - abstracts,
            "abstracts": abstracts,
            "pages": sum(count.pages for count in counts.values()),
            "chunks": sum(count.chunks for count in counts.values()),
            "entities": sum(self.graph.counts_by_type().values()),
            "relationships": self.graph.count_relationships(),
            "schema version": self.database.schema_version,
        }

    def _vector_state(self) -> tuple[str, Mapping[str, Any]]:
        where = (
            f"Chroma server {self.settings.chroma_host}:{self.settings.chroma_port}"
            if self.settings.chroma_host
            else "Chroma, embedded"
        )
        counts = {
            index.name: self.vectors.count(index.collection)
            for index in self.library_store.indexes()
        }
        return where, {f"vectors in {name}": count for name, count in counts.items()}

    def _encoder_state(self) -> tuple[str, Mapping[str, Any]]:
        name = self.settings.embedding_model
        if name not in self._encoders and name != BUNDLED:
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
            return "extractive answers, offline (no key is set)", {}
        return f"{self.settings.chat_model} ({self.settings.llm_provider})", {
            "endpoint": self.settings.chat_base_url or "the provider's own"
        }

    def _recover(self) -> None:
        try:
            self.recovered = self.library.recover()
            self._tasks.forget_unknown({job.id for job in SqliteJobs(self.database).jobs()})
        except MateriaError as error:
            # The rows stay invisible; System shows the broken store, the next start tries again.
            _log.warning("recovery_postponed", code=error.code)

    def resume_jobs(self) -> None:
        """Begin again what the last process left queued or running (the server does, at its start)."""
        self.resumed = self.jobs.resume()

    def close(self) -> None:
        """Stop the running job (the next start goes on with it), close files, give the lock back."""
        self.jobs.close()
        self.database.close()
        if self._lock is not None:
            self._lock.release()


def _part(name: str, state: Callable[[], tuple[str, Mapping[str, Any]]]) -> Part:
    try:
        detail, facts = state()
    except MateriaError as error:
        return Part(name, False, str(error), {"code": error.code})
    return Part(name, True, detail, dict(facts))


def open_workspace(
    settings: Settings | None = None, *, writer: bool = True, log_to_file: bool = True
) -> Workspace:
    """A workspace from settings (the environment's when None), with logging set up."""
    settings = settings or load_settings()
    try:
        configure(settings.root / "logs" if log_to_file else None, settings.log_level)
    except OSError as error:
        raise unusable(error) from error
    return Workspace(settings, writer=writer)


_shared: Workspace | None = None
_shared_lock = threading.Lock()


def shared_workspace() -> Workspace:
    """The server's one workspace, for pages and API alike; opened on first use."""
    global _shared
    with _shared_lock:
        if _shared is None:
            _shared = open_workspace()
        return _shared


def share_workspace(workspace: Workspace | None) -> None:
    """Make an open workspace the server's one (for embedding, and for tests of the pages)."""
    global _shared
    with _shared_lock:
        _shared = workspace


def close_shared_workspace() -> None:
    """Close the server's workspace, if it was opened."""
    global _shared
    with _shared_lock:
        if _shared is not None:
            _shared.close()
            _shared = None
