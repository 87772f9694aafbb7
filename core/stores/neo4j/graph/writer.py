"""Writes a graph's next generation into Neo4j, switches to it and removes what is not read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np

from core.domain.graph_data import GraphData
from core.errors import Conflict, InputError, StoreError
from core.stores.neo4j.connection import Neo4j, Row
from core.stores.neo4j.graph.rows import NAMES_INDEX, storable, values_of
from core.stores.neo4j.schema import ENTITIES, Schema, lookup

_ENTITIES = 5_000  # in one transaction
_RELATIONSHIPS = 20_000
_REMOVED = 20_000  # relationships in one transaction
_REMOVED_PAGE = 1_000  # entities whose relationships are removed together
_MENTIONS_PAGE = 500  # entities whose mentions are copied together
_PROJECTION_BYTES = 2_000_000  # in one node
_SECONDS = 60.0  # for one batch; a server that hangs is told of then
_SWITCH_SECONDS = 120.0
_ENTITY_SHARE = 0.2  # of the time: measured on 129,375 entities and 4 million relationships
_LONGEST_NAME = 2_000  # characters of an id or type: a key of Neo4j's indexes has at most 8 kB
# Labels that mean something else here; an entity of such a type has the label Entity only.
_TAKEN_LABELS = frozenset(
    "Entity GraphState GraphProjection Index Document Page Chunk MissingEntity "
    "User Session Question Answer Summary CitedDocument".split()
)

_SCHEMA = (
    *ENTITIES,
    lookup("entity_position", "Entity", "generation", "position"),
    lookup("entity_type_position", "Entity", "generation", "type", "position"),
    lookup("graph_projection_part", "GraphProjection", "generation", "part"),
    # Whole names as terms: an analyzer that splits would lose "n,n-dimethyl".
    f"CREATE FULLTEXT INDEX {NAMES_INDEX} IF NOT EXISTS FOR (entity:Entity) "
    "ON EACH [entity.names] OPTIONS {indexConfig: {`fulltext.analyzer`: 'keyword'}}",
    "CALL db.awaitIndexes(300)",
)
_CREATE_ENTITIES = (
    "UNWIND $rows AS row CREATE (entity:$(row.labels)) SET entity = row.values "
    "WITH entity WHERE $old > 0 "
    "MATCH (before:Entity {id: entity.id, generation: $old}) "
    "WHERE before.embedding IS NOT NULL AND before.type = entity.type "
    "SET entity.embedding = before.embedding, entity.embedding_hash = before.embedding_hash"
)
_CREATE_RELATIONSHIPS = (
    "UNWIND $rows AS row "
    "MATCH (source:Entity {generation: $generation, position: row[0]}) "
    "MATCH (target:Entity {generation: $generation, position: row[1]}) "
    "CREATE (source)-[link:$($type)]->(target) SET link.properties = row[2] "
    "RETURN count(link) AS created"
)
_CREATE_PART = "CREATE (:GraphProjection {generation: $generation, part: $part, data: $data})"
_ANY_MENTION = "MATCH ()-[mention:MENTIONS]->() RETURN mention IS NOT NULL AS found LIMIT 1"
_COPY_MENTIONS = (
    "MATCH (before:Entity) WHERE before.generation = $old "
    "AND before.position >= $first AND before.position < $end "
    "MATCH (after:Entity {id: before.id, generation: $new}) "
    "MATCH (place)-[mention:MENTIONS]->(before) WHERE NOT place:Entity "
    "CREATE (place)-[copy:MENTIONS]->(after) SET copy = properties(mention)"
)
# Mentions that were made while the others were copied.
_COPY_LATE_MENTIONS = (
    "MATCH (place)-[mention:MENTIONS]->(before:Entity) "
    "WHERE before.generation = $old AND NOT place:Entity "
    "MATCH (after:Entity {id: before.id, generation: $new}) "
    "WHERE NOT EXISTS { MATCH (place)-[:MENTIONS]->(after) } "
    "WITH place, after, collect(properties(mention)) AS mentions "
    "UNWIND mentions AS values "
    "CREATE (place)-[copy:MENTIONS]->(after) SET copy = values"
)
# Setting a property takes the node's lock, so that what is read after it is the last state: no other
# import switches between the look and the commit.
_LOCKED = "MERGE (state:GraphState {name: 'graph'}) SET state.name = 'graph' WITH state "
_RESERVE = _LOCKED + (
    ", coalesce(state.version, 0) AS version "
    "SET state.last = coalesce(state.last, version) + 1 "
    "RETURN state.last AS reserved, version, coalesce(state.entities, 0) AS entities"
)
_SWITCH = _LOCKED + (
    ", coalesce(state.version, 0) AS before "
    "SET state.version = $new, state.entities = $entities, "
    "state.relationships = $relationships, state.types = $types "
    "RETURN before, COUNT { MATCH (entity:Entity) WHERE entity.generation = $new } AS written"
)
_OTHERS = (
    "MATCH (entity:Entity) WHERE entity.generation <> $kept "
    "RETURN entity.generation AS generation, max(entity.position) + 1 AS entities "
    "UNION ALL "
    "MATCH (part:GraphProjection) WHERE part.generation <> $kept "
    "RETURN DISTINCT part.generation AS generation, 0 AS entities"
)
_UNREAD = _LOCKED + "WHERE coalesce(state.version, 0) <> $generation "
_UNREAD_PAGE = _UNREAD + (
    "MATCH (entity:Entity) WHERE entity.generation = $generation "
    "AND entity.position >= $first AND entity.position < $end "
)
_REMOVE_RELATIONSHIPS = _UNREAD_PAGE + (
    "MATCH (entity)-[link]->() WITH link LIMIT $limit DELETE link RETURN count(*) AS removed"
)
_REMOVE_MENTIONS = _UNREAD_PAGE + (
    "MATCH (entity)<-[link:MENTIONS]-() WITH link LIMIT $limit DELETE link "
    "RETURN count(*) AS removed"
)
_REMOVE_ENTITIES = _UNREAD_PAGE + "DETACH DELETE entity RETURN 0 AS removed"
_REMOVE_PARTS = _UNREAD + (
    "MATCH (part:GraphProjection {generation: $generation}) DELETE part RETURN 0 AS removed"
)

Report = Callable[[float], None]  # told of the share that is done
Check = Callable[[], None]  # raises Cancelled


class GraphWriter:
    """Replaces the graph of a Neo4j database (see `GraphStore.replace`)."""

    def __init__(self, neo4j: Neo4j) -> None:
        self._neo4j = neo4j
        self._schema = Schema(neo4j, _SCHEMA, _SWITCH_SECONDS)

    def replace(self, graph: GraphData, report: Report, check: Check) -> None:
        from neo4j.exceptions import ConstraintError

        _check_names(graph)
        self._schema.ensure()
        # Numbers are given once: two imports at the same time never write into one generation.
        present = self._neo4j.write(_RESERVE)[0]
        new, old = int(present["reserved"]), int(present["version"])
        self._remove_others(old)
        try:
            self._write_entities(graph, old, new, report, check)
            self._write_relationships(graph, new, report, check)
            self._write_projection(graph.projection, new, check)
            self._copy_mentions(old, new, int(present["entities"]), check)
            self._switch(graph, old, new)
        except BaseException as error:
            # What cannot be removed now, the next import removes.
            with suppress(StoreError):
                self._remove(new, len(graph.entities))
            if isinstance(error, ConstraintError):
                raise _unfit("An id is in the graph twice.") from error
            raise
        # The new graph is there; what stays of the old one is not read, and goes with the next import.
        with suppress(StoreError):
            self._remove_others(new)
        report(1.0)

    def _write_entities(
        self, graph: GraphData, old: int, new: int, report: Report, check: Check
    ) -> None:
        for first, end in _ranges(len(graph.entities), _ENTITIES):
            check()
            rows = [
                {
                    "labels": ["Entity"] if one.type in _TAKEN_LABELS else ["Entity", one.type],
                    "values": values_of(one, first + place, new),
                }
                for place, one in enumerate(graph.entities[first:end])
            ]
            self._neo4j.write(_CREATE_ENTITIES, {"rows": rows, "old": old}, seconds=_SECONDS)
            report(_ENTITY_SHARE * end / len(graph.entities))

    def _write_relationships(
        self, graph: GraphData, new: int, report: Report, check: Check
    ) -> None:
        written = 0
        for code, name in enumerate(graph.relationship_types):
            of_type = np.flatnonzero(graph.types == code)
            for first, end in _ranges(len(of_type), _RELATIONSHIPS):
                check()
                chosen = of_type[first:end]
                rows = [
                    [source, target, graph.property_values[place] if place >= 0 else None]
                    for source, target, place in zip(
                        graph.sources[chosen].tolist(),
                        graph.targets[chosen].tolist(),
                        graph.property_rows[chosen].tolist(),
                        strict=True,
                    )
                ]
                asked = {"rows": rows, "generation": new, "type": name}
                done = self._neo4j.write(_CREATE_RELATIONSHIPS, asked, seconds=_SECONDS)
                if done[0]["created"] != len(rows):
                    raise _disturbed()
                written += len(rows)
                share = written / graph.relationship_count
                report(_ENTITY_SHARE + (0.95 - _ENTITY_SHARE) * share)

    def _write_projection(self, data: bytes, new: int, check: Check) -> None:
        for part, (first, end) in enumerate(_ranges(len(data), _PROJECTION_BYTES)):
            check()
            asked = {"generation": new, "part": part, "data": data[first:end]}
            self._neo4j.write(_CREATE_PART, asked, seconds=_SECONDS)

    def _copy_mentions(self, old: int, new: int, count: int, check: Check) -> None:
        if not self._neo4j.read(_ANY_MENTION):
            return
        for first, end in _ranges(count, _MENTIONS_PAGE):
            check()
            asked = {"old": old, "new": new, "first": first, "end": end}
            self._neo4j.write(_COPY_MENTIONS, asked, seconds=_SECONDS)

    def _switch(self, graph: GraphData, old: int, new: int) -> None:
        def unchanged(results: list[list[Row]]) -> None:
            done = results[-1][0]
            if done["before"] != old or done["written"] != len(graph.entities):
                raise _disturbed()

        state = {
            "new": new,
            "entities": len(graph.entities),
            "relationships": graph.relationship_count,
            "types": json.dumps(Counter(one.type for one in graph.entities)),
        }
        late = (_COPY_LATE_MENTIONS, {"old": old, "new": new})
        self._neo4j.write_all([late, (_SWITCH, state)], unchanged, seconds=_SWITCH_SECONDS)

    def _remove_others(self, kept: int) -> None:
        """Remove all generations but one."""
        for row in self._neo4j.read(_OTHERS, {"kept": kept}, seconds=_SECONDS):
            self._remove(row["generation"], row["entities"])

    def _remove(self, generation: int, entities: int) -> None:
        """Remove a generation in batches, unless it is the one that is read."""
        pages = list(_ranges(entities, _REMOVED_PAGE))
        for statement in (_REMOVE_RELATIONSHIPS, _REMOVE_MENTIONS, _REMOVE_ENTITIES):
            for first, end in pages:
                asked = {"generation": generation, "first": first, "end": end}
                self._repeat(statement, {**asked, "limit": _REMOVED})
        self._repeat(_REMOVE_PARTS, {"generation": generation})

    def _repeat(self, statement: str, asked: dict[str, int]) -> None:
        """Run a statement until it removes less than it may."""
        while True:
            done = self._neo4j.write(statement, asked, seconds=_SECONDS)
            if not done or done[0]["removed"] < _REMOVED:
                return


def _ranges(count: int, size: int) -> Iterator[tuple[int, int]]:
    for first in range(0, count, size):
        yield first, min(first + size, count)


def _check_names(graph: GraphData) -> None:
    """Raises InputError (``GRAPH_NAME``) for an id or a type that Neo4j cannot keep."""
    kinds = {*graph.relationship_types, *(one.type for one in graph.entities)}
    for name in kinds:
        if not name or "\0" in name or len(name) > _LONGEST_NAME or not storable(name):
            raise _unfit(f"The type {name[:50]!r} cannot be stored in Neo4j.")
    for one in graph.entities:
        if len(one.id) > _LONGEST_NAME or not storable(one.id):
            raise _unfit(f"The id {one.id[:50]!r} cannot be stored in Neo4j.")


def _unfit(message: str) -> InputError:
    return InputError(message, advice="Correct it in the file and import again.", code="GRAPH_NAME")


def _disturbed() -> Conflict:
    return Conflict(
        "Another import changed the knowledge graph at the same time.",
        advice="Wait until it has ended, then import again.",
        code="GRAPH_CHANGED",
    )
