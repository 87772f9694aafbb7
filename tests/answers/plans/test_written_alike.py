"""A list that is empty because the graph writes the name in two ways says so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.graph import Entity, Relationship
from core.evidence.computed import compute
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.questions.planning import Planner
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from core.text.spelling.variants import written_alike
from tests.support.graphs import graph_data

ENTITIES = [
    Entity("D1", "Drug", "Metformin", importance=0.9),
    Entity("S1", "Disease", "gout", importance=0.8),
    Entity("E1", "Phenotype", "Diarrhea", importance=0.5),
    Entity("E2", "Phenotype", "Diarrhoea", importance=0.4),
    Entity("E3", "Phenotype", "Nausea", importance=0.4),
]
RELATIONSHIPS = [
    Relationship("S1", "HAS_SYMPTOM", "E1"),
    Relationship("S1", "HAS_SYMPTOM", "E3"),
    Relationship("D1", "CAUSES_SIDE_EFFECT", "E2"),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeGraph]:
    folder: Path = tmp_path_factory.mktemp("alike")
    with closing(Database(folder / "materia.db")) as database:
        store = SqliteGraph(database, folder / "graph")
        store.replace(graph_data(ENTITIES, RELATIONSHIPS))
        yield KnowledgeGraph(store)


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "Which drugs cause diarrhea as a side effect?",
            [
                "No drug in the graph can cause Diarrhea.",
                "The graph also has “Diarrhoea”: ask about that, too.",
            ],
        ),
        ("Which drugs cause diarrhoea?", ["One drug can cause Diarrhoea: Metformin."]),
        ("Which drugs cause nausea?", ["No drug in the graph can cause Nausea."]),
    ],
)
def test_an_empty_list_names_what_is_written_nearly_the_same(
    graph: KnowledgeGraph, question: str, told: list[str]
) -> None:
    read = Planner(graph, EntityNames(graph)).read(question)
    assert read is not None and read.plan.complete
    found = compute(read, graph)
    assert found is not None and [one.text for one in found.told] == told


@given(st.text(max_size=30))
def test_forms_written_alike_are_other_ones_and_near(name: str) -> None:
    folded = name.casefold()
    assert folded not in written_alike(name)
    for form in written_alike(name):
        assert abs(len(form) - len(folded)) <= 2


@pytest.mark.parametrize(
    ("one", "other"),
    [("diarrhea", "diarrhoea"), ("anaemia", "anemia"), ("Hallucinations", "hallucination")],
)
def test_british_american_and_plural_forms_are_among_them(one: str, other: str) -> None:
    assert other.casefold() in written_alike(one) and one.casefold() in written_alike(other)
