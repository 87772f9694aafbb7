"""Fits anew whether the best of what was read answers, by what the model that reads says of documents that it
has not seen.

``make train-refusal`` takes the sets of printed documents that `train.going_on` held out
(train/questions/going_on.toml), and fits the last model of learned.toml to them: what `core.evidence.learned`
calls *refusal*. Beside them stand the clauses of the newest sets as the model before had read them, which had
not seen these (train/questions/read_before.npz), and questions that no leaflet answers, asked of the held-out
documents (outside.jsonl: what a medicine's maker earns, the tallest mountain, "asdf"); and each clause once
more with few of its statements, as a short leaflet has them. The rest of learned.toml stays as ``make train``
made it. It prints what comes out where each held-out set is judged by all others. docs/decisions/relevance.md
has the figures.
"""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from scipy.optimize import minimize
from sklearn.metrics import roc_auc_score

from core.encoders.fine_tuned import STATEMENT_TOKENS, STATEMENTS, FineTuned
from core.evaluation.questions import Question
from core.evidence.learned import (
    ANSWERABLE,
    ANSWERABLE_READ,
    CHOICE_READ,
    MOST_READ,
    models,
    of_read,
    read_summary,
    summary,
)
from core.evidence.signals import STATEMENT
from train.examples import QUESTIONS, Array, Example
from train.going_on import HELD_OUT, as_read, files_of, set_of
from train.relevance import TARGET, applied, written

OUTSIDE = QUESTIONS / "outside.jsonl"
BEFORE = QUESTIONS / "read_before.npz"
# With 5 a short leaflet's side effects are refused; with 500 they are told (relevance.md).
_PENALTY = 500.0
_FEW = (2, 7)  # statements of a short leaflet, beside the likeliest and a right one
_NOT_OF_LEAFLETS = "-outside-"
_LEAST_SCALE = 1e-6
# What the questions that no leaflet answers count for; with 1, 2, 4 and 8 .70, .80, .86 and .90 of them are
# refused, and .66, .67, .65 and .63 of the others without an answer.
_OUTSIDE_WEIGHT = 2
_WRONGLY_REFUSED = (
    0.06  # of the questions with an answer among what was read, at the default threshold
)
console = Console(width=120)


class Row(NamedTuple):
    """What the last model sees of a clause.

    Attributes:
        given: the set that it is of.
    """

    given: str
    question: str
    answerable: bool
    values: Array

    @property
    def outside(self) -> bool:
        """Whether it is one that no leaflet answers."""
        return _NOT_OF_LEAFLETS in self.question


def asked_of(row: Mapping[str, Any], outside: Sequence[Mapping[str, str]]) -> list[Question]:
    """Questions that no leaflet answers, about what a set's files are called by where they name a medicine."""
    names = [re.split(r"[\W_]", one.stem)[0] for one in files_of(dict(row))]
    return [
        Question(
            id=f"{row['name']}{_NOT_OF_LEAFLETS}{number}",
            question=one["question"].replace("{name}", names[number % len(names)]),
            answerable=False,
            lang=one["lang"],
            kind="outside",
        )
        for number, one in enumerate(outside)
    ]


def few_of(one: Example, chance: random.Random) -> Example:
    """A clause as a library of one short leaflet would have it: with few of its statements, the likeliest and a
    right one among them."""
    order = np.argsort(-models().choice.of(one.signals.statements)).tolist()
    kept = {*order[:1], *np.flatnonzero(one.right)[:1].tolist()}
    kept |= set(chance.sample(order, min(chance.randint(*_FEW), len(order))))
    places = sorted(kept)
    return replace(
        one,
        signals=one.signals.only(places),
        texts=tuple(one.texts[place] for place in places),
        right=one.right[places],
        says=one.says[places],
        on_page=one.on_page[places],
        forbidden=one.forbidden[places],
        unsure=one.unsure[places],
    )


def rows_of(name: str, given: Sequence[Example], reader: FineTuned) -> list[Row]:
    """Those of a set's clauses but for those that have an answer, and none right among what is judged."""
    made, found = models(), []
    for one in given:
        if one.question.answerable and not one.right.any():
            continue
        signals = one.signals
        behind = signals.behind if signals.behind is not None else 0.0
        first = made.choice.of(signals.statements)
        places = np.argsort(-(first + behind), kind="stable")[:MOST_READ]
        scores = np.asarray(reader.scores(one.asked, [one.texts[place] for place in places]))
        now = of_read(first, places, scores, made.choice_read)
        seen = summary(signals, first)
        odds = float(made.answerable.of(seen))
        values = read_summary(odds, first, now, places, scores, seen)
        found.append(Row(name, one.question.id, one.question.answerable, values))
    return found


def read_before() -> list[Row]:
    """The clauses of the newest sets, by the model before."""
    with np.load(BEFORE) as table:
        if tuple(table["names"]) != ANSWERABLE_READ:
            raise SystemExit(f"{BEFORE} has other signals than core.evidence.learned")
        parts = (table[name] for name in ("sets", "questions", "answerable", "values"))
        return [
            Row(str(given), str(question), bool(answerable), values.astype(np.float64))
            for given, question, answerable, values in zip(*parts, strict=True)
        ]


def fitted(rows: Sequence[Row], beside: Sequence[Row] = ()) -> dict[str, Array]:
    """The last model, drawn towards what ``make train`` made of more kinds of questions, so that at a
    probability of .5 `_WRONGLY_REFUSED` of the questions of `rows` with an answer are refused; of a question
    with several clauses the surest counts.

    Args:
        beside: more that it is fitted to.
    """
    again = [one for one in rows if one.outside] * (_OUTSIDE_WEIGHT - 1)
    both, former = [*rows, *beside, *again], models().answerable_read
    values = np.array([one.values for one in both])
    mean = np.nanmean(values, axis=0)
    scale = np.maximum(np.nanstd(values, axis=0), _LEAST_SCALE)
    known = (np.where(np.isnan(values), mean, values) - mean) / scale
    weights = drawn(
        known,
        np.array([float(one.answerable) for one in both]),
        former.weights / former.scale * scale,
    )
    model = {"mean": mean, "scale": scale, "weights": weights, "base": np.zeros(1)}
    best: dict[str, float] = {}
    for one, odds in zip(rows, applied(model, values[: len(rows)]).tolist(), strict=True):
        if one.answerable:
            best[one.question] = max(best.get(one.question, odds), odds)
    model["base"] = model["base"] - np.quantile(list(best.values()), _WRONGLY_REFUSED)
    return model


def drawn(values: Array, labels: Array, towards: Array) -> Array:
    """The weights of a logistic regression that is pulled towards others in place of 0.

    Args:
        values: standardised, shape (n, k).
        towards: shape (k,).
    """

    def loss(at: Array) -> tuple[float, Array]:
        odds, apart = values @ at[:-1] + at[-1], at[:-1] - towards
        off = 1 / (1 + np.exp(-odds)) - labels
        value = (np.logaddexp(0, odds) - labels * odds).sum() + _PENALTY * apart @ apart
        return float(value), np.append(values.T @ off + 2 * _PENALTY * apart, off.sum())

    found = minimize(loss, np.append(towards, 0.0), jac=True, method="L-BFGS-B").x
    weights: Array = found[:-1]
    return weights


def judged(rows: Sequence[Row], beside: Sequence[Row] = ()) -> str:
    """What comes out where each set of `rows` is judged by a model of all others."""
    labels, odds, others = [], [], []
    for name in dict.fromkeys(one.given for one in rows):
        own = [one for one in rows if one.given == name]
        others_beside = [one for one in beside if one.given != name]
        model = fitted([one for one in rows if one.given != name], others_beside)
        labels += [one.answerable for one in own]
        others += [one.outside for one in own]
        odds += applied(model, np.array([one.values for one in own])).tolist()
    has, sure, outside = np.array(labels), np.array(odds), np.array(others)
    shares = (np.mean(sure[some] < 0) for some in (~has & ~outside, outside, has))
    told = "refused {:.3f}, of what no leaflet answers {:.3f}, wrongly {:.3f}".format(*shares)
    return f"area under the curve {roc_auc_score(has[~outside], sure[~outside]):.3f}; {told}"


def replaced(table: Mapping[str, Any], model: dict[str, Array], figures: str) -> str:
    """learned.toml with another last model, its *refusal*."""
    names = {
        "choice": STATEMENT,
        "answerable": ANSWERABLE,
        "choice_read": CHOICE_READ,
        "answerable_read": ANSWERABLE_READ,
    }
    kept = {name: (_of_table(table[name], own), own) for name, own in names.items()}
    made = datetime.now(UTC).date().isoformat()
    card = {**table["card"], "refusal_made": made, "refusal": figures}
    return written({**kept, "refusal": (model, ANSWERABLE_READ)}, card)


def _of_table(table: Mapping[str, Any], names: Sequence[str]) -> dict[str, Array]:
    values = np.array([table["signals"][name] for name in names])
    base = np.array([float(table["base"])])
    return {"mean": values[:, 0], "scale": values[:, 1], "weights": values[:, 2], "base": base}


def main() -> None:
    """Read the held-out sets, judge, fit to all of them, write the model."""
    table = tomllib.loads((QUESTIONS / "going_on.toml").read_text("utf-8"))["sets"]
    reader = FineTuned(STATEMENTS, "", STATEMENT_TOKENS)
    rows: list[Row] = []
    held_out = [row for row in table if row["step"] == HELD_OUT]
    outside = [json.loads(line) for line in OUTSIDE.read_text("utf-8").splitlines()]
    beside, chance = read_before(), random.Random(1)
    for number, row in enumerate(held_out):
        asked = set_of(row, asked_of(row, outside[number :: len(held_out)]))
        given = [as_read(one) for one in asked]
        rows += rows_of(row["name"], given, reader)
        beside += rows_of(row["name"], [few_of(one, chance) for one in given], reader)
        console.print(f"{row['name']}: {len(rows)} clauses so far")
    figures = judged(rows, beside)
    console.print(figures)
    learned = tomllib.loads(TARGET.read_text("utf-8"))
    TARGET.write_text(replaced(learned, fitted(rows, beside), figures), "utf-8")


if __name__ == "__main__":
    main()
