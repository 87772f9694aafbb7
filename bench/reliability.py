"""Whether a confidence of .9 is right nine times of ten; the constants of `core.answers.confidence`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.optimize import minimize

from core.answers.confidence import CEILING, INTERCEPT, SLOPE
from core.evaluation.judging import Outcome, Verdict
from core.evaluation.metrics import Share

EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
# Answers count as the surest from this relevance on: the ceiling is what they prove.
SUREST = 0.7


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer's confidence in [0, 1], and whether it is right."""

    confidence: float
    right: bool

    @property
    def relevance(self) -> float:
        """Of the best passage, in [0, 1]: what the confidence of a quoted answer was made from."""
        odds = self.confidence / (CEILING - self.confidence)
        return (math.log(odds) - INTERCEPT) / SLOPE


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers with a confidence in [low, high); `mean` is None without any."""

    low: float
    high: float
    mean: float | None
    right: Share


def judged(outcomes: Iterable[tuple[Outcome, Verdict]]) -> list[Judged]:
    """The answers whose rightness is known; refusals are none.

    Right is an answer that cites a right page; where no page is known, one that lists exactly the
    right names or has all known strings. What should have been refused is wrong.
    """
    found = []
    for outcome, verdict in outcomes:
        answer = outcome.answer
        known = (verdict.cited, verdict.listed, verdict.answered)
        right = (
            next((one for one in known if one is not None), None) if verdict.answerable else False
        )
        if answer is not None and answer.confidence is not None and right is not None:
            found.append(Judged(answer.confidence, right))
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


def ceiling(answers: Sequence[Judged]) -> float:
    """The share right that the surest answers prove: (right + 1) / (all + 2), by the rule of
    succession."""
    surest = [one.right for one in answers if one.relevance >= SUREST]
    return (sum(surest) + 1) / (len(surest) + 2)


def fitted(answers: Sequence[Judged], most: float = CEILING) -> tuple[float, float]:
    """Intercept and slope of ``most / (1 + exp(-(intercept + slope * relevance)))`` by maximum likelihood
    (Platt 1999)."""
    relevance = np.array([one.relevance for one in answers])
    right = np.array([one.right for one in answers], dtype=float)

    def loss(constants: Sequence[float]) -> float:
        share = most / (1.0 + np.exp(-(constants[0] + constants[1] * relevance)))
        share = np.clip(share, 1e-9, 1.0 - 1e-9)
        return float(-np.mean(right * np.log(share) + (1.0 - right) * np.log(1.0 - share)))

    best = minimize(loss, (INTERCEPT, SLOPE), method="Nelder-Mead")
    return float(best.x[0]), float(best.x[1])
