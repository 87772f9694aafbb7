"""Names of entities in another language than the graph's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.graph import Entity
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.graph.names.foreign_names import ForeignNames
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from core.text.spelling.international import international
from core.text.spelling.medicines import known_medicines
from tests.support.graphs import graph_data

ENTITIES = [
    Entity("S1", "Disease", "gout", importance=0.9),
    Entity("S2", "Disease", "Crohn's disease", importance=0.8),
    Entity(
        "S3", "ClinicalDisease", "type 2 diabetes mellitus", ("type 2 diabetes",), importance=0.7
    ),
    Entity("S4", "ClinicalDisease", "type 1 diabetes mellitus", importance=0.6),
    Entity("S5", "Disease", "hypertension", ("high blood pressure",), importance=0.5),
    Entity("S6", "Disease", "tonsillitis", importance=0.4),
    Entity("S7", "Disease", "conduct disorder", importance=0.4),
    Entity("S8", "Disease", "meningitis without infection", importance=0.3),
    Entity("E1", "Phenotype", "hypertension", importance=0.3),
    Entity("E2", "Phenotype", "hot flushes", importance=0.3),
    Entity("E3", "Phenotype", "otosclerosis", importance=0.3),
    Entity("E4", "Phenotype", "nausea", importance=0.3),
    Entity("E5", "Phenotype", "seizures", ("fits",), importance=0.2),
    Entity("E6", "Phenotype", "hypotonia", importance=0.2),
    Entity("D1", "Drug", "Acetaminophen", importance=0.9),
    Entity("D2", "Drug", "Prednisone", importance=0.8),
    Entity("D3", "Drug", "Estradiol", importance=0.8),
    Entity("P1", "Protein", "insulin receptor", importance=0.9),
]
NAMES = [(name, one.id, one.type) for one in ENTITIES for name in (one.name, *one.synonyms, one.id)]
FOREIGN = ForeignNames(NAMES)


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EntityNames]:
    folder: Path = tmp_path_factory.mktemp("foreign")
    with closing(Database(folder / "materia.db")) as database:
        store = SqliteGraph(database, folder / "graph")
        store.replace(graph_data(ENTITIES, []))
        yield EntityNames(KnowledgeGraph(store))


@pytest.mark.parametrize(
    ("question", "written", "ids"),
    [
        ("Welche Medikamente helfen bei Gicht?", "Gicht", ("S1",)),
        ("Welke medicijnen behandelen jicht?", "jicht", ("S1",)),
        ("Welche Medikamente behandeln Morbus Crohn?", "Morbus Crohn", ("S2",)),
        ("Welke medicijnen helpen bij de ziekte van Crohn?", "ziekte van Crohn", ("S2",)),
        ("Wie viele Medikamente behandeln Bluthochdruck?", "Bluthochdruck", ("S5", "E1")),
        ("Welche Medikamente behandeln Diabetes Typ 2?", "Diabetes Typ 2", ("S3",)),
        ("Was hilft gegen Typ-2-Diabetes?", "Typ-2-Diabetes", ("S3",)),
        ("Welche Medikamente verursachen eine Hitzewallung?", "Hitzewallung", ("E2",)),  # as of one
        ("Welche Medikamente verursachen Otosklerosen?", "Otosklerosen", ("E3",)),  # not listed
        ("Wat is de dosering van paracetamol?", "paracetamol", ("D1",)),
    ],
)
def test_names_in_another_language_are_those_of_the_graph(
    question: str, written: str, ids: tuple[str, ...]
) -> None:
    (found,) = FOREIGN.mentions(question)
    assert (found.text, found.called, found.entity_id) == (written, ids, ids[0])
    assert question[found.start : found.end] == written


@pytest.mark.parametrize(
    "question",
    [
        "Which drugs treat gout?",  # English is the graph's
        "Welche Medikamente behandeln Diabetes?",  # a part of several names
        "Welche Medikamente helfen bei geschwollenen Mandeln?",  # tonsils are no tonsillitis
        "Welke medicijnen helpen bij geleidingsstoornissen?",  # nor is conduction conduct
        "Wie fit ist man mit dem Medikament?",  # nor are fits what is fit
        "Welche Medikamente helfen bei einer Meningitis mit Infektion?",
        "Welche Wirkung hat der Insulinrezeptor?",  # proteins keep their names
        "Wie viel Prednisolon soll ich nehmen?",
        "Was ist der Unterschied zu Estriol?",
    ],
)
def test_what_is_called_otherwise_is_no_name(question: str) -> None:
    assert FOREIGN.mentions(question) == []


def test_a_denial_beside_a_name_is_no_part_of_it() -> None:
    for question in (
        "Welche Medikamente verursachen kein nausea?",
        "Welche behandeln keine Gicht?",
    ):
        (found,) = FOREIGN.mentions(question)
        assert found.text in ("nausea", "Gicht")


def test_a_name_of_the_graph_stays_unless_a_longer_one_has_it(names: EntityNames) -> None:
    question = "Welche Medikamente behandeln hypertension und Gicht?"
    assert [one.text for one in names.mentions_asked(question)] == ["hypertension", "Gicht"]
    assert [one.text for one in names.mentions_in(question)] == ["hypertension"], "as of a document"
    entities = names.entities_asked(question)
    assert [one.id for one in entities] == ["S5", "S1"]
    assert entities[1].synonyms == ("Gicht",), "it is called so in the question"


@given(st.sampled_from(sorted(known_medicines())))
def test_a_medicine_is_never_another_medicine(word: str) -> None:
    drugs = {"D1": "acetaminophen", "D2": "prednisone", "D3": "estradiol"}
    for entity_id in FOREIGN.called(word):
        assert known_medicines()[word] & known_medicines()[drugs[entity_id]]


def test_a_part_of_names_leads_to_those_that_have_it(names: EntityNames) -> None:
    types = {"Disease", "ClinicalDisease"}
    both = ["type 2 diabetes mellitus", "type 1 diabetes mellitus"]
    assert [one.name for one in names.with_words("Diabetes", types)] == both
    assert [one.name for one in names.with_words("Zuckerkrankheit", types)] == both
    assert names.with_words("diab", types) == names.with_words("diabetes", {"Drug"}) == []


@pytest.mark.parametrize(
    ("typed", "ids", "also"),
    [
        ("bluthochdruck", ["S5", "E1"], "bluthochdruck"),
        ("Bluthochdr", ["S5", "E1"], "bluthochdruck"),
        ("Morbus Crohn", ["S2"], "Morbus Crohn"),
        ("gou", ["S1"], ""),
        ("xyzzy", [], ""),
    ],
)
def test_what_is_typed_may_be_in_another_language(
    names: EntityNames, typed: str, ids: list[str], also: str
) -> None:
    found = names.completed(typed)
    assert [one.entity.id for one in found] == ids
    assert {one.also_called for one in found} <= {also}


def test_a_word_of_the_language_is_not_misspelt(names: EntityNames) -> None:
    """Hypertonia is high blood pressure in German; hypotonia is one letter away."""
    for question in ("Welche Medikamente behandeln Hypotonie?", "Was hilft bei der Hypertonie?"):
        found = names.spelling(question, lambda _word: False)
        assert "hypo" not in found.applied(question).replace("Hypotonie", "")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tachykardie", "tachycardia"),
        ("Bronchospasmus", "bronchospasme"),
        ("Otosklerose", "otosclerosis"),
        ("extrapiramidale", "extrapyramidal"),
        ("neuropathischer", "neuropathic"),
    ],
)
def test_what_languages_took_from_greek_is_spelt_alike(one: str, other: str) -> None:
    assert international(one) == international(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hypertonie", "hypotonia"),
        ("conduct", "conduction"),
        ("tonsil", "tonsillitis"),
        ("nephrosis", "nephritis"),
        ("Angina", "Angine"),
    ],
)
def test_other_words_are_not_spelt_alike(one: str, other: str) -> None:
    assert international(one) != international(other)
