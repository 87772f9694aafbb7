"""One SQLite file, shared by threads: a connection per thread, one writer at a time, migrations."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.errors import SchemaTooNew, StoreError
from core.reserve import disk_full
from core.stores.sqlite.schema import APPLICATION_ID, MIGRATIONS

_PRIMARY = 0xFF  # the part of an extended result code that says what kind it is
_BUSY_MS = 10_000  # another process may hold the write lock during a graph import


class Database:
    """A SQLite file in WAL mode with the newest schema.

    Args:
        migrations: script n brings the file from version n - 1 to version n.
        make_room: called before anything is written; frees what is reserved on a full disk.
        cache_kb: of the file's pages, for each thread.

    Raises:
        StoreError: the file cannot be opened, is not a database, or not one of Materia's
            (``SCHEMA_UNKNOWN``).
        SchemaTooNew: it was written by a newer Materia.
    """

    def __init__(
        self,
        path: Path,
        migrations: Sequence[str] = MIGRATIONS,
        make_room: Callable[[], None] = lambda: None,
        cache_kb: int = 2_000,
    ) -> None:
        self.path = path
        self._make_room = make_room
        self._cache_kb = cache_kb
        self._migrations = migrations
        self._local = threading.local()
        self._write_lock = threading.RLock()
        self._connections: list[tuple[threading.Thread, sqlite3.Connection]] = []
        self._connections_lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._migrate()
        except (sqlite3.Error, OSError) as error:
            # An OSError's own text names the path.
            reason = error.strerror if isinstance(error, OSError) else error
            raise StoreError(
                f"The library's database cannot be opened ({reason}).",
                advice="Check that the data folder is readable and writable and that the disk is not "
                "full, or point MATERIA_DATA_DIR to another folder.",
            ) from error

    def _connect(self) -> sqlite3.Connection:
        self._make_room()
        connection = sqlite3.connect(
            self.path, timeout=_BUSY_MS / 1000, isolation_level=None, check_same_thread=False
        )
        connection.row_factory = sqlite3.Row
        _use_wal(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA cache_size = -{self._cache_kb}")
        # What is deleted is overwritten, not only unlinked.
        connection.execute("PRAGMA secure_delete = ON")
        self._remember(connection)
        return connection

    def _remember(self, connection: sqlite3.Connection) -> None:
        """Add the calling thread's connection, and close those of threads that have ended: a page takes a
        new thread each time it is drawn, and a connection left to itself keeps its files open."""
        kept = [(threading.current_thread(), connection)]
        with self._connections_lock:
            for thread, held in self._connections:
                if thread.is_alive():
                    kept.append((thread, held))
                else:
                    held.close()
            self._connections = kept

    @property
    def connection(self) -> sqlite3.Connection:
        """The calling thread's connection; use it to read."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._connect()
        return connection

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is committed at the end of the block or rolled back as a whole.

        Raises:
            DiskFull: there is no room.
            StoreError: the database refused (locked for too long, damaged).
        """
        with self._write_lock:
            self._make_room()
            connection = self.connection
            try:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                except BaseException:
                    # A full disk has ended the transaction already.
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
                connection.execute("COMMIT")
            except sqlite3.IntegrityError:
                raise
            except sqlite3.DatabaseError as error:
                raise _refused(error) from error

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """A block whose reads see one state, whatever is written meanwhile."""
        connection = self.connection
        if connection.in_transaction:
            yield
            return
        connection.execute("BEGIN")
        try:
            yield
        finally:
            connection.execute("ROLLBACK")

    def _migrate(self) -> None:
        newest = len(self._migrations)
        if self._version() == newest:
            return
        # One transaction: a crash leaves the old version or the new one. Another process may be
        # migrating too, so the version counts that is read under the write lock.
        with self.write() as connection:
            for script in self._migrations[self._version() :]:
                for statement in _statements(script):
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {newest}")

    def _version(self) -> int:
        """The version of a file that this Materia can use or migrate; 0 of an empty one."""
        connection, newest = self.connection, len(self._migrations)
        if connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone() is None:
            return 0
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise StoreError(
                "The library's database is not one that this Materia can read: it is from before the "
                "first release, or another program's. It was left as it is.",
                advice="Point MATERIA_DATA_DIR to another folder, and add the documents there.",
                code="SCHEMA_UNKNOWN",
            )
        version = self.schema_version
        if version > newest:
            raise SchemaTooNew(
                f"This library has schema version {version}; this Materia knows {newest}.",
                advice="Update Materia, or point MATERIA_DATA_DIR to another folder.",
            )
        return version

    def checkpoint(self) -> None:
        """Bring the write-ahead log into the file and empty it, as far as no reader holds it."""
        with self._write_lock:
            try:
                self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            except sqlite3.DatabaseError as error:
                raise _refused(error) from error

    @property
    def schema_version(self) -> int:
        version: int = self.connection.execute("PRAGMA user_version").fetchone()[0]
        return version

    def close(self) -> None:
        """Close every thread's connection."""
        with self._connections_lock:
            for _, connection in self._connections:
                connection.close()
            self._connections.clear()
        self._local = threading.local()


def _refused(error: sqlite3.DatabaseError) -> StoreError:
    if getattr(error, "sqlite_errorcode", 0) & _PRIMARY == sqlite3.SQLITE_FULL:
        return disk_full(spent=True)
    return StoreError(
        f"The library's database refused a write ({error}).",
        advice="Check the free disk space, then try again.",
        retryable=True,
    )


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to WAL mode; SQLite itself does not wait for the lock that the first switch takes."""
    deadline = time.monotonic() + _BUSY_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(0.02)


def _statements(script: str) -> Iterator[str]:
    """The statements of a script; a trigger's own semicolons do not part it."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def insert(
    connection: sqlite3.Connection,
    table: str,
    rows: Sequence[Mapping[str, Any]],
    verb: str = "INSERT",
) -> None:
    """Write rows of one shape; their keys are the table's columns."""
    if rows:
        columns = ", ".join(f'"{name}"' for name in rows[0])
        values = ", ".join(f":{name}" for name in rows[0])
        connection.executemany(f"{verb} INTO {table} ({columns}) VALUES ({values})", rows)
