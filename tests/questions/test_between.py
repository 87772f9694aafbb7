"""A noun for what two names have with each other asks whether they have it, and names alone ask for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import combinations
from pathlib import Path

import pytest

from core.domain.graph import Entity, Relationship
from core.domain.plans import Named, Want
from core.encoders.fine_tuned import question_model
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.questions.closest.kinds import ClosestKind
from core.questions.planned import Listed
from core.questions.planning import Planner
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from tests.support.graphs import graph_data

ENTITIES = [
    Entity("D1", "Drug", "Sertraline", ("Zoloft",), importance=0.9),
    Entity("D2", "Drug", "Pimozide", importance=0.4),
    Entity("D3", "Drug", "Warfarin", importance=0.8),
    Entity("S1", "Disease", "gout", importance=0.8),
    Entity("P1", "Protein", "ADRB1", importance=0.7),
]
RELATIONSHIPS = [
    Relationship("D1", "INTERACTS_WITH", "D2"),
    Relationship("D3", "INTERACTS_WITH", "D1"),
    Relationship("D3", "INTERACTS_WITH", "D2"),
    Relationship("D1", "TREATS", "S1"),
    Relationship("D1", "TARGETS", "P1"),
    Relationship("D3", "TARGETS", "P1"),
]


@pytest.fixture(scope="module")
def planner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planner]:
    folder: Path = tmp_path_factory.mktemp("between")
    with closing(Database(folder / "materia.db")) as database:
        store = SqliteGraph(database, folder / "graph")
        store.replace(graph_data(ENTITIES, RELATIONSHIPS))
        graph = KnowledgeGraph(store)
        yield Planner(graph, EntityNames(graph), ClosestKind(question_model().read))


def pairs(planner: Planner, question: str) -> set[frozenset[str]]:
    """The ids of each two of which it is asked whether they have a relationship."""
    read = planner.read(question)
    assert read is not None and read.plan.complete and read.plan.want is Want.YES_NO, read
    found = set()
    for subject, asked in zip(read.plan.subjects, read.plan.sets, strict=True):
        ((condition,),) = asked.conditions
        assert condition.relationships == ("INTERACTS_WITH",) and isinstance(condition.of, Named)
        found.add(frozenset((*subject.ids, *condition.of.ids)))
    return found


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    "question",
    [
        "what is the interaction between {} and {}?",
        "interaction {} + {}",
        "{} {} interaction",
        "interactions: {} and {}",
        "Are there any interactions of {} and {}?",
        "Wechselwirkung zwischen {} und {}",
        "interactie tussen {} en {}",
    ],
)
@pytest.mark.parametrize(("one", "other"), combinations(ENTITIES[:3], 2))
def test_the_interaction_of_two_is_the_one_that_they_have_with_each_other(
    planner: Planner, question: str, one: Entity, other: Entity
) -> None:
    assert pairs(planner, question.format(one.name, other.name)) == {frozenset((one.id, other.id))}


@pytest.mark.req("KG-14")
def test_of_three_it_is_asked_of_each_two(planner: Planner) -> None:
    found = pairs(planner, "interactions between Sertraline, Pimozide and Warfarin")
    assert found == {frozenset(each) for each in combinations(("D1", "D2", "D3"), 2)}


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Which drugs interact with Sertraline and Warfarin?", "INTERACTS_WITH"),
        ("Which interactions do Sertraline and Warfarin have in common?", "INTERACTS_WITH"),
        ("common interactions of Sertraline and Warfarin", "INTERACTS_WITH"),
        ("interactions of Sertraline", "INTERACTS_WITH"),
        ("targets of Sertraline and Warfarin", "TARGETS"),
    ],
)
def test_what_several_have_in_common_stays_a_list(
    planner: Planner, question: str, kind: str
) -> None:
    read = planner.read(question)
    assert read is not None and read.plan.want is Want.LIST, read
    (asked,) = read.plan.sets
    assert {one.relationships for one in asked.all_conditions()} == {(kind,)}


@pytest.mark.req("KG-14")
@pytest.mark.parametrize("question", ["gout and Sertraline", "Sertraline gout", "Sertraline, gout"])
def test_names_alone_ask_for_no_way_between_them(planner: Planner, question: str) -> None:
    read = planner.read(question)
    assert read is None or not read.plan.complete
    asked = planner.read("How are Sertraline and gout connected?")
    assert asked is not None and asked.plan.want is Want.PATH


@pytest.mark.req("KG-14")
def test_two_names_of_one_entity_have_nothing_in_common_with_each_other(planner: Planner) -> None:
    read = planner.read("is Zoloft the same as Sertraline")
    assert read is None or read.plan.want is not Want.SHARE


@pytest.mark.req("KG-14")
def test_what_goes_on_about_a_list_stays_a_list(planner: Planner) -> None:
    first = planner.read("Which drugs interact with Warfarin?")
    assert first is not None
    listed = Listed(first.plan.sets[0], (ENTITIES[0], ENTITIES[1]))
    read = planner.read("Which of these also have Sertraline interactions?", listed)
    assert read is not None and read.of_before and read.plan.want is Want.LIST, read
    (asked,) = read.plan.sets
    assert len(list(asked.all_conditions())) == 2
