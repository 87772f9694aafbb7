"""Whether a confidence of .9 is right nine times of ten (`core.answers.confidence`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.evaluation.judging import Outcome, Verdict
from core.evaluation.metrics import Share

EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer's confidence in [0, 1], and whether it is right."""

    confidence: float
    right: bool


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers with a confidence in [low, high); `mean` is None without any."""

    low: float
    high: float
    mean: float | None
    right: Share


def judged(outcomes: Iterable[tuple[Outcome, Verdict]]) -> list[Judged]:
    """The answers whose rightness is known (`Verdict.right`); refusals are none."""
    found = []
    for outcome, verdict in outcomes:
        answer = outcome.answer
        if answer is not None and answer.confidence is not None and verdict.right is not None:
            found.append(Judged(answer.confidence, verdict.right))
    return found


def reliability(answers: Sequence[Judged], edges: Sequence[float] = EDGES) -> list[Bin]:
    """The answers in bins of confidence."""
    bins = []
    for low, high in pairwise(edges):
        members = [
            one for one in answers if low <= one.confidence < high or one.confidence == high == 1.0
        ]
        mean = sum(one.confidence for one in members) / len(members) if members else None
        bins.append(Bin(low, high, mean, Share(sum(one.right for one in members), len(members))))
    return bins


def expected_calibration_error(bins: Sequence[Bin]) -> float:
    """Mean distance of confidence and share right over all answers, in [0, 1] (Naeini et al. 2015)."""
    answers = sum(one.right.of for one in bins)
    gaps = (
        one.right.of * abs(one.mean - one.right.part / one.right.of)
        for one in bins
        if one.mean is not None
    )
    return sum(gaps) / answers if answers else 0.0


def auc(answers: Sequence[Judged]) -> float | None:
    """How often a right answer has more confidence than a wrong one, in [0, 1]; None without both."""
    right = np.array([one.confidence for one in answers if one.right])
    wrong = np.array([one.confidence for one in answers if not one.right])
    if not right.size or not wrong.size:
        return None
    more = right[:, None] - wrong[None, :]
    return float(np.mean((more > 0) + 0.5 * (more == 0)))
