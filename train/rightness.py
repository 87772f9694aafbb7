"""Fits how often answers are right (core/evidence/rightness.toml) to what the whole product answers.

``make train-rightness``, after ``make train``. The model of relevance says how likely the best statement is to
answer; what the product makes of it (whose number it is, tables, lists, sections) is right more often than that
statement alone, so that answers are what is counted. They are asked by authors, of documents, that no fit of
the model has seen: sets 3, 6, 7, 16, 21, 42 and 43 of ``bench.labels`` for leaflets, 13 for papers. 22 to 25
judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, NamedTuple
from unittest.mock import patch

import numpy as np
import typer
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from bench.inputs import ROOT
from bench.labels import asked, library_of
from bench.reliability import Judged, expected_calibration_error, reliability
from core.answers.confidence import CEILING
from core.domain.answers import DocumentCitation
from core.evaluation.judging import Outcome, judge
from core.evaluation.questions import read_questions
from core.evaluation.run import QuestionRun
from core.evidence import learned
from core.evidence.learned import Scaling
from train.examples import console

TARGET = ROOT / "core" / "evidence" / "rightness.toml"
LEAFLETS, PAPERS, JUDGE = (3, 6, 7, 16, 21, 42, 43), (13,), (22, 23, 24, 25)
_AS_IT_IS = Scaling(0.0, 1.0)
_BY_RULE = (
    0.5,
    0.8,
)  # confidences that a rule sets, whatever the probability (`core.answers.confidence`)
_NEARLY_ALL = 0.9999  # a probability; of what is surer nothing is told by it
_BANDS = tuple(round(0.4 + 0.05 * step, 2) for step in range(12))
_KEPT = ROOT / "build" / "bench-labels"


class Told(NamedTuple):
    """An answer.

    Attributes:
        probability: that its evidence answers, in [0, 1]; what a rule made of it where `by_rule`.
        right: whether it cites a right page and has all that is expected; what should be refused is wrong.
    """

    probability: float
    by_rule: bool
    right: bool


def told(keep: Path, number: int) -> list[Told]:
    """What the product answers to a set of `bench.labels`, but for refusals and what the graph answers."""
    chosen = asked(number, looked_at=False)
    questions = [one for path in chosen.questions for one in read_questions(path)]
    with closing(library_of(chosen, keep)) as workspace:
        workspace.encoder().encode(["warm-up"])
        run = QuestionRun(workspace.chat, workspace.conversations)
        plain = {"leaflets": _AS_IT_IS, "papers": _AS_IT_IS}
        with patch.object(learned, "scalings", lambda: plain):
            outcomes = run.ask_all(questions)
    return [found for one in outcomes if (found := _told(one)) is not None]


def _told(outcome: Outcome) -> Told | None:
    answer, verdict = outcome.answer, judge(outcome)
    if answer is None or answer.confidence is None:
        return None
    if not all(isinstance(one, DocumentCitation) for one in answer.citations):
        return None
    by_rule = any(abs(answer.confidence - one) < 1e-9 for one in _BY_RULE)
    right = verdict.cited is not False and verdict.answered is not False
    probability = answer.confidence / (1.0 if by_rule else CEILING)
    return Told(probability, by_rule, verdict.answerable and right)


def fitted(answers: Sequence[Told]) -> Scaling:
    """Platt scaling (Platt 1999) of those whose confidence no rule sets."""
    known = [one for one in answers if not one.by_rule and one.probability < _NEARLY_ALL]
    odds = _log_odds([one.probability for one in known])
    found = LogisticRegression(C=1e6).fit(odds[:, None], [one.right for one in known])
    return Scaling(float(found.intercept_[0]), float(found.coef_[0][0]))


def _log_odds(probabilities: Sequence[float]) -> NDArray[np.float64]:
    inside = np.clip(probabilities, 1 - _NEARLY_ALL, _NEARLY_ALL)
    found: NDArray[np.float64] = np.log(inside / (1 - inside))
    return found


def scaled(answers: Sequence[Told], by: Scaling) -> list[Judged]:
    """Their confidence, with whether they are right."""
    return [
        Judged(one.probability if one.by_rule else CEILING * by.of(one.probability), one.right)
        for one in answers
    ]


def _print(name: str, answers: Sequence[Judged]) -> None:
    error = expected_calibration_error(reliability(answers, (0.0, *_BANDS, 1.0)))
    mean, right = (
        float(np.mean(one))
        for one in zip(*((one.confidence, one.right) for one in answers), strict=True)
    )
    console.print(
        f"{name}: {len(answers)} answers, confidence {mean:.3f}, right {right:.3f},"
        f" calibration error {error:.3f}"
    )


def _print_bands(answers: Sequence[Judged]) -> None:
    for band in reliability(answers, (0.0, *_BANDS, 1.0)):
        if band.mean is not None:
            share = band.right.part / band.right.of
            console.print(
                f"  {band.low:.2f} to {band.high:.2f}: {band.right.of},"
                f" confidence {band.mean:.3f}, right {share:.3f}"
            )


def main(
    keep: Annotated[Path, typer.Option(help="Folder of the libraries; filled once.")] = _KEPT,
) -> None:
    """Fit, print what came out on the sets that judge, write the table."""
    leaflets = [one for number in LEAFLETS for one in told(keep, number)]
    papers = [one for number in PAPERS for one in told(keep, number)]
    scalings = {"leaflets": fitted(leaflets), "papers": fitted(papers)}
    _print("fitted to, leaflets", scaled(leaflets, scalings["leaflets"]))
    _print_bands(scaled(leaflets, scalings["leaflets"]))
    _print("fitted to, papers", scaled(papers, scalings["papers"]))
    _print_bands(scaled(papers, scalings["papers"]))
    judging: list[Judged] = []
    for number in JUDGE:
        own = scaled(told(keep, number), scalings["leaflets"])
        _print(f"judges, {number}", own)
        judging += own
    _print("judge, all", judging)
    _print_bands(judging)
    lines = [
        "# How often answers are right whose evidence answers with a probability, as log-odds:",
        "# base + slope * log-odds of that probability; made by `python -m train.rightness`.",
        f'made = "{datetime.now(UTC).date().isoformat()}"',
    ]
    for name, one in scalings.items():
        lines += ["", f"[{name}]", f"base = {one.base:.4f}", f"slope = {one.slope:.4f}"]
    TARGET.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    typer.run(main)
