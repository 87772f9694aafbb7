"""What of an entity is embedded."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.graph import Entity
from core.graph.vectors.texts import MOST_RELATED, entity_text, model_mark, text_hash

SAMPLE = Path(__file__).parents[3] / "data" / "graph" / "nodes.csv"
PRIMEKG_DISEASE = {
    "mondo_id": "5148",
    "mondo_definition": "A disease with high blood sugar.",
    "umls_description": "Another definition.",
    "orphanet_definition": "A third definition.",
    "orphanet_clinical_description": "Polyuria at first.",
    "mayo_symptoms": "Thirst.\nFatigue.",
    "mayo_causes": "Resistance to insulin.",
    "mayo_see_doc": "When you are thirsty.",
}


def lines(entity: Entity, related: tuple[Entity, ...] = ()) -> dict[str, str]:
    text = entity_text(entity, related)
    return dict(line.split(": ", 1) for line in text.splitlines())


@pytest.mark.req("KG-4")
def test_a_drug() -> None:
    properties = {
        "indication": "Type 2 diabetes.",
        "mechanism_of_action": "It lowers\n\tglucose.",
        "description": "A biguanide.",
        "pharmacodynamics": "Less glucose from the liver.",
        "half_life": "6 hours",
    }
    assert lines(Entity("D1", "Drug", "Metformin", ("Glucophage",), properties)) == {
        "Type": "Drug",
        "Name": "Metformin",
        "Indication": "Type 2 diabetes.",
        "Mechanism": "It lowers glucose.",
        "Description": "A biguanide.",
        "Pharmacodynamics": "Less glucose from the liver.",
    }
    bare = lines(Entity("D2", "Drug", "Warfarin", (), {"description": " "}))
    assert [name for name, value in bare.items() if value == "N/A"] == [
        "Indication",
        "Mechanism",
        "Description",
        "Pharmacodynamics",
    ]


@pytest.mark.req("KG-5")
@pytest.mark.parametrize("kind", ["Disease", "ClinicalDisease"])
def test_a_disease(kind: str) -> None:
    own = {"definition": "D.", "symptoms": "S.", "clinical": "C.", "causes": "A."}
    assert lines(Entity("M1", kind, "asthma", ("wheeze",), own)) == {
        "Type": kind,
        "Name": "asthma",
        "Definition": "D.",
        "Symptoms": "S.",
        "Clinical": "C.",
        "Causes": "A.",
    }
    assert lines(Entity("M1", kind, "asthma", (), PRIMEKG_DISEASE)) == {
        "Type": kind,
        "Name": "asthma",
        "Definition": "A disease with high blood sugar.",
        "Symptoms": "Thirst. Fatigue.",
        "Clinical": "Polyuria at first.",
        "Causes": "Resistance to insulin.",
    }
    for column in ("orphanet_definition", "umls_description"):
        assert lines(Entity("M1", kind, "a", (), {column: "It is."}))["Definition"] == "It is."
    bare = list(lines(Entity("M1", kind, "asthma")).values())
    assert bare == [kind, "asthma", "N/A", "N/A", "N/A", "N/A"]


@pytest.mark.req("KG-6")
def test_a_protein() -> None:
    related = (
        Entity("M2", "ClinicalDisease", "psoriasis"),
        Entity("D1", "Drug", "warfarin"),
        Entity("M1", "Disease", "asthma"),
        Entity("P2", "Protein", "JAK2"),
        Entity("M1", "Disease", "asthma"),
    )
    protein = Entity("P1", "Protein", "TNF", ("tumor necrosis factor", "TNFA"), {"note": "x"})
    assert lines(protein, related) == {
        "Type": "Protein",
        "Name": "TNF",
        "Synonyms": "tumor necrosis factor, TNFA",
        "Associated diseases": "asthma, psoriasis",
        "Interacting drugs": "warfarin",
    }
    bare = list(lines(Entity("P1", "Protein", "TNF")).values())
    assert bare == ["Protein", "TNF", "N/A", "N/A", "N/A"]
    many = tuple(Entity(f"D{n}", "Drug", f"drug {n:02d}") for n in range(99, 0, -1))
    named = lines(protein, many)["Interacting drugs"].split(", ")
    assert named == [f"drug {n:02d}" for n in range(100 - MOST_RELATED, 100)]


def test_the_sample_has_a_value_for_every_field() -> None:
    with SAMPLE.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    filled: set[tuple[str, str]] = set()
    for row in rows:
        entity = Entity(row["id"], row["type"], row["name"], tuple(row["synonyms"].split("|")), row)
        filled |= {(row["type"], name) for name, value in lines(entity).items() if value != "N/A"}
    for kind, names in {
        "Drug": ("Indication", "Mechanism", "Description", "Pharmacodynamics"),
        "ClinicalDisease": ("Definition", "Symptoms", "Clinical", "Causes"),
        "Protein": ("Synonyms",),
    }.items():
        assert {(kind, name) for name in names} <= filled


TEXTS = st.text(max_size=30)


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_hashes_name_text_and_model(one: str, other: str, model: str, another: str) -> None:
    assert text_hash(one, model) == text_hash(one, model)
    assert text_hash(one, model).startswith(model_mark(model))
    same = (one, model) == (other, another)
    surrogates = any("\ud800" <= letter <= "\udfff" for letter in one + other + model + another)
    assert surrogates or (text_hash(one, model) == text_hash(other, another)) == same


@given(st.dictionaries(st.sampled_from(["indication", "description", "causes"]), TEXTS), TEXTS)
def test_values_make_no_lines_of_their_own(properties: dict[str, str], name: str) -> None:
    for kind in ("Drug", "Disease"):
        text = entity_text(Entity("X", kind, name, (), properties))
        assert len(text.splitlines()) == 6
