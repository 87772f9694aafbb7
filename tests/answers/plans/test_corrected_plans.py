"""Plans that the analyst corrects: computed in place of what was read, and both are kept."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.answers.planned import understood_lines
from core.domain.answers import Answer, State
from core.domain.plans import Condition, Correction, Named, Plan, Want
from core.domain.serial import answer_from_json, answer_to_json, answer_to_public, plan_from_public
from core.errors import InputError
from core.workspace import Workspace
from tests.answers.plans.test_plans_answered import linked, listed
from tests.support.fake_openai import FakeOpenAI

ASKED = "Which drugs treat hypertension?"
AT = (0, 0, 0)  # the only condition


def plan_of(answer: Answer) -> Plan:
    assert answer.plan is not None
    return answer.plan


def about(workspace: Workspace, plan: Plan, name: str) -> Plan:
    """The plan with another entity in its only condition."""
    (named, *_) = workspace.corrections.meant(name, ("Drug",)).exact
    return workspace.corrections.naming(plan, AT, named)


@pytest.mark.req("KG-14")
def test_the_corrected_plan_is_computed_and_the_turn_keeps_both(workspace: Workspace) -> None:
    first = workspace.chat.answer(ASKED)
    plan = about(workspace, plan_of(first), "gout")
    answer = workspace.chat.answer(ASKED, first.session, correction=Correction(plan))
    assert listed(answer) == linked(workspace, "gout", "TREATS")
    assert (answer.question, answer.understood) == (ASKED, "Drugs that treat gout")
    assert (answer.plan, answer.plan_as_read) == (plan, first.plan)
    assert answer.understood_as_read == first.understood == "Drugs that treat hypertension"
    kept = workspace.conversations.history(first.session)
    assert [turn.answer for turn in kept] == [first, answer]
    # What is said next speaks of the corrected list, and of its entity.
    counted = workspace.chat.answer("How many are there?", first.session)
    assert listed(counted) == listed(answer)
    assert counted.plan_as_read is None and not counted.understood_as_read


def test_a_correction_may_be_corrected_and_keeps_what_was_read_first(workspace: Workspace) -> None:
    first = workspace.chat.answer(ASKED)
    gout = about(workspace, plan_of(first), "gout")
    workspace.chat.answer(ASKED, first.session, correction=Correction(gout))
    number = workspace.corrections.wanting(gout, Want.COUNT)
    turn = workspace.conversations.history(first.session)[-1].id
    again = workspace.chat.answer(ASKED, first.session, correction=Correction(number, turn))
    assert again.understood == "The number of drugs that treat gout"
    assert (again.plan_as_read, again.understood_as_read) == (first.plan, first.understood)


@pytest.mark.req("KG-14")
def test_each_clause_has_its_plan_its_list_and_its_correction(workspace: Workspace) -> None:
    question = "What are the targets of metformin and which drugs treat gout?"
    first = workspace.chat.answer(question)
    assert understood_lines(first) == ["Targets of Metformin", "Drugs that treat gout"]
    assert first.understood == "Targets of Metformin; Drugs that treat gout"
    of_metformin, drugs = ({one.name for one in each.members} for each in first.lists)
    assert of_metformin and drugs == linked(workspace, "gout", "TREATS")
    public = answer_to_public(first)
    assert [one["understood"] for one in public["plans"]] == understood_lines(first)
    assert answer_from_json(answer_to_json(first)) == first
    # The second is corrected, and then the first: what was changed stays changed.
    turn = workspace.conversations.history(first.session)[-1].id
    hypertension = workspace.corrections.meant("hypertension", ("Disease",)).exact[0]
    plan = workspace.corrections.naming(first.plans[1].plan, AT, hypertension)
    second = workspace.chat.answer(question, first.session, correction=Correction(plan, turn, 1))
    assert second.plans[0] == first.plans[0] and second.plan_as_read == first.plans[1].plan
    assert "was: Drugs that treat gout" in understood_lines(second)[1]
    turn = workspace.conversations.history(first.session)[-1].id
    number = workspace.corrections.wanting(plan_of(first), Want.COUNT)
    third = workspace.chat.answer(question, first.session, correction=Correction(number, turn))
    assert [one.understood for one in third.plans] == [
        "The number of targets of Metformin",
        "Drugs that treat hypertension",
    ]
    assert third.plan_as_read == first.plan


def test_each_correction_is_of_its_own_turn(workspace: Workspace) -> None:
    """The same words after other lists are other questions."""
    session = workspace.chat.answer(ASKED).session
    of_first = workspace.chat.answer("How many are there?", session)
    turn = workspace.conversations.history(session)[-1].id
    workspace.chat.answer("Which drugs treat gout?", session)
    of_second = workspace.chat.answer("How many are there?", session)
    plan = workspace.corrections.wanting(plan_of(of_first), Want.LIST)
    answer = workspace.chat.answer(
        "How many are there?", session, correction=Correction(plan, turn)
    )
    assert answer.plan_as_read == of_first.plan != of_second.plan


def test_without_its_conversation_the_question_is_read_again_for_the_record(
    workspace: Workspace,
) -> None:
    plan = about(workspace, plan_of(workspace.chat.answer(ASKED)), "gout")
    answer = workspace.chat.answer(ASKED, correction=Correction(plan))
    assert answer.understood_as_read == "Drugs that treat hypertension"
    assert listed(answer) == linked(workspace, "gout", "TREATS")


def test_a_word_that_was_not_understood_may_be_left_out(workspace: Workspace) -> None:
    question = "Which drugs worsen hypertension?"
    first = workspace.chat.answer(question)
    assert not first.lists
    corrections = workspace.corrections
    link = next(
        one
        for one in corrections.links(plan_of(first), AT)
        if one.relationships == ("CONTRAINDICATED_IN",) and not one.negated
    )
    plan = corrections.complete(corrections.linked(plan_of(first), AT, link))
    answer = workspace.chat.answer(question, first.session, correction=Correction(plan))
    assert listed(answer) == linked(workspace, "hypertension", "CONTRAINDICATED_IN")
    assert "not give" not in answer.notice and "no list of" not in answer.notice
    assert answer.plan_as_read is not None
    assert [one.text for one in answer.plan_as_read.left_over] == ["worsen"]


def test_the_other_part_of_a_question_is_answered_as_before(workspace: Workspace) -> None:
    question = "Which drugs treat type 2 diabetes, and when must metformin not be taken?"
    first = workspace.chat.answer(question)
    plan = about(workspace, plan_of(first), "gout")
    answer = workspace.chat.answer(question, first.session, correction=Correction(plan))
    assert listed(answer) == linked(workspace, "gout", "TREATS")
    assert any("must not be taken" in one.text for one in answer.sentences)
    assert answer.plan_as_read == first.plan


def test_leaflets_are_searched_for_what_was_corrected(workspace: Workspace) -> None:
    first = workspace.chat.answer("What is metformin used for?")
    (named, *_) = workspace.corrections.meant("Warfarin").exact
    plan = workspace.corrections.naming(plan_of(first), AT, named)
    answer = workspace.chat.answer(first.question, first.session, correction=Correction(plan))
    assert answer.read_as == "Diseases that are treated by Warfarin"
    assert not {one.file for one in answer.citations if one.kind == "document"} & {"Metformin.pdf"}
    assert listed(answer) == linked(workspace, "Warfarin", "TREATS")


def test_a_correction_is_checked_and_nothing_is_kept_of_a_wrong_one(workspace: Workspace) -> None:
    first = workspace.chat.answer(ASKED)
    nobody = Named("x", ("'; MATCH (n) DETACH DELETE n //",), "<script>", "Drug")
    plan = plan_of(first)
    wrong = replace(
        plan, sets=(replace(plan.sets[0], conditions=((Condition(("TREATS",), nobody),),)),)
    )
    with pytest.raises(InputError) as refused:
        workspace.chat.answer(ASKED, first.session, correction=Correction(wrong))
    assert refused.value.code == "INVALID_PLAN" and refused.value.advice
    with pytest.raises(InputError) as refused:
        workspace.chat.answer("When must metformin not be taken?", correction=Correction(plan))
    assert refused.value.code == "NO_PLAN"
    assert len(workspace.conversations.history(first.session)) == 1


def test_a_corrected_list_is_not_left_to_a_model(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    first = with_provider.chat.answer("How many drugs treat asthma?")
    plan = about(with_provider, plan_of(first), "gout")
    answer = with_provider.chat.answer(first.question, first.session, correction=Correction(plan))
    assert answer.model == "extractive" and provider.requests == []
    assert answer.sentences[0].text.startswith(
        f"{len(linked(with_provider, 'gout', 'TREATS'))} drugs treat gout"
    )


def test_what_is_offered_without_an_unknown_word_is_carried_out_on_purpose_only(
    workspace: Workspace,
) -> None:
    question = "Which topical drugs treat hypertension?"
    first = workspace.chat.answer(question)
    assert not first.lists and not first.understood
    assert first.offer is not None and first.offered == "Drugs that treat hypertension"
    # What is quoted in its place does not say "topical".
    assert first.citations and first.state is State.MAY_NOT_ANSWER
    assert first.confidence is not None and first.confidence <= 0.5
    assert answer_from_json(answer_to_json(first)) == first
    public = json.loads(json.dumps(answer_to_public(first)))
    assert public["offered"] == first.offered
    asked = Correction(plan_from_public(public["offer"]))
    answer = workspace.chat.answer(question, first.session, correction=asked)
    assert listed(answer) == linked(workspace, "hypertension", "TREATS")
    assert answer.plan_as_read == first.plan and answer.offer is None
    assert "leaves out “topical”, not understood" in understood_lines(answer)[0]
    # It may not be what was asked; the same plan is surer where somebody asked for it, or made it theirs.
    whole = workspace.chat.answer("Which drugs treat hypertension?")
    assert answer.confidence is not None and whole.confidence is not None
    assert answer.confidence < 0.65 < whole.confidence
    number = workspace.corrections.wanting(plan_of(answer), Want.COUNT)
    own = workspace.chat.answer(question, first.session, correction=Correction(number))
    assert own.confidence is not None and own.confidence > 0.9
    # An unknown verb is never left out: what treats it is not offered.
    worsen = workspace.chat.answer("Which drugs worsen hypertension?")
    assert worsen.plan is not None and not worsen.lists and worsen.offered != first.offered


@pytest.mark.req("KG-14")
def test_the_closest_is_carried_out_on_purpose_only(workspace: Workspace) -> None:
    question = "For the target ADRB1, what topical drugs exist?"
    first = workspace.chat.answer(question)
    assert not first.lists and not first.understood
    assert first.offer is not None and first.offer_is_closest
    public = json.loads(json.dumps(answer_to_public(first)))
    assert public["offer_is_closest"] and public["offered"] == "Drugs that target ADRB1"
    assert answer_from_json(answer_to_json(first)) == first
    asked = Correction(plan_from_public(public["offer"]))
    answer = workspace.chat.answer(question, first.session, correction=asked)
    whole = workspace.chat.answer("Which drugs target ADRB1?")
    assert listed(answer) == listed(whole) and not whole.offer_is_closest
    (line,) = understood_lines(answer)
    assert "“topical”" in line and "“ADRB1”" not in line
    assert answer.confidence is not None and whole.confidence is not None
    assert answer.confidence < 0.65 < whole.confidence


@pytest.mark.req("KG-14")
def test_what_was_told_by_likeness_says_so_and_can_be_corrected(workspace: Workspace) -> None:
    question = "Drugs that are aimed at ADRB1, for my handout, thx"
    answer = workspace.chat.answer(question)
    whole = workspace.chat.answer("Which drugs target ADRB1?")
    assert listed(answer) == listed(whole) and answer.offer is None
    (line,) = understood_lines(answer)
    assert line.startswith("Drugs that target ADRB1 (") and "likeness" in line
    assert "“handout” and “thx”" in line
    assert understood_lines(whole) == ["Drugs that target ADRB1"] and not whole.plans
    assert answer.confidence is not None and whole.confidence is not None
    assert answer.confidence <= whole.confidence
    (public,) = json.loads(json.dumps(answer_to_public(answer)))["plans"]
    assert public["likened"] and public["passed_over"] == ["handout", "thx"]
    assert answer_from_json(answer_to_json(answer)) == answer
    number = workspace.corrections.wanting(plan_of(answer), Want.COUNT)
    own = workspace.chat.answer(question, answer.session, correction=Correction(number))
    assert own.sentences[0].text.startswith(f"{len(listed(whole))} drugs target ADRB1")
    (changed,) = understood_lines(own)
    assert "changed by you" in changed and "likeness" not in changed


def test_a_german_question_is_understood_in_german_and_corrected_so(workspace: Workspace) -> None:
    first = workspace.chat.answer("Welche Medikamente behandeln hypertension?")
    assert first.understood == "Arzneimittel, die hypertension behandeln"
    plan = about(workspace, plan_of(first), "gout")
    answer = workspace.chat.answer(first.question, first.session, correction=Correction(plan))
    assert listed(answer) == linked(workspace, "gout", "TREATS")
    assert answer.understood == "Arzneimittel, die gout behandeln"
    assert answer.understood_as_read == first.understood


def test_both_plans_are_printed_and_read_back(workspace: Workspace) -> None:
    first = workspace.chat.answer(ASKED)
    plan = about(workspace, plan_of(first), "gout")
    answer = workspace.chat.answer(ASKED, first.session, correction=Correction(plan))
    assert answer_from_json(answer_to_json(answer)) == answer
    public = json.loads(json.dumps(answer_to_public(answer)))
    assert plan_from_public(public["plan"]) == plan
    assert plan_from_public(public["plan_as_read"]) == first.plan
    assert public["understood_as_read"] == first.understood
    # An answer from before there were corrections is read.
    old = json.loads(answer_to_json(first))
    for field in ("plan_as_read", "understood_as_read", "offer", "offered"):
        del old[field]
    assert answer_from_json(json.dumps(old)) == first
