"""Which statements answer a clause, and whether any does: two small linear models over the signals.

*Choice*: the statements of a question compete; their log-odds are a weighted sum of signals, fitted as a
conditional logit (McFadden 1974). *Answerability*: the probability that the best of them answers, a
logistic regression over the best statement's signals, its lead, the best of each signal, and the
question's own signals. Made by ``make train`` from questions with known answers; learned.toml says which,
and what came out on documents and questions that took no part.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.evidence.signals import QUESTION, STATEMENT, Signals
from core.resources import read_table

_CERTAIN = 1e-4  # a probability is never nearer to 0 or 1
BEST_OF = ("cosine", "late_rare", "words_own", "words_near", "passage")
LEADS = ("log_odds", "lead", "above_mean", "share")
ANSWERABLE = (
    *LEADS,
    *(name for name in STATEMENT if not name.endswith("_gap")),
    *(f"best_{name}" for name in BEST_OF),
    *QUESTION,
)
"""What the second model sees, in the order of its weights."""


@dataclass(frozen=True, slots=True)
class Linear:
    """A weighted sum of standardised values."""

    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    weights: NDArray[np.float64]
    base: float = 0.0

    def of(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of rows, shape (n, k), or of one, shape (k,); what is not known (NaN) weighs nothing."""
        known = np.where(np.isnan(values), self.mean, values)
        total: NDArray[np.float64] = ((known - self.mean) / self.scale) @ self.weights + self.base
        return total


@dataclass(frozen=True, slots=True)
class Judged:
    """The statements of a clause, judged.

    Attributes:
        log_odds: of each statement, against the others.
        probability: that the best one answers the clause, in [0, 1].
    """

    log_odds: NDArray[np.float64]
    probability: float


def judge(signals: Signals) -> Judged:
    """Judge at least one statement."""
    made = models()
    log_odds = made.choice.of(signals.statements)
    odds = float(made.answerable.of(summary(signals, log_odds)))
    return Judged(log_odds, float(1 / (1 + np.exp(-odds))))


def summary(signals: Signals, log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """What the second model sees of a question's statements (`ANSWERABLE`). A statement that stands alone
    is ahead of nothing: its lead is NaN."""
    order = np.argsort(-log_odds)
    best = order[0]
    second = order[1] if len(order) > 1 else best
    shares = np.exp(log_odds - log_odds[best])
    top = signals.statements[best]
    return np.array(
        [
            log_odds[best],
            *(
                (
                    log_odds[best] - log_odds[second],
                    log_odds[best] - log_odds.mean(),
                    1 / shares.sum(),
                )
                if len(order) > 1
                else (np.nan, np.nan, np.nan)
            ),
            *(top[i] for i, name in enumerate(STATEMENT) if not name.endswith("_gap")),
            *(signals.statements[:, STATEMENT.index(name)].max() for name in BEST_OF),
            *signals.question,
        ]
    )


def right_share(probability: float) -> float:
    """Share of answers that cite a right page, in [0, 1], of those with this probability to be answered:
    Platt scaling, fitted to questions that took no part in the rest."""
    inside = min(max(probability, _CERTAIN), 1 - _CERTAIN)
    made = models()
    odds = made.right_base + made.right_slope * math.log(inside / (1 - inside))
    return 1 / (1 + math.exp(-odds))


@dataclass(frozen=True, slots=True)
class Models:
    """The choice among statements, the answerability of a question, and how often answers are right."""

    choice: Linear
    answerable: Linear
    right_base: float
    right_slope: float


@cache
def models() -> Models:
    """Those of learned.toml."""
    table = read_table(__file__, "learned.toml")
    return Models(
        _linear(table["choice"], STATEMENT),
        _linear(table["answerable"], ANSWERABLE),
        float(table["right"]["base"]),
        float(table["right"]["slope"]),
    )


def _linear(table: dict[str, Any], names: Sequence[str]) -> Linear:
    rows = np.array([table["signals"][name] for name in names], dtype=np.float64)
    return Linear(rows[:, 0], rows[:, 1], rows[:, 2], float(table["base"]))
