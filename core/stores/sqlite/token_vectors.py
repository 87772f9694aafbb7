"""Token vectors of statements in a SQLite file of their own: `core.documents.store.token_vectors`.

A token's vector is kept as 8-bit integers and the factor that they are multiplied with: 388 bytes of 1,536.
A file of its own, because all of it can be made again from the documents' text.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from core.domain.vectors import StatementVectors
from core.errors import SchemaTooNew, StoreError
from core.logs import get_logger
from core.stores.sqlite.database import Database

_MIGRATIONS = (
    """
    CREATE TABLE statements (
        id INTEGER PRIMARY KEY,
        document_id TEXT NOT NULL,
        key BLOB NOT NULL,
        vector BLOB NOT NULL,
        factors BLOB NOT NULL,
        tokens BLOB NOT NULL
    );
    CREATE UNIQUE INDEX statements_of ON statements (document_id, key);
    CREATE TABLE complete (document_id TEXT PRIMARY KEY, key BLOB NOT NULL);
    """,
    "CREATE INDEX statements_by_key ON statements (key);",
)
_LARGEST = 127
_CACHE_KB = 256  # each of a server's threads has one, and no answer reads the same statements twice
_GIVE_WAY = 20  # statements that make room at once
_NEARLY = 0.95  # of the room: what is read ahead drives nothing out
_log = get_logger("token_vectors")


class SqliteTokenVectors:
    """One file; opened on first use, made anew where it cannot be read.

    Args:
        most_bytes: room that statements may take; the oldest give way.
        make_room: see `Database`.
    """

    def __init__(
        self, path: Path, most_bytes: int, make_room: Callable[[], None] = lambda: None
    ) -> None:
        self._path = path
        self._make_room = make_room
        self._most_bytes = most_bytes
        self._opening = threading.Lock()
        self._opened: Database | None = None

    def read(self, document_id: str, keys: Sequence[bytes]) -> dict[bytes, StatementVectors]:
        marks = ",".join("?" * len(keys))
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT key, vector, factors, tokens FROM statements "
                f"WHERE document_id = ? AND key IN ({marks})",
                (document_id, *keys),
            ).fetchall()
        return {key: _unpacked(*packed) for key, *packed in rows}

    def read_elsewhere(self, keys: Sequence[bytes]) -> dict[bytes, StatementVectors]:
        marks = ",".join("?" * len(keys))
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT key, vector, factors, tokens FROM statements WHERE id IN "
                f"(SELECT max(id) FROM statements WHERE key IN ({marks}) GROUP BY key)",
                tuple(keys),
            ).fetchall()
        return {key: _unpacked(*packed) for key, *packed in rows}

    def missing(self, document_id: str, keys: Sequence[bytes]) -> list[bytes]:
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT key FROM statements WHERE document_id = ?", (document_id,)
            ).fetchall()
        known = {row["key"] for row in rows}
        return [key for key in keys if key not in known]

    def add(
        self,
        document_id: str,
        read: Mapping[bytes, StatementVectors],
        is_ready: Callable[[], bool],
    ) -> None:
        with self._database.write() as connection:
            if not is_ready():
                return
            connection.executemany(
                "INSERT OR IGNORE INTO statements (document_id, key, vector, factors, tokens) "
                "VALUES (?, ?, ?, ?, ?)",
                [(document_id, key, *_packed(one)) for key, one in read.items()],
            )
            while _used(connection) > self._most_bytes:
                gone = connection.execute(
                    "DELETE FROM statements WHERE id IN "
                    "(SELECT id FROM statements ORDER BY id LIMIT ?)",
                    (_GIVE_WAY,),
                )
                if not gone.rowcount:
                    break

    def is_complete(self, document_id: str, key: bytes) -> bool:
        with self._reading() as connection:
            row = connection.execute(
                "SELECT 1 FROM complete WHERE document_id = ? AND key = ?", (document_id, key)
            ).fetchone()
        return row is not None

    def complete(self, document_id: str, key: bytes, is_ready: Callable[[], bool]) -> None:
        with self._database.write() as connection:
            if is_ready():
                connection.execute(
                    "INSERT OR REPLACE INTO complete VALUES (?, ?)", (document_id, key)
                )

    @property
    def is_full(self) -> bool:
        with self._reading() as connection:
            return _used(connection) > _NEARLY * self._most_bytes

    def remove(self, document_ids: Sequence[str]) -> int:
        ids = [(one,) for one in document_ids]
        with self._database.write() as connection:
            statements = connection.executemany(
                "DELETE FROM statements WHERE document_id = ?", ids
            ).rowcount
            connection.executemany("DELETE FROM complete WHERE document_id = ?", ids)
        return max(statements, 0)

    def counts(self) -> dict[str, int]:
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT document_id, count(*) AS rows FROM (SELECT document_id FROM statements "
                "UNION ALL SELECT document_id FROM complete) GROUP BY document_id"
            ).fetchall()
        return {row["document_id"]: row["rows"] for row in rows}

    def count(self, document_id: str) -> int:
        with self._reading() as connection:
            (rows,) = connection.execute(
                "SELECT (SELECT count(*) FROM statements WHERE document_id = :id) + "
                "(SELECT count(*) FROM complete WHERE document_id = :id)",
                {"id": document_id},
            ).fetchone()
        return int(rows)

    def purge(self) -> None:
        with self._reading() as connection:
            (free,) = connection.execute("PRAGMA freelist_count").fetchone()
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            if 2 * free > pages:
                with suppress(sqlite3.OperationalError):  # somebody reads: another time
                    connection.execute("VACUUM")
        self._database.checkpoint()

    def reset(self) -> None:
        with self._opening:
            self._forget_file()

    def close(self) -> None:
        with self._opening:
            if self._opened is not None:
                self._opened.close()
            self._opened = None

    # -- the file ----------------------------------------------------------------------------------

    @property
    def _database(self) -> Database:
        with self._opening:
            if self._opened is None:
                try:
                    self._opened = self._open()
                except SchemaTooNew:
                    raise
                except StoreError as error:
                    _log.warning("file_made_anew", reason=error.code)
                    self._forget_file()
                    self._opened = self._open()
            return self._opened

    def _open(self) -> Database:
        return Database(self._path, _MIGRATIONS, self._make_room, _CACHE_KB)

    def _forget_file(self) -> None:
        if self._opened is not None:
            self._opened.close()
        self._opened = None
        try:
            for end in ("", "-wal", "-shm"):
                self._path.with_name(self._path.name + end).unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(
                f"The file {self._path.name} cannot be removed ({error.strerror}).",
                advice="Check that the data folder is writable.",
            ) from error

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        database = self._database
        try:
            yield database.connection
        except sqlite3.Error as error:
            raise StoreError(
                f"The file {self._path.name} cannot be read ({error}).",
                advice="Run “verify --repair”, which makes it anew.",
                code="TOKEN_VECTORS_DAMAGED",
            ) from error


def _used(connection: sqlite3.Connection) -> int:
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    return int((pages - free) * size)


def _packed(read: StatementVectors) -> tuple[bytes, bytes, bytes]:
    """The vector, the factors and the integers of a statement."""
    tokens = read.tokens
    factors = np.abs(tokens).max(axis=1, initial=0.0).astype(np.float32) / _LARGEST
    whole = np.round(tokens / np.maximum(factors, 1e-9)[:, None]).astype(np.int8)
    return read.vector.astype(np.float32).tobytes(), factors.tobytes(), whole.tobytes()


def _unpacked(vector: bytes, factors: bytes, tokens: bytes) -> StatementVectors:
    whole = np.frombuffer(vector, np.float32)
    each = np.frombuffer(factors, np.float32)
    rows = np.frombuffer(tokens, np.int8).reshape(len(each), len(whole))
    return StatementVectors(whole, rows * each[:, None])
