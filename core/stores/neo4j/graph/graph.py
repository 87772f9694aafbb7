"""The knowledge graph in Neo4j.

An entity is a node with the labels Entity and its type; a relationship has its own type. Both belong
to a generation, and the node (:GraphState {name: 'graph'}) says which one is read: every statement
begins there. Values, labels and relationship types are parameters, never formatted into Cypher.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence

from core.domain.graph import Entity, Relationship
from core.domain.graph_data import GraphData
from core.domain.names import entity_names, name_key
from core.errors import StoreError
from core.stores.neo4j.connection import Neo4j, Row
from core.stores.neo4j.graph.rows import CURRENT, ENTITY_COLUMNS, entity_of, storable
from core.stores.neo4j.graph.search import named, search
from core.stores.neo4j.graph.writer import GraphWriter

_PAGE = 2_000  # entities read at a time
_LOOKED_UP = 10_000  # ids or relationships asked for in one statement
_ROWS = 10_000  # relationships that come at a time
# A part of a large graph takes longer than a lookup, and nobody's page waits for it.
_PART_SECONDS = 30.0

_STATE = CURRENT + (
    "RETURN state.version AS version, state.entities AS entities, "
    "state.relationships AS relationships, state.types AS types"
)
_ENTITIES = CURRENT + (
    "UNWIND $ids AS id MATCH (entity:Entity {id: id, generation: state.version}) "
    f"RETURN {ENTITY_COLUMNS}"
)
_ENTITIES_OF_PAGE = (
    "MATCH (entity:Entity) WHERE entity.generation = $generation "
    "AND entity.position >= $first AND entity.position < $end "
    f"RETURN {ENTITY_COLUMNS} ORDER BY entity.position"
)
_RELATIONSHIPS_OF_PAGE = (
    "MATCH (source:Entity) WHERE source.generation = $generation "
    "AND source.position >= $first AND source.position < $end "
    "MATCH (source)-[link]->(target:Entity) "
    "RETURN source.id AS source, type(link) AS type, target.id AS target, "
    "link.properties AS properties"
)
_PROPERTIES = CURRENT + (
    "UNWIND $keys AS key "
    "MATCH (source:Entity {id: key[0], generation: state.version}) "
    "MATCH (target:Entity {id: key[2], generation: state.version}) "
    "MATCH (source)-[link]->(target) "
    "WHERE type(link) = key[1] AND link.properties IS NOT NULL "
    "RETURN key, link.properties AS properties"
)
_PROJECTION_PARTS = CURRENT + (
    "MATCH (part:GraphProjection {generation: state.version}) "
    "RETURN part.generation AS generation, part.part AS part ORDER BY part"
)
_PROJECTION_PART = (
    "MATCH (part:GraphProjection {generation: $generation, part: $part}) RETURN part.data AS data"
)

# Times that the projection is read anew where an import removes it meanwhile.
_TRIES = 5


class Neo4jGraph:
    """`GraphStore` on a Neo4j server."""

    def __init__(self, neo4j: Neo4j) -> None:
        self._neo4j = neo4j
        self._writer = GraphWriter(neo4j)

    def replace(
        self,
        graph: GraphData,
        report: Callable[[float], None] = lambda _fraction: None,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """See `GraphStore.replace`.

        Raises:
            InputError: an id or a type cannot be stored (code GRAPH_NAME).
            Conflict: another import switched in the meantime.
        """
        self._writer.replace(graph, report, check)

    def version(self) -> int:
        state = self._state()
        return int(state["version"]) if state else 0

    def projection(self) -> bytes:
        """See `GraphStore.projection`.

        Raises:
            StoreError: code GRAPH_CHANGED, retryable; imports replaced the graph again and again meanwhile.
        """
        for _ in range(_TRIES):
            parts = [
                self._neo4j.read(_PROJECTION_PART, row, seconds=_PART_SECONDS)
                for row in self._neo4j.read(_PROJECTION_PARTS)
            ]
            # A part that is gone was of a graph that an import has replaced since its parts were listed.
            if all(parts):
                return b"".join(rows[0]["data"] for rows in parts)
        raise _changed()

    def entities(self, ids: Iterable[str]) -> dict[str, Entity]:
        asked = [one for one in dict.fromkeys(ids) if storable(one)]
        found: dict[str, Entity] = {}
        for start in range(0, len(asked), _LOOKED_UP):
            part = asked[start : start + _LOOKED_UP]
            for row in self._neo4j.read(_ENTITIES, {"ids": part}):
                found[row["id"]] = entity_of(row)
        return {one: found[one] for one in asked if one in found}

    def entities_named(self, name: str) -> list[Entity]:
        key = name_key(name)
        # Before the first graph there is no index of names, and no row that asks it.
        return named(self._neo4j, key) if key else []

    def search_entities(
        self, query: str, types: Sequence[str] = (), limit: int = 20
    ) -> list[Entity]:
        key = name_key(query)
        if not key or limit <= 0 or not self.version():
            return []
        wanted = [one for one in dict.fromkeys(types) if storable(one)]
        if types and not wanted:
            return []
        return self._in_order(search(self._neo4j, key, wanted, limit))

    def all_names(self) -> Iterator[tuple[str, str, str]]:
        for entity in self.all_entities():
            for name in entity_names(entity):
                yield name, entity.id, entity.type

    def all_entities(self) -> Iterator[Entity]:
        """Every entity by position, streamed.

        Raises:
            StoreError: code GRAPH_CHANGED, retryable; an import replaced the graph meanwhile.
        """
        state = self._state()
        count = int(state["entities"]) if state else 0
        for first in range(0, count, _PAGE):
            end = min(first + _PAGE, count)
            rows = self._neo4j.read(
                _ENTITIES_OF_PAGE,
                {"generation": state["version"], "first": first, "end": end},
                seconds=_PART_SECONDS,
            )
            if len(rows) != end - first:
                raise _changed()
            yield from map(entity_of, rows)

    def all_relationships(self) -> Iterator[Relationship]:
        """Every relationship, streamed.

        Raises:
            StoreError: code GRAPH_CHANGED, retryable; an import replaced the graph meanwhile. It is
                told at the end: keep nothing of what came before.
        """
        state = self._state()
        count = int(state["entities"]) if state else 0
        seen = 0
        for first in range(0, count, _PAGE):
            asked = {"generation": state["version"], "first": first, "end": first + _PAGE}
            rows = self._neo4j.stream(_RELATIONSHIPS_OF_PAGE, asked, _ROWS, seconds=_PART_SECONDS)
            for row in rows:
                seen += 1
                properties = json.loads(row["properties"]) if row["properties"] else {}
                yield Relationship(row["source"], row["type"], row["target"], properties)
        if state and seen != state["relationships"]:
            raise _changed()

    def relationship_properties(
        self, keys: Sequence[tuple[str, str, str]]
    ) -> dict[tuple[str, str, str], dict[str, str]]:
        asked = [list(key) for key in dict.fromkeys(keys) if all(map(storable, key))]
        found: dict[tuple[str, str, str], dict[str, str]] = {}
        for start in range(0, len(asked), _LOOKED_UP):
            part = asked[start : start + _LOOKED_UP]
            for row in self._neo4j.read(_PROPERTIES, {"keys": part}):
                source, kind, target = row["key"]
                found[source, kind, target] = json.loads(row["properties"])
        return found

    def counts_by_type(self) -> dict[str, int]:
        state = self._state()
        counts: dict[str, int] = json.loads(state["types"]) if state else {}
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def count_relationships(self) -> int:
        state = self._state()
        return int(state["relationships"]) if state else 0

    def _state(self) -> Row:
        """Version and counts; empty before the first graph."""
        found = self._neo4j.read(_STATE)
        return found[0] if found and found[0]["version"] else {}

    def _in_order(self, ids: Sequence[str]) -> list[Entity]:
        return list(self.entities(ids).values())


def _changed() -> StoreError:
    return StoreError(
        "The knowledge graph was replaced while it was read.",
        advice="Try again.",
        code="GRAPH_CHANGED",
        retryable=True,
    )
