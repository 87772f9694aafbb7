"""Which statements answer a clause, and whether any does: small linear models over signals, and over what a
fine-tuned model says that reads the likeliest statements together with the question.

*Choice*: the statements of a question compete; their log-odds are a weighted sum of signals, fitted as a
conditional logit (McFadden 1974). *Answerability*: the probability that the best of them answers, a
logistic regression over the best statement's signals, its lead, the best of each signal, and the
question's own signals. *Read*: of the `MOST_READ` likeliest statements, the same two once more, over the
first log-odds or probability and the scores of `core.evidence.reading.pairs`; *refusal* is the second of these
fitted anew (`train.refusal`). Made by ``make train-reader``, ``make train`` and ``make train-refusal`` from
questions with known answers; learned.toml says what came out on documents and questions that took no part.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.domain.vectors import Vectors
from core.evidence.signals import QUESTION, STATEMENT, Signals
from core.resources import read_table

_HIGHEST = 3  # scores of a question that the last model sees
_CERTAIN = 1e-4  # a probability is never nearer to 0 or 1
MOST_READ = 6
"""Statements of a clause that are read beside the question; docs/decisions/relevance.md has the choice."""
CHOICE_READ = ("log_odds", "among", "answers")
Read = Callable[[Sequence[int]], Vectors | None]
BEST_OF = ("cosine", "late_rare", "words_own", "words_near", "passage")
LEADS = ("log_odds", "lead", "above_mean", "share")
ANSWERABLE = (
    *LEADS,
    *(name for name in STATEMENT if not name.endswith("_gap")),
    *(f"best_{name}" for name in BEST_OF),
    *QUESTION,
)
"""What the second model sees, in the order of its weights."""
ANSWERABLE_READ = (
    *("odds", "best_among", "best_answers", "most_among", "most_answers", "read_lead"),
    *("best_log_odds", "second_among", "second_answers", "third_among", "third_answers"),
    *ANSWERABLE,
)
"""What the last model sees, in the order of its weights: the log-odds of the second; the scores of what is best
now, and the highest, second and third of all; how far the best is ahead, and what it had before; and all that
the second saw."""


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


def judge(signals: Signals, read: Read | None = None, *, of_papers: bool = False) -> Judged:
    """Judge at least one statement.

    Args:
        read: gives the scores of the statements at some places, shape (n, 2), or None where they cannot be
            read; without it the signals alone decide.
        of_papers: whether all of them are of papers, which `refusal` was not fitted to.
    """
    made = models()
    behind = signals.behind if signals.behind is not None else np.zeros(len(signals.statements))
    log_odds = made.choice.of(signals.statements)
    likeliest = np.argsort(-(log_odds + behind), kind="stable")[:MOST_READ]
    log_odds = _with_first(log_odds, behind)
    seen = summary(signals, log_odds)
    odds = float(made.answerable.of(seen))
    scores = read(likeliest.tolist()) if read is not None else None
    if scores is not None:
        found = _with_first(of_read(log_odds, likeliest, scores, made.choice_read), behind)
        last = made.answerable_read if of_papers else made.refusal
        odds = float(last.of(read_summary(odds, log_odds, found, likeliest, scores, seen)))
        log_odds = found
    return Judged(log_odds + behind, float(1 / (1 + np.exp(-odds))))


def _with_first(log_odds: NDArray[np.float64], behind: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-odds in which none is above the one that is first with what stands behind: how sure the sums are was
    learned without that, and is told by what they know."""
    first = (log_odds + behind).argmax()
    return np.where(behind < 0, np.minimum(log_odds, log_odds[first]), log_odds)


def of_read(
    log_odds: NDArray[np.float64],
    likeliest: NDArray[np.intp],
    scores: Vectors,
    model: Linear,
) -> NDArray[np.float64]:
    """Log-odds of all statements where the likeliest were read: of these by `model`, the others behind them as
    far as they were."""
    rows = np.column_stack([log_odds[likeliest], scores])
    found = log_odds.copy()
    found[likeliest] = model.of(rows)
    others = np.setdiff1d(np.arange(len(log_odds)), likeliest)
    last = log_odds[likeliest].min()
    found[others] = found[likeliest].min() - (last - log_odds[others])
    return found


def read_summary(
    odds: float,
    first: NDArray[np.float64],
    found: NDArray[np.float64],
    likeliest: NDArray[np.intp],
    scores: Vectors,
    seen: NDArray[np.float64],
) -> NDArray[np.float64]:
    """What the last model sees (`ANSWERABLE_READ`).

    Args:
        odds: that the best of `first` answers, by signals alone.
        first, found: log-odds of all statements, before and after the likeliest were read.
        seen: see `summary`.
    """
    now = found[likeliest]
    best = int(np.argmax(now))
    lead = float(now[best] - np.partition(now, -2)[-2]) if len(now) > 1 else math.nan
    highest = np.full((_HIGHEST, 2), math.nan)
    highest[: len(scores)] = -np.sort(-scores, axis=0)[:_HIGHEST]
    return np.concatenate(
        [
            [odds, *scores[best], *highest[0], lead, first[likeliest][best]],
            highest[1:].ravel(),
            seen,
        ]
    )


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


@dataclass(frozen=True, slots=True)
class Scaling:
    """Platt scaling: how often answers are right whose evidence answers with a probability, as log-odds.

    Attributes:
        base: of an answer whose evidence answers as likely as not.
        slope: for each unit of that probability's log-odds.
    """

    base: float
    slope: float

    def of(self, probability: float) -> float:
        """Share of right answers, in (0, 1)."""
        inside = min(max(probability, _CERTAIN), 1 - _CERTAIN)
        odds = self.base + self.slope * math.log(inside / (1 - inside))
        return 1 / (1 + math.exp(-odds))


def right_share(probability: float, of_papers: bool = False) -> float:
    """Share of answers that are right, in (0, 1), of those with this probability to be answered; fitted to what
    the whole product answered to questions that took no part in the rest (rightness.toml).

    Args:
        of_papers: papers say it; of these fewer are right.
    """
    return scalings()["papers" if of_papers else "leaflets"].of(probability)


@cache
def scalings() -> Mapping[str, Scaling]:
    """Those of rightness.toml, of what ``leaflets`` say and of what ``papers`` do."""
    table = read_table(__file__, "rightness.toml")
    return {
        name: Scaling(float(table[name]["base"]), float(table[name]["slope"]))
        for name in ("leaflets", "papers")
    }


@dataclass(frozen=True, slots=True)
class Models:
    """The choice among statements, the answerability of a question, and both once more where statements were
    read; `refusal` is the last of these fitted anew to documents that no model has learned from."""

    choice: Linear
    answerable: Linear
    choice_read: Linear
    answerable_read: Linear
    refusal: Linear


@cache
def models() -> Models:
    """Those of learned.toml."""
    table = read_table(__file__, "learned.toml")
    return Models(
        _linear(table["choice"], STATEMENT),
        _linear(table["answerable"], ANSWERABLE),
        _linear(table["choice_read"], CHOICE_READ),
        _linear(table["answerable_read"], ANSWERABLE_READ),
        _linear(table["refusal"], ANSWERABLE_READ),
    )


def _linear(table: dict[str, Any], names: Sequence[str]) -> Linear:
    rows = np.array([table["signals"][name] for name in names], dtype=np.float64)
    return Linear(rows[:, 0], rows[:, 1], rows[:, 2], float(table["base"]))
