"""The relevance threshold and the confidence: how refusals follow the one, and whether right answers
follow the other, on questions with and without an answer.

``make bench-calibrate``; the questions are in bench/questions, the tables are explained in
bench/README.md.
"""

from __future__ import annotations

import os
import tempfile
from bisect import bisect_left
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bench.inputs import REAL, ROOT, environment
from bench.reliability import (
    Judged,
    auc,
    expected_calibration_error,
    judged,
    reliability,
)
from core.documents.library.outcomes import Source
from core.evaluation.judging import Outcome, Verdict, judge
from core.evaluation.metrics import Scores, Share, score
from core.evaluation.questions import SAMPLE_SET, Question, read_questions
from core.evaluation.run import QuestionRun
from core.maintenance.sample import SAMPLE
from core.settings import Settings, load_settings
from core.workspace import Workspace, open_workspace

QUESTIONS = ROOT / "bench" / "questions"
THRESHOLDS = tuple(round(0.20 + 0.05 * step, 2) for step in range(13))
Fill = Callable[[Workspace], None]
console = Console(width=120)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and at how many of the ascending thresholds it is answered."""

    question: Question
    answered_at: int


@dataclass(frozen=True, slots=True)
class Point:
    """Refusals at one threshold; refused is the positive class."""

    threshold: float
    precision: Share
    recall: Share
    wrongly_refused: Share

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, in [0, 1]."""
        missed = self.recall.of - self.recall.part
        wrong = 2 * self.recall.part + missed + self.wrongly_refused.part
        return 2 * self.recall.part / wrong if wrong else 0.0


def curve(asked: Sequence[Asked], thresholds: Sequence[float] = THRESHOLDS) -> list[Point]:
    """Refusals at every threshold."""
    known = [one for one in asked if one.question.answerable]
    unknown = [one for one in asked if not one.question.answerable]
    points = []
    for place, threshold in enumerate(thresholds):
        rightly = sum(one.answered_at <= place for one in unknown)
        wrongly = sum(one.answered_at <= place for one in known)
        points.append(
            Point(
                threshold,
                Share(rightly, rightly + wrongly),
                Share(rightly, len(unknown)),
                Share(wrongly, len(known)),
            )
        )
    return points


def recommended(points: Sequence[Point]) -> Point:
    """The point with the best F1; of equal ones the lowest threshold, which refuses least."""
    return max(points, key=lambda point: (round(point.f1, 6), -point.threshold))


class Library:
    """A library in a temporary folder, asked with any threshold."""

    def __init__(self, base: Settings, fill: Fill) -> None:
        self._base = base
        self._open = ExitStack()
        with closing(open_workspace(base)) as workspace:
            fill(workspace)
        self._runs: dict[float, QuestionRun] = {}

    def run_at(self, threshold: float) -> QuestionRun:
        """Asks at a threshold; the workspaces of one folder share nothing but its files."""
        if threshold not in self._runs:
            settings = self._base.model_copy(update={"relevance_threshold": threshold})
            workspace = self._open.enter_context(closing(open_workspace(settings, writer=False)))
            self._runs[threshold] = QuestionRun(workspace.chat, workspace.conversations)
        return self._runs[threshold]

    def ask(self, question: Question) -> Asked:
        """Find the first threshold at which a question is refused, by bisection: what is refused at
        one is refused at all above it."""

        def refused(threshold: float) -> bool:
            answer = self.run_at(threshold).ask(question).answer
            return answer is None or answer.refused

        return Asked(question, bisect_left(THRESHOLDS, True, key=refused))

    def judged(
        self, questions: Sequence[Question], threshold: float
    ) -> list[tuple[Outcome, Verdict]]:
        """All questions, asked and judged at one threshold."""
        return [(one, judge(one)) for one in self.run_at(threshold).ask_all(questions)]

    def close(self) -> None:
        """Close every workspace."""
        self._open.close()


def _fill_with_sample(workspace: Workspace) -> None:
    workspace.sample.load()


def _fill_with_labels(files: Sequence[Path]) -> Fill:
    def fill(workspace: Workspace) -> None:
        workspace.graph_tasks.import_folder(SAMPLE / "graph")
        for result in workspace.library.ingest_many([Source(path, path.name) for path in files]):
            if result.state != "ready":
                raise SystemExit(f"{result.file}: {result.message}")

    return fill


def _sets() -> dict[str, tuple[list[Question], Fill]]:
    """Name -> questions and what fills their library; without the real files the sample's only."""
    sets: dict[str, tuple[list[Question], Fill]] = {
        "sample": (read_questions(QUESTIONS / "sample.jsonl"), _fill_with_sample)
    }
    questions = read_questions(QUESTIONS / "labels.jsonl")
    names = sorted({question.document for question in questions if question.document})
    files = [REAL[0] / name for name in names]
    if all(file.is_file() for file in files):
        sets["labels"] = (questions, _fill_with_labels(files))
    else:
        console.print("The real files are not here: the sample's questions only.\n")
    return sets


def _settings(folder: Path, name: str) -> Settings:
    """Default settings but for the folders: what a user's environment says must not count."""
    for foreign in os.environ.keys() - environment().keys():
        del os.environ[foreign]
    return load_settings(
        data_dir=folder / name,
        models_dir=folder / "models",
        llm_provider="openai",
        llm_api_key="",
        sample=False,
        warm_up=False,
        log_level="WARNING",
    )


def _print_curve(name: str, points: Sequence[Point]) -> None:
    table = Table("threshold", title=f"Refusals, {name}", title_justify="left", box=None)
    for column in ("precision", "recall", "F1", "wrongly refused"):
        table.add_column(column, justify="right")
    best = recommended(points)
    for point in points:
        table.add_row(
            f"{point.threshold:.2f}{' *' if point is best else ''}",
            _cell(point.precision),
            _cell(point.recall),
            f"{point.f1:.3f}",
            _cell(point.wrongly_refused),
        )
    console.print(table)
    console.print()


def _print_scores(threshold: float, scores: dict[str, Scores]) -> None:
    table = Table("", title=f"Answers at {threshold:.2f}", title_justify="left", box=None)
    for name in scores:
        table.add_column(name, justify="right")
    for measure in ("retrieval", "citation_precision", "citation_recall", "answer"):
        shares = [getattr(one, measure) for one in scores.values()]
        table.add_row(measure.replace("_", " "), *(_cell(share) for share in shares))
    console.print(table)
    console.print()


def _print_reliability(name: str, answers: Sequence[Judged]) -> None:
    table = Table("confidence", title=f"Confidence, {name}", title_justify="left", box=None)
    for column in ("mean", "right"):
        table.add_column(column, justify="right")
    bins = reliability(answers)
    for one in bins:
        mean = "" if one.mean is None else f"{one.mean:.3f}"
        table.add_row(f"{one.low:.2f} to {one.high:.2f}", mean, _cell(one.right))
    console.print(table)
    separation = auc(answers)
    shown = "" if separation is None else f", area under the ROC curve {separation:.3f}"
    console.print(f"Expected calibration error {expected_calibration_error(bins):.3f}{shown}\n")


def _print_confidence(
    libraries: dict[str, Library],
    chosen: dict[str, tuple[list[Question], Fill]],
    answers: list[Judged],
    threshold: float,
) -> None:
    """The confidence of `answers`, made at `threshold`, of less careful ones, and of other questions."""
    lowest = [
        one
        for name, (questions, _) in chosen.items()
        for one in judged(libraries[name].judged(questions, THRESHOLDS[0]))
    ]
    _print_reliability(f"answers at {threshold:.2f}", answers)
    _print_reliability(f"answers at {THRESHOLDS[0]:.2f}", lowest)
    if "sample" in libraries:
        others = libraries["sample"].judged(read_questions(SAMPLE_SET), threshold)
        _print_reliability(f"{SAMPLE_SET.name} of the evaluation, not fitted to", judged(others))


def _cell(share: Share) -> str:
    return "" if share.value is None else f"{share.value:.3f} ({share.part}/{share.of})"


def main(
    only: Annotated[str, typer.Option(help="One set of questions: sample or labels.")] = "",
    failures: Annotated[bool, typer.Option(help="Name the questions that go wrong.")] = False,
) -> None:
    """Print how refusals follow the threshold and right answers the confidence, for each set of questions
    and for all together."""
    chosen = {name: each for name, each in _sets().items() if only in ("", name)}
    if not chosen:
        raise SystemExit(f"There is no set of questions called {only!r} here.")
    with tempfile.TemporaryDirectory(prefix="materia-bench-") as place, ExitStack() as stack:
        asked: dict[str, list[Asked]] = {}
        libraries: dict[str, Library] = {}
        for name, (questions, fill) in chosen.items():
            library = Library(_settings(Path(place), name), fill)
            libraries[name] = stack.enter_context(closing(library))
            asked[name] = [library.ask(question) for question in questions]
            _print_curve(name, curve(asked[name]))
        points = curve([one for each in asked.values() for one in each])
        if len(asked) > 1:
            _print_curve("all", points)
        best = recommended(points)
        console.print(f"Recommended threshold: {best.threshold:.2f} (F1 {best.f1:.3f})\n")
        outcomes = {
            name: libraries[name].judged(questions, best.threshold)
            for name, (questions, _) in chosen.items()
        }
        _print_scores(
            best.threshold, {name: score([v for _, v in each]) for name, each in outcomes.items()}
        )
        together = [one for each in outcomes.values() for one in each]
        _print_confidence(libraries, chosen, judged(together), best.threshold)
        for _, verdict in together:
            if failures and verdict.problems:
                print(f"{verdict.id}: {verdict.question} -> {'; '.join(verdict.problems)}")


if __name__ == "__main__":
    typer.run(main)
