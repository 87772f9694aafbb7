"""The stores of one data folder, embedded or in Neo4j, as one set."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from core.conversations.store import ConversationStore
from core.documents.jobs.runner import Handler, JobRunner
from core.documents.jobs.shared import SharedRunner
from core.documents.jobs.tasks import Tasks
from core.documents.library.files import FileStore
from core.documents.library.shared.files import SharedFiles
from core.documents.store.jobs import JobStore, SharedJobStore
from core.documents.store.library import LibraryStore
from core.documents.store.token_vectors import NoTokenVectors, TokenVectorStore
from core.graph.store import EntityVectors, GraphStore
from core.graph.views.store import SavedViewStore
from core.settings import Settings
from core.stores.chroma.chunks import ChromaVectors
from core.stores.chroma.entities import ChromaEntityVectors
from core.stores.neo4j.connection import Neo4j
from core.stores.neo4j.conversations import Neo4jConversations
from core.stores.neo4j.documents.library import Neo4jLibrary
from core.stores.neo4j.graph.graph import Neo4jGraph
from core.stores.neo4j.graph.vectors import Neo4jEntityVectors
from core.stores.neo4j.graph_views import Neo4jGraphViews
from core.stores.neo4j.jobs import Neo4jJobs
from core.stores.objects.s3 import S3Objects
from core.stores.sqlite.conversations import SqliteConversations
from core.stores.sqlite.counter import installation_of
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from core.stores.sqlite.library import SqliteLibrary
from core.stores.sqlite.rows.graph_views import SqliteGraphViews
from core.stores.sqlite.token_vectors import SqliteTokenVectors

STATEMENTS_READ = "token_vectors.db"  # in the data folder; can be made again from the documents
PENDING_TURNS = "pending.db"  # in the data folder: turns of an outage, see `FailoverConversations`


@dataclass(frozen=True, slots=True)
class Stores:
    """Registry and full text, graph, entity vectors, conversations and saved views.

    Attributes:
        name: "sqlite" or "neo4j".
        close: ends what was opened for this set.
        version: of the server that keeps them, as it names itself.
        token_vectors: statements as the model has read them; they stay in the data folder.
        jobs: a queue that several processes may have; None where the data folder has it.
    """

    name: str
    library: LibraryStore
    graph: GraphStore
    entity_vectors: EntityVectors
    conversations: ConversationStore
    views: SavedViewStore
    close: Callable[[], None] = lambda: None
    token_vectors: TokenVectorStore = field(default_factory=NoTokenVectors)
    version: Callable[[], str] = lambda: ""
    jobs: SharedJobStore | None = None


def embedded_stores(
    settings: Settings, database: Database, make_room: Callable[[], None] = lambda: None
) -> Stores:
    """All in the data folder: SQLite, and Chroma for entity vectors."""
    graph = SqliteGraph(database, settings.root / "graph")
    vectors = ChromaEntityVectors(
        settings.root / "chroma",
        settings.chroma_host,
        settings.chroma_port,
        installation_of(database),
    )

    tokens = SqliteTokenVectors(
        settings.root / STATEMENTS_READ, settings.token_vectors_mb * 1_000_000, make_room
    )

    def close() -> None:
        graph.close()
        vectors.close()
        tokens.close()

    return Stores(
        "sqlite",
        SqliteLibrary(database),
        graph,
        vectors,
        SqliteConversations(database),
        SqliteGraphViews(database),
        close,
        tokens if settings.token_vectors_mb else NoTokenVectors(),
    )


def chunk_vectors(settings: Settings, database: Database) -> ChromaVectors:
    """Vectors of chunks: in the data folder, or on the configured Chroma server."""
    library = sha256(settings.files_url.rstrip("/").encode()).hexdigest()[:16]
    return ChromaVectors(
        settings.root / "chroma",
        settings.chroma_host,
        settings.chroma_port,
        library if is_shared(settings) else installation_of(database),
    )


def is_shared(settings: Settings) -> bool:
    """Whether nothing of the library is in the data folder, so that several processes may serve it."""
    elsewhere = settings.documents_in_neo4j and settings.chroma_host and settings.files_url
    return bool(settings.uses_neo4j and elsewhere)


def job_runner(
    settings: Settings,
    stores: Stores,
    handlers: Mapping[str, Handler],
    kept: JobStore | None,
    tasks: Tasks,
) -> JobRunner:
    """What works on jobs: this process alone, or one of all that share a library.

    Args:
        kept: jobs of the data folder; None where this process does not write.
    """
    if kept is not None:
        tasks.forget_unknown({job.id for job in kept.jobs()})
    if kept is None or stores.jobs is None or not is_shared(settings):
        return JobRunner(handlers, kept, tasks.forget)
    objects = S3Objects(settings.files_url)
    return SharedRunner(handlers, stores.jobs, tasks.forget, tasks.folder_of, objects)


def kept_files(settings: Settings) -> FileStore:
    """Originals: in the data folder, or in the configured object store."""
    if not settings.files_url:
        return FileStore(settings.root)
    objects = S3Objects(settings.files_url)
    return SharedFiles(settings.root, objects, settings.files_cache_mb * 1_000_000)


def connect(settings: Settings) -> Neo4j:
    """The configured Neo4j server; nothing is sent before the first use."""
    return Neo4j(
        settings.neo4j_uri,
        settings.neo4j_user,
        settings.neo4j_password.get_secret_value(),
        settings.neo4j_database,
        settings.neo4j_timeout_seconds,
    )


def neo4j_stores(server: Neo4j) -> Stores:
    """All in Neo4j; which of them are used, settings say."""
    return Stores(
        "neo4j",
        Neo4jLibrary(server),
        Neo4jGraph(server),
        Neo4jEntityVectors(server),
        Neo4jConversations(server),
        Neo4jGraphViews(server),
        server.close,
        version=lambda: f"Neo4j {server.state().version}".strip(),
        jobs=Neo4jJobs(server, uuid.uuid4().hex),
    )
