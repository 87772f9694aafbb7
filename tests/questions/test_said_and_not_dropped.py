"""Words that narrow, names that are spoken of again, and superlatives over all of a type."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.domain.graph import Entity, Relationship
from core.domain.plans import Want
from core.evidence.computed import compute
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.questions.planning import Planner
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from tests.support.graphs import graph_data

ENTITIES = [
    Entity("D1", "Drug", "Metformin", importance=0.9),
    Entity("D2", "Drug", "Ibuprofen", importance=0.4),
    Entity("D3", "Drug", "Aspirin", importance=0.3),
    Entity("S1", "Disease", "gout", importance=0.8),
    Entity("P1", "Protein", "ADRB1", importance=0.7),
    Entity("P2", "Protein", "ADRB2", importance=0.6),
    Entity("E1", "Phenotype", "Nausea", importance=0.6),
]
RELATIONSHIPS = [
    Relationship("D1", "TREATS", "S1"),
    Relationship("D2", "PALLIATES", "S1"),
    Relationship("D1", "PALLIATES", "S1"),
    Relationship("D1", "TARGETS", "P1"),
    Relationship("D2", "TARGETS", "P1"),
    Relationship("D2", "TARGETS", "P2"),
    Relationship("P1", "BINDS", "P2"),
    Relationship("D1", "CAUSES_SIDE_EFFECT", "E1"),
]


@pytest.fixture(scope="module")
def planner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planner]:
    folder: Path = tmp_path_factory.mktemp("said")
    with closing(Database(folder / "materia.db")) as database:
        store = SqliteGraph(database, folder / "graph")
        store.replace(graph_data(ENTITIES, RELATIONSHIPS))
        graph = KnowledgeGraph(store)
        yield Planner(graph, EntityNames(graph))


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Which approved drugs target ADRB1?", "approved"),
        ("Which drugs are approved for gout?", "approved"),
        ("Which drugs are licensed to treat gout?", "licensed"),
        ("What are the main targets of Metformin?", "main"),
        ("Which drugs typically treat gout?", "typically"),
        ("Which drugs specifically target ADRB1?", "specifically"),
        ("Which other drugs treat gout?", "other"),
        ("What are the off-label uses of Metformin?", "off-label uses"),
    ],
)
def test_what_narrows_is_left_over(planner: Planner, question: str, word: str) -> None:
    read = planner.read(question)
    assert read is not None and word in [one.text for one in read.plan.left_over]


@pytest.mark.parametrize(
    ("question", "same"),
    [
        ("Which other proteins bind to ADRB1?", "Which proteins bind to ADRB1?"),
        ("drugs that hit not only ADRB1 but ADRB2 as well", "Which drugs target ADRB1 and ADRB2?"),
        ("list the drug targets hit by Metformin", "List the targets of Metformin"),
        (
            "Which of the two has more targets, Metformin or Ibuprofen?",
            "Compare the targets of Metformin and Ibuprofen",
        ),
        ("Metformin - gout connection", "How are Metformin and gout connected?"),
        (
            "Could you show me the connections between Metformin and gout?",
            "How are Metformin and gout connected?",
        ),
        (
            "What eases the symptoms of gout without treating the disease itself?",
            "Which drugs palliate gout but do not treat gout?",
        ),
        ("How many drugs treat gout, as a figure?", "How many drugs treat gout?"),
    ],
)
def test_what_says_nothing_more_is_read(planner: Planner, question: str, same: str) -> None:
    read, whole = planner.read(question), planner.read(same)
    assert read is not None and whole is not None and read.plan.complete, read
    assert read.understood == whole.understood


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    ("question", "want", "best", "told"),
    [
        ("Which drug has the most targets?", Want.MOST, {"Ibuprofen": 2}, "Of the 3 drugs"),
        (
            "Which drug has the fewest targets?",
            Want.LEAST,
            {"Metformin": 1},
            "1 drug has none in the graph",
        ),
        ("Which protein is targeted by the most drugs?", Want.MOST, {"ADRB1": 2}, "2 proteins"),
    ],
)
def test_the_most_of_a_whole_type_is_computed(
    planner: Planner, question: str, want: Want, best: dict[str, int], told: str
) -> None:
    read = planner.read(question)
    assert read is not None and read.plan.complete and read.plan.want is want
    found = compute(read, planner.graph)
    assert found is not None and told in " ".join(one.text for one in found.told)
    (ranked,) = found.lists
    top = {m.name: m.count for m in ranked.members if m.count == ranked.members[0].count}
    assert top == best


def test_a_superlative_with_a_word_that_narrows_is_not_computed(planner: Planner) -> None:
    read = planner.read("Which topical drug has the most targets?")
    assert read is not None and not read.plan.complete
