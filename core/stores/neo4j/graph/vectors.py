"""Embeddings of entities in Neo4j: a list of numbers on the node, one vector index for each type.

Implements `core.graph.store.EntityVectors`. An import takes the vectors of entities that stay along to
the next generation; an index holds both until the old one is removed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from core.domain.vectors import VECTOR_INDEXES, EntityVector, Vector
from core.errors import StoreError
from core.stores.neo4j.connection import Neo4j
from core.stores.neo4j.graph.rows import CURRENT, storable

_BATCH = 500  # vectors written in one transaction
_REMOVED = 2_000
_SECONDS = 60.0  # for a batch, or for an index over what is there
_POPULATE_SECONDS = 600.0
# The index looks at as many candidates as it is asked for, so few are found inexactly.
_LEAST_ASKED = 50
_WORTH_SETTLING = 1_000  # vectors written one after the other
_MORE = 4  # times as many are asked for when others' generations took the places

_SHOW = "SHOW VECTOR INDEXES YIELD name, options RETURN name, options.indexConfig AS config"
# Names and labels are constants of this project: Cypher takes no parameter in their place.
_CREATE = (
    "CREATE VECTOR INDEX {name} IF NOT EXISTS FOR (n:{label}) ON (n.embedding) OPTIONS $options"
)
_DROP = "DROP INDEX {name} IF EXISTS"
_REMOVE_OTHER_DIMENSIONS = (
    "MATCH (entity:$($type)) WHERE entity.embedding IS NOT NULL "
    "AND size(entity.embedding) <> $dimension "
    "CALL (entity) { REMOVE entity.embedding, entity.embedding_hash } IN TRANSACTIONS OF 2000 ROWS"
)
_PUT = CURRENT + (
    "UNWIND $rows AS row MATCH (entity:Entity {id: row.id, generation: state.version}) "
    "WHERE entity.type = row.type SET entity.embedding_hash = row.hash "
    "WITH entity, row CALL db.create.setNodeVectorProperty(entity, 'embedding', row.vector)"
)
_REMOVE = CURRENT + (
    "UNWIND $ids AS id MATCH (entity:Entity {id: id, generation: state.version}) "
    "REMOVE entity.embedding, entity.embedding_hash"
)
_HASHES = CURRENT + (
    "MATCH (entity:Entity) WHERE entity.generation = state.version "
    "AND entity.embedding_hash IS NOT NULL "
    "RETURN entity.id AS id, entity.embedding_hash AS hash"
)
_STORED = CURRENT + (
    "MATCH (entity:Entity) WHERE entity.generation = state.version "
    "AND entity.embedding_hash IS NOT NULL RETURN entity.id AS id, entity.type AS type, "
    "entity.embedding_hash AS hash, entity.embedding AS vector"
)
_OF = CURRENT + (
    "UNWIND $ids AS id MATCH (entity:Entity {id: id, generation: state.version}) "
    "WHERE entity.embedding IS NOT NULL RETURN entity.id AS id, entity.embedding AS vector"
)
_QUERY = CURRENT + (
    "CALL db.index.vector.queryNodes($index, $count, $vector) YIELD node AS entity, score "
    "RETURN count(*) AS size, "
    "collect(CASE WHEN entity.generation = state.version THEN [entity.id, score] END) AS found"
)
_COUNTS = CURRENT + (
    "MATCH (entity:Entity) WHERE entity.generation = state.version AND entity.type IN $types "
    "AND entity.embedding_hash IS NOT NULL RETURN entity.type AS type, count(*) AS number"
)


class Neo4jEntityVectors:
    """`EntityVectors` on the nodes of the graph; of entities that it does not have nothing is kept."""

    def __init__(self, neo4j: Neo4j) -> None:
        self._neo4j = neo4j

    def ensure(self, dimension: int) -> None:
        present = self._dimensions()
        for entity_type in VECTOR_INDEXES:
            if present.get(entity_type) != dimension:
                self._drop(entity_type)
                asked = {"type": entity_type, "dimension": dimension}
                self._neo4j.run(_REMOVE_OTHER_DIMENSIONS, asked, _POPULATE_SECONDS)
                self._create(entity_type, dimension)
        self._neo4j.run("CALL db.awaitIndexes(600)", {}, _POPULATE_SECONDS)

    def hashes(self) -> dict[str, str]:
        rows = self._neo4j.stream(_HASHES, size=5_000, seconds=_SECONDS)
        return {row["id"]: row["hash"] for row in rows}

    def stored(self) -> Iterator[EntityVector]:
        for row in self._neo4j.stream(_STORED, size=1_000, seconds=_SECONDS):
            vector = np.array(row["vector"], np.float32)
            yield EntityVector(row["id"], row["type"], row["hash"], vector)

    def vectors_of(self, entity_ids: Sequence[str]) -> dict[str, Vector]:
        ids = [one for one in dict.fromkeys(entity_ids) if storable(one)]
        rows = self._neo4j.read(_OF, {"ids": ids}) if ids else []
        return {row["id"]: np.array(row["vector"], np.float32) for row in rows}

    def put(self, vectors: Sequence[EntityVector]) -> None:
        """See `EntityVectors.put`.

        Raises:
            StoreError: code VECTOR_INDEX_MISSING; no index of that type and dimension.
        """
        present = self._dimensions()
        for one in vectors:
            if present.get(one.type) != len(one.vector):
                raise _missing(one.type)
        for start in range(0, len(vectors), _BATCH):
            rows = [
                {
                    "id": one.entity_id,
                    "type": one.type,
                    "hash": one.text_hash,
                    "vector": one.vector.tolist(),
                }
                for one in vectors[start : start + _BATCH]
            ]
            self._neo4j.write(_PUT, {"rows": rows}, seconds=_SECONDS)

    def remove(self, entity_ids: Sequence[str]) -> None:
        ids = [one for one in entity_ids if storable(one)]
        for start in range(0, len(ids), _REMOVED):
            asked = {"ids": ids[start : start + _REMOVED]}
            self._neo4j.write(_REMOVE, asked, seconds=_SECONDS)

    def query(self, vector: Vector, entity_type: str, limit: int) -> list[tuple[str, float]]:
        if entity_type not in VECTOR_INDEXES:
            raise _missing(entity_type)
        asked = {"index": VECTOR_INDEXES[entity_type], "vector": vector.tolist()}
        count = max(2 * limit, _LEAST_ASKED)
        while limit > 0:
            try:
                rows = self._neo4j.read(_QUERY, {**asked, "count": count})
            except StoreError as error:
                if error.code == "GRAPH_QUERY_FAILED" and self._lacks(entity_type, len(vector)):
                    raise _missing(entity_type) from error
                raise
            found = rows[0]["found"] if rows else []
            if not rows or len(found) >= limit or rows[0]["size"] < count:
                # Neo4j's cosine score is (1 + cosine) / 2.
                near = [(entity_id, 2.0 * score - 1.0) for entity_id, score in found]
                return sorted(near, key=lambda pair: (-pair[1], pair[0]))[:limit]
            count *= _MORE
        return []

    def counts(self) -> dict[str, int]:
        types = list(self._dimensions())
        found = {row["type"]: row["number"] for row in self._neo4j.read(_COUNTS, {"types": types})}
        return {entity_type: found.get(entity_type, 0) for entity_type in types}

    def settle(self, written: int) -> None:
        """Build the indexes anew after many writes.

        Lucene keeps what each transaction wrote as a graph of its own for long, and a query searches
        all of them: over 25,000 vectors written by 500 it takes 20 to 50 times as long as over an
        index that was built from what is there (bench/README.md).
        """
        if written < _WORTH_SETTLING:
            return
        counts = self.counts()
        for entity_type, dimension in self._dimensions().items():
            if counts[entity_type]:
                self._drop(entity_type)
                self._create(entity_type, dimension)
        self._neo4j.run("CALL db.awaitIndexes(600)", {}, _POPULATE_SECONDS)

    def _drop(self, entity_type: str) -> None:
        self._neo4j.run(_DROP.format(name=VECTOR_INDEXES[entity_type]), {}, _SECONDS)

    def _create(self, entity_type: str, dimension: int) -> None:
        config = {
            "vector.dimensions": dimension,
            "vector.similarity_function": "cosine",
            # Exact similarities; quantised ones would save memory from millions of vectors on.
            "vector.quantization.enabled": False,
        }
        statement = _CREATE.format(name=VECTOR_INDEXES[entity_type], label=entity_type)
        self._neo4j.run(statement, {"options": {"indexConfig": config}}, _SECONDS)

    def _dimensions(self) -> dict[str, int]:
        """Entity type -> dimension of its index, of those that are there."""
        there = {row["name"]: row["config"] for row in self._neo4j.read(_SHOW)}
        return {
            entity_type: int(there[name]["vector.dimensions"])
            for entity_type, name in VECTOR_INDEXES.items()
            if name in there
        }

    def _lacks(self, entity_type: str, dimension: int) -> bool:
        return self._dimensions().get(entity_type) != dimension


def _missing(entity_type: str) -> StoreError:
    index = VECTOR_INDEXES.get(entity_type, entity_type)
    return StoreError(
        f"There is no vector index “{index}” of this embedding model's dimension.",
        advice="Build it: python -m core embed-graph",
        code="VECTOR_INDEX_MISSING",
    )
