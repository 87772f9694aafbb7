"""Fits the model of relevance (`core.evidence.learned`) to questions with known answers.

``make train``; train/README.md says what the questions are, and what came out.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from bench.inputs import ROOT
from core.answers.candidates import Candidates
from core.answers.confidence import calibrated
from core.documents.library.outcomes import Source
from core.evaluation.judging import has_string
from core.evaluation.questions import Question, read_questions
from core.evidence.learned import ANSWERABLE, summary
from core.evidence.signals import STATEMENT, Signals
from core.maintenance.sample import SAMPLE
from core.settings import load_settings
from core.workspace import Workspace, open_workspace
from train.label_pdfs import make_label_pdfs

TARGET = ROOT / "core" / "evidence" / "learned.toml"
QUESTIONS = ROOT / "train" / "questions"
DATA = ROOT.parent / "shared" / "data"
_FOLDS = 5
# Pulls weights towards 0; of .3, 1, 3, 10, 30 and 100 the best in cross-validation over documents.
_CHOICE_PENALTY = 30.0
_ANSWERABLE_C = 0.05
_SAME = 1e-6
_THRESHOLD = 0.5  # the default below which an answer is refused
_EDGES = (0.0, 0.4, 0.5, 0.55, 0.6, 0.67, 0.75, 0.85, 1.0)  # of confidence
console = Console(width=120)

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """The statements of one clause of a question, and which of them answer it.

    Attributes:
        right: shape (n,), of each statement.
        on_page: the same, whether it stands on a right page.
    """

    question: Question
    signals: Signals
    right: Array
    on_page: Array

    @property
    def fold(self) -> int:
        """Questions of one document stay together, so that none is judged by what it taught."""
        return zlib.crc32((self.question.document or self.question.id).encode()) % _FOLDS


def examples(workspace: Workspace, questions: Sequence[Question]) -> Iterator[Example]:
    """What the product finds for each question, before it chooses."""
    chat = workspace.chat
    reader, finder, sources = chat._reader, chat._finder, workspace.sources
    scope = chat._scope()
    for question in questions:
        spelt = reader.spelling(question.question, scope).applied(question.question)
        clauses = reader.planned(spelt, reader.planner.read(spelt))
        found = finder.retrieve(clauses, scope, all_of_them=False)
        relevance = sources.relevance(found.indexes)
        for part in found.parts:
            passages = sources.passages()
            candidates = Candidates(part, sources, passages, relevance, 0.0)
            quotes, signals = candidates.signals()
            if not quotes:
                continue
            on_page = np.array(
                [_is_right(question, q.hit.document.file, q.hit.chunk.page) for q in quotes],
                dtype=np.float64,
            )
            texts = [" ".join(one.text for one in candidates.told(quote)) for quote in quotes]
            said = np.array(
                [[has_string(text, wanted) for wanted in question.answer] for text in texts]
            ).reshape(len(quotes), -1)
            right = on_page * (said.all(axis=1) if question.answer else np.zeros(len(quotes)))
            # Where no statement tells all, one that tells a part is right.
            right = right if right.any() else on_page * said.any(axis=1)
            yield Example(question, signals, right, on_page)


def _is_right(question: Question, file: str, page: int) -> bool:
    """Whether a page is a right one; of a file without pages the file."""
    return question.is_right_page(file, page) or (not question.pages and question.document == file)


def fit_choice(given: Sequence[Example], penalty: float = _CHOICE_PENALTY) -> dict[str, Array]:
    """A conditional logit: in each clause with an answer, the right statements against the others."""
    given = [one for one in given if one.right.any()]
    values = np.concatenate([one.signals.statements for one in given])
    mean, scale = values.mean(axis=0), _spread(values)
    groups = np.concatenate([np.full(len(one.right), i) for i, one in enumerate(given)])
    right = np.concatenate([one.right for one in given])
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
        fold: fit_choice([other for other in given if other.fold != fold]) for fold in range(_FOLDS)
    }
    summaries = np.array(
        [summary(one.signals, applied(folds[one.fold], one.signals.statements)) for one in given]
    )
    labels = np.array([float(one.question.answerable) for one in given])
    return fit_choice(given), fit_answerable(summaries, labels)


def cross_validated(given: Sequence[Example]) -> list[tuple[Example, Array, float]]:
    """Each example with log-odds and probability by models that saw none of its document."""
    found = []
    for fold in range(_FOLDS):
        choice, answerable = fit_both([one for one in given if one.fold != fold])
        for one in given:
            if one.fold == fold:
                odds = applied(choice, one.signals.statements)
                sure = applied(answerable, summary(one.signals, odds)[None])[0]
                found.append((one, odds, float(1 / (1 + np.exp(-sure)))))
    return found


def fit_right(found: Sequence[tuple[Example, Array, float]]) -> dict[str, float]:
    """Platt scaling of the probabilities of `cross_validated`: how often the best statement stands on a
    right page."""
    odds = np.array([[np.log(sure / (1 - sure))] for _, _, sure in found])
    right = [float(one.on_page[np.argmax(choice)]) for one, choice, _ in found]
    fitted = LogisticRegression(C=1e6).fit(odds, right)
    return {"base": float(fitted.intercept_[0]), "slope": float(fitted.coef_[0][0])}


def told(found: Sequence[tuple[Example, Array, float]]) -> dict[str, float]:
    """How good the choice and the refusals are; of a question with several clauses the best counts."""
    best: dict[str, tuple[Question, float, bool, bool]] = {}
    for one, odds, sure in found:
        order = np.argsort(-odds)
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


def states(found: Sequence[tuple[Example, Array, float]]) -> list[str]:
    """By confidence, of the questions that are answered: how many, how often the best statement stands on a
    right page, how many have no answer. Where answers begin to be called so follows from it
    (`core.answers.confidence.may_not_answer`); of a question with several clauses the surest counts."""
    best: dict[str, tuple[float, bool, bool]] = {}
    for one, odds, sure in found:
        before = best.get(one.question.id)
        if sure >= _THRESHOLD and (before is None or sure > before[0]):
            right = bool(one.on_page[np.argmax(odds)])
            best[one.question.id] = (sure, right, one.question.answerable)
    lines = []
    for low, high in pairwise(_EDGES):
        members = [row for row in best.values() if low <= calibrated(row[0]) < high]
        if members:
            right = sum(row[1] for row in members) / len(members)
            unknown = sum(not row[2] for row in members)
            lines.append(
                f"{low:.2f} to {high:.2f}: {len(members)}, right {right:.3f}, unanswerable {unknown}"
            )
    return lines


def _settings(folder: Path, models: Path) -> Any:
    return load_settings(
        data_dir=folder,
        models_dir=models,
        llm_provider="openai",
        llm_api_key="",
        sample=False,
        warm_up=False,
        log_level="WARNING",
    )


def read_set(row: dict[str, Any], work: Path) -> list[Example]:
    """The examples of one row of sets.toml; its library is filled first and kept in `work`."""
    questions = [
        one
        for name in row["questions"]
        for one in read_questions(ROOT / name)
        if one.document not in row.get("without", [])
    ]
    folder = work / row["name"]
    if not folder.is_dir():
        files = [ROOT / one for one in row.get("files", [])]
        files += [DATA / "pdfs" / "drug" / one for one in row.get("pdfs", [])]
        if row.get("labels"):
            source = DATA / "labels" / "fda_labels.json"
            files += make_label_pdfs(source, row["labels"], work / f"{row['name']}-labels")
        with closing(open_workspace(_settings(folder, work / "models"))) as workspace:
            if row.get("sample"):
                workspace.sample.load()
            else:
                workspace.graph_tasks.import_folder(SAMPLE / "graph")
            for result in workspace.library.ingest_many([Source(f, f.name) for f in files]):
                if result.state != "ready":
                    raise SystemExit(f"{result.file}: {result.message}")
    with closing(open_workspace(_settings(folder, work / "models"), writer=False)) as workspace:
        return list(examples(workspace, questions))


def written(
    choice: dict[str, Array],
    answerable: dict[str, Array],
    right: dict[str, float],
    card: dict[str, Any],
) -> str:
    """learned.toml."""
    lines = [
        "# What tells whether a statement answers; made by `make train`, see train/README.md.",
        "# Of each signal: mean, scale, weight of the standardised value.",
        "",
        "[card]",
        *(f"{name} = {json.dumps(value)}" for name, value in card.items()),
        "",
        "[right]",
        *(f"{name} = {value:.4f}" for name, value in right.items()),
    ]
    for name, model, signals in (
        ("choice", choice, STATEMENT),
        ("answerable", answerable, ANSWERABLE),
    ):
        lines += ["", f"[{name}]", f"base = {model['base'][0]:.4f}", f"[{name}.signals]"]
        for i, signal in enumerate(signals):
            values = ", ".join(f"{model[part][i]:.4f}" for part in ("mean", "scale", "weights"))
            lines.append(f"{signal} = [{values}]")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Read the sets, cross-validate, fit to all, write the model."""
    import tomllib

    sets = tomllib.loads((QUESTIONS / "sets.toml").read_text("utf-8"))["sets"]
    work = ROOT / "build" / "train"
    work.mkdir(parents=True, exist_ok=True)
    given: list[Example] = []
    for row in sets:
        given += read_set(row, work)
        console.print(f"{row['name']}: {len(given)} clauses so far")
    crossed = cross_validated(given)
    figures = told(crossed)
    console.print("cross-validated over documents:", figures)
    choice, answerable = fit_both(given)
    card = {
        "made": datetime.now(UTC).date().isoformat(),
        "cross_validated": [f"{k} {v}" for k, v in figures.items()],
    }
    TARGET.write_text(written(choice, answerable, fit_right(crossed), card), "utf-8")
    # By the scaling that was just written: the model is read once.
    console.print("by confidence:", *states(crossed), sep="\n")


if __name__ == "__main__":
    main()
