"""How often answers are right, fitted to what they were."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.reliability import expected_calibration_error, reliability
from core.answers.confidence import CEILING
from core.evidence.learned import Scaling, scalings
from train.rightness import Told, fitted, scaled


def _answers(scaling: Scaling, count: int) -> list[Told]:
    """Answers that are right as often as a scaling says."""
    dice = np.random.default_rng(7)
    probabilities = dice.uniform(0.5, 0.99, count)
    right = dice.uniform(size=count) < [scaling.of(one) for one in probabilities]
    return [Told(float(p), False, bool(r)) for p, r in zip(probabilities, right, strict=True)]


def test_the_scaling_that_answers_follow_is_found_again() -> None:
    true = Scaling(-0.6, 1.0)
    answers = _answers(true, 20_000)
    found = fitted(answers)
    assert found.base == pytest.approx(true.base, abs=0.15)
    assert found.slope == pytest.approx(true.slope, abs=0.1)
    error = expected_calibration_error(reliability(scaled(answers, found)))
    assert error < 1 - CEILING + 0.01


def test_what_a_rule_sets_counts_for_nothing() -> None:
    answers = _answers(Scaling(-0.6, 1.0), 2_000)
    ruled = [Told(0.5, True, True)] * 2_000
    assert fitted([*answers, *ruled]) == fitted(answers)
    assert [one.confidence for one in scaled(ruled[:1], Scaling(0.0, 1.0))] == [0.5]


@given(st.floats(0, 1), st.floats(0, 1), st.sampled_from(["leaflets", "papers"]))
def test_a_likelier_answer_is_right_no_less_often(one: float, other: float, of: str) -> None:
    shares = [scalings()[of].of(each) for each in sorted((one, other))]
    assert 0 < shares[0] <= shares[1] < 1
