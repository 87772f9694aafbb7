"""One set of tests over every store of entity vectors, in a real Chroma and a real Neo4j."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.graph import Entity
from core.domain.vectors import VECTOR_INDEXES, EntityVector, Vector, Vectors
from core.errors import StoreError
from core.graph.knowledge import KnowledgeGraph
from core.graph.store import EntityVectors
from core.maintenance.vector_gaps import vector_gaps
from core.stores.neo4j.connection import Neo4j
from core.stores.neo4j.graph.graph import Neo4jGraph
from core.stores.neo4j.graph.vectors import Neo4jEntityVectors
from tests.support.graphs import graph_data

DIMENSION = 8
TYPES = tuple(VECTOR_INDEXES)
ENTITIES = [
    Entity(f"{kind}:{number}", kind, f"{kind} {number}", importance=1 / (number + 2))
    for kind in (*TYPES, "Pathway")
    for number in range(20)
]


def unit_vectors(count: int, seed: int, dimension: int = DIMENSION) -> Vectors:
    drawn = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    found: Vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return found


def embedded(entities: list[Entity], seed: int = 1) -> list[EntityVector]:
    vectors = unit_vectors(len(entities), seed)
    return [
        EntityVector(one.id, one.type, f"hash of {one.id}", vector)
        for one, vector in zip(entities, vectors, strict=True)
    ]


def with_vectors(entities: list[Entity]) -> list[Entity]:
    return [one for one in entities if one.type in VECTOR_INDEXES]


def nearest(
    vector: Vector, kept: list[EntityVector], entity_type: str, limit: int
) -> list[tuple[str, float]]:
    """What the answer must be: every cosine computed, sorted."""
    all_of_type = [
        (one.entity_id, float(vector @ one.vector)) for one in kept if one.type == entity_type
    ]
    return sorted(all_of_type, key=lambda pair: (-pair[1], pair[0]))[:limit]


def assert_same(found: list[tuple[str, float]], wanted: list[tuple[str, float]]) -> None:
    assert [one for one, _ in found] == [one for one, _ in wanted]
    assert [near for _, near in found] == pytest.approx([near for _, near in wanted], abs=1e-5)


class Counted(KnowledgeGraph):
    """A graph of which only the numbers of its entities are asked for."""

    def __init__(self, entities: list[Entity]) -> None:
        self._types = Counter(one.type for one in entities)

    def counts_by_type(self) -> dict[str, int]:
        return dict(self._types)


@pytest.fixture
def empty(entity_vectors: EntityVectors, request: pytest.FixtureRequest) -> EntityVectors:
    """Four empty indexes; behind Neo4j's a graph without vectors."""
    if isinstance(entity_vectors, Neo4jEntityVectors):
        neo4j: Neo4j = request.getfixturevalue("neo4j")
        Neo4jGraph(neo4j).replace(graph_data(ENTITIES, []))
    entity_vectors.ensure(DIMENSION)
    return entity_vectors


def test_vectors_are_found_by_similarity_within_their_type(empty: EntityVectors) -> None:
    kept = embedded(with_vectors(ENTITIES))
    empty.put(kept)
    for entity_type in TYPES:
        for vector in unit_vectors(5, seed=2):
            found = empty.query(vector, entity_type, 7)
            assert_same(found, nearest(vector, kept, entity_type, 7))
    assert empty.counts() == dict.fromkeys(TYPES, 20)


@given(seed=st.integers(0, 10_000), limit=st.integers(1, 30), kind=st.sampled_from(TYPES))
def test_any_query_gives_what_computing_every_cosine_gives(
    empty: EntityVectors, seed: int, limit: int, kind: str
) -> None:
    kept = embedded(with_vectors(ENTITIES))
    if not empty.hashes():
        empty.put(kept)
    vector = unit_vectors(1, seed)[0]
    found = empty.query(vector, kind, limit)
    assert_same(found, nearest(vector, kept, kind, limit))
    assert all(-1.00001 <= near <= 1.00001 for _, near in found)


def test_what_is_stored_comes_back_whole(empty: EntityVectors) -> None:
    kept = {one.entity_id: one for one in embedded(with_vectors(ENTITIES))}
    empty.put(list(kept.values()))
    found = {one.entity_id: one for one in empty.stored()}
    assert found.keys() == kept.keys()
    for entity_id, one in found.items():
        assert (one.type, one.text_hash) == (kept[entity_id].type, kept[entity_id].text_hash)
        assert one.vector == pytest.approx(kept[entity_id].vector, abs=1e-6)


def test_vectors_of_some_entities_come_back(empty: EntityVectors) -> None:
    kept = {one.entity_id: one.vector for one in embedded(with_vectors(ENTITIES))}
    assert empty.vectors_of(list(kept)[:3]) == {}
    empty.put(embedded(with_vectors(ENTITIES)))
    for asked in ([], list(kept)[:1], list(kept)[::7], ["nobody", *list(kept)[:2], "nobody"]):
        found = empty.vectors_of(asked)
        assert found.keys() == set(asked) - {"nobody"}
        for entity_id, vector in found.items():
            assert vector.dtype == np.float32
            assert vector == pytest.approx(kept[entity_id], abs=1e-6)


def test_an_opposite_vector_has_similarity_minus_one(empty: EntityVectors) -> None:
    vector = unit_vectors(1, seed=3)[0]
    empty.put([EntityVector("Drug:1", "Drug", "h", vector)])
    assert empty.query(vector, "Drug", 1) == [("Drug:1", pytest.approx(1, abs=1e-5))]
    assert empty.query(-vector, "Drug", 1) == [("Drug:1", pytest.approx(-1, abs=1e-5))]


def test_putting_again_replaces_and_removing_removes(empty: EntityVectors) -> None:
    first, second = unit_vectors(2, seed=4)
    empty.put([EntityVector("Drug:1", "Drug", "old", first)])
    empty.put([EntityVector("Drug:1", "Drug", "new", second)])
    empty.put([EntityVector("Disease:1", "Disease", "other", first)])
    assert empty.hashes() == {"Drug:1": "new", "Disease:1": "other"}
    assert empty.query(second, "Drug", 5) == [("Drug:1", pytest.approx(1, abs=1e-5))]
    empty.remove(["Drug:1", "nobody"])
    assert empty.hashes() == {"Disease:1": "other"}
    assert empty.query(second, "Drug", 5) == []
    assert empty.counts() == {**dict.fromkeys(TYPES, 0), "Disease": 1}


def test_making_the_indexes_again_keeps_the_vectors(empty: EntityVectors) -> None:
    empty.put(embedded(with_vectors(ENTITIES)))
    empty.ensure(DIMENSION)
    assert len(empty.hashes()) == 80


def test_settled_indexes_find_the_same(empty: EntityVectors) -> None:
    kept = embedded(with_vectors(ENTITIES))
    empty.put(kept)
    empty.settle(100_000)
    assert empty.counts() == dict.fromkeys(TYPES, 20)
    asked = unit_vectors(1, seed=9)[0]
    assert_same(empty.query(asked, "Drug", 5), nearest(asked, kept, "Drug", 5))


def test_another_dimension_drops_the_vectors(empty: EntityVectors) -> None:
    empty.put(embedded(with_vectors(ENTITIES)))
    before = unit_vectors(1, seed=5)[0]
    assert empty.query(before, "Drug", 3)
    empty.ensure(4)
    with pytest.raises(StoreError, match="python -m core embed-graph"):
        empty.query(before, "Drug", 3)
    assert empty.hashes() == {}
    assert empty.counts() == dict.fromkeys(TYPES, 0)
    vector = unit_vectors(1, seed=5, dimension=4)[0]
    empty.put([EntityVector("Drug:1", "Drug", "h", vector)])
    assert empty.query(vector, "Drug", 3) == [("Drug:1", pytest.approx(1, abs=1e-5))]
    # Made anew twice, and with the dimension of before.
    empty.ensure(DIMENSION)
    assert empty.query(before, "Drug", 3) == []


def test_a_question_of_another_dimension_says_how_to_build_the_index(empty: EntityVectors) -> None:
    with pytest.raises(StoreError, match="python -m core embed-graph") as caught:
        empty.query(unit_vectors(1, seed=6, dimension=5)[0], "Drug", 3)
    assert caught.value.code == "VECTOR_INDEX_MISSING"


@pytest.fixture
def without_indexes(entity_vectors: EntityVectors, request: pytest.FixtureRequest) -> EntityVectors:
    """A store in which nobody made an index yet."""
    if isinstance(entity_vectors, Neo4jEntityVectors):
        neo4j: Neo4j = request.getfixturevalue("neo4j")
        for name in VECTOR_INDEXES.values():
            neo4j.run(f"DROP INDEX {name} IF EXISTS")
        Neo4jGraph(neo4j).replace(graph_data(ENTITIES, []))
    return entity_vectors


@pytest.mark.req("KG-34")
def test_without_an_index_the_command_that_builds_it_is_named(
    without_indexes: EntityVectors,
) -> None:
    vector = unit_vectors(1, seed=7)[0]
    for entity_type in (*TYPES, "Pathway"):
        with pytest.raises(StoreError) as caught:
            without_indexes.query(vector, entity_type, 3)
        assert caught.value.code == "VECTOR_INDEX_MISSING"
        assert "python -m core embed-graph" in str(caught.value)
    assert without_indexes.counts() == {}
    assert without_indexes.hashes() == {}
    without_indexes.ensure(DIMENSION)
    assert without_indexes.query(vector, "Drug", 3) == []


@pytest.mark.req("KG-34")
def test_what_is_missing_is_told_until_it_is_mended(empty: EntityVectors) -> None:
    kept = embedded(with_vectors(ENTITIES))
    counted = Counted(ENTITIES)
    nothing = vector_gaps(counted, empty, model_fits=False)
    assert (nothing.lacking, nothing.total, nothing.other_model) == (80, 80, False)
    empty.put(kept[3:])
    some = vector_gaps(counted, empty, model_fits=True)
    assert (some.missing, some.lacking) == ((), 3) and "3 of 80 entities" in some.words
    empty.put(kept[:3])
    assert vector_gaps(counted, empty, model_fits=True).none
    assert "another model" in vector_gaps(counted, empty, model_fits=False).words
    # A type that the graph does not have is not missed.
    assert vector_gaps(Counted(ENTITIES[:5]), empty, model_fits=True).none


@pytest.mark.req("KG-34")
def test_every_missing_index_is_named(without_indexes: EntityVectors) -> None:
    gaps = vector_gaps(Counted(ENTITIES), without_indexes, model_fits=True)
    assert gaps.missing == tuple(VECTOR_INDEXES.values()) and gaps.lacking == gaps.total == 80


# -- Neo4j only ------------------------------------------------------------------------------------


@pytest.fixture
def graph(neo4j: Neo4j) -> Neo4jGraph:
    """A graph with vectors of all that can have one."""
    store = Neo4jGraph(neo4j)
    store.replace(graph_data(ENTITIES, []))
    vectors = Neo4jEntityVectors(neo4j)
    vectors.ensure(DIMENSION)
    vectors.put(embedded(with_vectors(ENTITIES)))
    return store


@pytest.mark.req("KG-31")
def test_the_four_indexes_are_there_with_cosine_and_the_dimension(
    graph: Neo4jGraph, neo4j: Neo4j
) -> None:
    rows = neo4j.read(
        "SHOW VECTOR INDEXES YIELD name, state, labelsOrTypes, properties, options "
        "RETURN name, state, labelsOrTypes, properties, options.indexConfig AS config"
    )
    by_name: dict[str, dict[str, Any]] = {row["name"]: row for row in rows}
    assert set(by_name) >= {
        "drug_embeddings",
        "disease_embeddings",
        "clinical_disease_embeddings",
        "protein_embeddings",
    }
    for entity_type, name in VECTOR_INDEXES.items():
        assert by_name[name]["state"] == "ONLINE"
        assert by_name[name]["labelsOrTypes"] == [entity_type]
        assert by_name[name]["properties"] == ["embedding"]
        assert by_name[name]["config"]["vector.dimensions"] == DIMENSION
        assert by_name[name]["config"]["vector.similarity_function"].upper() == "COSINE"


@pytest.mark.req("KG-32")
def test_the_node_holds_a_list_of_numbers_that_the_procedure_searches(
    graph: Neo4jGraph, neo4j: Neo4j
) -> None:
    """By hand, with the statements that the requirements name."""
    wanted = {one.entity_id: one.vector for one in embedded(with_vectors(ENTITIES))}
    rows = neo4j.read(
        "MATCH (drug:Drug) RETURN drug.id AS id, drug.embedding AS embedding ORDER BY id"
    )
    assert len(rows) == 20
    for row in rows:
        assert isinstance(row["embedding"], list)
        assert all(isinstance(number, float) for number in row["embedding"])
        assert row["embedding"] == pytest.approx(wanted[row["id"]].tolist(), abs=1e-6)
    vector = unit_vectors(1, seed=8)[0]
    by_hand = neo4j.read(
        "CALL db.index.vector.queryNodes('drug_embeddings', 5, $vector) YIELD node, score "
        "RETURN node.id AS id, score ORDER BY score DESC",
        {"vector": vector.tolist()},
    )
    found = Neo4jEntityVectors(neo4j).query(vector, "Drug", 5)
    assert_same(found, [(row["id"], 2 * row["score"] - 1) for row in by_hand])


def test_an_import_keeps_the_vectors_of_those_that_stay(graph: Neo4jGraph, neo4j: Neo4j) -> None:
    """A new graph without half of the drugs, and with a protein that became a pathway."""
    vectors = Neo4jEntityVectors(neo4j)
    kept = embedded(with_vectors(ENTITIES))
    staying = [one for one in ENTITIES if one.type != "Drug" or int(one.id[5:]) % 2]
    changed = [
        Entity(one.id, "Pathway", one.name) if one.id == "Protein:1" else one for one in staying
    ]
    graph.replace(graph_data(changed, []))
    left = {one.id for one in with_vectors(changed)}
    assert set(vectors.hashes()) == left
    vector = unit_vectors(1, seed=9)[0]
    for entity_type in TYPES:
        wanted = nearest(vector, [o for o in kept if o.entity_id in left], entity_type, 8)
        assert_same(vectors.query(vector, entity_type, 8), wanted)


def test_what_a_crashed_import_left_takes_no_places(graph: Neo4jGraph, neo4j: Neo4j) -> None:
    """Nodes of a generation that is not read, nearer to the question than all others."""
    vector = unit_vectors(1, seed=10)[0]
    neo4j.write(
        "UNWIND range(1, 300) AS number "
        "CREATE (:Entity:Drug {id: 'x' + number, generation: 99, position: number, "
        "type: 'Drug', embedding: $vector})",
        {"vector": vector.tolist()},
    )
    kept = embedded(with_vectors(ENTITIES))
    found = Neo4jEntityVectors(neo4j).query(vector, "Drug", 5)
    assert_same(found, nearest(vector, kept, "Drug", 5))


def test_vectors_of_unknown_entities_are_not_kept(graph: Neo4jGraph, neo4j: Neo4j) -> None:
    vectors = Neo4jEntityVectors(neo4j)
    vector = unit_vectors(1, seed=11)[0]
    vectors.put([EntityVector("nobody", "Drug", "h", vector)])
    assert "nobody" not in vectors.hashes()
    with pytest.raises(StoreError) as caught:
        vectors.put([EntityVector("Drug:1", "Drug", "h", unit_vectors(1, 12, dimension=3)[0])])
    assert caught.value.code == "VECTOR_INDEX_MISSING"


@pytest.mark.req("KG-34")
def test_a_dropped_index_is_named_and_building_it_keeps_the_vectors(
    graph: Neo4jGraph, neo4j: Neo4j
) -> None:
    vectors = Neo4jEntityVectors(neo4j)
    knowledge = KnowledgeGraph(graph)
    assert vector_gaps(knowledge, vectors, model_fits=True).none
    neo4j.run("DROP INDEX drug_embeddings")
    gaps = vector_gaps(knowledge, vectors, model_fits=True)
    assert (gaps.missing, gaps.lacking, gaps.total) == (("drug_embeddings",), 20, 80)
    assert "“drug_embeddings” is missing" in gaps.words and "VECTOR_INDEX_MISSING" in gaps.words
    vectors.ensure(DIMENSION)
    assert vector_gaps(knowledge, vectors, model_fits=True).none
    vector = unit_vectors(1, seed=13)[0]
    assert_same(
        vectors.query(vector, "Drug", 5),
        nearest(vector, embedded(with_vectors(ENTITIES)), "Drug", 5),
    )
