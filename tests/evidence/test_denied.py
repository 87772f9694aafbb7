"""Questions that ask for what is not so, and passages that tell the opposite."""

from __future__ import annotations

import pytest

from core.domain.answers import State
from core.questions.leaflets.denials import denials, denies
from core.workspace import Workspace

NAMES = ("Warfarin", "metformin", "amoxicillin", "Metformine")


@pytest.mark.parametrize(
    ("question", "denied"),
    [
        ("Which antidepressants do not interact with warfarin?", "not interact"),
        ("Which statins can't interact with warfarin?", "can't interact"),
        ("May people without diabetes take metformin?", "without diabetes"),
        ("Can a patient not allergic to penicillin take amoxicillin?", "not allergic"),
        ("Is metformin safe if I do not have kidney problems?", "not have kidney"),
        ("Welche Mittel wechselwirken nicht mit Warfarin?", "nicht"),
        ("Dürfen Menschen ohne Diabetes Metformin nehmen?", "ohne Diabetes"),
        ("Mogen mensen zonder diabetes Metformine nemen?", "zonder diabetes"),
    ],
)
def test_what_a_question_says_is_not_so(question: str, denied: str) -> None:
    assert [one.text for one in denials(question, NAMES)] == [denied]


@pytest.mark.parametrize(
    "question",
    [
        "When must metformin not be taken?",
        "Who should not take warfarin?",
        "Which patients can't have amoxicillin?",
        "What should I not eat with warfarin?",
        "Why should patients with mononucleosis not get amoxicillin?",
        "What happens if I do not take metformin?",
        "Is it to be taken with food or not?",
        "Wann darf Metformin nicht eingenommen werden?",
        "Wer soll kein Warfarin nehmen?",
        "Waarom mogen astmapatiënten geen Metformine?",
        "Wie mag geen Metformine gebruiken?",
    ],
)
def test_a_not_with_a_verb_of_taking_forbids(question: str) -> None:
    assert denials(question, NAMES) == []


def test_a_passage_that_says_the_same_answers() -> None:
    (one,) = denials("What is given for INR 9 without bleeding?", ())
    assert denies("INR above 8, no major bleeding: stop warfarin.", one)
    assert not denies("Warfarin must not be taken with a high risk of bleeding.", one)


@pytest.mark.parametrize(
    ("question", "state"),
    [
        ("Which statins do not interact with warfarin?", State.MAY_NOT_ANSWER),
        ("May people without diabetes take metformin?", State.MAY_NOT_ANSWER),
        ("Can a patient not allergic to penicillin take amoxicillin?", State.NOT_IN_LIBRARY),
        ("Who should not take warfarin?", State.ANSWERED),
    ],
)
def test_the_opposite_is_no_answer(workspace: Workspace, question: str, state: State) -> None:
    answer = workspace.chat.answer(question)
    assert answer.state == state
    assert ("asks for what is not so" in answer.notice) == (state is State.MAY_NOT_ANSWER)
