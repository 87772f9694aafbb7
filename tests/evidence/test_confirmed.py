"""Yes or no, ways and likeness computed from plans, from a small graph in a real store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.graph import Entity, Relationship
from core.domain.plans import Condition, Named, Plan, Selection, Want
from core.evidence.computed import Computed, compute
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.questions.planned import ReadPlan
from core.questions.planning import Planner
from core.questions.routing import QueryType, Strategy, strategy
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from tests.support.graphs import graph_data
from tests.support.records import ASTHMA, DIABETES, METFORMIN, WARFARIN

PPARG = Entity("NCBI:5468", "Protein", "PPARG")
NAUSEA = Entity("EFFECT:nausea", "Phenotype", "nausea")
GOUT = Entity("DOID:13189", "Disease", "gout")
PIOGLITAZONE = Entity("DB01132", "Drug", "Pioglitazone", importance=0.3)
APART = Entity("DB09999", "Drug", "Solitarin")  # in no relationship
ENTITIES = [METFORMIN, WARFARIN, DIABETES, ASTHMA, PPARG, NAUSEA, GOUT, PIOGLITAZONE, APART]
KEYS = [
    (METFORMIN.id, "TREATS", DIABETES.id),
    (PIOGLITAZONE.id, "TREATS", DIABETES.id),
    (METFORMIN.id, "CAUSES_SIDE_EFFECT", NAUSEA.id),
    (WARFARIN.id, "CAUSES_SIDE_EFFECT", NAUSEA.id),
    (WARFARIN.id, "TREATS", ASTHMA.id),
    (PPARG.id, "ASSOCIATED_WITH", GOUT.id),
    (PIOGLITAZONE.id, "TARGETS", PPARG.id),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeGraph]:
    folder = Path(tmp_path_factory.mktemp("confirmed"))
    database = Database(folder / "materia.db")
    store = SqliteGraph(database, folder / "graph")
    store.replace(graph_data(ENTITIES, [Relationship(*key) for key in KEYS]))
    yield KnowledgeGraph(store)
    database.close()


def computed(graph: KnowledgeGraph, question: str, chosen: Strategy | None = None) -> Computed:
    read = Planner(graph, EntityNames(graph)).read(question)
    assert read is not None and read.plan.complete, read
    found = compute(read, graph, chosen or Strategy())
    assert found is not None
    return found


def told(graph: KnowledgeGraph, question: str) -> list[str]:
    return [one.text for one in computed(graph, question).told]


def not_said(claim: str) -> str:
    return (
        f"The graph does not say that {claim}: it has no such relationship, which proves nothing "
        "either way."
    )


# -- yes or no -------------------------------------------------------------------------------------


def test_yes_comes_with_the_relationship_that_proves_it(graph: KnowledgeGraph) -> None:
    found = computed(graph, "Does metformin treat type 2 diabetes mellitus?")
    (one,) = found.told
    assert one.text == "Yes: Metformin treats type 2 diabetes mellitus."
    assert [fact.key for fact in one.facts] == [KEYS[0]]
    assert found.lists == ()


def test_what_the_graph_lacks_is_not_denied(graph: KnowledgeGraph) -> None:
    found = computed(graph, "Does metformin treat gout?")
    assert [one.text for one in found.told] == [not_said("Metformin treats gout")]
    assert not found.facts


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "Does metformin not treat type 2 diabetes mellitus?",
            "The graph says that Metformin treats type 2 diabetes mellitus.",
        ),
        ("Does metformin not treat gout?", not_said("Metformin treats gout")),
        ("Is metformin never a treatment for gout?", not_said("Metformin treats gout")),
    ],
)
def test_a_denied_claim_is_not_turned_round(
    graph: KnowledgeGraph, question: str, expected: str
) -> None:
    assert told(graph, question) == [expected]


def test_a_chain_is_proven_by_its_path(graph: KnowledgeGraph) -> None:
    (one,) = computed(
        graph, "Does pioglitazone target a protein that is associated with gout?"
    ).told
    assert one.text == (
        "Yes: Pioglitazone targets proteins that are associated with gout. The path that proves it: "
        "Pioglitazone targets PPARG; PPARG is associated with gout."
    )
    assert [fact.key for fact in one.facts] == [KEYS[6], KEYS[5]]
    assert told(graph, "Does metformin target a protein that is associated with gout?") == [
        not_said("Metformin targets proteins that are associated with gout")
    ]


def test_each_claim_is_told_and_yes_only_where_all_are_proven(graph: KnowledgeGraph) -> None:
    """Each part has its answer; none is dropped for the other."""
    assert told(graph, "Does metformin treat type 2 diabetes mellitus and cause nausea?") == [
        "Yes: Metformin treats type 2 diabetes mellitus.",
        "Metformin can cause nausea.",
    ]
    assert told(graph, "Do metformin and warfarin both treat asthma?") == [
        not_said("Metformin treats asthma"),
        "Warfarin treats asthma.",
    ]
    assert told(
        graph,
        "Is metformin among the drugs that treat type 2 diabetes mellitus but do not cause nausea?",
    ) == [
        "Metformin treats type 2 diabetes mellitus.",
        "The graph says that Metformin can cause nausea.",
    ]


@given(
    subject=st.sampled_from([METFORMIN, WARFARIN, PIOGLITAZONE, APART]),
    ends=st.permutations([DIABETES, ASTHMA, GOUT]).map(lambda all_: all_[:2]),
    negated=st.booleans(),
)
def test_what_is_said_is_what_the_graph_has(
    graph: KnowledgeGraph, subject: Entity, ends: Sequence[Entity], negated: bool
) -> None:
    conditions = tuple(Condition(("TREATS",), named(one), negated) for one in ends)
    plan = Plan(
        Want.YES_NO,
        tuple(Selection(("Drug",), ((one,),)) for one in conditions),
        (named(subject),) * len(conditions),
    )
    found = compute(ReadPlan(plan, ""), graph)
    assert found is not None and len(found.told) == len(ends)
    held = [(subject.id, "TREATS", end.id) in KEYS for end in ends]
    assert [bool(one.facts) for one in found.told] == held
    assert [one.text.startswith("The graph does not say") for one in found.told] == [
        not one for one in held
    ]
    assert found.told[0].text.startswith("Yes") is (all(held) and not negated)


def named(entity: Entity) -> Named:
    return Named(entity.name, (entity.id,), entity.name, entity.type)


# -- ways ------------------------------------------------------------------------------------------


def test_ways_are_told_step_by_step_and_listed(graph: KnowledgeGraph) -> None:
    found = computed(graph, "How are metformin and warfarin connected?")
    (one,) = found.told
    assert one.text == "Metformin can cause nausea; nausea is a side effect of Warfarin."
    assert [fact.key for fact in one.facts] == [KEYS[2], KEYS[3]]
    (between,) = found.lists
    assert between.title == "Between Metformin and Warfarin"
    assert [(member.name, member.relationships) for member in between.members] == [
        ("nausea", (KEYS[2], KEYS[3]))
    ]


def test_without_a_way_it_is_said(graph: KnowledgeGraph) -> None:
    assert told(graph, "How are metformin and solitarin connected?") == [
        "The graph does not connect Metformin and Solitarin by 4 relationships or fewer."
    ]


def test_of_three_names_each_two_are_connected(graph: KnowledgeGraph) -> None:
    found = computed(graph, "How are metformin, warfarin and nausea connected?")
    assert {one.text for one in found.told} >= {
        "Metformin can cause nausea; nausea is a side effect of Warfarin.",
        "Metformin can cause nausea.",
        "Warfarin can cause nausea.",
    }


@pytest.mark.req("KG-42")
def test_a_mechanism_goes_along_its_relationships(graph: KnowledgeGraph) -> None:
    question = "How are metformin and gout connected, by which mechanism?"
    chosen = strategy(QueryType.STRUCTURAL, question)
    assert {"TARGETS", "ASSOCIATED_WITH"} <= set(chosen.along)
    plan = Plan(Want.PATH, subjects=(named(PIOGLITAZONE), named(GOUT)))
    found = compute(ReadPlan(plan, ""), graph, chosen)
    assert found is not None
    assert {fact.type for fact in found.facts} <= set(chosen.along)
    # Where these lead nowhere, all do.
    plan = Plan(Want.PATH, subjects=(named(METFORMIN), named(WARFARIN)))
    found = compute(ReadPlan(plan, ""), graph, chosen)
    assert found is not None and found.facts


@pytest.mark.req("KG-41", "KG-43", "KG-44")
def test_each_type_of_question_has_its_strategy() -> None:
    assert strategy(QueryType.SEMANTIC, "drugs like X") == Strategy(by_vectors=True)
    assert strategy(QueryType.EXACT, "list all drugs") == Strategy(everything=True)
    assert strategy(QueryType.HYBRID, "Which drugs treat X?") == Strategy()
    both = strategy(QueryType.STRUCTURAL, "Mechanism and pathway of X").along
    assert set(both) > set(strategy(QueryType.STRUCTURAL, "the pathway of X").along)


# -- likeness --------------------------------------------------------------------------------------


def like(graph: KnowledgeGraph, found: Sequence[tuple[str, float]], question: str) -> Computed:
    read = Planner(graph, EntityNames(graph)).read(question)
    assert read is not None and read.plan.want is Want.SIMILAR
    answer = compute(read, graph, Strategy(by_vectors=True), lambda _ids, _types: found)
    assert answer is not None
    return answer


def test_likeness_by_vectors_has_what_is_shared_as_its_reason(graph: KnowledgeGraph) -> None:
    near = [(APART.id, 0.9), (WARFARIN.id, 0.8), (GOUT.id, 0.7), (METFORMIN.id, 1.0)]
    found = like(graph, near, "Which drugs are similar to metformin?")
    (one,) = found.told
    assert one.text == (
        "By their descriptions these drugs are most like Metformin, in brackets how much each shares "
        "with it in the graph: Solitarin (by its description), Warfarin (1)."
    )
    first, second = found.lists[0].members
    assert (first.name, first.count, first.relationships) == (APART.name, 0, ())
    assert first.reason == "by its description" and not second.reason
    assert (second.count, set(second.relationships)) == (1, {KEYS[2], KEYS[3]})


def test_without_vectors_likeness_is_what_is_shared(graph: KnowledgeGraph) -> None:
    (one,) = like(graph, [], "Which drugs are similar to metformin?").told
    assert one.text == (
        "By what they share with Metformin in the graph, in brackets how much, these are the most "
        "similar drugs: Warfarin (1), Pioglitazone (1)."
    )


def test_what_is_asked_beside_likeness_holds(graph: KnowledgeGraph) -> None:
    near = [(WARFARIN.id, 0.9), (PIOGLITAZONE.id, 0.8)]
    found = like(graph, near, "Which drugs like metformin treat asthma?")
    assert [one.name for one in found.lists[0].members] == [WARFARIN.name]
