"""The registry as nodes and relationships of a real Neo4j; what holds
for every store is in the module beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.graph import Entity
from core.stores.neo4j.connection import Neo4j
from core.stores.neo4j.conversations import Neo4jConversations
from core.stores.neo4j.documents.library import Neo4jLibrary
from core.stores.neo4j.graph.graph import Neo4jGraph
from tests.contract.documents import add, an_index, chunks_of, document, filling
from tests.contract.test_conversations import a_full_answer
from tests.support.graphs import graph_data


@pytest.fixture
def library(neo4j: Neo4j) -> Neo4jLibrary:
    library = Neo4jLibrary(neo4j)
    library.create_index(an_index("leaflets"))
    return library


def one(neo4j: Neo4j, query: str) -> object:
    (row,) = neo4j.read(query)
    (value,) = row.values()
    return value


def nodes(neo4j: Neo4j) -> dict[str, int]:
    rows = neo4j.read("MATCH (n) RETURN labels(n)[0] AS label, count(*) AS count")
    return {row["label"]: row["count"] for row in rows}


def with_entities(neo4j: Neo4j, version: int, *ids: str) -> None:
    """A graph of a few entities, present in this version."""
    neo4j.write(
        "UNWIND $ids AS id CREATE (:Entity {id: id, generation: $version})",
        {"ids": list(ids), "version": version},
    )
    neo4j.write(
        "MERGE (g:GraphState {name: 'graph'}) SET g.version = $version", {"version": version}
    )


def test_a_document_is_a_small_graph(neo4j: Neo4j, library: Neo4jLibrary) -> None:
    with_entities(neo4j, 4, "E1")
    add(library, document("d"), "one", "two")
    assert nodes(neo4j) == {
        "Index": 1, "Document": 1, "Page": 1, "Chunk": 2, "Entity": 1, "GraphState": 1,
    }  # fmt: skip
    assert (
        one(neo4j, "MATCH (i:Index)<-[:IN_INDEX]-(d:Document)-[:HAS_PAGE]->(:Page) RETURN d.id")
        == "d"
    )
    assert one(neo4j, "MATCH (:Document)-[:HAS_CHUNK]->(c:Chunk) RETURN count(c)") == 2
    assert one(neo4j, "MATCH (:Chunk)-[m:MENTIONS]->(:Entity {id: 'E1'}) RETURN m.count") == 2
    library.remove_document("d")
    assert nodes(neo4j) == {"Index": 1, "Entity": 1, "GraphState": 1}


def test_a_document_of_before_is_one_that_nobody_looked_for_orders_in_or_corrected(
    neo4j: Neo4j, library: Neo4jLibrary
) -> None:
    add(library, document("d"), "one")
    neo4j.write("MATCH (d:Document) REMOVE d.orders, d.corrections, d.products")
    (found,) = library.documents("leaflets")
    assert (found.orders, found.corrections, found.products) == (-1, 0, ())
    corrected = replace(found, title="Aspirin", corrections=1)
    library.retitle_document(corrected, chunks_of("d", "two"), {})
    assert library.document("d") == corrected


def test_a_mention_of_an_entity_that_the_graph_lacks_is_kept(
    neo4j: Neo4j, library: Neo4jLibrary
) -> None:
    with_entities(neo4j, 1, "other")
    add(library, document("d"), "one", "two")
    assert library.mentions_of_document("d") == {"E1": 2}
    assert nodes(neo4j)["MissingEntity"] == 1 and nodes(neo4j)["Entity"] == 1
    library.replace_mentions({"d:0": {"other": 1}, "d:1": {"gone": 5}})
    assert library.mentions_of_document("d") == {"gone": 5, "other": 1}
    assert one(neo4j, "MATCH (n:MissingEntity) RETURN collect(n.id)") == ["gone"]
    library.remove_document("d")
    assert "MissingEntity" not in nodes(neo4j)


def test_mentions_are_not_counted_twice_while_a_graph_is_being_written(
    neo4j: Neo4j, library: Neo4jLibrary
) -> None:
    with_entities(neo4j, 1, "E1")
    add(library, document("d"), "one")
    neo4j.write(
        "MATCH (c:Chunk) CREATE (c)-[:MENTIONS {count: 2}]->(:Entity {id: 'E1', generation: 2})"
    )
    assert library.mentions_of_chunks(["d:0"]) == {"d:0": {"E1": 2}}
    assert library.mentions_of_document("d") == {"E1": 2}
    assert [times for _, times in library.documents_mentioning("E1")] == [2]
    assert library.remove_document("d")["mentions"] == 1
    assert one(neo4j, "MATCH ()-[m:MENTIONS]->() RETURN count(m)") == 0


def test_mentions_stay_when_a_new_graph_takes_the_place_of_the_old(
    neo4j: Neo4j, library: Neo4jLibrary
) -> None:
    graph = Neo4jGraph(neo4j)
    entities = [Entity(name, "Drug", name) for name in ("E1", "E2", "E3")]
    add(library, document("d"), "one")
    graph.replace(graph_data(entities, []))
    assert library.mentions_of_document("d") == {"E1": 2}
    library.replace_mentions({"d:0": {"E1": 2, "E2": 3, "E3": 1}})
    for kept in (entities, entities[:2]):
        graph.replace(graph_data(kept, []))
        mentions = library.mentions_of_document("d")
        assert {name: mentions[name] for name in ("E2", "E1")} == {"E2": 3, "E1": 2}
        assert [times for _, times in library.documents_mentioning("E2")] == [3]
        assert one(neo4j, "MATCH (:Chunk)-[m:MENTIONS]->(:Entity) RETURN count(m)") == len(kept)
    assert library.remove_document("d")["mentions"] == 2


def test_what_disagrees_is_found_and_mended(neo4j: Neo4j, library: Neo4jLibrary) -> None:
    add(library, document("d"), "warfarin one", "warfarin two")
    neo4j.write("MATCH (d:Document) SET d.chunks = 9")
    neo4j.write("MATCH (c:Chunk {id: 'd:0'}) SET c.text = 'aspirin one'")
    neo4j.write("CREATE (:Chunk {id: 'x:0', context: '', text: 'stray', words: 'stray'})")
    assert library.problems() == [
        ("chunk_count", "d", 7),
        ("chunk_count", "", 1),
        ("full_text", "", 1),
    ]
    library.repair_text()
    assert library.problems() == [] and library.count_chunks(["leaflets"]) == 2
    assert library.count_text_rows() == 2
    assert [i for i, _ in library.search_text("aspirin", ["leaflets"], 9)] == ["d:0"]
    assert [i for i, _ in library.search_text("warfarin", ["leaflets"], 9)] == ["d:1"]


def test_a_full_text_index_that_is_gone_is_made_anew(neo4j: Neo4j, library: Neo4jLibrary) -> None:
    add(library, document("d"), "warfarin")
    neo4j.run("DROP INDEX chunk_words")
    try:
        assert library.problems() == [("full_text", "", 1)]
    finally:
        library.repair_text()
    assert library.problems() == []
    assert [i for i, _ in library.search_text("warfarin", ["leaflets"], 9)] == ["d:0"]


def test_an_answer_cites_the_document_for_as_long_as_there_is_one(
    neo4j: Neo4j, library: Neo4jLibrary
) -> None:
    conversations = Neo4jConversations(neo4j)
    add(library, document("doc1", file="Metformin.pdf"), "200 mg")
    conversations.create_session("s", "Title")
    conversations.add_turn("t", "s", a_full_answer())
    cited = "MATCH (:Answer)-[:CITES]->(d) RETURN collect([labels(d)[0], d.id, d.file])"
    assert one(neo4j, cited) == [["Document", "doc1", "Metformin.pdf"]]
    library.remove_document("doc1")
    assert one(neo4j, cited) == [["CitedDocument", "doc1", "Metformin.pdf"]]
    assert library.count_document_rows("doc1") == 0
    library.restore_document(filling(document("doc1", file="Metformin.pdf"), "200 mg"))
    assert one(neo4j, cited) == [["Document", "doc1", "Metformin.pdf"]]
    conversations.delete_session("s")
    assert set(nodes(neo4j)) == {"Index", "Document", "Page", "Chunk", "MissingEntity", "User"}
