"""What is asked of each medicine of the library is answered of each, from its own document."""

from __future__ import annotations

import pytest

from core.domain.answers import Answer, State
from core.domain.provenance.within import Within
from core.questions.clauses import Clause
from core.questions.library.one_by_one import MOST, Each, is_asked_of_all, on_each
from core.workspace import Workspace

GRAPEFRUIT = {"Atorvastatin", "Sertraline", "Warfarin"}


def medicines(answer: Answer) -> set[str]:
    return {one.subject.split()[0] for one in answer.blocks}


@pytest.mark.req("AX-6")
@pytest.mark.parametrize(
    "question",
    [
        "Which of my medicines must not be taken with grapefruit?",
        "Which medicines in the library interact with grapefruit juice?",
    ],
)
def test_those_that_say_something_are_told_and_the_others_named(
    sample_workspace: Workspace, question: str
) -> None:
    answer = sample_workspace.chat.answer(question)
    assert answer.state is State.ANSWERED and medicines(answer) == GRAPEFRUIT
    decisive = [one.text for one in answer.sentences if one.decisive]
    assert len(decisive) == len(GRAPEFRUIT)
    assert all("rapefruit juice" in one for one in decisive)
    said = answer.notice.partition("Nothing further was found for")[2].partition("\n")[0]
    assert "“Metformin”" in said and not any(one in said for one in GRAPEFRUIT)


@pytest.mark.req("AX-6")
@pytest.mark.parametrize(
    "question",
    [
        "Which of these leaflets say something on driving?",
        "Welche meiner Medikamente darf ich in der Schwangerschaft nehmen?",
        "Welke van mijn medicijnen mag ik in de zwangerschap gebruiken?",
    ],
)
def test_each_of_ten_leaflets_is_quoted_from_itself(
    sample_workspace: Workspace, question: str
) -> None:
    answer = sample_workspace.chat.answer(question)
    assert len(medicines(answer)) == 10 and "Nothing further" not in answer.notice
    assert all(one.file.startswith(one.subject.split()[0]) for one in answer.blocks)
    order = [(one.less_certain, one.subject) for one in answer.blocks]
    assert order == sorted(order), "by name, those that are less certain behind all others"


@pytest.mark.req("AX-6")
def test_what_was_understood_of_each_is_said_once(sample_workspace: Workspace) -> None:
    answer = sample_workspace.chat.answer("Which of these leaflets say something on driving?")
    assert answer.understood == "Driving and machines of each document"


@pytest.mark.req("AX-6")
def test_of_the_documents_that_were_chosen_alone(sample_workspace: Workspace) -> None:
    found = sample_workspace.catalogue.documents()
    ids = tuple(one.id for one in found if one.file.startswith(("Warfarin", "Metformin")))
    asked = "Which of my medicines must not be taken with grapefruit?"
    answer = sample_workspace.chat.answer(asked, within=Within(documents=ids))
    assert medicines(answer) == {"Warfarin"}
    assert answer.notice == "Nothing further was found for “Metformin”."


@pytest.mark.req("AX-6")
def test_another_medicine_was_spoken_of_before(sample_workspace: Workspace) -> None:
    first = sample_workspace.chat.answer("What is metformin used for?")
    asked = "Which of my medicines must not be taken with grapefruit?"
    answer = sample_workspace.chat.answer(asked, first.session)
    assert answer.read_as == asked and medicines(answer) == GRAPEFRUIT


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which of these medicines may be crushed?", True),
        ("which leaflets warn of liver damage", True),
        ("Which of my medicines?", False),
        ("Which drugs treat hypertension?", False),
        ("Which medicines interact with warfarin?", False),
        ("Which of the side effects of metformin is most frequent?", False),
        ("Welche Medikamente behandeln Gicht?", False),
    ],
)
def test_a_question_to_the_graph_or_on_one_medicine_is_none(question: str, expected: bool) -> None:
    assert is_asked_of_all(question) is expected


@pytest.mark.req("AX-6")
@pytest.mark.parametrize(
    "question",
    ["Which label warnings does methotrexate have?", "Which of the tablets is metformin?"],
)
def test_a_medicine_that_is_named_is_asked_about_alone(
    sample_workspace: Workspace, question: str
) -> None:
    assert is_asked_of_all(question)
    answer = sample_workspace.chat.answer(question)
    assert len(medicines(answer)) <= 1 and "Nothing further" not in answer.notice


@pytest.mark.req("AX-6")
def test_these_drugs_are_the_graphs_where_it_answers(sample_workspace: Workspace) -> None:
    answer = sample_workspace.chat.answer("Which of these drugs treat hypertension?")
    assert answer.lists and len(answer.lists[0].members) > 10
    assert is_asked_of_all("Which of these drugs treat hypertension?")
    assert not is_asked_of_all("Which of these drugs treat hypertension?", by_graph=True)
    assert is_asked_of_all("Which of my drugs treat hypertension?", by_graph=True)


def test_what_is_asked_of_one_document_is_asked_as_it_is() -> None:
    question = "Which of my medicines may be crushed?"

    def each(*titles: str) -> Each:
        return Each({title: (title,) for title in titles})

    assert on_each(question, each("Metformin 500 mg tablets"), Clause) == []
    assert on_each(question, each(*(f"Medicine {n}" for n in range(MOST + 1))), Clause) == []
    first, second = on_each(question, each("Metformin 500 mg tablets", "Warfarin 3 mg"), Clause)
    assert (first.text, first.titled) == ("Metformin may be crushed", "Metformin 500 mg tablets")
    assert second.text == "Warfarin may be crushed" and second.one_of_several


@pytest.mark.req("AX-6")
def test_no_document_that_names_it_is_said_to_say_nothing(sample_workspace: Workspace) -> None:
    names = sample_workspace.chat.answer("Which leaflets mention hair loss?")
    answer = sample_workspace.chat.answer("Which of my medicines cause hair loss?")
    assert len(medicines(names)) > 3 and medicines(names) <= medicines(answer)
    for block in answer.blocks:
        told = " ".join(one.text for one in answer.sentences if one.block == block.n)
        assert block.less_certain or "hair" in told.casefold() or "alopecia" in told.casefold()


def test_a_list_of_the_graph_offers_to_ask_the_documents(sample_workspace: Workspace) -> None:
    answer = sample_workspace.chat.answer("Which medicines cause hair loss?")
    assert answer.lists and answer.instead == ("Which of my medicines cause hair loss?",)
    assert not sample_workspace.chat.answer("Which drugs target ADRB1?").instead
    both = sample_workspace.chat.answer("Which of my medicines cause hair loss?")
    assert not both.instead


@pytest.mark.req("KG-11")
def test_all_contraindications_of_a_medicine_are_its_leaflets_too(
    sample_workspace: Workspace,
) -> None:
    answer = sample_workspace.chat.answer("All contraindications of methotrexate")
    assert {one.file for one in answer.blocks} == {"Methotrexate.pdf"} and answer.lists
    assert "creatinine clearance below 30 mL/min" in answer.text
    alone = sample_workspace.chat.answer("List all drugs that treat hypertension")
    assert not alone.blocks and alone.lists
