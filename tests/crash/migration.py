"""What the kill test of migration does: all of a library to Neo4j, and back to another folder."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from core.domain.jobs import JobProgress
from core.maintenance.migrate import migrate
from core.maintenance.stores import Stores, neo4j_stores
from core.stores.neo4j.connection import Neo4j
from tests.crash.worker import Journal
from tests.maintenance.filled import sqlite_stores
from tests.support.neo4j_server import PASSWORD, USER

SERVER, EMBEDDED = "server", "embedded"  # beside the folder of a process


def migrate_there(folder: Path) -> None:
    """From the embedded stores to the server."""
    with (
        closing(sqlite_stores(folder.parent / EMBEDDED)) as source,
        closing(on_server(folder)) as target,
    ):
        _migrate(folder, source, target)


def migrate_back(folder: Path) -> None:
    """From the server to embedded stores of the process."""
    with closing(on_server(folder)) as source, closing(sqlite_stores(folder / "back")) as target:
        _migrate(folder, source, target)


def on_server(folder: Path) -> Stores:
    """The stores of the server whose address stands beside the folder."""
    return neo4j_stores(Neo4j((folder.parent / SERVER).read_text(), USER, PASSWORD, timeout=30))


def _migrate(folder: Path, source: Stores, target: Stores) -> None:
    journal = Journal(folder)
    journal.tell("started")

    def report(progress: JobProgress) -> None:
        journal.tell(progress.stage)

    migrate(source, target, documents=True, report=report)
    journal.tell("end")
