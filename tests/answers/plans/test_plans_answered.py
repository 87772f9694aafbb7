"""Questions to the graph answered from their plans: whole sets, what proves them, what is not answered."""

from __future__ import annotations

import json

import pytest

from core.domain.answers import Answer, DocumentCitation, GraphCitation
from core.domain.plans import Gap, Want
from core.domain.serial import answer_from_json, answer_to_json, answer_to_public
from core.workspace import Workspace
from tests.support.fake_openai import FakeOpenAI


def linked(workspace: Workspace, name: str, kind: str) -> set[str]:
    """Names of what entities of a name are linked to."""
    return {
        (fact.target if fact.source.id == entity.id else fact.source).name
        for entity in workspace.graph.entities_named(name)
        for fact in workspace.graph.facts(entity.id, kind)
    }


def listed(answer: Answer, place: int = 0) -> set[str]:
    return {one.name for one in answer.lists[place].members}


def test_a_list_is_complete_beyond_the_names_that_are_told(workspace: Workspace) -> None:
    answer = workspace.chat.answer("Which drugs treat hypertension?")
    treating = linked(workspace, "hypertension", "TREATS")
    assert len(treating) > 12 and listed(answer) == treating
    assert answer.understood == "Drugs that treat hypertension"
    assert answer.sentences[0].text.startswith(f"{len(treating)} drugs treat hypertension: ")
    assert answer.sentences[0].text.endswith(f" and {len(treating) - 12} more.")
    for member in answer.lists[0].members:
        ((source, kind, target),) = member.relationships
        assert (source, kind) == (member.id, "TREATS") and answer.lists[0].others[
            target
        ] == "hypertension"


def test_conditions_hold_together_and_not_means_not(workspace: Workspace) -> None:
    treating = linked(workspace, "hypertension", "TREATS")
    targeting = linked(workspace, "ADRB1", "TARGETS")
    assert treating & targeting and treating - targeting
    both = workspace.chat.answer("Which drugs treat hypertension and target ADRB1?")
    assert listed(both) == treating & targeting
    without = workspace.chat.answer("Which drugs treat hypertension without targeting ADRB1?")
    assert listed(without) == treating - targeting
    assert (
        without.understood
        == "Drugs that treat hypertension and are not said in the graph to target ADRB1"
    )
    assert "are not said in the graph to target ADRB1: " in without.sentences[0].text
    assert without.sentences[-1].text.endswith("proves nothing either way.")
    assert all("proves nothing" not in one.text for one in both.sentences)
    either = workspace.chat.answer("Which drugs treat hypertension or target ADRB1?")
    assert listed(either) == treating | targeting


def test_two_hops_are_whole_and_each_member_has_its_chain(workspace: Workspace) -> None:
    answer = workspace.chat.answer("Which proteins are targeted by drugs that treat hypertension?")
    expected = {
        protein
        for drug in linked(workspace, "hypertension", "TREATS")
        for protein in linked(workspace, drug, "TARGETS")
    }
    assert len(expected) > 12 and listed(answer) == expected
    for member in answer.lists[0].members:
        (drug, first, protein), (other, second, _) = member.relationships
        assert (first, second, protein) == ("TARGETS", "TREATS", member.id) and drug == other


def test_a_number_has_its_list_behind_it(workspace: Workspace) -> None:
    answer = workspace.chat.answer("How many drugs treat asthma?")
    treating = linked(workspace, "asthma", "TREATS")
    assert answer.plan is not None and answer.plan.want is Want.COUNT
    assert answer.sentences[0].text.startswith(f"{len(treating)} drugs treat asthma")
    assert listed(answer) == treating


def test_an_empty_set_is_an_answer(workspace: Workspace) -> None:
    assert not linked(workspace, "gout", "TREATS") & linked(workspace, "ADRB2", "TARGETS")
    answer = workspace.chat.answer("Which drugs treat gout and target ADRB2?")
    assert not answer.refused
    assert answer.text == "No drug in the graph treats gout and targets ADRB2."


def test_a_comparison_tells_both_and_each_alone(workspace: Workspace) -> None:
    answer = workspace.chat.answer("Compare the side effects of warfarin and ibuprofen")
    first = linked(workspace, "Warfarin", "CAUSES_SIDE_EFFECT")
    second = linked(workspace, "Ibuprofen", "CAUSES_SIDE_EFFECT")
    both, only_first, only_second = (listed(answer, place) for place in range(3))
    assert (both, only_first, only_second) == (first & second, first - second, second - first)
    assert [one.title for one in answer.lists] == ["In both", "Only Warfarin", "Only Ibuprofen"]


def test_the_most_is_counted(workspace: Workspace) -> None:
    answer = workspace.chat.answer("Which drug that treats hypertension has the most targets?")
    numbers = {
        drug: len(linked(workspace, drug, "TARGETS"))
        for drug in linked(workspace, "hypertension", "TREATS")
    }
    assert {one.name: one.count for one in answer.lists[0].members} == numbers
    best = max(numbers, key=lambda drug: numbers[drug])
    assert numbers[answer.lists[0].members[0].name] == numbers[best]
    assert f": {numbers[best]}." in answer.sentences[0].text


def test_similar_medicines_are_named_with_what_they_share(workspace: Workspace) -> None:
    answer = workspace.chat.answer("Find drugs similar to Aspirin")
    assert not answer.refused and answer.plan is not None and answer.plan.want is Want.SIMILAR
    assert listed(answer) and {one.type for one in answer.lists[0].members} == {"Drug"}
    for member in answer.lists[0].members:
        assert member.count >= 1 and len(member.relationships) == 2
    assert all(isinstance(one, GraphCitation) for one in answer.citations)


@pytest.mark.parametrize(
    "question",
    [
        "Which drugs worsen hypertension?",
        "Which drugs are unsafe in hypertension?",
        "Which drugs should be stopped before hypertension surgery?",
        "Which drugs do not treat hypertension?",
    ],
)
def test_what_was_not_asked_is_not_answered(question: str, workspace: Workspace) -> None:
    answer = workspace.chat.answer(question)
    assert answer.plan is not None and answer.plan.left_over
    assert not answer.lists and not answer.understood
    treating = linked(workspace, "hypertension", "TREATS")
    told = " ".join(one.text for one in answer.sentences)
    assert sum(name in told for name in treating) < 3
    assert "no list of" in answer.notice


def test_a_narrower_name_is_not_answered_as_the_wider(workspace: Workspace) -> None:
    answer = workspace.chat.answer("Which drugs treat juvenile gout?")
    assert not answer.lists
    assert "The graph has no “juvenile gout”; it has “gout”" in answer.notice
    assert answer.instead == ("Which drugs treat gout?",)
    assert answer.plan is not None
    assert [one.gap for one in answer.plan.left_over] == [Gap.NARROWER]
    # What is offered is answered.
    assert listed(workspace.chat.answer(answer.instead[0])) == linked(workspace, "gout", "TREATS")


def test_a_verb_behind_a_name_makes_no_narrower_name(workspace: Workspace) -> None:
    answer = workspace.chat.answer("Does ibuprofen weaken the effect of warfarin?")
    assert answer.instead == () and "ibuprofen weaken" not in answer.notice


@pytest.mark.req("KG-14")
def test_a_list_can_be_spoken_of(workspace: Workspace) -> None:
    treating = linked(workspace, "hypertension", "TREATS")
    targeting = linked(workspace, "ADRB1", "TARGETS")
    first = workspace.chat.answer("Which drugs treat hypertension?")

    def then(question: str) -> Answer:
        session = workspace.chat.answer("Which drugs treat hypertension?").session
        return workspace.chat.answer(question, session)

    counted = then("How many are there?")
    assert counted.sentences[0].text.startswith(f"{len(treating)} drugs treat hypertension")
    everything = then("List them all")
    assert listed(everything) == treating
    assert all(name in everything.text for name in treating)
    assert listed(then("Which of them also target ADRB1?")) == treating & targeting
    assert listed(then("Which of those do not target ADRB1?")) == treating - targeting
    # A question that is whole by itself is not narrowed by the list before; "the" and "also" speak of it.
    gout = linked(workspace, "gout", "TREATS")
    whole = then("How many drugs treat gout?")
    assert whole.sentences[0].text.startswith(f"{len(gout)} drugs treat gout")
    assert listed(then("Show all drugs that treat gout")) == gout
    both = len(treating & targeting)
    for question in ("How many of the drugs target ADRB1?", "How many drugs also target ADRB1?"):
        assert then(question).sentences[0].text.startswith(f"{both} drugs treat hypertension")
    second = first.lists[0].members[1].name
    assert listed(then("What does the second one target?")) == linked(workspace, second, "TARGETS")


def test_a_question_in_two_parts_keeps_both(workspace: Workspace) -> None:
    answer = workspace.chat.answer(
        "Which drugs treat type 2 diabetes, and when must metformin not be taken?"
    )
    assert listed(answer) == linked(workspace, "type 2 diabetes mellitus", "TREATS")
    assert any("must not be taken" in one.text for one in answer.sentences)


def test_two_sets_asked_for_in_one_question_are_not_made_one(workspace: Workspace) -> None:
    answer = workspace.chat.answer(
        "Which drugs treat asthma, and what are the side effects of salbutamol?"
    )
    assert listed(answer) == linked(workspace, "asthma", "TREATS")
    assert listed(answer, 1) == linked(workspace, "Salbutamol", "CAUSES_SIDE_EFFECT")
    narrowed = workspace.chat.answer(
        "Which drugs treat hypertension, and which of them target ADRB1?"
    )
    treating = linked(workspace, "hypertension", "TREATS")
    assert listed(narrowed) == treating & linked(workspace, "ADRB1", "TARGETS")
    joined = workspace.chat.answer(
        "Which drugs treat hypertension but are contraindicated in asthma?"
    )
    never = linked(workspace, "asthma", "CONTRAINDICATED_IN")
    assert treating & never and listed(joined) == treating & never and len(joined.lists) == 1


@pytest.mark.req("KG-14")
def test_what_is_asked_of_the_clause_before_is_asked_of_its_set(workspace: Workspace) -> None:
    def of(name: str) -> set[str]:
        return linked(workspace, name, "TREATS")

    targeting = linked(workspace, "ADRB1", "TARGETS")
    firsts = {
        "treat hypertension": of("hypertension"),
        "treat hypertension but not asthma": of("hypertension") - of("asthma"),
        "treat hypertension and migraine": of("hypertension") & of("migraine"),
        "treat hypertension or migraine": of("hypertension") | of("migraine"),
        "treat hypertension but do not treat asthma": of("hypertension") - of("asthma"),
    }
    for first, expected in firsts.items():
        answer = workspace.chat.answer(f"Which drugs {first}, and how many of them target ADRB1?")
        assert listed(answer) == expected & targeting and len(answer.lists) == 1, first
        assert answer.plan is not None and answer.plan.want is Want.COUNT
    # Of a set that was not understood nothing can be said.
    lost = workspace.chat.answer(
        "Which topical drugs treat asthma, and how many of them treat migraine?"
    )
    assert not lost.lists


@pytest.mark.req("KG-14")
def test_it_is_what_the_clause_before_is_about(workspace: Workspace) -> None:
    session = workspace.chat.answer("What are the targets of warfarin?").session
    answer = workspace.chat.answer("Does metformin treat gout and what are its targets?", session)
    assert [one.understood for one in answer.plans] == [
        "Whether Metformin treats gout",
        "Targets of Metformin",
    ]
    assert listed(answer) == linked(workspace, "Metformin", "TARGETS")


def test_what_a_leaflet_tells_comes_before_the_list(workspace: Workspace) -> None:
    answer = workspace.chat.answer("What is metformin used for?")
    (first, *_) = answer.sentences[0].citations
    assert isinstance(answer.citation(first), DocumentCitation)
    assert listed(answer) == linked(workspace, "Metformin", "TREATS")


def test_a_computed_set_is_not_left_to_a_model(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    for question in ("How many drugs treat asthma?", "Which drugs treat asthma and gout?"):
        assert with_provider.chat.answer(question).model == "extractive"
    assert provider.requests == []


def test_plan_and_lists_are_kept_and_printed(workspace: Workspace) -> None:
    answer = workspace.chat.answer("Which proteins are targeted by drugs that treat hypertension?")
    assert answer_from_json(answer_to_json(answer)) == answer
    public = json.loads(json.dumps(answer_to_public(answer)))
    assert public["plan"]["want"] == "list" and public["understood"] == answer.understood
    assert [one["name"] for one in public["lists"][0]["members"]] == [
        one.name for one in answer.lists[0].members
    ]
    (turn,) = workspace.conversations.history(answer.session)
    assert turn.answer == answer
