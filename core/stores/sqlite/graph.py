"""The knowledge graph in SQLite: one file for each import, and the number of the present one.

The number stands in the library's database; changing it is what makes an import visible. Lists reach
SQL as one JSON parameter that `json_each` unfolds; no value is ever formatted into a statement.
"""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.domain.graph import Entity, Relationship
from core.domain.graph_data import GraphData
from core.domain.names import name_key
from core.errors import StoreError
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph_files import GenerationReaders, remove, write_generation

_VERSION_COUNTER = "graph_version"
_FILE_NAME = re.compile(r"(\d+)\.db(-journal|-wal|-shm)?")
_LAST_CHARACTER = "\U0010ffff"  # sorts behind every continuation of a prefix
# What a present file may fail with and be well: the disk, the number of open files, memory, rights.
_NOT_DAMAGE = (
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
)

_SWITCH = """
INSERT INTO counters (name, value) VALUES (?, ?)
ON CONFLICT (name) DO UPDATE SET value = excluded.value
"""
_ENTITY = "e.id, e.type, e.name, e.degree, e.importance, e.synonyms, e.properties"

# CROSS JOIN fixes the order of the loops: what is asked first, then what it points to.
_ENTITIES = f"""
SELECT {_ENTITY} FROM json_each(:ids) AS asked
CROSS JOIN entities AS e ON e.id = asked.value ORDER BY asked.key
"""
_ENTITIES_AT = f"""
SELECT {_ENTITY} FROM json_each(:positions) AS asked
CROSS JOIN entities AS e ON e.position = asked.value ORDER BY asked.key
"""
_PROPERTIES = """
SELECT s.id, t.name, e.id, p.value FROM json_each(:keys) AS asked
CROSS JOIN entities AS s ON s.id = json_extract(asked.value, '$[0]')
CROSS JOIN relationship_types AS t ON t.name = json_extract(asked.value, '$[1]')
CROSS JOIN entities AS e ON e.id = json_extract(asked.value, '$[2]')
CROSS JOIN relationships AS r ON (r.source, r.target, r.type) = (s.position, e.position, t.code)
CROSS JOIN property_values AS p ON p.row = r.property_row
"""
_IDS = "SELECT id FROM entities ORDER BY position"
_TYPES = "SELECT name FROM relationship_types ORDER BY code"
_RELATIONSHIPS = """
SELECT r.source, r.target, r.type, p.value
FROM relationships AS r LEFT JOIN property_values AS p ON p.row = r.property_row
"""
_SEARCH = """
SELECT DISTINCT n.position FROM entity_names AS n {index} CROSS JOIN entities AS e USING (position)
WHERE {condition}
  AND (:any_type OR e.type IN (SELECT value FROM json_each(:types)))
  AND n.position NOT IN (SELECT value FROM json_each(:found))
ORDER BY n.position
LIMIT :limit
"""
# In this order; each is asked only while the ones before it leave room. instr takes %, _ and quotes
# as plain characters, which LIKE would need escaped. The last reads names in the order of importance
# and stops at the limit: over 517,000 names that takes 5 ms for a part that some have, 60 ms for none.
_SEARCH_TIERS = tuple(
    _SEARCH.format(index=index, condition=condition)
    for index, condition in (
        ("INDEXED BY entity_names_by_key", "n.key = :key"),
        ("INDEXED BY entity_names_by_key", "n.key >= :key AND n.key < :after"),
        ("NOT INDEXED", "instr(n.key, :key) > 0"),
    )
)


class SqliteGraph:
    """`GraphStore` in a folder of files, ``<generation>.db``.

    Args:
        database: holds the number of the present generation.
        folder: for the files; nobody else's files may be in it.
    """

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder
        self._write_lock = threading.Lock()
        self._readers_lock = threading.Lock()
        self._readers = GenerationReaders(0, None)

    # -- writing -----------------------------------------------------------------------------------

    def replace(
        self,
        graph: GraphData,
        report: Callable[[float], None] = lambda _fraction: None,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """Write a generation beside the present one and switch (see `GraphStore.replace`).

        Raises:
            StoreError: the file or the switch cannot be written; the old graph stays.
        """
        with self._write_lock:
            present = self.version()
            self._remove_all_but(present)
            path = self._path(present + 1)
            write_generation(path, graph, report, check)
            try:
                self._switch(present + 1)
            except BaseException:
                remove(path)
                raise
            # Connections of this process would keep the old file on Windows.
            self._readers_of(present + 1)
            self._remove_all_but(present + 1)

    def _switch(self, version: int) -> None:
        # The old file is deleted next: the new number must be on the disk before that, which the
        # database's usual setting leaves to its next checkpoint.
        connection = self._database.connection
        connection.execute("PRAGMA synchronous = FULL")
        try:
            with self._database.write() as transaction:
                transaction.execute(_SWITCH, (_VERSION_COUNTER, version))
        finally:
            connection.execute("PRAGMA synchronous = NORMAL")

    def _remove_all_but(self, version: int) -> None:
        """Delete other generations, complete or left by a crash; open readers go on."""
        if not self._folder.is_dir():
            return
        for path in self._folder.iterdir():
            name = _FILE_NAME.fullmatch(path.name)
            if name and (int(name[1]) != version or name[2]):
                remove(path)

    def close(self) -> None:
        """Close the connections that nobody uses."""
        with self._readers_lock:
            self._readers.retire()
            self._readers = GenerationReaders(0, None)

    # -- reading -----------------------------------------------------------------------------------

    def version(self) -> int:
        try:
            row = self._database.connection.execute(
                "SELECT value FROM counters WHERE name = ?", (_VERSION_COUNTER,)
            ).fetchone()
        except sqlite3.Error as error:
            raise _unreadable(error) from error
        return row[0] if row else 0

    def projection(self) -> bytes:
        return b"".join(row[0] for row in self._rows("SELECT data FROM projection ORDER BY part"))

    def entities(self, ids: Iterable[str]) -> dict[str, Entity]:
        asked = dict.fromkeys(ids)
        found = map(_entity, self._rows(_ENTITIES, ids=json.dumps(list(asked))))
        # SQLite cuts a JSON text at a zero character, and what is before it may be another's id.
        return {entity.id: entity for entity in found if entity.id in asked}

    def entities_named(self, name: str) -> list[Entity]:
        key = name_key(name)
        if not key:
            return []
        rows = self._rows(
            f"SELECT {_ENTITY} FROM entities AS e WHERE e.position IN "
            "(SELECT position FROM entity_names WHERE key = :key) ORDER BY e.position",
            key=key,
        )
        return [_entity(row) for row in rows]

    def search_entities(
        self, query: str, types: Sequence[str] = (), limit: int = 20
    ) -> list[Entity]:
        key = name_key(query)
        if not key:
            return []
        found: list[int] = []
        with self._reading() as connection:
            for statement in _SEARCH_TIERS:
                if len(found) >= limit:
                    break
                parameters = {
                    "key": key,
                    "after": key + _LAST_CHARACTER,
                    "any_type": not types,
                    "types": json.dumps(list(types)),
                    "found": json.dumps(found),
                    "limit": limit - len(found),
                }
                found.extend(row[0] for row in connection.execute(statement, parameters).fetchall())
            rows = connection.execute(_ENTITIES_AT, {"positions": json.dumps(found)}).fetchall()
        return [_entity(row) for row in rows]

    def all_names(self) -> Iterator[tuple[str, str, str]]:
        return self._stream(
            "SELECT n.name, e.id, e.type FROM entity_names AS n "
            "CROSS JOIN entities AS e USING (position) ORDER BY n.position, n.number"
        )

    def all_entities(self) -> Iterator[Entity]:
        return map(_entity, self._stream(f"SELECT {_ENTITY} FROM entities AS e ORDER BY position"))

    def all_relationships(self) -> Iterator[Relationship]:
        with self._reading() as connection:
            # Looking up both ends and the type here halves the time that joining them takes.
            ids = [row[0] for row in connection.execute(_IDS)]
            types = [row[0] for row in connection.execute(_TYPES)]
            with closing(connection.execute(_RELATIONSHIPS)) as rows:
                for source, target, kind, value in rows:
                    properties = json.loads(value) if value else {}
                    yield Relationship(ids[source], types[kind], ids[target], properties)

    def relationship_properties(
        self, keys: Sequence[tuple[str, str, str]]
    ) -> dict[tuple[str, str, str], dict[str, str]]:
        asked = set(keys)
        rows = self._rows(_PROPERTIES, keys=json.dumps(list(asked)))
        return {
            key: dict(_properties(value)) for *ends, value in rows if (key := tuple(ends)) in asked
        }

    def counts_by_type(self) -> dict[str, int]:
        return dict(
            self._rows("SELECT name, entities FROM entity_types ORDER BY entities DESC, name")
        )

    def count_relationships(self) -> int:
        rows = self._rows("SELECT COALESCE(SUM(relationships), 0) FROM relationship_types")
        count: int = rows[0][0]
        return count

    def _rows(self, statement: str, **parameters: str) -> list[tuple[Any, ...]]:
        with self._reading() as connection:
            return connection.execute(statement, parameters).fetchall()

    def _stream(self, statement: str) -> Iterator[tuple[Any, ...]]:
        """Rows one after the other, all of one generation, whatever is imported meanwhile."""
        with self._reading() as connection, closing(connection.execute(statement)) as cursor:
            yield from cursor

    # -- files -------------------------------------------------------------------------------------

    def _path(self, version: int) -> Path:
        return self._folder / f"{version}.db"

    def _readers_of(self, version: int) -> GenerationReaders:
        with self._readers_lock:
            if self._readers.version != version:
                self._readers.retire()
                path = self._path(version) if version else None
                self._readers = GenerationReaders(version, path)
            return self._readers

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """A connection to the present generation.

        Raises:
            StoreError: its file is missing or damaged (``GRAPH_DAMAGED``), or cannot be read.
        """
        version, readers, connection = self._take()
        try:
            yield connection
        except sqlite3.Error as error:
            raise self._problem(version, error) from error
        finally:
            readers.give_back(connection)

    def _take(self) -> tuple[int, GenerationReaders, sqlite3.Connection]:
        while True:
            version = self.version()
            readers = self._readers_of(version)
            try:
                return version, readers, readers.take()
            except sqlite3.Error as error:
                # An import that ended in this moment has deleted the file.
                if self.version() == version:
                    raise self._problem(version, error) from error

    def _problem(self, version: int, error: sqlite3.Error) -> StoreError:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _NOT_DAMAGE and self._path(version).is_file():
            return _unreadable(error)
        return StoreError(
            "The knowledge graph's file is missing or damaged.",
            advice="Import the graph again, with --remove-missing: nothing of it can be kept.",
            code="GRAPH_DAMAGED",
        )


def _unreadable(error: sqlite3.Error) -> StoreError:
    return StoreError(
        f"The knowledge graph cannot be read ({error}).",
        advice="Check that the data folder is readable, then try again.",
        retryable=True,
    )


@lru_cache(maxsize=20_000)  # the same relationships surround the same entities
def _properties(value: str) -> dict[str, str]:
    """The properties of a relationship; to be copied, for all who ask are given the same."""
    found: dict[str, str] = json.loads(value)
    return found


def _entity(row: Sequence[Any]) -> Entity:
    entity_id, kind, name, degree, importance, synonyms, properties = row
    return Entity(
        id=entity_id,
        type=kind,
        name=name,
        synonyms=tuple(json.loads(synonyms)),
        properties=json.loads(properties),
        degree=degree,
        importance=importance,
    )
