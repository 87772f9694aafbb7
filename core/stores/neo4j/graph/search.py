"""Entities by name in Neo4j: exact ones, then those that begin so, then those that contain it.

A full-text index whose terms are whole name keys finds rare names among 300,000 in a few
milliseconds. What thousands of names contain would have to be sorted there, so the most important
entities are looked through first: when they hold enough, the rest cannot come before them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.graph import Entity
from core.stores.neo4j.connection import Neo4j
from core.stores.neo4j.graph.rows import (
    CURRENT,
    ENTITY_COLUMNS,
    LONGEST_KEY,
    NAMES_INDEX,
    entity_of,
)

_WINDOW = 2_000  # most important entities (of each type asked for) that are looked through
_LONGEST_TERM = 200  # characters of a term with wildcards: the index only preselects

_EXACT = "$key IN entity.names"
_BEGINS = "any(name IN entity.names WHERE name STARTS WITH $key)"
_CONTAINS = "any(name IN entity.names WHERE name CONTAINS $key)"
_TIERS = (_EXACT, f"{_BEGINS} AND NOT {_EXACT}", f"{_CONTAINS} AND NOT {_BEGINS}")
_TERMS = ("{}", "{}*", "*{}*")

_INDEXED = (
    "CALL db.index.fulltext.queryNodes($index, $term) YIELD node AS entity "
    "WITH state, entity WHERE entity.generation = state.version "
    "AND ($types = [] OR entity.type IN $types) "
)
_NAMED = (
    f"{CURRENT}{_INDEXED}AND {_EXACT} RETURN {ENTITY_COLUMNS}, entity.position AS position "
    "ORDER BY position"
)
_BY_INDEX = tuple(
    f"{CURRENT}{_INDEXED}AND {tier} "
    "RETURN entity.id AS id, entity.position AS position ORDER BY position LIMIT $limit"
    for tier in _TIERS
)
_SORTED = (
    "WITH entity.position AS position, CASE WHEN $key IN entity.names THEN 0 "
    f"WHEN {_BEGINS} THEN 1 WHEN {_CONTAINS} THEN 2 END AS tier, entity.id AS id "
    "ORDER BY position "
    "RETURN max(position) AS last, count(*) AS size, "
    "collect(CASE WHEN tier = 1 THEN [position, id] END)[..$limit] AS begins, "
    "collect(CASE WHEN tier = 2 THEN [position, id] END)[..$limit] AS contains "
)
_LOOKED_THROUGH = CURRENT + (
    "MATCH (entity:Entity) WHERE entity.generation = state.version "
    f"AND entity.position < $window {_SORTED}"
)
_LOOKED_THROUGH_OF_TYPES = CURRENT + (
    "UNWIND $types AS type CALL (state, type) { "
    "MATCH (entity:Entity) WHERE entity.generation = state.version AND entity.type = type "
    "AND entity.position >= 0 "
    "WITH entity ORDER BY entity.generation, entity.type, entity.position LIMIT $window "
    f"{_SORTED} }} RETURN last, size, begins, contains"
)


def named(neo4j: Neo4j, key: str) -> list[Entity]:
    """The entities with exactly this name key, most important first."""
    return [entity_of(row) for row in neo4j.read(_NAMED, _asked(0, key, ()))]


def search(neo4j: Neo4j, key: str, types: Sequence[str], limit: int) -> list[str]:
    """Ids of entities whose names contain the key, in the order of `GraphStore.search_entities`."""
    found = _by_index(neo4j, 0, key, types, limit)
    if len(found) == limit:
        return found
    window = _look_through(neo4j, key, types, limit)
    for tier, seen in ((1, window.begins), (2, window.contains)):
        room = limit - len(found)
        if not room:
            break
        if window.whole or len(seen) >= room:
            found += seen[:room]
        else:
            found += _by_index(neo4j, tier, key, types, room)
    return found


@dataclass(frozen=True, slots=True)
class _Window:
    """Ids found among the most important entities.

    Attributes:
        whole: nothing is outside the window, so nothing else can be found.
    """

    begins: list[str]
    contains: list[str]
    whole: bool


def _look_through(neo4j: Neo4j, key: str, types: Sequence[str], limit: int) -> _Window:
    asked = {"key": key, "types": list(types), "limit": limit, "window": _WINDOW}
    rows = neo4j.read(_LOOKED_THROUGH_OF_TYPES if types else _LOOKED_THROUGH, asked)
    # Behind the end of one type's window an entity of that type may come before another type's.
    ends = [row["last"] for row in rows if row["size"] >= _WINDOW]

    def sure(column: str) -> list[str]:
        places = sorted((place, one) for row in rows for place, one in row[column])
        return [one for place, one in places if not ends or place <= min(ends)]

    return _Window(sure("begins"), sure("contains"), not ends)


def _by_index(neo4j: Neo4j, tier: int, key: str, types: Sequence[str], limit: int) -> list[str]:
    rows = neo4j.read(_BY_INDEX[tier], {**_asked(tier, key, types), "limit": limit})
    return [row["id"] for row in rows]


def _asked(tier: int, key: str, types: Sequence[str]) -> dict[str, object]:
    longest = LONGEST_KEY if tier == 0 else _LONGEST_TERM
    term = _TERMS[tier].format(_escaped(key[:longest]))
    return {"index": NAMES_INDEX, "term": term, "key": key[:LONGEST_KEY], "types": list(types)}


def _escaped(text: str) -> str:
    """The text as one term of Lucene's query language, every character taken literally."""
    return "".join(c if c.isalnum() or not c.isascii() else f"\\{c}" for c in text)
