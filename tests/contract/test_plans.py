"""Plans on every graph store: what is written as English is read back, and sets are computed right."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.graph import Entity, Relationship
from core.domain.plans import Condition, Gap, Named, Plan, Rank, Selection, Want
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.graph.projection import Projection
from core.graph.sets import counts, members
from core.graph.store import GraphStore
from core.questions.planning import Planner
from tests.support.graphs import graph_data

DRUGS = [
    Entity("D1", "Drug", "Metformin", ("Glucophage",), importance=0.9),
    Entity("D2", "Drug", "alpha-lipoic acid", importance=0.8),
    Entity("D3", "Drug", "calcium and vitamin D", importance=0.7),
    Entity("D4", "Drug", "N,N-dimethyltryptamine", importance=0.6),
    Entity("D5", "Drug", "Insulin, isophane", ("NPH insulin",), importance=0.5),
]
DISEASES = [
    Entity("S1", "Disease", "type 2 diabetes mellitus", ("adult-onset diabetes",), importance=0.9),
    Entity("S2", "Disease", "hand, foot and mouth disease", importance=0.8),
    Entity("S3", "Disease", "gout", importance=0.7),
    Entity("S4", "Disease", "Crohn's disease", importance=0.6),
]
PROTEINS = [
    Entity("P1", "Protein", "ADRB1", importance=0.9),
    Entity("P2", "Protein", "HMG-CoA reductase", importance=0.8),
    Entity("P3", "Protein", "PPARG", ("NR1C3",), importance=0.7),
]
EFFECTS = [
    Entity("E1", "Phenotype", "nausea", importance=0.9),
    Entity("E2", "Phenotype", "weight gain", importance=0.8),
    # A disease, and an effect, of one name.
    Entity("E3", "Phenotype", "gout", importance=0.1),
]
ENTITIES = [*DRUGS, *DISEASES, *PROTEINS, *EFFECTS]
_PAIRS = [
    *product(DRUGS, ["TREATS"], DISEASES),
    *product(DRUGS, ["TARGETS"], PROTEINS),
    *product(DRUGS, ["CAUSES_SIDE_EFFECT"], EFFECTS),
    *product(DISEASES, ["ASSOCIATED_WITH"], PROTEINS),
]
RELATIONSHIPS = [
    Relationship(one.id, kind, other.id)
    for number, (one, kind, other) in enumerate(_PAIRS)
    if number % 3 != 1  # some hold, some do not
]


@pytest.fixture
def planner(graph_store: GraphStore) -> Planner:
    graph_store.replace(graph_data(ENTITIES, RELATIONSHIPS))
    graph = KnowledgeGraph(graph_store)
    return Planner(graph, EntityNames(graph))


# -- English and back ------------------------------------------------------------------------------


def of(kind: str, entity: Entity, negated: bool = False) -> Condition:
    named = Named(entity.name, (entity.id,), entity.name, entity.type)
    return Condition((kind,), named, negated)


def drugs(*conditions: tuple[Condition, ...]) -> Selection:
    return Selection(("Drug",), conditions)


@dataclass(frozen=True)
class Kind:
    """A kind of plan: what it asks for, in at least six phrasings."""

    plan: Callable[[Entity, Entity, Entity, Entity], Plan]
    phrasings: tuple[str, ...]


# {d} and {e} are diseases, {p} and {q} a protein and an effect.
KINDS = {
    "list": Kind(
        lambda d, e, p, q: Plan(Want.LIST, (drugs((of("TREATS", d),)),)),
        (
            "Which drugs treat {d}?",
            "What medicines are used for {d}?",
            "{d} is treated by which drugs?",
            "drugs for {d}",
            "Show me the treatments for {d}.",
            "what treats {d}",
            "By which medicines is {d} treated?",
            "I need medications indicated in {d}",
        ),
    ),
    "both": Kind(
        lambda d, e, p, q: Plan(Want.LIST, (drugs((of("TREATS", d),), (of("TREATS", e),)),)),
        (
            "Which drugs treat both {d} and {e}?",
            "What medicines are used for {d} and {e}?",
            "drugs that treat {d} and also treat {e}",
            "Which drugs for {d} also treat {e}?",
            "Show me the drugs that treat {d} as well as {e}.",
            "medicines indicated in {d} and indicated in {e}",
        ),
    ),
    "either": Kind(
        lambda d, e, p, q: Plan(Want.LIST, (drugs((of("TREATS", d), of("TREATS", e))),)),
        (
            "Which drugs treat {d} or {e}?",
            "What is used for either {d} or {e}?",
            "medicines for {d} or {e}",
            "Show me drugs that treat {d} or treat {e}.",
            "Which medications are indicated in {d} or {e}?",
            "drugs that treat at least one of {d} and {e}",
        ),
    ),
    "but not": Kind(
        lambda d, e, p, q: Plan(Want.LIST, (drugs((of("TREATS", d),), (of("TARGETS", p, True),)),)),
        (
            "Which drugs treat {d} and do not target {p}?",
            "Which drugs treat {d} without targeting {p}?",
            "drugs for {d} that don't target {p}",
            "What treats {d} but does not act on {p}?",
            "medicines that treat {d}, except those that target {p}",
            "Show me {d} drugs that do not act on {p}.",
        ),
    ),
    "neither": Kind(
        lambda d, e, p, q: Plan(
            Want.LIST,
            (
                drugs(
                    (of("TREATS", d),),
                    (of("TARGETS", p, True),),
                    (of("CAUSES_SIDE_EFFECT", q, True),),
                ),
            ),
        ),
        (
            "Which drugs treat {d} and neither target {p} nor cause {q}?",
            "Which drugs treat {d} without targeting {p} or causing {q}?",
            "drugs for {d} that don't target {p} and don't cause {q}",
            "What treats {d}, does not target {p} and does not cause {q}?",
            "medicines for {d} that neither act on {p} nor cause {q}",
            "drugs that treat {d} without targeting {p} and without causing {q}",
        ),
    ),
    "two hops": Kind(
        lambda d, e, p, q: Plan(
            Want.LIST,
            (Selection(("Protein",), ((Condition(("TARGETS",), drugs((of("TREATS", d),))),),)),),
        ),
        (
            "Which proteins are targeted by drugs that treat {d}?",
            "What are the targets of the drugs that treat {d}?",
            "targets of {d} drugs",
            "Which proteins do the drugs for {d} target?",
            "proteins targeted by medicines used for {d}",
            "Show me the targets of the treatments for {d}.",
        ),
    ),
    "count": Kind(
        lambda d, e, p, q: Plan(Want.COUNT, (drugs((of("TREATS", d),)),)),
        (
            "How many drugs treat {d}?",
            "What is the number of drugs that treat {d}?",
            "count the medicines for {d}",
            "How many medications are there for {d}?",
            "number of drugs used for {d}",
            "By how many medicines is {d} treated?",
        ),
    ),
    "most": Kind(
        lambda d, e, p, q: Plan(
            Want.MOST, (drugs((of("TREATS", d),)),), (), Rank(("TARGETS",), ("Protein",))
        ),
        (
            "Which drug that treats {d} has the most targets?",
            "Which of the drugs for {d} has the most targets?",
            "Of the drugs that treat {d}, which has the largest number of targets?",
            "Which {d} drug targets the most proteins?",
            "Among medicines for {d}, which has the highest number of targets?",
            "drug for {d} with the most targets",
        ),
    ),
    "compare": Kind(
        lambda d, e, p, q: Plan(
            Want.COMPARE,
            (
                Selection(("Protein",), ((of("ASSOCIATED_WITH", d),),)),
                Selection(("Protein",), ((of("ASSOCIATED_WITH", e),),)),
            ),
        ),
        (
            "Compare the proteins associated with {d} and {e}.",
            "Compare the proteins of {d} with those of {e}",
            "proteins linked to {d} versus {e}",
            "How do the proteins associated with {d} differ from those of {e}?",
            "proteins associated with {d} compared with {e}",
            "Contrast the genes linked to {d} and {e}.",
        ),
    ),
}


def said(plan: Plan) -> object:
    """A plan without the words that its names were written in, and without order where none matters."""

    def condition(one: Condition) -> object:
        end = one.of
        other = selection(end) if isinstance(end, Selection) else end.ids[0]
        return one.relationships, other, one.negated

    def selection(one: Selection) -> object:
        inside = frozenset(frozenset(map(condition, each)) for each in one.conditions)
        return frozenset(one.types), inside

    return plan.want, tuple(map(selection, plan.sets)), plan.rank, plan.left_over


@settings(max_examples=300)
@given(
    kind=st.sampled_from(sorted(KINDS)),
    number=st.integers(0, 11),
    pair=st.permutations(DISEASES),
    protein=st.sampled_from(PROTEINS),
    effect=st.sampled_from(EFFECTS[:2]),
    synonym=st.booleans(),
)
def test_a_plan_written_as_english_is_read_back(
    planner: Planner,
    kind: str,
    number: int,
    pair: list[Entity],
    protein: Entity,
    effect: Entity,
    synonym: bool,
) -> None:
    def name(one: Entity) -> str:
        return one.synonyms[0] if synonym and one.synonyms else one.name

    first, second, *_ = pair
    phrasings = KINDS[kind].phrasings
    assert len(phrasings) >= 6
    question = phrasings[number % len(phrasings)].format(
        d=name(first), e=name(second), p=name(protein), q=name(effect)
    )
    read = planner.read(question)
    assert read is not None, question
    expected = replace(KINDS[kind].plan(first, second, protein, effect))
    assert said(read.plan) == said(expected), (question, read.understood)


# -- computing -------------------------------------------------------------------------------------

_SEED = 12
_STORED = 12  # graphs
_TYPES = {
    "TREATS": ("Drug", "Disease"),
    "TARGETS": ("Drug", "Protein"),
    "CAUSES_SIDE_EFFECT": ("Drug", "Phenotype"),
    "ASSOCIATED_WITH": ("Disease", "Protein"),
}
Graph = tuple[list[Entity], list[Relationship]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    entities = [
        Entity(f"{kind}{n}", kind, f"{kind} {n}", importance=n / 10)
        for kind in ("Drug", "Disease", "Protein", "Phenotype")
        for n in range(draw(st.integers(1, 4)))
    ]
    return entities, draw(
        st.lists(st.sampled_from(possible(entities)), min_size=1, unique_by=lambda r: r.key)
    )


def possible(entities: Sequence[Entity]) -> list[Relationship]:
    return [
        Relationship(one.id, kind, other.id)
        for kind, (near, far) in _TYPES.items()
        for one in entities
        for other in entities
        if (one.type, other.type) == (near, far)
    ]


def some_graphs() -> Iterator[Graph]:
    """Of four to two dozen entities, with one relationship up to nearly all that there can be."""
    chance = random.Random(_SEED)
    for number in range(_STORED):
        entities = [
            Entity(f"{kind}{n}", kind, f"{kind} {n}", importance=n / 10)
            for kind in ("Drug", "Disease", "Protein", "Phenotype")
            for n in range(chance.randint(1, 6))
        ]
        everything = possible(entities)
        yield entities, chance.sample(everything, max(1, len(everything) * number // _STORED))


@st.composite
def selections(
    draw: st.DrawFn, entities: Sequence[Entity], types: str = "", deep: int = 2
) -> Selection:
    own = types or draw(st.sampled_from(["Drug", "Disease", "Protein", "Phenotype"]))
    fitting = [
        (kind, near if own == far else far)
        for kind, (near, far) in _TYPES.items()
        if own in (near, far)
    ]

    def condition() -> Condition:
        kind, other = draw(st.sampled_from(fitting))
        negated = draw(st.booleans())
        named = [one for one in entities if one.type == other]
        if deep > 1 and draw(st.booleans()):
            return Condition((kind,), draw(selections(entities, other, deep - 1)), negated)
        return of(kind, draw(st.sampled_from(named)), negated)

    sizes = draw(st.lists(st.integers(1, 2), min_size=1, max_size=3))
    return Selection((own,), tuple(tuple(condition() for _ in range(size)) for size in sizes))


def by_hand(
    selection: Selection, entities: Sequence[Entity], relationships: Sequence[Relationship]
) -> set[str]:
    """The ids of a selection's members, from plain loops."""

    def holds(entity: Entity, condition: Condition) -> bool:
        other = condition.of
        ends = {*other.ids} if isinstance(other, Named) else by_hand(other, entities, relationships)
        linked = any(
            one.type in condition.relationships
            and any({entity.id, end} == {one.source, one.target} for end in ends)
            for one in relationships
        )
        return linked is not condition.negated

    return {
        entity.id
        for entity in entities
        if entity.type in selection.types
        and all(any(holds(entity, one) for one in each) for each in selection.conditions)
    }


def check_sets(graph: Projection, known: Graph, data: st.DataObject) -> None:
    """A drawn selection, and a drawn rank, are what plain loops over the known graph find."""
    entities, relationships = known
    selection = data.draw(selections(entities))
    found = {graph.ids[place] for place in np.flatnonzero(members(selection, graph)).tolist()}
    assert found == by_hand(selection, entities, relationships)
    kind = data.draw(st.sampled_from(graph.relationship_types))
    rank = Rank((kind,), _TYPES[kind])
    places = np.arange(len(graph.ids))
    assert counts(rank, places, graph).tolist() == [
        len(
            {
                one.key
                for one in relationships
                if one.type == kind and entity_id in (one.source, one.target)
            }
        )
        for entity_id in graph.ids
    ]


@settings(max_examples=300)
@given(data=st.data())
def test_sets_are_what_plain_loops_find(data: st.DataObject) -> None:
    known = data.draw(graphs())
    check_sets(Projection.from_bytes(graph_data(*known).projection), known, data)


@pytest.fixture
def stored(graph_store: GraphStore) -> list[tuple[Projection, Graph]]:
    """Graphs as they are read after each was stored in the place of the one before."""
    read = []
    for known in some_graphs():
        graph_store.replace(graph_data(*known))
        read.append((KnowledgeGraph(graph_store).projection(), known))
    return read


@settings(max_examples=300)
@given(number=st.integers(0, _STORED - 1), data=st.data())
def test_sets_of_a_stored_graph_are_what_plain_loops_find(
    stored: list[tuple[Projection, Graph]], number: int, data: st.DataObject
) -> None:
    check_sets(*stored[number], data)


# -- what is left over -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "gap"),
    [
        ("Which drugs worsen gout?", None),
        ("Which drugs are unsafe in gout?", None),
        ("Which drugs treat juvenile gout?", Gap.NARROWER),
        ("Which drugs do not treat gout?", Gap.NO_SUBJECT),
        ("Which drugs do not treat gout and cause nausea?", Gap.NEGATION),
        ("Which drugs treat gout in winter?", Gap.WORD),
        ("Which drugs treat gout, and when must Metformin not be taken?", None),
    ],
)
def test_what_has_no_part_in_a_plan_is_left_over(
    planner: Planner, question: str, gap: Gap | None
) -> None:
    read = planner.read(question)
    assert read is not None and not read.plan.complete
    if gap is not None:
        assert gap in {one.gap for one in read.plan.left_over}


def test_a_name_of_two_entities_takes_the_type_of_the_question(planner: Planner) -> None:
    for question, expected in (
        ("Which drugs treat gout?", "S3"),
        ("Which drugs cause gout?", "E3"),
    ):
        read = planner.read(question)
        assert read is not None and read.plan.complete
        (condition,) = read.plan.sets[0].all_conditions()
        assert isinstance(condition.of, Named) and condition.of.ids == (expected,)
