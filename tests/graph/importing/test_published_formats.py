"""PrimeKG's and Hetionet's files, as they are published, in this project's terms."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import pytest

from core.domain.graph import Entity, Relationship
from core.errors import InputError
from core.graph.importing.csv_rows import GRAPH_FORMAT
from core.graph.importing.importer import import_graph, read_graph
from tests.graph.graph_files import Row, open_store, stored_graph, write_csv, write_kg

METFORMIN = ("1", "DB00331", "drug", "Metformin", "DrugBank")
DIABETES = ("2", "5148", "disease", "type 2 diabetes mellitus", "MONDO")
ASTHMA = ("3", "4979", "disease", "asthma", "MONDO")
GENE = ("4", "5148", "gene/protein", "PDE6D", "NCBI")
CYP = ("5", "1576", "gene/protein", "CYP3A4", "NCBI")
PROCESS = ("6", "", "biological_process", "gluconeogenesis", "GO")
WARFARIN = ("7", "DB00682", "drug", "Warfarin", "DrugBank")
CROHN = ("8", "5011_5532_33", "disease", "Crohn disease", "MONDO_grouped")
FEVER = ("9", "1945", "effect/phenotype", "Fever", "HPO")
LIVER = ("10", "2107", "anatomy", "liver", "UBERON")
BINDING = ("11", "5515", "molecular_function", "protein binding", "GO")
LEAD = ("12", "D007854", "exposure", "Lead", "CTD")


def read(folder: Path) -> tuple[dict[str, Entity], list[Relationship], tuple[str, ...]]:
    builder, problems = read_graph(folder)
    graph = builder.build()
    assert problems.skipped == len(problems.listed)
    return {one.id: one for one in graph.entities}, list(graph.relationships()), problems.listed


# --- PrimeKG


def test_relationships_are_stored_once_from_the_right_end(tmp_path: Path) -> None:
    rows: list[Row] = [
        ("indication", "indication", DIABETES, METFORMIN),
        ("contraindication", "contraindication", ASTHMA, METFORMIN),
        ("off-label use", "off-label use", ASTHMA, METFORMIN),
        ("drug_protein", "target", CYP, METFORMIN),
        ("drug_protein", "enzyme", METFORMIN, CYP),
        ("drug_protein", "carrier", METFORMIN, CYP),
        ("drug_protein", "transporter", CYP, METFORMIN),
        ("disease_protein", "associated with", DIABETES, GENE),
        ("drug_drug", "synergistic interaction", WARFARIN, METFORMIN),
        ("drug_drug", "resembles", METFORMIN, WARFARIN),
        ("disease_disease", "resembles", ASTHMA, DIABETES),
        ("disease_disease", "parent-child", ASTHMA, DIABETES),
        ("disease_phenotype_positive", "phenotype present", FEVER, ASTHMA),
        ("disease_phenotype_negative", "phenotype absent", FEVER, DIABETES),
        ("bioprocess_protein", "interacts with", GENE, PROCESS),
        ("molfunc_protein", "interacts with", GENE, BINDING),
        ("anatomy_protein_present", "expression present", GENE, LIVER),
        ("anatomy_protein_absent", "expression absent", CYP, LIVER),
        ("exposure_disease", "linked to", ASTHMA, LEAD),
        ("protein_protein", "ppi", GENE, CYP),
        ("some new-relation", "", LIVER, FEVER),
    ]
    entities, relationships, problems = read(write_kg(tmp_path, rows))
    assert problems == ()
    assert {one.key for one in relationships} == {
        ("DB00331", "TREATS", "MONDO:5148"),
        ("DB00331", "CONTRAINDICATED_IN", "MONDO:4979"),
        ("DB00331", "OFF_LABEL_USE", "MONDO:4979"),
        ("DB00331", "TARGETS", "NCBI:1576"),
        ("DB00331", "HAS_ENZYME", "NCBI:1576"),
        ("DB00331", "HAS_CARRIER", "NCBI:1576"),
        ("DB00331", "HAS_TRANSPORTER", "NCBI:1576"),
        ("NCBI:5148", "ASSOCIATED_WITH", "MONDO:5148"),
        ("DB00331", "INTERACTS_WITH", "DB00682"),
        ("DB00331", "RESEMBLES", "DB00682"),
        ("MONDO:4979", "RESEMBLES", "MONDO:5148"),
        ("MONDO:4979", "IS_PARENT_OR_CHILD_OF", "MONDO:5148"),
        ("MONDO:4979", "HAS_PHENOTYPE", "HPO:1945"),
        ("MONDO:5148", "LACKS_PHENOTYPE", "HPO:1945"),
        ("PrimeKG:6", "BIOPROCESS_PROTEIN", "NCBI:5148"),
        ("GO:5515", "MOLFUNC_PROTEIN", "NCBI:5148"),
        ("UBERON:2107", "ANATOMY_PROTEIN_PRESENT", "NCBI:5148"),
        ("UBERON:2107", "ANATOMY_PROTEIN_ABSENT", "NCBI:1576"),
        ("D007854", "LINKED_TO", "MONDO:4979"),
        ("NCBI:1576", "BINDS", "NCBI:5148"),
        ("UBERON:2107", "SOME_NEW_RELATION", "HPO:1945"),
    }
    assert len(relationships) == len(rows)
    assert {one.name: one.type for one in entities.values()} == {
        "Metformin": "Drug",
        "Warfarin": "Drug",
        "type 2 diabetes mellitus": "Disease",
        "asthma": "Disease",
        "PDE6D": "Protein",
        "CYP3A4": "Protein",
        "Fever": "Phenotype",
        "gluconeogenesis": "BiologicalProcess",
        "protein binding": "MolecularFunction",
        "liver": "Anatomy",
        "Lead": "Exposure",
    }


def test_ids_of_ontologies_are_found_in_their_usual_form(tmp_path: Path) -> None:
    folder = write_kg(
        tmp_path,
        [
            ("disease_protein", "associated with", CROHN, GENE),
            ("disease_phenotype_positive", "phenotype present", FEVER, ASTHMA),
            ("anatomy_protein_present", "expression present", GENE, LIVER),
            ("indication", "indication", METFORMIN, DIABETES),
        ],
    )
    entities, _, _ = read(folder)
    assert {one.id: one.properties.get("identifiers", "") for one in entities.values()} == {
        "MONDO_grouped:5011_5532_33": "MONDO:0005011|MONDO:0005532|MONDO:0000033",
        "NCBI:5148": "",
        "HPO:1945": "HP:0001945",
        "MONDO:4979": "MONDO:0004979",
        "UBERON:2107": "UBERON:0002107",
        "DB00331": "",
        "MONDO:5148": "MONDO:0005148",
    }


def test_features_make_properties_names_and_clinical_diseases(tmp_path: Path) -> None:
    write_kg(
        tmp_path,
        [
            ("indication", "indication", METFORMIN, DIABETES),
            ("indication", "indication", METFORMIN, ASTHMA),
            ("indication", "indication", METFORMIN, CROHN),
        ],
    )
    write_csv(
        tmp_path / "drug_features.csv",
        ["node_index", "description", "half_life"],
        [("1", "A biguanide.", ""), ("99", "of nobody", ""), ("", "of none", "")],
    )
    write_csv(
        tmp_path / "disease_features.csv",
        [
            *("node_index", "mondo_id", "mondo_name", "group_name_bert", "mondo_definition"),
            *("orphanet_prevalence", "orphanet_clinical_description", "mayo_symptoms"),
        ],
        [
            ("2", "5148", "type 2 diabetes mellitus", "", "High sugar.", "", "", "Thirst."),
            ("2", "5148", "type 2 diabetes mellitus", "", "Again.", "", "", ""),
            ("3", "4979", "asthma", "", "Wheezing.", "1/20", "", ""),
            ("8", "5011", "Crohn disease", "Crohn disease", "", "", "", ""),
            ("8", "5532", "Crohn's colitis", "Crohn disease", "Of the colon.", "", "Pain.", ""),
            ("8", "77", "Crohn's ileitis", "Crohn disease", "Of the ileum.", "", "", ""),
        ],
    )
    entities, _, problems = read(tmp_path)
    assert entities["DB00331"].properties == {"description": "A biguanide."}
    diabetes, asthma = entities["MONDO:5148"], entities["MONDO:4979"]
    assert (diabetes.type, diabetes.synonyms) == ("ClinicalDisease", ())
    assert diabetes.properties == {
        "mondo_definition": "High sugar.",
        "mayo_symptoms": "Thirst.",
        "identifiers": "MONDO:0005148",
    }
    assert (asthma.type, asthma.properties["orphanet_prevalence"]) == ("Disease", "1/20")
    crohn = entities["MONDO_grouped:5011_5532_33"]
    assert (crohn.type, crohn.synonyms) == (
        "ClinicalDisease",
        ("Crohn's colitis", "Crohn's ileitis"),
    )
    assert crohn.properties == {
        "mondo_definition": "Of the colon.",
        "orphanet_clinical_description": "Pain.",
        "identifiers": "MONDO:0005011|MONDO:0005532|MONDO:0000033|MONDO:0000077",
    }
    assert problems == (
        "drug_features.csv:3 has a node_index that no entity has",
        "drug_features.csv:4 lacks node_index",
    )


def test_nodes_without_a_relationship_are_imported_too(tmp_path: Path) -> None:
    write_kg(tmp_path, [("indication", "indication", METFORMIN, DIABETES)])
    header = ["node_index", "node_id", "node_type", "node_name", "node_source"]
    write_csv(tmp_path / "nodes.csv", header, [METFORMIN, DIABETES, LIVER, ("13", "", "", "x", "")])
    # A file of that name beside PrimeKG's does not make the folder a plain pair.
    (tmp_path / "relationships.csv").write_text("anything at all")
    entities, relationships, problems = read(tmp_path)
    assert (sorted(entities), len(relationships)) == (["DB00331", "MONDO:5148", "UBERON:2107"], 1)
    assert entities["UBERON:2107"].degree == 0
    assert problems == ("nodes.csv:5 lacks node_type",)


def test_malformed_rows_of_kg_are_left_out(tmp_path: Path) -> None:
    spaced = tuple(f" {cell} " for cell in METFORMIN)
    rows = [
        ("indication", "indication", *METFORMIN, *DIABETES),
        ("indication", "indication", *spaced, *ASTHMA),
        ("indication", "indication", *METFORMIN, "14", "77", "disease", "", "MONDO"),
        ("indication", "indication", "7", "DB00331", "drug", "Other", "DrugBank", *ASTHMA),
        ("indication", "indication", *DIABETES, "1", "DB00331", "disease", "Metformin", "MONDO"),
        ("indication", "indication", *METFORMIN),
        (" ", "indication", *METFORMIN, *ASTHMA),
        ("indication", "", *METFORMIN, *WARFARIN[:3], "Warf\0arin", "DrugBank"),
        ("indication", "indication", "", *METFORMIN[1:], *ASTHMA),
    ]
    write_csv(
        tmp_path / "kg.csv",
        "relation,display_relation,x_index,x_id,x_type,x_name,x_source,"
        "y_index,y_id,y_type,y_name,y_source".split(","),
        rows,
    )
    entities, relationships, problems = read(tmp_path)
    assert {one.key for one in relationships} == {
        ("DB00331", "TREATS", "MONDO:5148"),
        ("DB00331", "TREATS", "MONDO:4979"),
        ("DrugBank:DB00331", "TREATS", "MONDO:4979"),
    }
    assert entities["DrugBank:DB00331"].name == "Other"
    assert problems == (
        "kg.csv:4 lacks y_name",
        "kg.csv:6 y_index 1 is Metformin (drug) in a row before",
        "kg.csv:7 has 7 columns, the header has 12",
        "kg.csv:8 lacks relation",
        "kg.csv:9 cannot be read: it holds a NUL character",
        "kg.csv:10 lacks x_index",
    )


def test_kg_without_a_column_is_no_graph(tmp_path: Path) -> None:
    write_csv(tmp_path / "kg.csv", ["relation", "x_index", "y_index"], [])
    with pytest.raises(InputError, match="lacks the column display_relation, x_id") as caught:
        read_graph(tmp_path)
    assert caught.value.code == GRAPH_FORMAT


# --- Hetionet

NODES = """id\tname\tkind
Compound::DB00331\tMetformin\tCompound
Compound::DB00945\tAcetylsalicylic "Aspirin"\tCompound
Disease::DOID:9352\ttype 2 diabetes mellitus\tDisease
Gene::9021\tSOCS3\tGene
Gene::1576\tCYP3A4\tGene
Side Effect::C0015967\tPyrexia\tSide Effect
Symptom::D005334\tFever\tSymptom
Anatomy::UBERON:0002107\tliver\tAnatomy
Biological Process::GO:0006094\tgluconeogenesis\tBiological Process
Molecular Function::GO:0005515\tprotein binding\tMolecular Function
Pharmacologic Class::N0000175504\tBiguanides\tPharmacologic Class
Pathway::PC7_2963\tInsulin signaling\tPathway
Gene::\tnameless\tGene
Gene::9021\tAgain\tGene
"""
EDGES = """source\tmetaedge\ttarget
Compound::DB00331\tCtD\tDisease::DOID:9352
Compound::DB00331\tCbG\tGene::1576
Compound::DB00331\tCuG\tGene::9021
Compound::DB00945\tCrC\tCompound::DB00331
Compound::DB00331\tCrC\tCompound::DB00945
Compound::DB00331\tCcSE\tSide Effect::C0015967
Disease::DOID:9352\tDaG\tGene::9021
Disease::DOID:9352\tDpS\tSymptom::D005334
Disease::DOID:9352\tDlA\tAnatomy::UBERON:0002107
Anatomy::UBERON:0002107\tAeG\tGene::1576
Gene::9021\tGr>G\tGene::1576
Gene::9021\tGiG\tGene::1576
Gene::9021\tGpBP\tBiological Process::GO:0006094
Gene::9021\tGpMF\tMolecular Function::GO:0005515
Gene::9021\tGpPW\tPathway::PC7_2963
Pharmacologic Class::N0000175504\tPCiC\tCompound::DB00331
Gene::404\tGiG\tGene::9021
Gene::9021\tGxG\tGene::1576
Gene::9021\tGiG
"""


@pytest.mark.parametrize("compressed", [False, True])
def test_hetionets_own_files(tmp_path: Path, compressed: bool) -> None:
    (tmp_path / "hetionet-v1.0-nodes.tsv").write_text(NODES, encoding="utf-8")
    edges = tmp_path / ("hetionet-v1.0-edges.sif" + (".gz" if compressed else ""))
    edges.write_bytes(gzip.compress(EDGES.encode()) if compressed else EDGES.encode())
    entities, relationships, problems = read(tmp_path)
    assert {one.id: (one.type, one.name) for one in entities.values()} == {
        "DB00331": ("Drug", "Metformin"),
        "DB00945": ("Drug", 'Acetylsalicylic "Aspirin"'),
        "DOID:9352": ("Disease", "type 2 diabetes mellitus"),
        "NCBI:9021": ("Protein", "SOCS3"),
        "NCBI:1576": ("Protein", "CYP3A4"),
        "UMLS:C0015967": ("Phenotype", "Pyrexia"),
        "MESH:D005334": ("Phenotype", "Fever"),
        "UBERON:0002107": ("Anatomy", "liver"),
        "GO:0006094": ("BiologicalProcess", "gluconeogenesis"),
        "GO:0005515": ("MolecularFunction", "protein binding"),
        "N0000175504": ("PharmacologicClass", "Biguanides"),
        "PC7_2963": ("Pathway", "Insulin signaling"),
    }
    assert entities["MESH:D005334"].properties == {"identifiers": "D005334"}
    assert {one.key for one in relationships} == {
        ("DB00331", "TREATS", "DOID:9352"),
        ("DB00331", "BINDS", "NCBI:1576"),
        ("DB00331", "UPREGULATES", "NCBI:9021"),
        ("DB00331", "RESEMBLES", "DB00945"),
        ("DB00331", "CAUSES_SIDE_EFFECT", "UMLS:C0015967"),
        ("NCBI:9021", "ASSOCIATED_WITH", "DOID:9352"),
        ("DOID:9352", "HAS_PHENOTYPE", "MESH:D005334"),
        ("DOID:9352", "LOCALIZES_TO", "UBERON:0002107"),
        ("UBERON:0002107", "ANATOMY_PROTEIN_PRESENT", "NCBI:1576"),
        ("NCBI:9021", "REGULATES", "NCBI:1576"),
        ("NCBI:1576", "BINDS", "NCBI:9021"),
        ("GO:0006094", "BIOPROCESS_PROTEIN", "NCBI:9021"),
        ("GO:0005515", "MOLFUNC_PROTEIN", "NCBI:9021"),
        ("NCBI:9021", "PARTICIPATES_IN", "PC7_2963"),
        ("DB00331", "DRUG_CLASS", "N0000175504"),
    }
    assert problems == (
        "hetionet-v1.0-nodes.tsv:14 lacks its id, name or kind",
        "hetionet-v1.0-nodes.tsv:15 repeats the id Gene::9021",
        f"{edges.name}:18 unknown entity Gene::404",
        f"{edges.name}:19 unknown metaedge GxG",
        f"{edges.name}:20 has 2 columns, the header has 3",
    )


@pytest.mark.parametrize("kept", [10, 60])
def test_a_truncated_gzip_file_is_no_graph(tmp_path: Path, kept: int) -> None:
    (tmp_path / "hetionet-v1.0-nodes.tsv").write_text(NODES, encoding="utf-8")
    (tmp_path / "hetionet-v1.0-edges.sif.gz").write_bytes(gzip.compress(EDGES.encode())[:kept])
    with pytest.raises(InputError) as caught:
        read_graph(tmp_path)
    assert caught.value.code == GRAPH_FORMAT
    (tmp_path / "hetionet-v1.0-edges.sif.gz").write_text("no gzip")
    with pytest.raises(InputError, match="cannot be read"):
        read_graph(tmp_path)


# --- real graphs


@pytest.mark.parametrize(
    ("name", "entities", "relationships"),
    [("hetionet", 22_927, 70_321), ("primekg_ibd", 3_426, 6_376)],
)
def test_real_graphs(
    tmp_path: Path, shared_data: Path, name: str, entities: int, relationships: int
) -> None:
    folder = shared_data / "graph" / name
    store = open_store(tmp_path)
    report = import_graph(folder, store)
    assert (report.entities, report.relationships) == (entities, relationships)
    assert report.problems == ()
    with (folder / "nodes.csv").open(encoding="utf-8") as file:
        names = sorted(row["node_name"].strip() for row in csv.DictReader(file))
    with (folder / "kg.csv").open(encoding="utf-8") as file:
        pairs = {
            (row["relation"], row["display_relation"], *sorted((row["x_index"], row["y_index"])))
            for row in csv.DictReader(file)
        }
    found, keys = stored_graph(store)
    assert sorted(entity.name for entity in found.values()) == names
    assert len(keys) == len(pairs)
    assert store.projection()
