"""What a medicine interacts with are medicines; proteins where a question says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.domain.graph import Entity, Relationship
from core.encoders.fine_tuned import question_model
from core.evidence.computed import compute
from core.graph.importing.importer import import_graph
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.questions.closest.kinds import ClosestKind
from core.questions.planned import ReadPlan
from core.questions.planning import Planner
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from tests.support.graphs import graph_data

_ENTITIES = [
    Entity("D1", "Drug", "Metformin", importance=0.9),
    Entity("D2", "Drug", "Ibuprofen", importance=0.8),
    Entity("P1", "Protein", "ADRB1", importance=0.7),
    Entity("P2", "Protein", "XDH", importance=0.6),
    Entity("E1", "Phenotype", "Pregnancy", importance=0.5),
    Entity("E2", "Phenotype", "nausea", importance=0.5),
    Entity("E3", "Phenotype", "dehydration", importance=0.4),
]
_RELATIONSHIPS = [
    Relationship("D1", "TARGETS", "P1"),
    Relationship("P1", "BINDS", "P2"),
    Relationship("D1", "CAUSES_SIDE_EFFECT", "E1"),
    Relationship("D2", "CAUSES_SIDE_EFFECT", "E2"),
    Relationship("D2", "CONTRAINDICATED_IN", "E3"),
]
_BETWEEN_DRUGS = Relationship("D1", "INTERACTS_WITH", "D2")

_OPEN = [
    "What does metformin interact with?",
    "With what does metformin interact?",
    "What interacts with metformin?",
    "List everything that metformin interacts with.",
    "Womit interagiert Metformin?",
    "Was wechselwirkt mit Metformin?",
    "Waarmee interageert metformin?",
    "Waarmee heeft metformin een wisselwerking?",
]
Plans = Callable[[bool], Planner]


@pytest.fixture(scope="module")
def planner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plans]:
    """Planners over a graph that has interactions of drugs, and over one that has none."""
    folder: Path = tmp_path_factory.mktemp("interacts")
    with closing(Database(folder / "one.db")) as one, closing(Database(folder / "two.db")) as two:
        made = {}
        for has, database in ((True, one), (False, two)):
            store = SqliteGraph(database, folder / f"graph-{has}")
            links = [*_RELATIONSHIPS, *([_BETWEEN_DRUGS] if has else [])]
            store.replace(graph_data(_ENTITIES, links))
            graph = KnowledgeGraph(store)
            made[has] = Planner(graph, EntityNames(graph), ClosestKind(question_model().read))
        yield made.__getitem__


def asked(read: ReadPlan | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The types that are asked for, and the relationship."""
    assert read is not None and read.plan.complete and not read.likened
    (selection,) = read.plan.sets
    (condition,) = selection.all_conditions()
    return selection.types, condition.relationships


@pytest.mark.req("KG-14")
@pytest.mark.parametrize("question", _OPEN)
def test_what_a_medicine_interacts_with_are_medicines(planner: Plans, question: str) -> None:
    assert asked(planner(True).read(question)) == (("Drug",), ("INTERACTS_WITH",))


@pytest.mark.parametrize("kept_as_written", [False, True])
def test_an_interaction_that_a_file_writes_otherwise_is_one_of_both(
    tmp_path: Path, kept_as_written: bool
) -> None:
    (tmp_path / "nodes.csv").write_text("id,type,name\nA,Drug,Zelvantine\nB,Drug,Orbexanol\n")
    (tmp_path / "relationships.csv").write_text("source,type,target\nA,interacts with,B\n")
    with closing(Database(tmp_path / "materia.db")) as database:
        store = SqliteGraph(database, tmp_path / "graph")
        if kept_as_written:  # as a graph that was imported before has it
            drugs = [Entity("A", "Drug", "Zelvantine"), Entity("B", "Drug", "Orbexanol")]
            store.replace(graph_data(drugs, [Relationship("A", "interacts with", "B")]))
        else:
            import_graph(tmp_path, store)
        graph = KnowledgeGraph(store)
        own = Planner(graph, EntityNames(graph), ClosestKind(question_model().read))
        for one, other in (("Zelvantine", "Orbexanol"), ("Orbexanol", "Zelvantine")):
            read = own.read(f"What does {one} interact with?")
            computed = compute(read, graph) if read is not None else None
            assert computed is not None
            assert computed.told[0].text == f"One drug interacts with {one}: {other}."
        german = own.read("Womit interagiert Orbexanol?")
        assert german is not None and german.plan.complete is not kept_as_written


@pytest.mark.parametrize("question", _OPEN)
def test_a_graph_without_interactions_lists_no_targets_for_them(
    planner: Plans, question: str
) -> None:
    read = planner(False).read(question)
    assert read is None or not (read.plan.complete or read.offer)


@pytest.mark.parametrize("has", [True, False])
@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which proteins does metformin interact with?", (("Protein",), ("TARGETS",))),
        ("Mit welchen Proteinen interagiert Metformin?", (("Protein",), ("TARGETS",))),
        ("Met welke eiwitten interageert metformin?", (("Protein",), ("TARGETS",))),
        ("Which drugs interact with ADRB1?", (("Drug",), ("TARGETS",))),
        ("Does metformin interact with ADRB1?", (("Drug",), ("TARGETS",))),
        ("What does ADRB1 interact with?", (("Protein",), ("BINDS",))),
        ("Which proteins interact with ADRB1?", (("Protein",), ("BINDS",))),
    ],
)
def test_proteins_are_meant_where_they_are_said(
    planner: Plans, has: bool, question: str, found: tuple[tuple[str, ...], tuple[str, ...]]
) -> None:
    assert asked(planner(has).read(question)) == found


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    "question",
    [
        "and in pregnancy?",
        "Which of my medicines may be taken in pregnancy?",
        "Which medicines may be taken in pregnancy?",
    ],
)
def test_a_state_of_the_patient_is_likened_to_no_side_effect(planner: Plans, question: str) -> None:
    read = planner(True).read(question)
    assert read is None or not (read.plan.complete or read.offer)
    # What is a side effect is likened as before; and who asks for the cause by name is answered.
    assert asked(planner(True).read("Which drugs can cause pregnancy?"))[1] == (
        "CAUSES_SIDE_EFFECT",
    )


def test_a_guess_that_the_graph_has_nothing_for_is_none(planner: Plans) -> None:
    likened = planner(True).read("Which of my medicines may be taken in nausea?")
    assert likened is not None and likened.likened and likened.plan.complete
    nowhere = planner(True).read("Which of my medicines may be taken in dehydration?")
    assert nowhere is None or not (nowhere.likened or nowhere.plan.complete or nowhere.offer)
