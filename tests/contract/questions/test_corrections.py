"""Corrections of plans on every graph store: what is offered can be carried out, what cannot is said."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.conversations.store import ConversationStore
from core.domain.graph import Entity, Relationship
from core.domain.plans import Condition, Named, Plan, Rank, Selection, Want
from core.errors import InputError
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.graph.sets import members
from core.graph.store import GraphStore
from core.questions.correcting.corrections import Corrections, can_be_corrected
from core.questions.correcting.places import all_conditions, conditions_of, set_at, sets_of
from core.questions.planning import Planner
from tests.domain.answers import an_answer
from tests.support.graphs import graph_data

ENTITIES = [
    Entity("D1", "Drug", "Metformin", ("Glucophage",), importance=0.9),
    Entity("D2", "Drug", "Warfarin", importance=0.8),
    Entity("S1", "Disease", "hypertension", importance=0.9),
    Entity("S2", "ClinicalDisease", "pulmonary hypertension", importance=0.8),
    Entity("S3", "Disease", "gout", importance=0.7),
    Entity("E1", "Phenotype", "hypertension", importance=0.6),
    Entity("P1", "Protein", "ADRB1", importance=0.5),
    Entity("P2", "Protein", "PPARG", importance=0.4),
]
RELATIONSHIPS = [
    Relationship("D1", "TREATS", "S1"),
    Relationship("D1", "TREATS", "S2"),
    Relationship("D2", "TREATS", "S3"),
    Relationship("D2", "CONTRAINDICATED_IN", "S1"),
    Relationship("D1", "CONTRAINDICATED_IN", "S2"),
    Relationship("D2", "CAUSES_SIDE_EFFECT", "E1"),
    Relationship("D1", "TARGETS", "P1"),
    Relationship("D2", "TARGETS", "P2"),
    Relationship("D1", "INTERACTS_WITH", "D2"),
    Relationship("P1", "REGULATES", "P2"),  # of one type at both ends, read either way
    Relationship("S1", "ASSOCIATED_WITH", "P1"),
]


@pytest.fixture
def planner(graph_store: GraphStore) -> Planner:
    graph_store.replace(graph_data(ENTITIES, RELATIONSHIPS))
    graph = KnowledgeGraph(graph_store)
    return Planner(graph, EntityNames(graph))


@pytest.fixture
def corrections(planner: Planner) -> Corrections:
    return Corrections(planner.graph, planner.names)


def named(one: Entity) -> Named:
    return Named(one.name, (one.id,), one.name, one.type)


def of(kind: str, end: str, negated: bool = False) -> Condition:
    return Condition((kind,), named(next(one for one in ENTITIES if one.id == end)), negated)


def a_list(*conditions: tuple[Condition, ...], types: tuple[str, ...] = ("Drug",)) -> Plan:
    return Plan(Want.LIST, (Selection(types, conditions),))


def ids(corrections: Corrections, plan: Plan) -> set[str]:
    graph = corrections.graph.projection()
    found = members(corrections.checked(plan).plan.sets[0], graph)
    return {one for one, is_member in zip(graph.ids, found.tolist(), strict=True) if is_member}


TREATED = a_list((of("TREATS", "S1"),))
NESTED = a_list((Condition(("TARGETS",), TREATED.sets[0]),), types=("Protein",))
COMPARED = Plan(
    Want.COMPARE,
    (*a_list((of("TREATS", "S1"),)).sets, *a_list((of("TREATS", "S3"),)).sets),
    (named(ENTITIES[2]), named(ENTITIES[4])),
)
WHETHER = Plan(Want.YES_NO, TREATED.sets, (named(ENTITIES[0]),))
PLANS = (
    TREATED,
    a_list((of("TREATS", "S1"), of("TREATS", "S3")), (of("TARGETS", "P1", True),)),
    NESTED,
    COMPARED,
    WHETHER,
    Plan(Want.MOST, TREATED.sets, rank=Rank(("TARGETS",), ("Protein",))),
    Plan(Want.SHARE, subjects=(named(ENTITIES[0]), named(ENTITIES[1]))),
    a_list((Condition(("REGULATES",), named(ENTITIES[7]), forward=True),), types=("Protein",)),
)


# -- what is offered -------------------------------------------------------------------------------


def test_relationships_are_those_of_the_schema_in_words_and_denied(
    corrections: Corrections,
) -> None:
    said = [one.said for one in corrections.links(TREATED, (0, 0, 0))]
    assert said[:2] == ["treat", "are not said in the graph to treat"] and len(said) == len(
        set(said)
    )
    assert set(said[2:]) == {
        "are contraindicated in",
        "are not said in the graph to be contraindicated in",
    }
    other_way = a_list((of("TREATS", "D1"),), types=("Disease",))
    assert corrections.links(other_way, (0, 0, 0))[0].said == "are treated by"
    # What reads the same from both ends is offered once.
    between = a_list((of("INTERACTS_WITH", "D2"),))
    assert [one.said for one in corrections.links(between, (0, 0, 0))] == [
        "interact with",
        "are not said in the graph to interact with",
    ]


def test_a_relationship_between_one_type_is_offered_in_both_directions(
    corrections: Corrections,
) -> None:
    regulating = PLANS[-1]
    said = {one.said: one for one in corrections.links(regulating, (0, 0, 0))}
    assert set(said) == {
        "regulate",
        "are not said in the graph to regulate",
        "are regulated by",
        "are not said in the graph to be regulated by",
    }
    assert ids(corrections, regulating) == {"P1"}
    turned = corrections.linked(regulating, (0, 0, 0), said["are regulated by"])
    assert ids(corrections, turned) == set()
    other = corrections.naming(turned, (0, 0, 0), named(ENTITIES[6]))
    assert ids(corrections, other) == {"P2"}


def test_entities_are_those_of_the_name_then_close_ones(corrections: Corrections) -> None:
    plain = Named("hypertension", ("S1",), "hypertension", "Disease")
    found = corrections.alike(plain, ("Drug",))
    assert [one.ids for one in found] == [("S1",), ("E1",), ("S2",)]
    # A name that nothing links to the members is not offered.
    assert all(one.type != "Phenotype" for one in corrections.alike(plain, ("Protein",)))
    typed = corrections.meant("Glucophage", ("Disease",))
    assert [one.name for one in typed.exact] == ["Metformin"]
    misspelt = corrections.meant("hypertenson", ("Drug",))
    assert not misspelt.exact and "hypertension" in {one.name for one in misspelt.close}


def test_types_are_those_that_fit_every_condition(corrections: Corrections) -> None:
    assert corrections.types(TREATED, (0,)) == (("Drug",), ("Protein",))
    both = a_list((of("TREATS", "S1"),), (of("CAUSES_SIDE_EFFECT", "E1"),))
    assert corrections.types(both, (0,)) == (("Drug",),)
    # Diseases are one kind to a reader, however the graph divides them.
    inner = corrections.types(NESTED, (0, 0, 0))
    assert inner[0] == ("Drug",) and len(inner) == len(set(inner))


def test_a_list_may_become_a_number_and_the_most_the_fewest(corrections: Corrections) -> None:
    assert set(corrections.wants(TREATED)) == {Want.LIST, Want.COUNT}
    assert set(corrections.wants(PLANS[5])) == {Want.MOST, Want.LEAST}
    assert corrections.wants(COMPARED) == (Want.COMPARE,)
    every = replace(TREATED, everything=True)
    assert not corrections.wanting(every, Want.COUNT).everything


# -- what is changed -------------------------------------------------------------------------------


def test_a_changed_condition_is_computed(corrections: Corrections) -> None:
    at = (0, 0, 0)
    assert ids(corrections, TREATED) == {"D1"}
    contraindicated = next(
        one
        for one in corrections.links(TREATED, at)
        if one.relationships == ("CONTRAINDICATED_IN",) and not one.negated
    )
    assert ids(corrections, corrections.linked(TREATED, at, contraindicated)) == {"D2"}
    assert ids(corrections, corrections.naming(TREATED, at, named(ENTITIES[4]))) == {"D2"}
    # Nothing is treated that is an effect: the relationship is fitted to it.
    effect = corrections.naming(TREATED, at, named(ENTITIES[5]))
    assert ids(corrections, effect) == {"D2"}
    assert corrections.said(effect) == "Drugs that can cause hypertension"
    added = corrections.with_name(TREATED, named(ENTITIES[6]))
    assert corrections.said(added) == "Drugs that treat hypertension and target ADRB1"
    assert corrections.without(added, (0, 1, 0)) == TREATED
    denied = next(
        one
        for one in corrections.links(added, (0, 1, 0))
        if one.said == "are not said in the graph to target"
    )
    without = corrections.linked(added, (0, 1, 0), denied)
    assert (
        corrections.said(without)
        == "Drugs that treat hypertension and are not said in the graph to target ADRB1"
    )
    assert ids(corrections, without) == ids(corrections, TREATED) - ids(corrections, added)


def test_a_set_within_is_changed_in_its_place(corrections: Corrections) -> None:
    inner = (0, 0, 0, 0, 0)
    changed = corrections.naming(NESTED, inner, named(ENTITIES[4]))
    assert corrections.said(changed) == "Targets of drugs that treat gout"
    assert ids(corrections, changed) == {"P2"}


def test_what_is_compared_follows_its_sets(corrections: Corrections) -> None:
    changed = corrections.naming(COMPARED, (1, 0, 0), named(ENTITIES[3]))
    assert [one.name for one in changed.subjects] == ["hypertension", "pulmonary hypertension"]
    corrections.checked(changed)


def test_a_subject_is_changed(corrections: Corrections) -> None:
    changed = corrections.about(WHETHER, 0, named(ENTITIES[1]))
    assert corrections.said(changed) == "Whether Warfarin treats hypertension"
    # A protein treats nothing; what links it to a disease takes the place of the verb.
    protein = corrections.about(WHETHER, 0, named(ENTITIES[6]))
    assert protein.sets[0].types == ("Protein",)
    corrections.checked(protein)


def test_what_was_left_over_is_left_out(planner: Planner, corrections: Corrections) -> None:
    read = planner.read("Which drugs worsen hypertension?")
    assert read is not None and not read.plan.complete and can_be_corrected(read.plan)
    with pytest.raises(InputError, match="worsen"):
        corrections.checked(read.plan)
    assert ids(corrections, corrections.complete(read.plan)) == {"D1"}


@given(data=st.data())
def test_whatever_is_chosen_of_what_is_offered_can_be_carried_out(
    data: st.DataObject, corrections: Corrections
) -> None:
    plan = data.draw(st.sampled_from(PLANS))
    for _ in range(data.draw(st.integers(1, 4))):
        plan = _changed_once(data, corrections, plan)
        try:
            read = corrections.checked(plan)
        except InputError as error:
            # Only what no choice can prevent: all that is left is denied, or nothing is.
            assert error.code == "INVALID_PLAN" and error.advice
            assert any(word in error.message for word in ("only what is not", "does not say"))
            return
        assert read.understood and corrections.checked(read.plan) == read
        for _, selection in sets_of(read.plan):
            members(selection, corrections.graph.projection())


def _changed_once(data: st.DataObject, corrections: Corrections, plan: Plan) -> Plan:
    conditions = list(all_conditions(plan))
    kinds = ["subject"] * bool(plan.subjects and plan.want is not Want.COMPARE)
    kinds += ["link", "name", "type", "want", "without"] if conditions else []
    kind = data.draw(st.sampled_from(kinds))
    if kind == "subject":
        number = data.draw(st.integers(0, len(plan.subjects) - 1))
        ends = plan.sets[number].all_conditions() if plan.want is Want.YES_NO else ()
        types = {one.of.type for one in ends if isinstance(one.of, Named)}
        chosen = corrections.alike(named(data.draw(st.sampled_from(ENTITIES))), types)
        fitting = list(chosen[1:] or plan.subjects)
        return corrections.about(plan, number, data.draw(st.sampled_from(fitting)))
    at, condition, selection = data.draw(st.sampled_from(conditions))
    if kind == "link":
        return corrections.linked(plan, at, data.draw(st.sampled_from(corrections.links(plan, at))))
    if kind == "name" and isinstance(condition.of, Named):
        offered = corrections.alike(condition.of, selection.types)
        return corrections.naming(plan, at, data.draw(st.sampled_from(offered)))
    if kind == "type":
        place = data.draw(st.sampled_from([place for place, _ in sets_of(plan)]))
        if plan.want is Want.YES_NO and len(place) == 1:
            return plan
        if set_at(plan, place).conditions and not (plan.rank is not None and len(place) == 1):
            offered_types = corrections.types(plan, place)
            return corrections.of_types(plan, place, data.draw(st.sampled_from(offered_types)))
    if kind == "want":
        return corrections.wanting(plan, data.draw(st.sampled_from(corrections.wants(plan))))
    if kind == "without" and len(list(conditions_of(at[:-2], selection))) > 1:
        return corrections.without(plan, at)
    return plan


# -- what is refused -------------------------------------------------------------------------------

_UNKNOWN = Named("x", ("nobody",), "x", "Drug")


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (a_list((of("CURES", "S1"),)), "no relationship “CURES”"),
        (a_list((of("TREATS", "S1"),), types=("Medicine",)), "no type of entity “Medicine”"),
        (a_list((Condition(("TREATS",), _UNKNOWN),)), "no entity “nobody”"),
        (a_list((replace(of("TREATS", "S1"), relationships=()),)), "needs a relationship"),
        (a_list((of("TREATS", "S1"),), types=()), "needs a type"),
        (a_list((of("TREATS", "P1"),)), "between drugs and ADRB1"),
        (a_list((replace(of("TREATS", "S1"), forward=False),)), "between drugs and hypertension"),
        (a_list((of("TREATS", "S1", True),)), "only what is not wanted"),
        (a_list(), "does not say what is wanted"),
        (a_list(()), "there must be one"),
        (a_list(*[(of("TREATS", "S1"),)] * 25), "24 conditions"),
        (Plan(Want.LIST), "cannot have 0 sets"),
        (Plan(Want.SHARE, subjects=(named(ENTITIES[0]),)), "cannot have 1 subjects"),
        (Plan(Want.YES_NO, TREATED.sets * 2, (named(ENTITIES[0]),)), "one set for each"),
        (Plan(Want.MOST, TREATED.sets), "rank"),
        (Plan(Want.MOST, TREATED.sets, rank=Rank(("TARGETS",), ("Disease",))), "does not link"),
    ],
)  # fmt: skip
def test_what_the_graph_does_not_have_is_refused_in_plain_words(
    plan: Plan, words: str, corrections: Corrections
) -> None:
    with pytest.raises(InputError) as refused:
        corrections.checked(plan)
    assert refused.value.code == "INVALID_PLAN"
    assert words in refused.value.message


def test_names_are_the_graphs_whatever_came(corrections: Corrections) -> None:
    lying = Named("<b>aspirin</b>'; DROP", ("S1",), "aspirin", "Drug")
    read = corrections.checked(a_list((Condition(("TREATS",), lying),)))
    assert read.understood == "Drugs that treat hypertension"
    (condition,) = read.plan.sets[0].all_conditions()
    assert condition.of == Named("hypertension", ("S1",), "hypertension", "Disease")
    # What the question calls it stays, where it is one of its names.
    synonym = Named("Glucophage", ("D1",), "x", "x")
    kept = corrections.checked(Plan(Want.SIMILAR, subjects=(synonym,))).plan.subjects
    assert kept == (Named("Glucophage", ("D1",), "Metformin", "Drug"),)


# -- what is kept ----------------------------------------------------------------------------------


def test_both_plans_survive_a_store_and_a_move_into_it(
    conversation_store: ConversationStore,
) -> None:
    corrected = replace(TREATED, want=Want.COUNT)
    answer = replace(
        an_answer("Which drugs treat hypertension?"),
        plan=corrected,
        understood="The number of drugs that treat hypertension",
        plan_as_read=NESTED,
        understood_as_read="Targets of drugs that treat hypertension",
    )
    session = conversation_store.create_session("s", "A title")
    turn = conversation_store.add_turn("t", session.id, answer)
    moved = replace(turn, id="u", session_id="v")
    conversation_store.restore_turn(replace(session, id="v"), moved)
    for kept in ("s", "v"):
        (found,) = conversation_store.turns(kept)
        assert (found.answer.plan, found.answer.plan_as_read) == (corrected, NESTED)
        assert found.answer == answer
