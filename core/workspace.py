"""The composition root: opens stores and models from settings; all that pages, API and CLI are handed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import cast

from filelock import FileLock

from core.answers.asking.limits import ChatLimits
from core.answers.chat import ChatService
from core.answers.extractive import ExtractiveAnswerer
from core.answers.generation import AnswerGenerator
from core.answers.literature import HitAnswerer
from core.answers.provenance.earlier import EarlierAnswers
from core.answers.provenance.tracing import Tracer
from core.boards.boards import Boards
from core.conversations.exporting.exports import Exports
from core.conversations.failover import FailoverConversations
from core.conversations.limits import Limits
from core.conversations.recall import Recall
from core.conversations.service import Conversations
from core.conversations.store import ConversationStore
from core.documents.jobs.control import JobControl
from core.documents.jobs.runner import JobRunner
from core.documents.jobs.submissions import Submissions
from core.documents.jobs.tasks import Tasks
from core.documents.library.catalogue import Catalogue
from core.documents.library.indexes import Indexes
from core.documents.library.library import Library
from core.documents.library.loaded_encoders import LoadedEncoders
from core.documents.library.shelves import answered_from
from core.documents.library.verify import Verifier
from core.documents.reading.extract import ExtractLimits
from core.domain.encoder import Encoder, TokenEncoder
from core.domain.health import Health
from core.domain.jobs import Job
from core.encoders.cross_encoder import CrossEncoderReranker
from core.encoders.sentence_transformer import BUNDLED
from core.evaluation.evaluator import EVALUATE, Evaluator
from core.evidence.reading.ahead import ReadAhead
from core.evidence.reading.statement_tokens import StatementTokens
from core.evidence.retrieval import EvidenceFinder
from core.evidence.sources import Sources
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.graph.vectors.embedding import EntityEmbedder
from core.graph.views.service import SavedViews
from core.llm.choice import ModelSelector
from core.logs import configure
from core.maintenance.backup.jobs import UpkeepJobs
from core.maintenance.backup.restoring import before_opening
from core.maintenance.deletion import Deletion
from core.maintenance.entity_links import LINKS, EntityLinks
from core.maintenance.graph_tasks import GraphTasks
from core.maintenance.postponed import (
    CONVERSATIONS,
    REMOVALS,
    RESERVE,
    Postponed,
    ask_stores,
    recover,
    tidy,
)
from core.maintenance.sample import SAMPLE_JOB, Sample
from core.maintenance.state.parts import HealthCheck
from core.maintenance.state.watch import HealthWatch
from core.maintenance.stores import (
    PENDING_TURNS,
    Stores,
    chunk_vectors,
    connect,
    embedded_stores,
    job_runner,
    kept_files,
    neo4j_stores,
)
from core.maintenance.warming import read_word_lists, ready_to_search, warm_up
from core.questions.reading import QuestionReader
from core.reserve import Reserve
from core.runs import AnswerRuns
from core.search.retriever import Retriever
from core.settings import Settings, load_settings
from core.stores.sqlite.conversations import SqliteConversations
from core.stores.sqlite.counter import Counter
from core.stores.sqlite.database import Database
from core.stores.sqlite.jobs import SqliteJobs
from core.stores.sqlite.waiting_quotes import WaitingQuotes
from core.suggestions.service import Suggestions
from core.writer_lock import take_lock, unusable


class Workspace:
    """Every service of one data folder.

    Opening one is cheap: Chroma, Neo4j, the embedding model and the language model open on first use.

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
        before_opening(settings, writer=writer)
        self._encoders = LoadedEncoders.of(settings)
        self._warming = threading.Lock()  # for good: by the first warm-up
        self.reserve = Reserve(root, settings.reserve_mb)
        self.database = Database(root / "materia.db", make_room=self.reserve.give_way)
        self._pending: Database | None = None
        self._open_stores()
        self.names = EntityNames(self.graph)
        self.links = EntityLinks(
            self.graph, self.names, self.library_store, Counter(self.database, "linked_version")
        )
        self._open_library()
        self._open_jobs(kept=writer)
        self.models = ModelSelector(settings, root / "language_model.json")
        self._open_answers()
        self.postponed = Postponed(
            {
                RESERVE: self.reserve.take,
                REMOVALS: self.jobs.of_leader(self.library.finish_removals),
                CONVERSATIONS: partial(tidy, self.deletion, self.conversations),
                SAMPLE_JOB: self.jobs.of_leader(lambda: self.sample.submit(self.jobs)),
                LINKS: self.jobs.of_leader(self.graph_tasks.link_what_came_in),
            }
        )
        self.watch = HealthWatch(HealthCheck(self, self._encoders.__contains__).parts)
        self.recovered: list[str] = []
        self.resumed: list[Job] = []
        if writer:
            self.reserve.let_go = partial(self.postponed.ask, RESERVE)
            self.reserve.let_go()
            self.library.removal.put_off = partial(self.postponed.ask, REMOVALS)
            on_server = settings.documents_in_neo4j
            self.recovered = self.jobs.when_leading(partial(recover, self.library, on_server))
            self.postponed.try_now(CONVERSATIONS)

    def _open_stores(self) -> None:
        """Which store keeps what: see `Settings.neo4j_uri` and `Settings.documents_in_neo4j`."""
        settings = self.settings
        self._embedded = embedded = embedded_stores(settings, self.database, self.reserve.give_way)
        self.stores: Stores = embedded
        conversations: ConversationStore = embedded.conversations
        if settings.uses_neo4j:
            self.stores = neo4j_stores(connect(settings))
            conversations = FailoverConversations(self.stores.conversations, self._outage_turns)
        of_documents = self.stores if settings.documents_in_neo4j else embedded
        self.library_store = of_documents.library
        self.graph = KnowledgeGraph(self.stores.graph)
        self.entity_vectors = self.stores.entity_vectors
        self.recall = Recall(
            conversations,
            self.encoder,
            lambda: self.sources.tokens.is_quiet and not self.jobs.busy,
            lambda: self._encoders.is_ready(settings.embedding_model),
            Counter(self.database, "recall_off"),
            allowed=settings.recall,
        )
        self.conversations = Conversations(
            conversations,
            Limits.of(settings),
            lambda: {run.session for run in self.runs.active()},
            self.recall.wake,
        )
        self.exports = Exports(conversations, self.library_store, self.recall.wake, self.graph)
        self.views = SavedViews(self.stores.views, self.graph)

    def _outage_turns(self) -> ConversationStore:
        if self._pending is None:
            self._pending = Database(self.settings.root / PENDING_TURNS)
        return SqliteConversations(self._pending)

    def _open_library(self) -> None:
        settings = self.settings
        self.vectors = chunk_vectors(settings, self.database)
        self.library = Library(
            self.library_store,
            self.vectors,
            self.encoder,
            self.links.count,
            kept_files(settings),
            ExtractLimits.of(settings),
            settings.max_file_mb * 1_000_000,
            self.links.medicines,
            self._embedded.token_vectors,
            self.reserve.ask,
            self._encoders,
        )
        self.retriever = Retriever(
            self.library_store,
            self.vectors,
            self.encoder,
            settings.dense_weight,
            lambda index: self._encoders.of_index(index, self.encoder()),
            CrossEncoderReranker(settings.reranker, remote_code=settings.reranker_remote_code)
            if settings.reranker
            else None,
            settings.rerank_candidates,
            settings.diversity_lambda,
        )
        self.catalogue, self.indexes = Catalogue(self.library_store), Indexes(self.library)
        self.verifier = Verifier(self.library)
        self.sample = Sample(self.library, self.graph, self.links, settings.root, settings.sample)

    def _open_jobs(self, *, kept: bool) -> None:
        """The job runner with all handlers; `kept` jobs outlive the process."""
        self._tasks = Tasks(self.library, self.indexes, self.settings.root / "uploads")
        self.graph_tasks = GraphTasks(
            self.graph,
            self.links,
            self.entity_vectors,
            EntityEmbedder(self.graph, self.entity_vectors, self.encoder),
            self.settings.embedding_model,
            Counter(self.database, "embedded_with"),
            self._tasks.folder_of,
        )
        self.upkeep = UpkeepJobs(self, Workspace)
        kept_jobs = SqliteJobs(self.database) if kept else None
        handlers = {
            **self._tasks.handlers(),
            **self.graph_tasks.handlers(),
            SAMPLE_JOB: self._sample_job,
            EVALUATE: Evaluator(self).job,
            **self.upkeep.handlers(),
        }
        self.jobs: JobRunner = job_runner(
            self.settings, self.stores, handlers, kept_jobs, self._tasks
        )
        self.jobs.is_short = self.upkeep.or_short(self._tasks.is_short)
        self.jobs.met = self.reserve.note
        self.jobs.ask_stores = partial(ask_stores, self.reserve, self.vectors, self.library.files)
        self.graph_tasks.jobs = self.jobs
        self.submissions = Submissions(self.jobs, self._tasks, self.indexes)

    def _open_answers(self) -> None:
        settings = self.settings
        # What was learned was learned over the bundled model's vectors, whatever is configured.
        bundled = cast(Callable[[], TokenEncoder], partial(self._encoders.get, BUNDLED))
        reader = QuestionReader.over(self.library_store, self.graph, self.names, bundled)
        self.sources = Sources(
            self.library_store,
            self.graph,
            self.names,
            self.encoder,
            StatementTokens(self.library.tokens, bundled, self.library_store.present),
            reader.leaflets,
        )
        tokens, blocks = self.sources.tokens, self.sources.blocks
        self.read_ahead = ReadAhead(self.library_store, tokens, blocks, lambda: self.jobs.busy)
        self.jobs.over = lambda: self.postponed.after_job(self.links, self.read_ahead.wake)
        self.corrections, self._reader = reader.corrections, reader
        generator = partial(
            AnswerGenerator,
            self.sources,
            ExtractiveAnswerer(self.sources, settings.relevance_threshold),
            lambda: self.models.current,
            min(settings.llm_relevance_threshold, settings.relevance_threshold),
        )
        finder = EvidenceFinder.of(
            settings,
            self.sources,
            self.retriever,
            lambda vector: self.graph_tasks.similar(vector, settings.max_entities),
            self.graph_tasks.like,
        )
        scope = partial(answered_from, self.library_store)
        self.chat = ChatService(
            self.sources,
            reader,
            finder,
            generator(),
            self.conversations,
            scope,
            ChatLimits.of(settings),
            Tracer(self.sources, lambda: self.models.settings),
        )
        self.hit_answerer = HitAnswerer(self.sources, reader, generator(beside_graph=False))
        self.jobs.is_needed = lambda: self.chat.busy
        self.runs: AnswerRuns = AnswerRuns(lambda: self.chat, self.conversations)
        self.suggestions = Suggestions(lambda: self.chat, self.sources, scope)
        self.boards = Boards(self.sources)
        self.earlier = EarlierAnswers(
            self.recall, self.conversations, self.catalogue, self.graph.fingerprint
        )
        self.deletion = Deletion(
            self.library, self.indexes, self.conversations, WaitingQuotes(self.database)
        )

    @property
    def writes(self) -> bool:
        """Whether this process is the one that writes to the folder."""
        return self._lock is not None

    def encoder(self) -> Encoder:
        """The configured embedding model.

        Raises:
            ModelError: it cannot be loaded.
        """
        return self._encoders.get(self.settings.embedding_model)

    def warm_up(self) -> None:
        """Load models and what questions need of the graph, once, in the background."""
        if not self._warming.acquire(blocking=False):
            return
        steps: list[Callable[[], object]] = [
            lambda: ready_to_search(self.encoder(), self.library_store, self.vectors),
            self.names.warm_up,
            self.graph.projection,
            self._reader.warm_up,
            self.sources.pairs.warm_up,
            read_word_lists,
            self.models.warm_up,
        ]
        if self.writes:
            steps.append(lambda: self.graph_tasks.catch_up(self.library_store.has_documents()))
            steps += [self.read_ahead.start, self.recall.start]
        warm_up(steps)

    def _sample_job(self, control: JobControl) -> str:
        with self.postponed.asked_on_failure(SAMPLE_JOB):
            done = self.sample.job(control)
        self.graph_tasks.submit_embed()
        return done

    def health(self) -> Health:
        """Every part with its state; never raises."""
        return self.watch.now()

    def resume_jobs(self) -> None:
        """Begin again what the last process left queued or running, and load the sample where it is due
        (the server does, at its start)."""
        self.resumed = self.jobs.resume()
        self.postponed.try_now(SAMPLE_JOB)

    def close(self) -> None:
        """Stop what runs (the next start goes on with a job), close files, give the lock back."""
        asking = (self.watch, self.postponed, self.read_ahead, self.suggestions, self.recall)
        for work in (*asking, self.runs, self.jobs):
            work.close()
        self.stores.close()
        if self.stores is not self._embedded:
            self._embedded.close()
        self.vectors.close()
        if self._pending is not None:
            self._pending.close()
        self.database.close()
        if self._lock:
            self._lock.release()


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
