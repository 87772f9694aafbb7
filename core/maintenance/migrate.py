"""Moving graph, conversations and, where asked, documents from one set of stores to another.

The source is only read. The target takes the graph in one step, and every conversation and document
on its own, so that a move that was interrupted is completed by the next one. At the end the target is
read back and compared with the source item by item.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass

from core.conversations.failover import FailoverConversations
from core.domain.jobs import JobProgress
from core.errors import Conflict, NotFound, StoreError
from core.graph.store import Check
from core.maintenance.contents import (
    Contents,
    add_conversations,
    add_documents,
    add_graph,
    add_views,
)
from core.maintenance.stores import PENDING_TURNS, Stores, connect, embedded_stores, neo4j_stores
from core.maintenance.transfer import (
    ConversationTransfer,
    DocumentTransfer,
    GraphTransfer,
    Part,
    ViewTransfer,
    copy_vectors,
)
from core.settings import ConfigError, Settings
from core.stores.sqlite.conversations import SqliteConversations
from core.stores.sqlite.database import Database
from core.writer_lock import take_lock

Report = Callable[[JobProgress], None]
_LISTED = 5  # differences told in a message


@dataclass(frozen=True, slots=True)
class MigrationReport:
    """What a move did.

    Attributes:
        contents: what both sides hold now.
        vectors: entity vectors that were copied; what the target had alike is not counted.
        vectors_left: vectors that the target did not take, as `embed-graph` is due.
        documents: whether documents were moved too.
    """

    source: str
    target: str
    contents: Contents
    vectors: int
    vectors_left: int
    documents: bool
    seconds: float


def migrate(
    source: Stores,
    target: Stores,
    *,
    documents: bool,
    overwrite: bool = False,
    report: Report = lambda _progress: None,
    check: Check = lambda: None,
) -> MigrationReport:
    """Copy everything from one set of stores to another, and compare.

    A target that holds nothing but what the source has (after a move that was interrupted, say) is
    completed. Documents that are not ready are not copied.

    Args:
        documents: copy indexes, documents and mentions too, not only graph, conversations and saved views.
        overwrite: remove from the target what the source does not have.
        check: called between steps; what it raises ends the move.

    Raises:
        NotFound: code NOTHING_TO_MOVE; the source is empty.
        Conflict: code TARGET_NOT_EMPTY; the target has something that the source has not.
        StoreError: code MIGRATION_DIFFERS; the two sides are not the same at the end.
        StoreUnavailable: a side cannot be reached.
    """
    started = time.perf_counter()

    def tell(stage: str, done: int = 0, all_: int = 0) -> None:
        check()
        report(JobProgress(stage, done=done, files=all_, fraction=done / all_ if all_ else 0.0))

    tell("reading both graphs")
    here = Contents()
    graph = GraphTransfer(source.graph, target.graph, here, check)
    tell(f"reading what else is in {source.name}")
    add_conversations(here, source.conversations, check)
    add_views(here, source.views)
    parts: list[Part] = [
        graph,
        ConversationTransfer(source.conversations, target.conversations),
        ViewTransfer(source.views, target.views),
    ]
    if documents:
        add_documents(here, source.library, graph.entity_ids, check)
        parts.append(DocumentTransfer(source.library, target.library, graph.entity_ids))
    if not here.counts.total():
        raise NotFound(
            f"There is nothing in {source.name} that could be moved.",
            advice="Check --from and --to.",
            code="NOTHING_TO_MOVE",
        )
    foreign = [words for part in parts for words in part.foreign()]
    if foreign and not overwrite:
        raise Conflict(
            f"{target.name} holds what {source.name} does not: {', '.join(foreign)}.",
            advice="With --overwrite it is removed from there for good.",
            code="TARGET_NOT_EMPTY",
        )
    for part in parts:
        part.remove_foreign()
    for part in parts:
        part.copy(tell)
    vectors, left = copy_vectors(source.entity_vectors, target.entity_vectors, tell)
    tell(f"comparing {source.name} and {target.name}")
    there = Contents()
    add_graph(there, target.graph, check)
    add_conversations(there, target.conversations, check)
    add_views(there, target.views)
    if documents:
        add_documents(there, target.library, graph.entity_ids, check)
    _require_same(source.name, here, target.name, there)
    return MigrationReport(
        source.name,
        target.name,
        here,
        vectors,
        left,
        documents,
        time.perf_counter() - started,
    )


@contextmanager
def configured_stores(settings: Settings) -> Iterator[Mapping[str, Stores]]:
    """The embedded stores and those of the configured Neo4j, by name, for a move between them.

    The data folder is locked against other writers meanwhile.

    Raises:
        ConfigError: no Neo4j is configured (``NEO4J_NOT_CONFIGURED``).
        Conflict: another process writes to the data folder (``LIBRARY_IN_USE``).
        StoreError: the database cannot be opened.
    """
    if not settings.uses_neo4j:
        raise ConfigError(
            "NEO4J_URI is not set.",
            advice="Set it, with NEO4J_USER and NEO4J_PASSWORD, in the environment or in .env.",
            code="NEO4J_NOT_CONFIGURED",
        )
    with (
        take_lock(settings.root),
        closing(Database(settings.root / "materia.db")) as database,
        closing(embedded_stores(settings, database)) as embedded,
        closing(neo4j_stores(connect(settings))) as server,
    ):
        _bring_in_outage_turns(settings, server)
        yield {embedded.name: embedded, server.name: server}


def _bring_in_outage_turns(settings: Settings, server: Stores) -> None:
    """Let the server have the turns that were kept on this machine while it was away."""
    place = settings.root / PENDING_TURNS
    if place.exists():
        with closing(Database(place)) as database:
            local = SqliteConversations(database)
            FailoverConversations(server.conversations, lambda: local).sessions(limit=1)


def _require_same(source: str, here: Contents, target: str, there: Contents) -> None:
    """Raise StoreError (MIGRATION_DIFFERS) with the numbers, unless both hold the same."""
    found = [
        f"{name} {in_source:,} and {in_target:,}"
        if in_source != in_target
        else f"{name} not all alike ({in_source:,})"
        for name, (in_source, in_target) in here.differences(there).items()
    ]
    if not found:
        return
    more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
    raise StoreError(
        f"After the move {source} and {target} are not the same: "
        f"{'; '.join(found[:_LISTED])}{more}.",
        advice=f"{source.capitalize()} is unchanged: go on with it, and try the move again.",
        code="MIGRATION_DIFFERS",
        retryable=True,
    )
