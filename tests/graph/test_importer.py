"""Graph folders: the plain pair, PrimeKG's files, and what is wrong with either."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.graph import Entity, Relationship
from core.errors import InputError, NotFound
from core.graph.csv_rows import GRAPH_FORMAT
from core.graph.importer import import_graph, read_graph
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph

SHARED_GRAPHS = Path(__file__).parents[2].parent / "shared" / "data" / "graph"
KG_HEADER = (
    *("relation", "display_relation"),
    *("x_index", "x_id", "x_type", "x_name", "x_source"),
    *("y_index", "y_id", "y_type", "y_name", "y_source"),
)
METFORMIN = ("1", "DB00331", "drug", "Metformin", "DrugBank")
DIABETES = ("2", "5148", "disease", "type 2 diabetes mellitus", "MONDO")
ASTHMA = ("3", "4979", "disease", "asthma", "MONDO")
GENE = ("4", "5148", "gene/protein", "PDE6D", "NCBI")
CYP = ("5", "1576", "gene/protein", "CYP3A4", "NCBI")
PROCESS = ("6", "", "biological_process", "gluconeogenesis", "GO")
WARFARIN = ("7", "DB00682", "drug", "Warfarin", "DrugBank")


def write_csv(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def write_plain(folder: Path, nodes: str, relationships: str = "source,type,target\n") -> Path:
    (folder / "nodes.csv").write_text(nodes, encoding="utf-8")
    (folder / "relationships.csv").write_text(relationships, encoding="utf-8")
    return folder


def write_kg(folder: Path, rows: Sequence[tuple[str, str, Sequence[str], Sequence[str]]]) -> Path:
    """kg.csv with every relationship from both ends, as PrimeKG has it."""
    both = [
        (relation, display, *x, *y)
        for relation, display, one, other in rows
        for x, y in ((one, other), (other, one))
    ]
    write_csv(folder / "kg.csv", KG_HEADER, both)
    return folder


# --- the plain pair


def test_the_plain_pair(tmp_path: Path) -> None:
    write_plain(
        tmp_path,
        "id,type,name,synonyms,indication,state\n"
        "D1,Drug,Metformin,Glucophage | Metformin||Diabex,diabetes,\n"
        "X1,Disease,type 2 diabetes mellitus,,,\n"
        'D2,Drug,"<img src=x onerror=alert(1)>",,"\'; DROP TABLE entities; --",\n',
        "source,type,target,evidence\nD1,TREATS,X1,label\nD2,RESEMBLES,D1,\n",
    )
    graph = read_graph(tmp_path)
    assert graph.problems == ()
    metformin, diabetes, markup = graph.entities
    assert metformin.synonyms == ("Glucophage", "Diabex")
    assert metformin.properties == {"indication": "diabetes"}
    assert (metformin.degree, metformin.importance) == (2, 1.0)
    assert diabetes.degree == 1
    assert 0 < diabetes.importance < 1
    assert markup.name == "<img src=x onerror=alert(1)>"
    assert markup.properties == {"indication": "'; DROP TABLE entities; --"}
    assert graph.relationships == (
        Relationship("D1", "TREATS", "X1", {"evidence": "label"}),
        Relationship("D2", "RESEMBLES", "D1"),
    )


def test_malformed_rows_are_listed_with_their_lines(tmp_path: Path) -> None:
    write_plain(
        tmp_path,
        'id,type,name,synonyms\nD1,Drug,"Met\nformin",\n,Drug,Nameless,\nD2,Drug,,\n'
        "D1,Drug,Again,\nD3,Drug\n\nD4,Drug,Aspirin,\n",
        'source,type,target\nD1,RESEMBLES,D4\nD1,TREATS,X9\nD1,,D4\nD1,RESEMBLES,D4\n"a"b,c,d\nD1,\0,D4\n',
    )
    graph = read_graph(tmp_path)
    assert [entity.id for entity in graph.entities] == ["D1", "D4"]
    assert len(graph.relationships) == 1
    assert graph.skipped == 9
    assert graph.problems[:4] == (
        "nodes.csv:4 lacks id",
        "nodes.csv:5 lacks name",
        "nodes.csv:6 repeats the id D1",
        "nodes.csv:7 has 2 columns, the header has 4",
    )
    assert graph.problems[4:7] == (
        "relationships.csv:3 unknown entity X9",
        "relationships.csv:4 lacks type",
        "relationships.csv:5 repeats D1 RESEMBLES D4",
    )
    assert graph.problems[7].startswith("relationships.csv:6 cannot be read")
    assert graph.problems[8] == "relationships.csv:7 cannot be read: it holds a NUL character"


def test_a_byte_order_mark_is_no_part_of_the_first_column(tmp_path: Path) -> None:
    write_plain(tmp_path, "\ufeffid,type,name\nD1,Drug,Metformin\n")
    assert [entity.name for entity in read_graph(tmp_path).entities] == ["Metformin"]


WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="|\0"), min_size=1)
PLAIN = WORDS.filter(lambda text: text == text.strip())
ENTITIES = st.lists(
    st.builds(
        Entity,
        id=PLAIN,
        type=PLAIN,
        name=PLAIN,
        synonyms=st.lists(PLAIN, max_size=3, unique=True).map(tuple),
        properties=st.fixed_dictionaries({}, optional={"state": PLAIN, "note": PLAIN}),
    ).filter(lambda entity: entity.name not in entity.synonyms),
    min_size=1,
    max_size=8,
    unique_by=lambda entity: entity.id,
)


@settings(max_examples=100, deadline=None)
@given(ENTITIES, st.data())
def test_what_is_written_comes_back_from_the_store(
    entities: list[Entity], data: st.DataObject
) -> None:
    ends = st.sampled_from([entity.id for entity in entities])
    keys = data.draw(st.lists(st.tuples(ends, PLAIN, ends), max_size=12, unique=True))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_csv(
            folder / "nodes.csv",
            ["id", "type", "name", "synonyms", "state", "note"],
            [
                (
                    *(e.id, e.type, e.name, "|".join(e.synonyms)),
                    *(e.properties.get(column, "") for column in ("state", "note")),
                )
                for e in entities
            ],
        )
        write_csv(folder / "relationships.csv", ["source", "type", "target"], keys)
        db = Database(folder / "library.db")
        store = SqliteGraph(db)
        report = import_graph(folder, store)
        stored = store.entities(entity.id for entity in entities)
        found = {fact.key for fact in store.facts_between(list(stored))}
        db.close()
    assert (report.entities, report.relationships, report.skipped) == (len(entities), len(keys), 0)
    for entity in entities:
        read = stored[entity.id]
        assert (read.type, read.name, read.synonyms) == (entity.type, entity.name, entity.synonyms)
        assert read.properties == entity.properties
        assert read.degree == sum(entity.id in (source, target) for source, _, target in keys)
        assert 0 < read.importance <= 1
    assert max(entity.importance for entity in stored.values()) == 1
    assert found == set(keys)


# --- PrimeKG


def test_both_directions_are_stored_once_from_the_right_end(tmp_path: Path) -> None:
    write_kg(
        tmp_path,
        [
            ("indication", "indication", DIABETES, METFORMIN),
            ("contraindication", "contraindication", ASTHMA, METFORMIN),
            ("off-label use", "off-label use", ASTHMA, METFORMIN),
            ("drug_protein", "target", CYP, METFORMIN),
            ("drug_protein", "enzyme", METFORMIN, CYP),
            ("disease_protein", "associated with", DIABETES, GENE),
            ("drug_drug", "synergistic interaction", WARFARIN, METFORMIN),
            ("drug_drug", "resembles", METFORMIN, WARFARIN),
            ("disease_disease", "parent-child", ASTHMA, DIABETES),
            ("bioprocess_protein", "interacts with", GENE, PROCESS),
        ],
    )
    graph = read_graph(tmp_path)
    assert graph.skipped == 0
    assert {r.key: r.properties for r in graph.relationships} == {
        ("DB00331", "TREATS", "MONDO:5148"): {},
        ("DB00331", "CONTRAINDICATED_IN", "MONDO:4979"): {},
        ("DB00331", "OFF_LABEL_USE", "MONDO:4979"): {},
        ("DB00331", "TARGETS", "NCBI:1576"): {"role": "enzyme, target"},
        ("NCBI:5148", "ASSOCIATED_WITH", "MONDO:5148"): {},
        ("DB00331", "INTERACTS_WITH", "DB00682"): {},
        ("DB00331", "RESEMBLES", "DB00682"): {},
        ("MONDO:4979", "RESEMBLES", "MONDO:5148"): {},
        ("PrimeKG:6", "BIOPROCESS_PROTEIN", "NCBI:5148"): {},
    }
    types = {entity.id: entity.type for entity in graph.entities}
    assert types["PrimeKG:6"] == "BiologicalProcess"
    assert (types["NCBI:5148"], types["MONDO:5148"]) == ("Protein", "Disease")
    metformin = next(entity for entity in graph.entities if entity.id == "DB00331")
    assert metformin.degree == 6


def test_features_make_properties_and_clinical_diseases(tmp_path: Path) -> None:
    write_kg(
        tmp_path,
        [
            ("indication", "indication", METFORMIN, DIABETES),
            ("indication", "indication", METFORMIN, ASTHMA),
        ],
    )
    write_csv(
        tmp_path / "drug_features.csv",
        ["node_index", "description", "half_life"],
        [("1", "A biguanide.", ""), ("99", "of nobody", "")],
    )
    write_csv(
        tmp_path / "disease_features.csv",
        ["node_index", "mondo_definition", "mayo_symptoms"],
        [("2", "High blood sugar.", "Thirst."), ("2", "Again.", ""), ("3", "Wheezing.", "")],
    )
    graph = read_graph(tmp_path)
    by_name = {entity.name: entity for entity in graph.entities}
    assert by_name["Metformin"].properties == {"description": "A biguanide."}
    assert by_name["type 2 diabetes mellitus"].type == "ClinicalDisease"
    assert by_name["type 2 diabetes mellitus"].properties == {
        "mondo_definition": "High blood sugar.",
        "mayo_symptoms": "Thirst.",
    }
    assert by_name["asthma"].type == "Disease"
    assert graph.problems == ("drug_features.csv:3 has a node_index that kg.csv does not know",)


def test_rows_of_kg_without_a_name_are_left_out(tmp_path: Path) -> None:
    write_kg(
        tmp_path,
        [
            ("indication", "indication", METFORMIN, DIABETES),
            ("indication", "indication", METFORMIN, ("8", "77", "disease", "", "MONDO")),
        ],
    )
    graph = read_graph(tmp_path)
    assert len(graph.relationships) == 1
    assert graph.problems == ("kg.csv:4 lacks y_name", "kg.csv:5 lacks x_name")


# --- what is no graph


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no folder 'nowhere'"):
        read_graph(tmp_path / "nowhere")


def test_folders_and_files_that_are_no_graph(tmp_path: Path) -> None:
    def error() -> str:
        with pytest.raises(InputError) as caught:
            read_graph(tmp_path)
        assert caught.value.code == GRAPH_FORMAT
        assert caught.value.advice
        assert str(tmp_path) not in str(caught.value)
        return caught.value.message

    assert "no graph" in error()
    write_plain(tmp_path, "id;type;name\nD1;Drug;Metformin\n")
    assert error() == "nodes.csv lacks the column id, type, name."
    write_plain(tmp_path, "id,type,name,name\n")
    assert error() == "nodes.csv names the column name more than once."
    write_plain(tmp_path, "")
    assert "lacks the column" in error()
    write_plain(tmp_path, 'id,type,name\nD1,Drug,"Metformin\nD2,Drug,Aspirin\n')
    assert "never closed, from line 2 on" in error()
    (tmp_path / "nodes.csv").write_bytes("id,type,name\nD1,Drug,Caf\u00e9\n".encode("latin-1"))
    assert error() == "nodes.csv is not UTF-8 text."
    (tmp_path / "nodes.csv").write_bytes("id,type,name\nD1,Drug,X\n".encode("utf-16"))
    assert error() == "nodes.csv is not UTF-8 text."


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "graph").write_text("x")
    with pytest.raises(InputError):
        read_graph(tmp_path / "graph")


# --- real graphs


@pytest.mark.parametrize(
    ("name", "entities", "relationships"),
    [("hetionet", 22_927, 70_268), ("primekg_ibd", 3_426, 6_376)],
)
def test_real_graphs(tmp_path: Path, name: str, entities: int, relationships: int) -> None:
    folder = SHARED_GRAPHS / name
    if not folder.exists():
        pytest.skip("the shared development data are not here")
    store = SqliteGraph(Database(tmp_path / "library.db"))
    report = import_graph(folder, store)
    assert (report.entities, report.relationships) == (entities, relationships)
    assert report.problems == ()
    assert report.seconds < 30
    assert sum(store.counts_by_type().values()) == entities
