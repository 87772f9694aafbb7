"""Facts beside a clause without a plan, from a small graph in a real store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.graph import Entity, Relationship
from core.domain.leaflets.conditions import Partner
from core.domain.leaflets.plan import DocumentPlan
from core.domain.plans import Named
from core.evidence.evidence import FactGroup
from core.evidence.graph_facts import fact_groups, sentence_for
from core.graph.knowledge import KnowledgeGraph
from core.questions.clauses import Clause
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from tests.support.graphs import graph_data
from tests.support.records import ASTHMA, DIABETES, METFORMIN, WARFARIN

PPARG = Entity("NCBI:5468", "Protein", "PPARG")
NAUSEA = Entity("EFFECT:nausea", "Phenotype", "nausea")
GOUT = Entity("DOID:13189", "Disease", "gout")  # associated with PPARG, treated by nothing
PIOGLITAZONE = Entity("DB01132", "Drug", "Pioglitazone", importance=0.3)
MANY = [Entity(f"DB1{n:04}", "Drug", f"Drug {n:02}", importance=0.2) for n in range(20)]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeGraph]:
    folder = Path(tmp_path_factory.mktemp("facts"))
    database = Database(folder / "materia.db")
    store = SqliteGraph(database, folder / "graph")
    keys = [
        (METFORMIN.id, "TREATS", DIABETES.id),
        (PIOGLITAZONE.id, "TREATS", DIABETES.id),
        (METFORMIN.id, "CAUSES_SIDE_EFFECT", NAUSEA.id),
        (METFORMIN.id, "CONTRAINDICATED_IN", ASTHMA.id),
        (WARFARIN.id, "CAUSES_SIDE_EFFECT", NAUSEA.id),
        (WARFARIN.id, "INTERACTS_WITH", PIOGLITAZONE.id),
        (METFORMIN.id, "INTERACTS_WITH", PIOGLITAZONE.id),
        (PPARG.id, "ASSOCIATED_WITH", DIABETES.id),
        (PPARG.id, "ASSOCIATED_WITH", GOUT.id),
        (PIOGLITAZONE.id, "TARGETS", PPARG.id),
        *((drug.id, "TREATS", ASTHMA.id) for drug in MANY),
    ]
    entities = [METFORMIN, WARFARIN, DIABETES, ASTHMA, PPARG, NAUSEA, GOUT, PIOGLITAZONE, *MANY]
    store.replace(graph_data(entities, [Relationship(*key) for key in keys]))
    yield KnowledgeGraph(store)
    database.close()


def sentences(
    graph: KnowledgeGraph,
    entities: tuple[Entity, ...],
    relationships: tuple[str, ...],
    wanted: tuple[str, ...] = (),
) -> list[str]:
    clause = Clause("?", entities, (), relationships, wanted)
    groups = fact_groups(clause, graph)
    for group in groups:  # every name in the sentence is a stored fact
        assert {f.key for f in group.facts} <= {
            f.key for f in graph.facts(group.subject.id, group.type)
        }
        assert group.total >= len(group.facts) > 0
    return [sentence_for(group) for group in groups]


def test_a_fact_is_told_from_both_ends(graph: KnowledgeGraph) -> None:
    assert sentences(graph, (METFORMIN,), ("TREATS",)) == [
        "Metformin treats type 2 diabetes mellitus."
    ]
    assert sentences(graph, (DIABETES,), ("TREATS",), ("Drug",)) == [
        "Type 2 diabetes mellitus is treated by Metformin and Pioglitazone."
    ]


def test_only_the_types_that_are_asked_for(graph: KnowledgeGraph) -> None:
    asked = ("CONTRAINDICATED_IN", "CAUSES_SIDE_EFFECT")
    assert sentences(graph, (METFORMIN,), asked) == [
        "Metformin is contraindicated in asthma.",
        "Metformin can cause nausea.",
    ]
    assert sentences(graph, (ASTHMA,), ("CONTRAINDICATED_IN",), ("Disease",)) == []


def test_nothing_is_told_without_an_entity_or_a_relationship(graph: KnowledgeGraph) -> None:
    assert sentences(graph, (), ("TREATS",)) == sentences(graph, (METFORMIN,), ()) == []
    unknown = Entity("X:9", "Drug", "Unknown")
    assert sentences(graph, (unknown,), ("TREATS",)) == []


def test_two_entities_are_told_by_the_facts_between_them(graph: KnowledgeGraph) -> None:
    both = (WARFARIN, PIOGLITAZONE)
    assert sentences(graph, both, ("INTERACTS_WITH",)) == ["Warfarin interacts with Pioglitazone."]
    assert sentences(graph, (NAUSEA, METFORMIN), ("CAUSES_SIDE_EFFECT",)) == [
        "Metformin can cause nausea."
    ]


def test_no_fact_between_two_is_not_answered_with_others(graph: KnowledgeGraph) -> None:
    """ "Does metformin cause gout?" is no question about metformin's other side effects."""
    assert sentences(graph, (METFORMIN, GOUT), ("CAUSES_SIDE_EFFECT",)) == []
    both = sentences(graph, (METFORMIN, WARFARIN), ("CAUSES_SIDE_EFFECT",), ("Phenotype",))
    assert both == ["Metformin can cause nausea.", "Warfarin can cause nausea."]


def test_asked_about_together_neither_is_told_with_third_ones(graph: KnowledgeGraph) -> None:
    """ "Metformin with warfarin: change the dose?" is not answered by what each interacts with."""
    drugs, asked = (METFORMIN, WARFARIN), ("INTERACTS_WITH",)
    assert len(sentences(graph, drugs, asked, ("Drug",))) == 2
    partner = Partner(name=Named(text="warfarin", ids=(WARFARIN.id,), name="Warfarin", type="Drug"))
    plan = DocumentPlan(conditions=(partner,))
    assert fact_groups(Clause("?", drugs, (), asked, ("Drug",), leaflet=plan), graph) == []


@pytest.mark.parametrize("name", ["Zorvexil", "tacrolimus"])
def test_of_a_medicine_that_the_graph_lacks_nothing_is_told_by_others(
    name: str, graph: KnowledgeGraph
) -> None:
    """ "Does Zorvexil cause nausea?" is not answered by which others do."""

    def told(*subjects: Named, question: str = f"Does {name} cause nausea?") -> list[FactGroup]:
        plan = DocumentPlan(subjects=subjects)
        asked = Clause(question, (NAUSEA,), (), ("CAUSES_SIDE_EFFECT",), leaflet=plan)
        return fact_groups(asked, graph)

    unknown = Named(name, (), name, "")
    metformin = Named("metformin", (METFORMIN.id,), "Metformin", "Drug")
    assert told(unknown) == []
    assert told() and told(metformin)
    assert told(unknown, metformin, question=f"Does {name} (metformin) cause nausea?")
    assert told(metformin, unknown, question=f"Do metformin and {name} cause nausea?") == []
    assert told(Named("premedication", (), "premedication", "")), "no name"


def test_a_long_list_names_some_and_counts_the_rest(graph: KnowledgeGraph) -> None:
    (told,) = sentences(graph, (ASTHMA,), ("TREATS",), ("Drug",))
    assert told.startswith("Asthma is treated by Drug 00, Drug 01, ") and told.endswith(
        "and 8 more."
    )


def test_a_group_speaks_of_its_other_end(graph: KnowledgeGraph) -> None:
    (fact,) = graph.facts(METFORMIN.id, "TREATS")
    assert FactGroup(METFORMIN, "TREATS", True, (fact,), 1).neighbour(fact).id == DIABETES.id
    assert FactGroup(DIABETES, "TREATS", False, (fact,), 1).neighbour(fact).id == METFORMIN.id
