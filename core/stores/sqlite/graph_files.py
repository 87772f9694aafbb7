"""One generation of the graph: a SQLite file that is written once and only read afterwards.

Entities stand in order of importance, and their place in it is their row, so that "the most important
first" is the order of the table.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import numpy as np

from core.domain.graph import Entity
from core.domain.graph_data import GraphData
from core.domain.names import entity_names, name_key
from core.errors import StoreError
from core.resources import read_text

_FORMAT = 1  # kept as the file's user_version, which is set last: a file without it is incomplete
_ENTITY_BATCH = 5_000
_RELATIONSHIP_BATCH = 100_000
_PART_BYTES = 16_000_000  # SQLite takes no value above 1 GB, and holds a value whole in memory
# Nobody reads the file before it is synchronised as a whole, and a failed one is removed.
_WRITE_PRAGMAS = (
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA cache_size = -32000",
)

_SCHEMA = read_text(__file__, "graph_tables.sql")
_INDEXES = """
CREATE UNIQUE INDEX entities_by_id ON entities (id);
CREATE INDEX entity_names_by_key ON entity_names (key);
"""


def write_generation(
    path: Path, graph: GraphData, report: Callable[[float], None], check: Callable[[], None]
) -> None:
    """Write a graph to a new file and bring it to the disk; a failure leaves no file.

    Args:
        report: how much is written, in [0, 1].
        check: called between batches; what it raises ends the write.

    Raises:
        StoreError: the file cannot be written (disk full, folder not writable).
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for pragma in _WRITE_PRAGMAS:
                connection.execute(pragma)
            connection.execute("BEGIN")
            _fill(connection, graph, _progress(graph, report, check))
            connection.execute(f"PRAGMA user_version = {_FORMAT}")
            connection.execute("COMMIT")
        _synchronise(path)
        report(1.0)
    except BaseException as error:
        remove(path)
        if isinstance(error, sqlite3.Error | OSError):
            reason = error.strerror if isinstance(error, OSError) else error
            raise StoreError(
                f"The knowledge graph cannot be written ({reason}).",
                advice="Check the free disk space and that the data folder is writable, then try "
                "again. The graph is as it was before.",
                retryable=True,
            ) from error
        raise


def _progress(
    graph: GraphData, report: Callable[[float], None], check: Callable[[], None]
) -> Callable[..., None]:
    # Measured: an entity with its four names takes as long as some fifteen relationships.
    weight, done = 15, 0
    whole = weight * len(graph.entities) + graph.relationship_count + 1

    def advance(relationships: int = 0, entities: int = 0) -> None:
        nonlocal done
        done += relationships + weight * entities
        report(done / whole)
        check()

    return advance


def _fill(connection: sqlite3.Connection, graph: GraphData, advance: Callable[..., None]) -> None:
    _run(connection, _SCHEMA)
    for start in range(0, len(graph.entities), _ENTITY_BATCH):
        batch = list(enumerate(graph.entities[start : start + _ENTITY_BATCH], start))
        connection.executemany(
            "INSERT INTO entities VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (_entity_row(position, entity) for position, entity in batch),
        )
        connection.executemany(
            "INSERT INTO entity_names VALUES (?, ?, ?, ?)",
            (
                (position, number, name_key(name), name)
                for position, entity in batch
                for number, name in enumerate(entity_names(entity))
            ),
        )
        advance(entities=len(batch))
    types = Counter(entity.type for entity in graph.entities)
    connection.executemany("INSERT INTO entity_types VALUES (?, ?)", sorted(types.items()))
    _run(connection, _INDEXES)
    connection.executemany(
        "INSERT INTO property_values VALUES (?, ?)", enumerate(graph.property_values)
    )
    counts = np.bincount(graph.types, minlength=len(graph.relationship_types)).tolist()
    connection.executemany(
        "INSERT INTO relationship_types VALUES (?, ?, ?)",
        zip(range(len(counts)), graph.relationship_types, counts, strict=True),
    )
    columns = (graph.sources, graph.targets, graph.types, graph.property_rows)
    for start in range(0, graph.relationship_count, _RELATIONSHIP_BATCH):
        rows = zip(
            *(column[start : start + _RELATIONSHIP_BATCH].tolist() for column in columns),
            strict=True,
        )
        connection.executemany("INSERT INTO relationships VALUES (?, ?, ?, ?)", rows)
        advance(relationships=min(_RELATIONSHIP_BATCH, graph.relationship_count - start))
    parts = range(0, len(graph.projection), _PART_BYTES)
    connection.executemany(
        "INSERT INTO projection VALUES (?, ?)",
        ((part, graph.projection[start : start + _PART_BYTES]) for part, start in enumerate(parts)),
    )
    advance()


def _run(connection: sqlite3.Connection, script: str) -> None:
    """Execute a script within the transaction, which executescript would commit."""
    for statement in script.split(";"):
        connection.execute(statement)


def _entity_row(position: int, entity: Entity) -> tuple[int, str, str, str, int, float, str, str]:
    return (
        position,
        entity.id,
        entity.type,
        entity.name,
        entity.degree,
        entity.importance,
        json.dumps(entity.synonyms),
        json.dumps(dict(entity.properties)),
    )


def _synchronise(path: Path) -> None:
    """Bring a file and its name to the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def remove(path: Path) -> None:
    """Delete a generation's file; one that another process holds open (Windows) stays for later."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


class GenerationReaders:
    """Read-only connections to one generation, each used by one thread at a time.

    Args:
        path: the generation's file; None: an empty graph.
    """

    def __init__(self, version: int, path: Path | None) -> None:
        self.version = version
        self._path = path
        self._lock = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._retired = False

    def take(self) -> sqlite3.Connection:
        """A connection of one's own, which sees the generation even when its file is deleted.

        Raises:
            sqlite3.Error: the file is missing, damaged or unreadable.
        """
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return self._connect()

    def give_back(self, connection: sqlite3.Connection) -> None:
        """For the next reader; closed when the generation is no longer the present one."""
        with self._lock:
            if not self._retired:
                self._idle.append(connection)
                return
        connection.close()

    def retire(self) -> None:
        """Close what is idle now, and the rest when it is given back."""
        with self._lock:
            self._retired = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _connect(self) -> sqlite3.Connection:
        if self._path is None:
            connection = sqlite3.connect(":memory:", check_same_thread=False)
            connection.executescript(_SCHEMA + _INDEXES)
            return connection
        # The file never changes again, so that locks and checks for changes are spared.
        uri = f"{self._path.absolute().as_uri()}?mode=ro&immutable=1"
        connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
        try:
            found: int = connection.execute("PRAGMA user_version").fetchone()[0]
            if found != _FORMAT:
                raise sqlite3.DatabaseError("not a complete graph")
        except sqlite3.Error:
            connection.close()
            raise
        return connection
