"""One set of tests over every graph store, and what `KnowledgeGraph` reads from it."""

from __future__ import annotations

import threading
from collections import Counter
from itertools import islice

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.graph import Entity, Fact, Relationship
from core.errors import Cancelled, StoreError
from core.graph.importing.builder import GraphBuilder
from core.graph.knowledge import KnowledgeGraph
from core.graph.projection import Projection
from core.graph.store import GraphStore
from tests.graphs import graph_data

METFORMIN = Entity(
    "D1",
    "Drug",
    "Metformin",
    ("Glucophage", "N,N-dimethylbiguanide"),
    {"state": "solid", "identifiers": "MESH:D008687 | UNII:9100L32L2N"},
    3,
    0.9,
)
WARFARIN = Entity("D2", "Drug", "Warfarin", importance=0.2)
DIABETES = Entity("X1", "Disease", "type 2 diabetes mellitus", ("T2DM",), importance=1.0)
PAIN = Entity("P1", "Phenotype", "Pain", importance=0.5)
MARKUP = Entity("<img src=x>", "Drug", "<img src=x onerror=alert(1)>", importance=0.1)
SQL = Entity("'; --", "Drug", "'; DROP TABLE entities; --", ("100%_sure",), importance=0.3)
UNICODE = Entity(
    "α/β:1",
    "Protein",
    "β₂-adrénergique 受体 \u202e\U0001f9ec",
    ("Straße", "a\u0301"),
    {"note": 'line\nbreak\t"quoted" \\ {json}', "Ключ": "значение"},
    degree=0,
    importance=0.05,
)
ENTITIES = (METFORMIN, WARFARIN, DIABETES, PAIN, MARKUP, SQL, UNICODE)
LABEL = {"source": "label", "note": "<b>'\"\\ ü"}
RELATIONSHIPS = (
    Relationship("D1", "TREATS", "X1", LABEL),
    Relationship("D1", "CAUSES_SIDE_EFFECT", "P1"),
    Relationship("D2", "CAUSES_SIDE_EFFECT", "P1"),
    Relationship("D2", "INTERACTS_WITH", "D1", {"level": "low"}),
    Relationship("D1", "RESEMBLES", "D1"),
    Relationship("<img src=x>", "`]->() DELETE n //", "'; --"),
)
BY_IMPORTANCE = [DIABETES, METFORMIN, PAIN, SQL, WARFARIN, MARKUP, UNICODE]


@pytest.fixture
def store(graph_store: GraphStore) -> GraphStore:
    graph_store.replace(graph_data(ENTITIES, RELATIONSHIPS))
    return graph_store


@pytest.fixture
def graph(store: GraphStore) -> KnowledgeGraph:
    return KnowledgeGraph(store)


def keys(facts: list[Fact]) -> list[tuple[str, str, str]]:
    return [fact.key for fact in facts]


# -- entities --------------------------------------------------------------------------------------


def test_entities_come_back_as_they_went_in(store: GraphStore) -> None:
    for entity in ENTITIES:
        assert store.entities([entity.id]) == {entity.id: entity}
    assert list(store.all_entities()) == BY_IMPORTANCE


def test_entities_come_in_the_order_asked_and_unknown_ids_not_at_all(store: GraphStore) -> None:
    asked = ["D2", "nobody", "D1", "D2", "", "d1", "D1\x00", "\ud800", "D1' OR 1"]
    assert list(store.entities(asked).items()) == [("D2", WARFARIN), ("D1", METFORMIN)]
    assert list(store.entities(one.id for one in reversed(ENTITIES))) == [
        one.id for one in reversed(ENTITIES)
    ]
    assert store.entities([]) == {}


def test_names_are_found_in_any_case(store: GraphStore) -> None:
    assert store.entities_named("  GLUCOPHAGE ") == [METFORMIN]
    assert store.entities_named("Type 2  Diabetes Mellitus") == [DIABETES]
    assert store.entities_named("diabetes") == []
    assert store.entities_named("STRASSE") == store.entities_named("\u00e1") == [UNICODE]
    assert store.entities_named("") == []


def test_ids_and_identifiers_elsewhere_are_names_too(store: GraphStore) -> None:
    assert store.entities_named("d1") == [METFORMIN]
    assert store.entities_named("mesh:d008687") == [METFORMIN]
    assert store.search_entities("UNII:9100") == [METFORMIN]
    assert store.search_entities("α/Β:") == [UNICODE]


def test_entities_of_one_name_come_with_the_most_important_first(graph_store: GraphStore) -> None:
    small = Entity("1", "Drug", "Iron", importance=0.1)
    middle = Entity("2", "Drug", "Fe", ("iron", "IRON"), importance=0.5)
    great = Entity("3", "Protein", "Ferrum", properties={"identifiers": "x|Iron"}, importance=0.9)
    graph_store.replace(graph_data([small, middle, great], []))
    assert graph_store.entities_named("iron") == [great, middle, small]


def test_search_is_exact_then_prefix_then_importance(graph_store: GraphStore) -> None:
    exact = Entity("1", "Drug", "Iron", importance=0.1)
    prefix = Entity("2", "Drug", "iron oxide", importance=0.2)
    other_prefix = Entity("5", "Drug", "Ferric oxide", ("Ironic",), importance=0.15)
    inside = Entity("3", "Disease", "environmental disease", importance=0.9)
    small_inside = Entity("4", "Drug", "Spironolactone", ("iron-free iron",), importance=0.3)
    stored = [small_inside, inside, prefix, exact, other_prefix]
    graph_store.replace(graph_data(stored, []))
    search = graph_store.search_entities
    assert search("IRON") == [exact, small_inside, prefix, other_prefix, inside]
    assert search("iron", types=["Drug"]) == [exact, small_inside, prefix, other_prefix]
    assert search("iron", types=["Disease", "Nothing"]) == [inside]
    assert search("iron", types=["Nothing"]) == []
    assert [search("iron", limit=n) for n in (0, 1, 3)] == [
        [], [exact], [exact, small_inside, prefix],
    ]  # fmt: skip
    assert search("o", types=["Drug"], limit=2) == [small_inside, prefix]
    assert search("  ") == search("") == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("<img", [MARKUP]),
        ("onerror=alert(1)>", [MARKUP]),
        ("'; drop table", [SQL]),
        ("%", [SQL]),
        ("_", [SQL]),
        ("0%_s", [SQL]),
        ("0_%s", []),
        ('"', []),
        ("*", []),
        (".*", []),
        ("met*", []),
        ("\\", []),
        ("$type", []),
        ("\ud800", []),
        ("\x00", []),
        ("受", [UNICODE]),
        ("\U0001f9ec", [UNICODE]),
        ("β₂-ADRE\u0301NERGIQUE", [UNICODE]),
    ],
)
def test_search_takes_any_character_as_plain_text(
    store: GraphStore, query: str, found: list[Entity]
) -> None:
    assert store.search_entities(query) == found
    assert store.counts_by_type() == {"Drug": 4, "Disease": 1, "Phenotype": 1, "Protein": 1}


def test_types_are_plain_text_too(store: GraphStore) -> None:
    assert store.search_entities("a", types=["Drug' OR 1", "*", "%", "\ud800"]) == []


def test_all_names_come_by_importance_each_once(store: GraphStore) -> None:
    assert list(store.all_names()) == [
        ("type 2 diabetes mellitus", "X1", "Disease"),
        ("T2DM", "X1", "Disease"),
        ("X1", "X1", "Disease"),
        ("Metformin", "D1", "Drug"),
        ("Glucophage", "D1", "Drug"),
        ("N,N-dimethylbiguanide", "D1", "Drug"),
        ("MESH:D008687", "D1", "Drug"),
        ("UNII:9100L32L2N", "D1", "Drug"),
        ("D1", "D1", "Drug"),
        ("Pain", "P1", "Phenotype"),
        ("P1", "P1", "Phenotype"),
        ("'; DROP TABLE entities; --", "'; --", "Drug"),
        ("100%_sure", "'; --", "Drug"),
        ("'; --", "'; --", "Drug"),
        ("Warfarin", "D2", "Drug"),
        ("D2", "D2", "Drug"),
        ("<img src=x onerror=alert(1)>", "<img src=x>", "Drug"),
        ("<img src=x>", "<img src=x>", "Drug"),
        (UNICODE.name, UNICODE.id, "Protein"),
        ("Straße", UNICODE.id, "Protein"),
        ("a\u0301", UNICODE.id, "Protein"),
        (UNICODE.id, UNICODE.id, "Protein"),
    ]


def test_a_stream_may_be_left_and_begun_again(store: GraphStore) -> None:
    for _ in range(30):
        assert next(store.all_entities()) == DIABETES
        assert next(store.all_names())[1] == "X1"
        assert next(store.all_relationships()) in RELATIONSHIPS
    names, entities = store.all_names(), store.all_entities()
    assert [next(names)[1], next(entities).id, next(names)[1]] == ["X1", "X1", "X1"]
    assert [entity.id for entity in islice(entities, 2)] == ["D1", "P1"]


# -- relationships ---------------------------------------------------------------------------------


def test_relationships_come_back_as_they_went_in(store: GraphStore) -> None:
    found = {one.key: one for one in store.all_relationships()}
    assert found == {one.key: one for one in RELATIONSHIPS}
    assert store.count_relationships() == len(RELATIONSHIPS) == len(list(store.all_relationships()))


def test_properties_of_those_that_have_any(store: GraphStore) -> None:
    asked = [one.key for one in RELATIONSHIPS]
    asked += [("X1", "TREATS", "D1"), ("D1", "HARMS", "X1"), ("nobody", "TREATS", "X1")]
    found = store.relationship_properties([*asked, *asked])
    assert found == {
        ("D1", "TREATS", "X1"): LABEL,
        ("D2", "INTERACTS_WITH", "D1"): {"level": "low"},
    }
    assert store.relationship_properties([]) == {}


def test_the_projection_comes_back_byte_for_byte(graph_store: GraphStore) -> None:
    data = graph_data(ENTITIES, RELATIONSHIPS)
    graph_store.replace(data)
    assert graph_store.projection() == data.projection
    assert Projection.from_bytes(data.projection).ids == tuple(one.id for one in BY_IMPORTANCE)


def test_types_are_counted_the_most_frequent_first(graph_store: GraphStore) -> None:
    kinds = ["Protein", "Drug", "Disease", "Protein", "Drug", "Pathway"]
    graph_store.replace(graph_data([Entity(str(n), k, k) for n, k in enumerate(kinds)], []))
    assert list(graph_store.counts_by_type().items()) == [
        ("Drug", 2), ("Protein", 2), ("Disease", 1), ("Pathway", 1),
    ]  # fmt: skip


# -- generations -----------------------------------------------------------------------------------


def test_before_the_first_import_there_is_nothing(graph_store: GraphStore) -> None:
    assert graph_store.version() == graph_store.count_relationships() == 0
    assert graph_store.projection() == b""
    assert graph_store.entities(["D1"]) == graph_store.counts_by_type() == {}
    assert graph_store.entities_named("a") == graph_store.search_entities("a") == []
    assert graph_store.relationship_properties([("D1", "TREATS", "X1")]) == {}
    for stream in (
        graph_store.all_names(), graph_store.all_entities(), graph_store.all_relationships(),
    ):  # fmt: skip
        assert list(stream) == []
    graph = KnowledgeGraph(graph_store)
    assert graph.neighbours(["D1"], 5) == graph.facts("D1", "TREATS") == []
    assert graph.relationship_counts("D1") == {} and graph.entity("D1") is None


def test_a_graph_of_nothing_can_be_stored(store: GraphStore) -> None:
    version = store.version()
    store.replace(graph_data([], []))
    assert store.version() > version
    assert list(store.all_entities()) == list(store.all_names()) == []
    assert store.counts_by_type() == {} and store.count_relationships() == 0
    assert KnowledgeGraph(store).neighbours(["D1"], 5) == []


def test_an_import_replaces_everything(store: GraphStore) -> None:
    graph = KnowledgeGraph(store)
    assert graph.entity("P1") == PAIN and len(graph.neighbours(["D1"], 9)) == 4
    version = store.version()
    renamed = Entity("D2", "Drug", "Warfarin sodium", ("Coumadin",), importance=0.95)
    store.replace(
        graph_data([renamed, METFORMIN, DIABETES], [Relationship("D2", "TREATS", "X1", LABEL)])
    )
    assert store.version() > version
    assert store.entities(["D2", "P1", "D1"]) == {"D2": renamed, "D1": METFORMIN}
    assert store.entities_named("warfarin") == store.search_entities("pain") == []
    assert store.entities_named("COUMADIN") == [renamed]
    assert [one.key for one in store.all_relationships()] == [("D2", "TREATS", "X1")]
    assert store.counts_by_type() == {"Drug": 2, "Disease": 1}
    assert store.count_relationships() == 1
    assert graph.entity("P1") is None and graph.neighbours(["D1"], 9) == []
    assert graph.facts("X1", "TREATS") == [Fact(renamed, "TREATS", DIABETES, LABEL)]


def test_the_version_grows_with_every_import(graph_store: GraphStore) -> None:
    versions = [graph_store.version()]
    for entities in ([WARFARIN], [], [WARFARIN]):
        graph_store.replace(graph_data(entities, []))
        versions.append(graph_store.version())
    assert versions == sorted(set(versions))


class Stop(Exception):
    """What a test's check raises."""


@pytest.mark.parametrize("error", [Stop(), Cancelled("Stopped.")])
@pytest.mark.parametrize("after", [0, 1])
def test_an_import_that_is_stopped_leaves_the_old_graph(
    store: GraphStore, error: Exception, after: int
) -> None:
    version, left = store.version(), [after]

    def check() -> None:
        if not left[0]:
            raise error
        left[0] -= 1

    new = graph_data([Entity("N", "Drug", "New"), WARFARIN], [Relationship("N", "NEW", "D2")])
    with pytest.raises(type(error)):
        store.replace(new, check=check)
    assert store.version() == version
    assert list(store.all_entities()) == BY_IMPORTANCE
    assert store.entities_named("new") == []
    assert len(list(store.all_relationships())) == store.count_relationships() == 6
    store.replace(graph_data([WARFARIN], []))
    assert list(store.all_entities()) == [WARFARIN] and store.version() > version


def test_the_report_grows_to_the_whole(graph_store: GraphStore) -> None:
    told: list[float] = []
    graph_store.replace(graph_data(ENTITIES, RELATIONSHIPS), report=told.append)
    assert told == sorted(told) and told[0] >= 0 and told[-1] == 1.0


def test_readers_see_the_old_graph_or_the_new_one(store: GraphStore) -> None:
    """While one thread imports, others never meet a part of a graph, nor an error but "try again"."""
    old = graph_data(ENTITIES, RELATIONSHIPS)
    new = graph_data([METFORMIN, PAIN], [])
    seen: set[tuple[int, ...]] = set()
    problems: list[BaseException] = []
    done, begun = threading.Event(), threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                try:
                    entities, names = list(store.all_entities()), list(store.all_names())
                    related = list(store.all_relationships())
                except StoreError as error:
                    # A server is asked page by page; a reader that is overtaken is told to read again.
                    if error.code != "GRAPH_CHANGED":
                        raise
                    continue
                known = store.entities([one.id for one in ENTITIES])
                seen.update(
                    {(0, len(entities)), (1, len(names)), (2, len(known))},
                    {(3, store.count_relationships()), (4, len(related))},
                    {(5, len(Projection.from_bytes(store.projection()).ids))},
                )
                begun.set()
        except BaseException as error:
            problems.append(error)
            begun.set()

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        begun.wait()
        for turn in range(6):
            store.replace(old if turn % 2 else new)
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert problems == []
    assert seen <= {
        (0, 7), (0, 2), (1, 22), (1, 8), (2, 7), (2, 2), (3, 6), (3, 0), (4, 6), (4, 0), (5, 7), (5, 2),
    }  # fmt: skip


# -- what KnowledgeGraph makes of a store ----------------------------------------------------------


def test_neighbours_are_the_most_important_ones(graph: KnowledgeGraph) -> None:
    facts = graph.neighbours(["D1"], per_entity=2)
    assert keys(facts) == [("D1", "TREATS", "X1"), ("D1", "RESEMBLES", "D1")]
    assert facts[0] == Fact(METFORMIN, "TREATS", DIABETES, LABEL)
    assert graph.neighbours([], per_entity=2) == graph.neighbours(["nobody"], per_entity=2) == []


def test_a_fact_of_two_asked_entities_comes_once(graph: KnowledgeGraph) -> None:
    facts = graph.neighbours(["D1", "X1", "D1"], per_entity=10)
    assert keys(facts).count(("D1", "TREATS", "X1")) == 1


def test_neighbours_by_type_fill_the_cap_from_further_down(graph: KnowledgeGraph) -> None:
    by_relationship = graph.neighbours(["D1"], 1, relationship_types=["CAUSES_SIDE_EFFECT"])
    assert keys(by_relationship) == [("D1", "CAUSES_SIDE_EFFECT", "P1")]
    by_type = graph.neighbours(["P1", "X1"], 1, neighbour_types=["Drug"])
    assert keys(by_type) == [("D1", "CAUSES_SIDE_EFFECT", "P1"), ("D1", "TREATS", "X1")]
    assert graph.neighbours(["D1"], 5, ["TREATS"], ["Drug"]) == []


def test_facts_of_one_type_from_either_end(graph: KnowledgeGraph) -> None:
    effects = graph.facts("P1", "CAUSES_SIDE_EFFECT")
    assert [fact.source.name for fact in effects] == ["Metformin", "Warfarin"]
    assert graph.facts("P1", "CAUSES_SIDE_EFFECT", limit=1) == effects[:1]
    assert graph.facts("P1", "TREATS") == graph.facts("P1", "NOTHING") == []
    assert keys(graph.facts("'; --", "`]->() DELETE n //")) == [RELATIONSHIPS[-1].key]


def test_facts_between_need_both_ends(graph: KnowledgeGraph) -> None:
    asked = ["D1", "D2", "P1", "nobody"]
    found = graph.facts_between(asked)
    assert sorted(keys(found)) == sorted(one.key for one in RELATIONSHIPS[1:5])
    assert graph.facts_between(asked, limit=2) == found[:2]


def test_counts_of_an_entity(graph: KnowledgeGraph) -> None:
    types = ["CAUSES_SIDE_EFFECT", "INTERACTS_WITH", "RESEMBLES", "TREATS"]
    assert list(graph.relationship_counts("D1").items()) == [(name, 1) for name in types]
    assert graph.relationship_counts("nobody") == {}


# -- any graph -------------------------------------------------------------------------------------

TEXT = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), min_size=1, max_size=6
)
PROPERTIES = st.dictionaries(TEXT, TEXT, max_size=2)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Entity], list[Relationship]]:
    ids = draw(st.lists(TEXT, min_size=1, max_size=5, unique=True))
    kind = st.sampled_from(["Drug", "Disease", "A b`c"])
    entities = [
        Entity(
            one, draw(kind), draw(TEXT), tuple(draw(st.lists(TEXT, max_size=2))), draw(PROPERTIES)
        )
        for one in ids
    ]
    end, types = st.sampled_from(ids), st.sampled_from(["TREATS", "CAUSES", "`x` \\u0060"])
    return entities, draw(
        st.lists(st.builds(Relationship, end, types, end, PROPERTIES), max_size=14)
    )


def reference(entities: list[Entity], relationships: list[Relationship]) -> nx.MultiDiGraph:
    """The graph in which of equal relationships the first stays."""
    plain = nx.MultiDiGraph()
    plain.add_nodes_from(entity.id for entity in entities)
    for one in relationships:
        if not plain.has_edge(one.source, one.target, one.type):
            plain.add_edge(one.source, one.target, one.type, properties=dict(one.properties))
    return plain


def edges_at(plain: nx.MultiDiGraph, entity_id: str) -> set[tuple[str, str, str]]:
    found = [*plain.out_edges(entity_id, keys=True), *plain.in_edges(entity_id, keys=True)]
    return {(source, kind, target) for source, target, kind in found}


def other_end(key: tuple[str, str, str], entity_id: str) -> str:
    return key[2] if key[0] == entity_id else key[0]


@given(graph=graphs(), chosen=st.data())
def test_what_goes_in_comes_out(
    graph_store: GraphStore, graph: tuple[list[Entity], list[Relationship]], chosen: st.DataObject
) -> None:
    """Builder, store and KnowledgeGraph together answer as a plain graph library does."""
    entities, relationships = graph
    plain = reference(entities, relationships)
    builder = GraphBuilder()
    numbers = {entity.id: builder.entity(entity) for entity in entities}
    for one in relationships:
        builder.relationship(numbers[one.source], one.type, numbers[one.target], one.properties)
    graph_store.replace(builder.build())
    read = KnowledgeGraph(graph_store)

    stored = {entity.id: entity for entity in graph_store.all_entities()}
    assert {one.id: (one.type, one.name, one.synonyms, one.properties) for one in entities} == {
        one.id: (one.type, one.name, one.synonyms, one.properties) for one in stored.values()
    }
    assert read.entities(stored) == stored
    assert read.counts_by_type() == Counter(one.type for one in entities)
    assert read.count_relationships() == plain.number_of_edges()
    assert {one.key: dict(one.properties) for one in graph_store.all_relationships()} == {
        (source, kind, target): data["properties"]
        for source, target, kind, data in plain.edges(keys=True, data=True)
    }
    everything = read.neighbours(list(stored), per_entity=100)
    assert len(everything) == plain.number_of_edges() == len(set(keys(everything)))
    for fact in everything:
        assert (
            fact.properties == plain.edges[fact.source.id, fact.target.id, fact.type]["properties"]
        )
    assert {one.id: one.degree for one in stored.values()} == {
        one: len(edges_at(plain, one)) for one in stored
    }
    check_one(read, plain, chosen.draw(st.sampled_from(list(stored.values()))), list(stored))
    ids = chosen.draw(st.lists(st.sampled_from(sorted(stored)), max_size=5))
    between = read.facts_between(ids)
    assert len(between) == len(set(keys(between)))
    assert set(keys(between)) == {
        (source, kind, target) for source, target, kind in plain.subgraph(ids).edges(keys=True)
    }


def check_one(
    read: KnowledgeGraph, plain: nx.MultiDiGraph, entity: Entity, by_importance: list[str]
) -> None:
    """An entity's names, facts, counts and caps are those of the plain graph."""
    for name in (entity.id, entity.name, *entity.synonyms):
        assert (entity in read.entities_named(name)) is bool(name.strip())
    edges = edges_at(plain, entity.id)
    counts = Counter(kind for _, kind, _ in edges)
    assert read.relationship_counts(entity.id) == counts
    facts = read.neighbours([entity.id], per_entity=100)
    assert len(facts) == len(edges) and set(keys(facts)) == edges
    others = [by_importance.index(other_end(fact.key, entity.id)) for fact in facts]
    assert others == sorted(others)
    assert read.neighbours([entity.id], per_entity=2) == facts[:2]
    for kind in list(counts)[:1]:
        assert read.facts(entity.id, kind) == [fact for fact in facts if fact.type == kind]
