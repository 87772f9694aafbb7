"""Answers from papers: what was found, and not what was assumed, what others found, or who wrote it."""

from __future__ import annotations

import pytest

from core.domain.answers import Answer
from core.workspace import Workspace
from tests.evidence.reading.conftest import WithPaper

PAPER = """Larvexin 200 mg once daily in adults with uncontrolled migraine

A. Berg, C. Dahl, Department of Neurology, University Hospital

Introduction

In an earlier trial the responder rate with larvexin 200 mg was 44%.

Methods

The calculation was based on the responder rate. We assumed a responder rate of 33% with larvexin
200 mg and of 18% with placebo.

Results

The responder rate was 39.1% with larvexin 200 mg and 20.4% with placebo.

Discussion

In another study of larvexin 200 mg the responder rate was 28%. A limitation of this trial is that it
lasted 12 weeks alone.

Funding

The trial of larvexin was paid for by the Norvane Foundation.
"""


@pytest.fixture(scope="module")
def paper(with_paper: WithPaper) -> Workspace:
    return with_paper("larvexin-trial.md", PAPER)


def first(answer: Answer) -> str:
    return next(one.text for one in answer.sentences if one.decisive)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What was the responder rate with larvexin 200 mg?", "39.1%"),
        ("Which responder rate was assumed for the sample size of larvexin 200 mg?", "33%"),
        ("Who funded the trial of larvexin?", "Norvane Foundation"),
        ("What are the limitations of the trial of larvexin?", "12 weeks"),
    ],
)
def test_the_part_that_is_asked_for_answers(paper: Workspace, question: str, said: str) -> None:
    assert said in first(paper.chat.answer(question))
