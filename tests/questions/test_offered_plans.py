"""What is offered where words were left over: the rest, if that says every relationship of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.graph import Entity, Relationship
from core.domain.plans import Gap
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.questions.lexicon.reading import lexicon
from core.questions.planning import Planner
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from tests.support.graphs import graph_data

ENTITIES = [
    Entity("D1", "Drug", "Metformin", importance=0.9),
    Entity("D2", "Drug", "Ibuprofen", importance=0.4),
    Entity("S1", "Disease", "gout", importance=0.8),
    Entity("P1", "Protein", "ADRB1", importance=0.7),
    Entity("W1", "Pathway", "Insulin secretion", importance=0.6),
    Entity("C1", "PharmacologicClass", "Biguanides", importance=0.5),
]
RELATIONSHIPS = [
    Relationship("D1", "TREATS", "S1"),
    Relationship("D1", "TARGETS", "P1"),
    Relationship("D2", "TARGETS", "P1"),
    Relationship("P1", "PARTICIPATES_IN", "W1"),
    Relationship("D1", "DRUG_CLASS", "C1"),
]


@pytest.fixture(scope="module")
def planner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planner]:
    folder: Path = tmp_path_factory.mktemp("offered")
    with closing(Database(folder / "materia.db")) as database:
        store = SqliteGraph(database, folder / "graph")
        store.replace(graph_data(ENTITIES, RELATIONSHIPS))
        graph = KnowledgeGraph(store)
        yield Planner(graph, EntityNames(graph))


UNKNOWN = st.text("bcdfghjklmnpqrstvwxz", min_size=6, max_size=10)  # no word of any language


@given(word=UNKNOWN)
def test_the_rest_is_offered_where_another_word_says_the_relationship(
    planner: Planner, word: str
) -> None:
    read = planner.read(f"Which {word} drugs treat gout?")
    assert read is not None and not read.plan.complete
    assert [(one.text, one.gap) for one in read.plan.left_over] == [(word, Gap.WORD)]
    assert read.offer is not None and read.offer.complete
    whole = planner.read("Which drugs treat gout?")
    assert whole is not None and read.offer.sets == whole.plan.sets
    assert read.offered == whole.understood == "Drugs that treat gout"
    assert whole.offer is None and not whole.offered


@given(word=UNKNOWN)
def test_nothing_is_offered_where_the_unknown_word_may_be_the_relationship(
    planner: Planner, word: str
) -> None:
    for question in (
        f"Which drugs {word} gout?",
        f"Which drugs are {word} in gout?",
        f"Which drugs treat {word} gout?",  # a narrower name has an offer of its own
        f"Which pathways have {word} targets of drugs that treat gout?",
    ):
        read = planner.read(question)
        assert read is None or (not read.plan.complete and read.offer is None), question


@pytest.mark.parametrize(
    ("question", "understood"),
    [
        (
            "Which drugs act on the Insulin secretion pathway?",
            "Drugs that target proteins that participate in Insulin secretion",
        ),
        (
            "Which proteins are targeted by Biguanides?",
            "Targets of drugs that belong to the class Biguanides",
        ),
    ],
)
def test_what_is_said_of_a_pathway_or_a_class_is_said_of_its_members(
    planner: Planner, question: str, understood: str
) -> None:
    read = planner.read(question)
    assert read is not None and read.plan.complete
    assert read.understood == understood


def test_a_set_that_no_word_speaks_of_is_put_between_no_others(planner: Planner) -> None:
    read = planner.read("Which pathways treat gout?")
    assert read is None or not read.plan.complete


def test_one_lexicon_can_be_told_to_read(planner: Planner) -> None:
    graph = planner.graph.projection()
    german = lexicon("de", graph.relationship_types, graph.entity_types)
    read = planner.read_by(german, "Welche Medikamente behandeln gout?")
    assert read is not None and read.understood == "Arzneimittel, die gout behandeln"
    english = planner.read_by(german, "Which drugs treat gout?")
    assert english is None or not english.plan.complete


@pytest.fixture(scope="module")
def of_effects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planner]:
    folder: Path = tmp_path_factory.mktemp("effects")
    with closing(Database(folder / "materia.db")) as database:
        store = SqliteGraph(database, folder / "graph")
        nausea = Entity("E1", "Phenotype", "nausea", importance=0.9)
        caused = Relationship("D1", "CAUSES_SIDE_EFFECT", "E1")
        store.replace(graph_data([*ENTITIES, nausea], [*RELATIONSHIPS, caused]))
        graph = KnowledgeGraph(store)
        yield Planner(graph, EntityNames(graph))


@pytest.mark.parametrize(
    "question",
    [
        "Which drugs are for nausea?",
        "drugs for nausea",
        "drugs against nausea",
        "nausea drugs",
        "nausea: which drugs?",
        "Is Metformin for nausea?",
        "drugs that are not for nausea",
        "Which drugs treat gout in nausea?",
        "Medikamente gegen nausea",
        "Welche Mittel gibt es bei nausea?",
        "Geneesmiddelen tegen nausea",
        "Welke middelen zijn er voor nausea?",
    ],
)
def test_what_is_taken_for_an_effect_is_not_what_causes_it(
    of_effects: Planner, question: str
) -> None:
    read = of_effects.read(question)
    assert read is None or (not read.plan.complete and read.offer is None), read.understood


@pytest.mark.parametrize(
    ("question", "understood"),
    [
        ("Which drugs have nausea as a side effect?", "Drugs that can cause nausea"),
        ("drugs with nausea", "Drugs that can cause nausea"),
        (
            "Which drugs treat gout without nausea?",
            "Drugs that treat gout and are not said in the graph to cause nausea",
        ),
        ("What are the side effects of Metformin?", "Side effects of Metformin"),
        (
            "Medikamente gegen gout ohne nausea",
            "Arzneimittel, die gout behandeln und von denen der Graph nicht sagt, dass sie nausea "
            "verursachen können",
        ),
    ],
)
def test_what_is_said_to_bring_about_an_effect_is(
    of_effects: Planner, question: str, understood: str
) -> None:
    read = of_effects.read(question)
    assert read is not None and read.plan.complete
    assert read.understood == understood


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    "question",
    [
        "Does Metformin have more targets than Ibuprofen?",
        "Which targets are specific to Metformin and which to Ibuprofen?",
        "Which targets do Metformin and Ibuprofen not share?",
        "How many targets does Metformin have and how many does Ibuprofen have?",
        "Which drugs activate ADRB1?",
        "For the target ADRB1, what drugs exist that topical agents target?",
    ],
)
def test_what_is_no_set_of_the_question_is_not_answered_as_one(
    planner: Planner, question: str
) -> None:
    read = planner.read(question)
    assert read is None or not read.plan.complete


@pytest.mark.req("KG-14")
@pytest.mark.parametrize(
    ("question", "understood"),
    [
        ("anti-gout drugs", "Drugs that treat gout"),
        ("Tx of gout", "Drugs that treat gout"),
        ("Show drugs with a treats edge to gout", "Drugs that treat gout"),
        (
            "Among the targets of Metformin, is there ADRB1?",
            "Whether ADRB1 is targeted by Metformin",
        ),
        (
            "The targets of Metformin take part in which pathways?",
            "Pathways that involve targets of Metformin",
        ),
        (
            "drug targets that Metformin and Ibuprofen have",
            "Proteins that are targeted by Metformin and are targeted by Ibuprofen",
        ),
    ],
)
def test_wordings_of_free_writers(planner: Planner, question: str, understood: str) -> None:
    read = planner.read(question)
    assert read is not None and read.plan.complete and read.understood == understood
