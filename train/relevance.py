"""Fits the model of relevance (`core.evidence.learned`) to questions with known answers.

``make train``, after ``make train-reader``; train/README.md says what the questions are, and what came out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from bench.inputs import ROOT
from core.answers.confidence import calibrated
from core.evaluation.questions import Question
from core.evidence.learned import (
    ANSWERABLE,
    ANSWERABLE_READ,
    CHOICE_READ,
    MOST_READ,
    Linear,
    of_read,
    read_summary,
    summary,
)
from core.evidence.signals import STATEMENT
from train.examples import WORK, Array, Example, all_examples, console

TARGET = ROOT / "core" / "evidence" / "learned.toml"
_FOLDS = 5
# Pulls weights towards 0; of .3, 1, 3, 10, 30 and 100 the best in cross-validation over documents.
_CHOICE_PENALTY = 30.0
_ANSWERABLE_C = 0.05
_READ_PENALTY, _READ_C = 1.0, 0.3
_SAME = 1e-6
# Of the questions with an answer, at the default threshold; chosen in docs/decisions/relevance.md.
_WRONGLY_REFUSED = 0.05
_THRESHOLD = 0.5  # the default below which an answer is refused
_EDGES = (0.0, 0.4, 0.5, 0.55, 0.6, 0.67, 0.75, 0.85, 1.0)  # of confidence
Scores = NDArray[np.float32]


def fit_choice(given: Sequence[Example], penalty: float = _CHOICE_PENALTY) -> dict[str, Array]:
    """A conditional logit: in each clause with an answer, the right statements against the others."""
    known = [(one, ~one.unsure) for one in given]
    return fit_logit(
        [(one.signals.statements[rows], one.right[rows]) for one, rows in known], penalty
    )


def fit_logit(groups_of: Sequence[tuple[Array, Array]], penalty: float) -> dict[str, Array]:
    """A conditional logit over groups of rows of which some are right; of others nothing is learned."""
    given = [one for one in groups_of if one[1].any()]
    values = np.concatenate([rows for rows, _ in given])
    mean, scale = values.mean(axis=0), _spread(values)
    groups = np.concatenate([np.full(len(right), i) for i, (_, right) in enumerate(given)])
    right = np.concatenate([right for _, right in given])
    rows, count = (values - mean) / scale, len(given)

    def loss(weights: Array) -> tuple[float, Array]:
        odds = rows @ weights
        top = np.full(count, -np.inf)
        np.maximum.at(top, groups, odds)
        shares = np.exp(odds - top[groups])
        everything = np.bincount(groups, shares, count)
        of_right = np.bincount(groups, shares * right, count)
        gradient = shares / everything[groups] - shares * right / of_right[groups]
        value = -np.log(of_right / everything).sum() + penalty * weights @ weights
        return float(value), rows.T @ gradient + 2 * penalty * weights

    weights = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B").x
    return {"mean": mean, "scale": scale, "weights": weights, "base": np.zeros(1)}


def _spread(rows: Array) -> Array:
    """Standard deviation of each column; 1 where all are the same."""
    found: Array = rows.std(axis=0)
    return np.where(found < _SAME, 1.0, found)


def fit_answerable(
    rows: Array, answerable: Array, strength: float = _ANSWERABLE_C
) -> dict[str, Array]:
    """A logistic regression; what is not known of a row is its column's mean."""
    mean = np.nanmean(rows, axis=0)
    rows = np.where(np.isnan(rows), mean, rows)
    scale = _spread(rows)
    fitted = LogisticRegression(C=strength, max_iter=5_000).fit((rows - mean) / scale, answerable)
    return {"mean": mean, "scale": scale, "weights": fitted.coef_[0], "base": fitted.intercept_}


def applied(model: dict[str, Array], rows: Array) -> Array:
    """Log-odds of rows."""
    rows = np.where(np.isnan(rows), model["mean"], rows)
    total: Array = ((rows - model["mean"]) / model["scale"]) @ model["weights"] + model["base"][0]
    return total


def fit_both(
    given: Sequence[Example],
) -> tuple[dict[str, Array], dict[str, Array]]:
    """Both models. What the second sees of the first comes from documents the first has not seen."""
    folds = {
        fold: fit_choice([other for other in given if other.fold(_FOLDS) != fold])
        for fold in range(_FOLDS)
    }
    summaries = np.array(
        [
            summary(one.signals, applied(folds[one.fold(_FOLDS)], one.signals.statements))
            for one in given
        ]
    )
    labels = np.array([float(one.question.answerable) for one in given])
    return fit_choice(given), fit_answerable(summaries, labels)


class Seen(NamedTuple):
    """An example by models that saw none of its document: log-odds of its statements, and those that the best
    one answers."""

    example: Example
    log_odds: Array
    sure: float

    @property
    def probability(self) -> float:
        return float(1 / (1 + np.exp(-self.sure)))


def cross_validated(given: Sequence[Example]) -> list[Seen]:
    """Each example by the signals alone."""
    found = []
    for fold in range(_FOLDS):
        rest = [one for one in given if one.fold(_FOLDS) != fold]
        choice, answerable = fit_both(rest)
        rarer = _log_odds_of_answers(given) - _log_odds_of_answers(rest)
        for one in given:
            if one.fold(_FOLDS) == fold:
                odds = applied(choice, one.signals.statements)
                sure = applied(answerable, summary(one.signals, odds)[None])[0]
                found.append(Seen(one, odds, float(sure + rarer)))
    return found


def _log_odds_of_answers(given: Sequence[Example]) -> float:
    """Those of a question to have an answer at all. From half of a fold's questions to five in six have one: a
    model is told of all, so that folds are not told apart by it."""
    share = np.mean([one.question.answerable for one in given])
    return float(np.log(share / (1 - share)))


class ReadPart(NamedTuple):
    """The statements of an example that are read, what their choice is made of, and their scores."""

    seen: Seen
    places: NDArray[np.intp]
    rows: Array
    scores: Scores


def read_parts(seen: Sequence[Seen], scores: Mapping[int, Scores]) -> list[ReadPart]:
    """Of each example the statements that the product would read.

    Args:
        scores: by the id of an example, of its statements, by a model that has not seen its document.
    """
    found = []
    for one in seen:
        order = np.argsort(-one.log_odds, kind="stable")[:MOST_READ]
        own = scores[id(one.example)][order]
        known = ~np.isnan(own[:, 0])
        if not known.any():
            continue
        places = order[known]
        rows = np.column_stack([one.log_odds[places], own[known]])
        found.append(ReadPart(one, places, rows, own[known]))
    return found


def fit_read(parts: Sequence[ReadPart]) -> tuple[dict[str, Array], dict[str, Array]]:
    """The choice among what was read, and whether its best answers."""
    groups = []
    for one in parts:
        known = ~one.seen.example.unsure[one.places]
        groups.append((one.rows[known], one.seen.example.right[one.places][known]))
    choice = fit_logit(groups, _READ_PENALTY)
    rows = np.array([_read_row(choice, one)[1] for one in parts])
    labels = np.array([float(one.seen.example.question.answerable) for one in parts])
    return choice, fit_answerable(rows, labels, _READ_C)


def _read_row(choice: dict[str, Array], one: ReadPart) -> tuple[Array, Array]:
    """Log-odds of all statements, and what the last model sees."""
    first = one.seen.log_odds
    found = of_read(first, one.places, one.scores, _linear(choice))
    seen = summary(one.seen.example.signals, first)
    return found, read_summary(one.seen.sure, first, found, one.places, one.scores, seen)


def _linear(model: dict[str, Array]) -> Linear:
    return Linear(model["mean"], model["scale"], model["weights"], float(model["base"][0]))


def cross_validated_read(parts: Sequence[ReadPart]) -> list[Seen]:
    """Each example by the scores, too."""
    found = []
    for fold in range(_FOLDS):
        rest = [one for one in parts if one.seen.example.fold(_FOLDS) != fold]
        choice, answerable = fit_read(rest)
        everything, others = ([one.seen.example for one in some] for some in (parts, rest))
        rarer = _log_odds_of_answers(everything) - _log_odds_of_answers(others)
        for one in parts:
            if one.seen.example.fold(_FOLDS) == fold:
                log_odds, row = _read_row(choice, one)
                sure = applied(answerable, row[None])[0]
                found.append(Seen(one.seen.example, log_odds, float(sure + rarer)))
    return found


def refusing(found: Sequence[Seen], share: float = _WRONGLY_REFUSED) -> float:
    """Log-odds to add so that at a probability of .5 a share of the questions with an answer is refused; of a
    question with several clauses the surest counts. How many questions have none is not known of any library,
    and those of the fit have more such than most."""
    best: dict[str, float] = {}
    for one in found:
        question = one.example.question
        if question.answerable:
            best[question.id] = max(best.get(question.id, one.sure), one.sure)
    return -float(np.quantile(list(best.values()), share))


def moved(found: Sequence[Seen], by: float) -> list[Seen]:
    """The same with so much more log-odds."""
    return [one._replace(sure=one.sure + by) for one in found]


def told(found: Sequence[Seen]) -> dict[str, float]:
    """How good the choice and the refusals are; of a question with several clauses the best counts."""
    best: dict[str, tuple[Question, float, bool, bool]] = {}
    for seen in found:
        one, sure = seen.example, seen.probability
        order = np.argsort(-seen.log_odds)
        first, three = bool(one.right[order[0]]), bool(one.right[order[:3]].any())
        before = best.get(one.question.id)
        if before is None or sure > before[1]:
            best[one.question.id] = (one.question, sure, first, three)
    known = [row for row in best.values() if row[0].answerable]
    unknown = [row for row in best.values() if not row[0].answerable]
    sure_of_known = sorted(row[1] for row in known)
    figures = {
        "questions": float(len(best)),
        "first": float(np.mean([row[2] for row in known])),
        "of_three": float(np.mean([row[3] for row in known])),
    }
    if unknown:
        labels = [1] * len(known) + [0] * len(unknown)
        figures["auc"] = float(roc_auc_score(labels, [row[1] for row in [*known, *unknown]]))
        for wrong in (0.05, 0.07, 0.1, 0.15):
            least = sure_of_known[int(wrong * len(known))]
            figures[f"refused_at_{wrong:g}"] = float(np.mean([row[1] < least for row in unknown]))
    return {name: round(value, 3) for name, value in figures.items()}


def states(found: Sequence[Seen]) -> list[str]:
    """By confidence, of the questions that are answered: how many, how often the best statement stands on a
    right page, how many have no answer. Where answers begin to be called so follows from it
    (`core.answers.confidence.may_not_answer`); of a question with several clauses the surest counts."""
    best: dict[str, tuple[float, bool, bool]] = {}
    for seen in found:
        one, sure = seen.example, seen.probability
        before = best.get(one.question.id)
        if sure >= _THRESHOLD and (before is None or sure > before[0]):
            right = bool(one.on_page[np.argmax(seen.log_odds)])
            best[one.question.id] = (sure, right, one.question.answerable)
    lines = []
    for low, high in pairwise(_EDGES):
        members = [row for row in best.values() if low <= calibrated(row[0]) < high]
        if members:
            share = sum(row[1] for row in members) / len(members)
            unknown = sum(not row[2] for row in members)
            lines.append(
                f"{low:.2f} to {high:.2f}: {len(members)}, right {share:.3f}, unanswerable {unknown}"
            )
    return lines


def written(
    models: Mapping[str, tuple[dict[str, Array], Sequence[str]]],
    card: dict[str, Any],
) -> str:
    """learned.toml.

    Args:
        models: by name, with the names of their signals.
    """
    lines = [
        "# What tells whether a statement answers; made by `make train`, see train/README.md.",
        "# Of each signal: mean, scale, weight of the standardised value.",
        "",
        "[card]",
        *(f"{name} = {json.dumps(value)}" for name, value in card.items()),
    ]
    for name, (model, signals) in models.items():
        lines += ["", f"[{name}]", f"base = {model['base'][0]:.4f}", f"[{name}.signals]"]
        for i, signal in enumerate(signals):
            values = ", ".join(f"{model[part][i]:.4f}" for part in ("mean", "scale", "weights"))
            lines.append(f"{signal} = [{values}]")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Read the sets, cross-validate, fit to all, write the model."""
    kept = WORK / "pairs.npz"
    if not kept.is_file():
        raise SystemExit(f"{kept} is not there: make train-reader makes it")
    given = all_examples()
    with np.load(kept) as table:
        missing = sum(one.key not in table for one in given)
        if missing:
            raise SystemExit(
                f"{missing} of {len(given)} clauses have no scores: make train-reader again"
            )
        scores = {id(one): table[one.key] for one in given}
    by_signals = cross_validated(given)
    console.print("by the signals, cross-validated over documents:", told(by_signals))
    parts = read_parts(by_signals, scores)
    crossed = cross_validated_read(parts)
    figures = told(crossed)
    console.print("with what was read:", figures)
    choice, answerable = fit_both(given)
    choice_read, answerable_read = fit_read(parts)
    by = refusing(crossed)
    crossed = moved(crossed, by)
    answerable_read["base"] = answerable_read["base"] + by
    console.print(f"moved by {by:.3f}")
    card = {
        "made": datetime.now(UTC).date().isoformat(),
        "cross_validated": [f"{k} {v}" for k, v in figures.items()],
        "by_signals_alone": [f"{k} {v}" for k, v in told(by_signals).items()],
    }
    models = {
        "choice": (choice, STATEMENT),
        "answerable": (answerable, ANSWERABLE),
        "choice_read": (choice_read, CHOICE_READ),
        "answerable_read": (answerable_read, ANSWERABLE_READ),
    }
    TARGET.write_text(written(models, card), "utf-8")
    console.print("by confidence:", *states(crossed), sep="\n")


if __name__ == "__main__":
    main()
