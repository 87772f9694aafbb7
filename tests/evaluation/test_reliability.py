"""The reliability of confidences."""

from __future__ import annotations

import dataclasses
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.reliability import (
    EDGES,
    Judged,
    auc,
    expected_calibration_error,
    judged,
    reliability,
)
from core.domain.answers import Answer, Sentence, Support
from core.evaluation.judging import Outcome, judge
from core.evaluation.questions import Question
from tests.support.records import passages

_ANSWERS = st.lists(st.builds(Judged, st.floats(0.0, 1.0), st.booleans()), max_size=40)


@given(_ANSWERS)
def test_every_answer_is_in_one_bin(answers: list[Judged]) -> None:
    bins = reliability(answers)
    assert [(one.low, one.high) for one in bins] == list(pairwise(EDGES))
    assert sum(one.right.of for one in bins) == len(answers)
    assert sum(one.right.part for one in bins) == sum(one.right for one in answers)
    for one in bins:
        assert (one.mean is None) == (one.right.of == 0)
        assert one.mean is None or one.low - 1e-9 <= one.mean <= one.high + 1e-9
    assert 0 <= expected_calibration_error(bins) <= 1


@given(_ANSWERS)
def test_separation_is_that_of_pairs(answers: list[Judged]) -> None:
    pairs = [
        (right.confidence > wrong.confidence) + (right.confidence == wrong.confidence) / 2
        for right in answers
        for wrong in answers
        if right.right and not wrong.right
    ]
    assert auc(answers) == (pytest.approx(sum(pairs) / len(pairs)) if pairs else None)


def test_nine_of_ten_right_is_a_confidence_of_nine_tenths() -> None:
    told = [Judged(0.9, place > 0) for place in range(10)]
    assert expected_calibration_error(reliability(told)) == pytest.approx(0.0)
    boastful = [Judged(0.9, False) for _ in range(10)]
    assert expected_calibration_error(reliability(boastful)) == pytest.approx(0.9)


def test_right_is_an_answer_that_cites_a_right_page() -> None:
    citations = passages("One.", "Two.")
    told = Answer(
        "Q?", "Q?", "hybrid", False, (Sentence("One.", Support.DOCUMENT, (1,)),), citations, (), (), {},
        "extractive", "session", "", confidence=0.8,
    )  # fmt: skip
    refused = dataclasses.replace(told, refused=True, citations=(), confidence=None)
    right = Question(id="a", question="Q?", document="Metformin.pdf", pages=(2,))
    wrong = Question(id="b", question="Q?", document="Metformin.pdf", pages=(3,))
    words = Question(id="c", question="Q?", answer=("One",))
    none = Question(id="d", question="Q?", answerable=False)
    unknown = Question(id="e", question="Q?")
    asked = [(one, told) for one in (right, wrong, words, none, unknown)] + [(right, refused)]
    outcomes = [Outcome(question, answer, (), 1.0) for question, answer in asked]
    found = judged((one, judge(one)) for one in outcomes)
    assert found == [Judged(0.8, one) for one in (True, False, True, False)]
