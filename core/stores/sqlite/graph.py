"""The knowledge graph in SQLite: entities, their names, relationships and ordered neighbour lists.

Lists of ids reach SQL as one JSON parameter that `json_each` unfolds; no value is ever formatted
into a statement.
"""

from __future__ import annotations

import json
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.domain.graph import Entity, Fact, Relationship
from core.errors import InputError, StoreError
from core.stores.sqlite.database import Database

_VERSION_COUNTER = "graph_version"
_LAST_CHARACTER = "\U0010ffff"  # sorts behind every continuation of a prefix

_UPSERT_ENTITY = """
INSERT INTO entities (id, type, name, synonyms, properties, degree, importance)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET
    type = excluded.type, name = excluded.name, synonyms = excluded.synonyms,
    properties = excluded.properties, degree = excluded.degree, importance = excluded.importance
"""
_UPSERT_RELATIONSHIP = """
INSERT INTO relationships (source, type, target, properties) VALUES (?, ?, ?, ?)
ON CONFLICT (source, type, target) DO UPDATE SET properties = excluded.properties
"""
# A relationship of an entity with itself is in its list once.
_FILL_NEIGHBOURS = """
INSERT INTO neighbours (entity_id, rank, neighbour_id, relationship)
SELECT ends.entity_id,
       ROW_NUMBER() OVER (
           PARTITION BY ends.entity_id
           ORDER BY e.importance DESC, e.name, e.id, ends.type, ends.is_target
       ),
       ends.neighbour_id, ends.row
FROM (
    SELECT source AS entity_id, target AS neighbour_id, type, row, 0 AS is_target
    FROM relationships
    UNION ALL
    SELECT target, source, type, row, 1 FROM relationships WHERE source <> target
) AS ends
JOIN entities AS e ON e.id = ends.neighbour_id
"""
_BUMP_VERSION = """
INSERT INTO counters (name, value) VALUES (?, 1)
ON CONFLICT (name) DO UPDATE SET value = value + 1
"""

# CROSS JOIN fixes the order of the loops: asked ids, their lists, what the lists point to.
_TOP_NEIGHBOURS = """
SELECT r.source, r.type, r.target, r.properties
FROM json_each(:ids) AS asked
CROSS JOIN neighbours AS n ON n.entity_id = asked.value AND n.rank <= :per_entity
CROSS JOIN relationships AS r ON r.row = n.relationship
ORDER BY asked.key, n.rank
"""
_TOP_NEIGHBOURS_OF_TYPES = """
SELECT source, type, target, properties FROM (
    SELECT asked.key AS place, n.rank, r.source, r.type, r.target, r.properties,
           ROW_NUMBER() OVER (PARTITION BY asked.key ORDER BY n.rank) AS kept
    FROM json_each(:ids) AS asked
    CROSS JOIN neighbours AS n ON n.entity_id = asked.value
    CROSS JOIN relationships AS r ON r.row = n.relationship
    CROSS JOIN entities AS e ON e.id = n.neighbour_id
    WHERE (:any_relationship OR r.type IN (SELECT value FROM json_each(:relationship_types)))
      AND (:any_neighbour OR e.type IN (SELECT value FROM json_each(:neighbour_types)))
)
WHERE kept <= :per_entity
ORDER BY place, rank
"""

_SEARCH = """
SELECT e.id FROM entity_names AS n JOIN entities AS e ON e.id = n.entity_id
WHERE {condition}
  AND (:any_type OR e.type IN (SELECT value FROM json_each(:types)))
  AND e.id NOT IN (SELECT value FROM json_each(:found))
GROUP BY e.id
ORDER BY e.importance DESC, e.name, e.id
LIMIT :limit
"""
# In this order; each is asked only while the ones before it leave room. instr takes %, _ and quotes
# as plain characters, which LIKE would need escaped.
_SEARCH_TIERS = tuple(
    _SEARCH.format(condition=condition)
    for condition in (
        "n.key = :key",
        "n.key >= :key AND n.key < :after",
        "instr(n.key, :key) > 0",
    )
)


def name_key(name: str) -> str:
    """What names are compared by: composed, case folded, blanks collapsed, valid as UTF-8."""
    valid = name.encode("utf-8", "replace").decode("utf-8")
    return " ".join(unicodedata.normalize("NFC", valid).casefold().split())


class SqliteGraph:
    """`GraphStore` on the library's SQLite file."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def replace_graph(
        self, entities: Iterable[Entity], relationships: Iterable[Relationship]
    ) -> None:
        """Insert or update everything in one transaction (see `GraphStore.replace_graph`).

        Raises:
            InputError: a relationship names an entity that is neither given nor stored; nothing
                is changed.
            StoreError: the database refused the write.
        """
        known = list(entities)
        try:
            with self._db.write() as connection:
                connection.executemany(_UPSERT_ENTITY, map(_entity_row, known))
                connection.executemany(
                    "DELETE FROM entity_names WHERE entity_id = ?", ((e.id,) for e in known)
                )
                connection.executemany(
                    "INSERT INTO entity_names (entity_id, name, key, is_main) VALUES (?, ?, ?, ?)",
                    (row for entity in known for row in _name_rows(entity)),
                )
                connection.executemany(
                    _UPSERT_RELATIONSHIP,
                    ((r.source, r.type, r.target, _dumps(r.properties)) for r in relationships),
                )
                connection.execute("DELETE FROM neighbours")
                connection.execute(_FILL_NEIGHBOURS)
                connection.execute(_BUMP_VERSION, (_VERSION_COUNTER,))
        except sqlite3.IntegrityError as error:
            raise InputError(
                "A relationship names an entity that the graph does not have.",
                advice="Import the entities of both its ends with it.",
            ) from error

    def entity(self, entity_id: str) -> Entity | None:
        return self.entities([entity_id]).get(entity_id)

    def entities(self, ids: Iterable[str]) -> dict[str, Entity]:
        """The known ones among the ids, in the order asked."""
        rows = self._rows(
            "SELECT e.* FROM json_each(:ids) AS asked "
            "CROSS JOIN entities AS e ON e.id = asked.value ORDER BY asked.key",
            ids=_dumps(list(dict.fromkeys(ids))),
        )
        return {row["id"]: _entity(row) for row in rows}

    def entities_named(self, name: str) -> list[Entity]:
        rows = self._rows(
            "SELECT e.* FROM entities AS e "
            "WHERE e.id IN (SELECT entity_id FROM entity_names WHERE key = :key) "
            "ORDER BY e.importance DESC, e.name, e.id",
            key=name_key(name),
        )
        return [_entity(row) for row in rows]

    def search_entities(
        self, query: str, types: Sequence[str] = (), limit: int = 20
    ) -> list[Entity]:
        """Entities whose name or synonym contains the query, any character taken literally."""
        key = name_key(query)
        found: list[str] = []
        if not key:
            return []
        for statement in _SEARCH_TIERS:
            if len(found) >= limit:
                break
            rows = self._rows(
                statement,
                key=key,
                after=key + _LAST_CHARACTER,
                any_type=not types,
                types=_dumps(list(types)),
                found=_dumps(found),
                limit=limit - len(found),
            )
            found.extend(row["id"] for row in rows)
        return list(self.entities(found).values())

    def all_names(self) -> Iterator[tuple[str, str, str]]:
        """(name or synonym, entity id, entity type), entities in descending importance."""
        # Read to the end at once: an open cursor would hold back writes of the same thread.
        rows = self._rows(
            "SELECT n.name, n.entity_id, e.type FROM entities AS e "
            "JOIN entity_names AS n ON n.entity_id = e.id "
            "ORDER BY e.importance DESC, e.name, e.id, n.row"
        )
        return ((row["name"], row["entity_id"], row["type"]) for row in rows)

    def neighbours(
        self,
        entity_ids: Sequence[str],
        per_entity: int,
        relationship_types: Sequence[str] = (),
        neighbour_types: Sequence[str] = (),
    ) -> list[Fact]:
        """Each fact once, in the order of the ids and of their neighbours' importance."""
        ids = _dumps(list(dict.fromkeys(entity_ids)))
        if not relationship_types and not neighbour_types:
            rows = self._rows(_TOP_NEIGHBOURS, ids=ids, per_entity=per_entity)
        else:
            rows = self._rows(
                _TOP_NEIGHBOURS_OF_TYPES,
                ids=ids,
                per_entity=per_entity,
                any_relationship=not relationship_types,
                relationship_types=_dumps(list(relationship_types)),
                any_neighbour=not neighbour_types,
                neighbour_types=_dumps(list(neighbour_types)),
            )
        return self._facts(rows)

    def facts(self, entity_id: str, relationship_type: str, limit: int | None = None) -> list[Fact]:
        rows = self._rows(
            "SELECT r.source, r.type, r.target, r.properties "
            "FROM json_each(:ids) AS asked "
            "CROSS JOIN neighbours AS n ON n.entity_id = asked.value "
            "CROSS JOIN relationships AS r ON r.row = n.relationship "
            "WHERE r.type IN (SELECT value FROM json_each(:types)) ORDER BY n.rank LIMIT :limit",
            ids=_dumps([entity_id]),
            types=_dumps([relationship_type]),
            limit=-1 if limit is None else max(limit, 0),  # -1 is SQLite's word for no limit
        )
        return self._facts(rows)

    def facts_between(self, entity_ids: Sequence[str]) -> list[Fact]:
        """Every fact whose both ends are among the ids, ordered by source, type and target."""
        rows = self._rows(
            "SELECT source, type, target, properties FROM relationships "
            "WHERE source IN (SELECT value FROM json_each(:ids)) "
            "AND target IN (SELECT value FROM json_each(:ids)) ORDER BY source, type, target",
            ids=_dumps(list(dict.fromkeys(entity_ids))),
        )
        return self._facts(rows)

    def relationship_counts(self, entity_id: str) -> dict[str, int]:
        """Relationship type -> number of the entity's relationships, the most frequent first."""
        rows = self._rows(
            "SELECT r.type, COUNT(*) AS number FROM json_each(:ids) AS asked "
            "CROSS JOIN neighbours AS n ON n.entity_id = asked.value "
            "CROSS JOIN relationships AS r ON r.row = n.relationship "
            "GROUP BY r.type ORDER BY number DESC, r.type",
            ids=_dumps([entity_id]),
        )
        return {row["type"]: row["number"] for row in rows}

    def counts_by_type(self) -> dict[str, int]:
        """Entity type -> number of entities, the most frequent first."""
        rows = self._rows(
            "SELECT type, COUNT(*) AS number FROM entities GROUP BY type ORDER BY number DESC, type"
        )
        return {row["type"]: row["number"] for row in rows}

    def count_relationships(self) -> int:
        count: int = self._rows("SELECT COUNT(*) AS number FROM relationships")[0]["number"]
        return count

    def version(self) -> int:
        rows = self._rows("SELECT value FROM counters WHERE name = :name", name=_VERSION_COUNTER)
        return rows[0]["value"] if rows else 0

    def _facts(self, rows: Sequence[sqlite3.Row]) -> list[Fact]:
        """The rows' facts with their entities, each fact once."""
        distinct = {(row["source"], row["type"], row["target"]): row for row in rows}
        ends = self.entities(end for source, _, target in distinct for end in (source, target))
        return [
            Fact(ends[source], kind, ends[target], json.loads(row["properties"]))
            for (source, kind, target), row in distinct.items()
        ]

    def _rows(self, statement: str, **parameters: str | int) -> list[sqlite3.Row]:
        """Run a statement that reads.

        Raises:
            StoreError: the database cannot be read.
        """
        try:
            return self._db.connection.execute(statement, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            raise StoreError(
                f"The knowledge graph cannot be read ({error}).",
                advice="Check that the data folder is readable, then try again.",
                retryable=True,
            ) from error


def _dumps(value: Sequence[str] | Mapping[str, str]) -> str:
    return json.dumps(dict(value) if isinstance(value, Mapping) else list(value))


def _entity_row(entity: Entity) -> tuple[str, str, str, str, str, int, float]:
    return (
        entity.id,
        entity.type,
        entity.name,
        _dumps(entity.synonyms),
        _dumps(entity.properties),
        entity.degree,
        entity.importance,
    )


def _name_rows(entity: Entity) -> Iterator[tuple[str, str, str, bool]]:
    yield entity.id, entity.name, name_key(entity.name), True
    for synonym in entity.synonyms:
        yield entity.id, synonym, name_key(synonym), False


def _entity(row: sqlite3.Row) -> Entity:
    return Entity(
        id=row["id"],
        type=row["type"],
        name=row["name"],
        synonyms=tuple(json.loads(row["synonyms"])),
        properties=json.loads(row["properties"]),
        degree=row["degree"],
        importance=row["importance"],
    )
