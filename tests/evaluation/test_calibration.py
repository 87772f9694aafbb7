"""The curve of refusals over the threshold, and the threshold it recommends."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.calibrate import THRESHOLDS, Asked, curve, recommended
from core.evaluation.questions import Question

_YES = Question(id="y", question="Q?")
_NO = Question(id="n", question="Q?", answerable=False)
_ASKED = st.builds(Asked, st.sampled_from([_YES, _NO]), st.integers(0, len(THRESHOLDS)))


@given(st.lists(_ASKED, min_size=1, max_size=40))
def test_a_higher_threshold_refuses_more(asked: list[Asked]) -> None:
    points = curve(asked)
    assert [point.threshold for point in points] == list(THRESHOLDS)
    for lower, higher in pairwise(points):
        assert lower.recall.part <= higher.recall.part
        assert lower.wrongly_refused.part <= higher.wrongly_refused.part
    for point in points:
        assert point.precision.part == point.recall.part
        assert point.precision.of == point.recall.part + point.wrongly_refused.part
        precision, recall = point.precision.value, point.recall.value
        if precision and recall:
            assert point.f1 == pytest.approx(2 * precision * recall / (precision + recall))
    best = recommended(points)
    assert all(point.f1 <= best.f1 for point in points)
    assert best.threshold == min(p.threshold for p in points if p.f1 > best.f1 - 1e-9)


def test_the_threshold_between_both_is_recommended() -> None:
    asked = [Asked(_NO, 3), Asked(_NO, 5), Asked(_YES, 8), Asked(_YES, 13)]
    best = recommended(curve(asked))
    assert best.threshold == THRESHOLDS[5]
    assert (best.precision.value, best.recall.value, best.wrongly_refused.value) == (1.0, 1.0, 0.0)
