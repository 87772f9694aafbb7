"""What relevance is fitted to: statements that were judged one by one, and folds of whole documents."""

from __future__ import annotations

import numpy as np
import pytest

from core.evaluation.questions import Question
from core.evidence.signals import QUESTION, STATEMENT, Signals
from train.examples import Example

TEXTS = ("told there", "told elsewhere", "told beside", "same words", "another matter")


def example(question: Question, home: str = "a.pdf") -> Example:
    """Of five statements the first is right by strings and page, the second and fourth have the strings."""
    says = np.array([1.0, 1.0, 0.0, 1.0, 0.0])
    right = np.array([1.0, 0.0, 0.0, 1.0, 0.0])
    return Example(
        question,
        home,
        Signals(
            np.zeros((5, len(STATEMENT))), np.zeros(len(QUESTION)), np.zeros((5, 2), np.float32)
        ),
        question.question,
        TEXTS,
        right,
        says,
        right.copy(),
        np.zeros(5),
        (says > 0) & ~(right > 0),
    )


def answerable(**changes: object) -> Question:
    return Question.model_validate(
        {"id": "q", "question": "How much?", "document": "a.pdf", "answer": ["10 mg"]} | changes
    )


@pytest.mark.req("PR-1")
def test_what_was_judged_to_answer_is_right_wherever_it_stands() -> None:
    given = example(answerable())
    grades = {given.statement_key(1): 2, given.statement_key(2): 1, given.statement_key(3): 0}
    judged = given.judged(grades)
    assert judged.right.tolist() == [1, 1, 0, 0, 0]
    assert judged.on_page.tolist() == [1, 1, 0, 1, 0]
    # Nothing is learned from one that helps, nor from one that has the words and does not answer.
    assert judged.unsure.tolist() == [False, False, True, True, False]


def test_without_judgements_nothing_changes() -> None:
    given = example(answerable())
    judged = given.judged({})
    assert judged.right.tolist() == given.right.tolist()
    assert judged.unsure.tolist() == given.unsure.tolist() == [False, True, False, False, False]


def test_a_judgement_is_of_one_question_and_one_statement() -> None:
    given = example(answerable())
    other = example(answerable(id="p"))
    assert given.judged({other.statement_key(1): 2}).right.tolist() == given.right.tolist()
    assert len({given.statement_key(place) for place in range(5)}) == 5


def test_questions_without_an_answer_are_folded_with_the_document_they_ask_about() -> None:
    homes = [f"{number}.pdf" for number in range(30)]
    folds = {}
    for number, home in enumerate(homes):
        absent = Question(id=f"x{number}", question="How tall?", answerable=False)
        folds[home] = example(answerable(id=f"q{number}", document=home), home).fold(5)
        assert example(absent, home).fold(5) == folds[home]
    assert set(folds.values()) == set(range(5))
