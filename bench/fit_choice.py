"""Fits the choice of section and kind that leaflet questions are read with.

``python -m bench.fit_choice`` first fits to the phrasings of one author and judges on those of another
(core/questions/leaflets/phrasings.toml and phrasings-more.toml), which gives the temperature; then it
fits to both and writes choice.toml and choice.tsv. Minutes; no chance is involved. ``python -m bench.fit_choice
papers`` does the same for the part of a paper that is asked for, with the questions of
train/questions/paper_parts.jsonl and those of another author in paper_parts_other.jsonl.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import typer
from rich.console import Console
from sklearn.linear_model import LogisticRegression

from core.domain.vectors import Vectors
from core.encoders.factory import make_encoder
from core.encoders.sentence_transformer import BUNDLED
from core.questions.asked import asked_sections
from core.questions.leaflets.choice import KIND, SECTION, letter_runs, letter_weights, masked
from core.questions.leaflets.phrasings import Phrasing, phrasings
from core.questions.papers.asked_part import PART, as_asked

_FOLDER = Path(__file__).parents[1] / "core" / "questions" / "leaflets"
_PAPERS = Path(__file__).parents[1] / "core" / "questions" / "papers"
_QUESTIONS = Path(__file__).parents[1] / "train" / "questions"
_MODELS = Path(__file__).parents[1] / "build" / "models"
_LETTERS_C, _MEANING_C = 50.0, 5.0
_FEWEST = 2  # phrasings that have a run of letters
_TEMPERATURES = np.linspace(0.4, 3.0, 53)
console = Console()
app = typer.Typer(add_completion=False)


def more() -> list[Phrasing]:
    """The phrasings of the other author, masked."""
    rows = tomllib.loads((_FOLDER / "phrasings-more.toml").read_text("utf-8"))["question"]
    return [
        Phrasing(
            masked(row["text"], _places(row), row["lang"]),
            row["lang"],
            row["aspect"],
            row["wanted"],
        )
        for row in rows
    ]


def _places(row: Mapping[str, str]) -> list[tuple[int, int]]:
    found = []
    for name in filter(None, (row["subject"], row.get("with", ""))):
        start = row["text"].casefold().find(name.casefold())
        if start >= 0:
            found.append((start, start + len(name)))
    return sorted(found)


class _Fitted:
    """Both regressions of one label, fitted to some phrasings."""

    def __init__(
        self, told: Sequence[Phrasing], vectors: Vectors, label: Callable[[Phrasing], str]
    ) -> None:
        used = [i for i, one in enumerate(told) if label(one)]
        told = [told[i] for i in used]
        vectors = vectors[used]
        counts = Counter(run for one in told for run in set(letter_runs(one.text)))
        names = sorted(run for run, n in counts.items() if n >= _FEWEST)
        self.runs = {run: i for i, run in enumerate(names)}
        known = np.array([counts[run] for run in names])
        rarity = np.round(np.log((1 + len(told)) / (1 + known)) + 1, 2)
        self.rarity = rarity.astype(np.float32)
        labels = [label(one) for one in told]
        english = [i for i, one in enumerate(told) if one.code == "en"]
        self.letters = _regression(_LETTERS_C).fit(self.matrix(told), labels)
        self.meaning = _regression(_MEANING_C).fit(vectors[english], [labels[i] for i in english])
        self.labels = list(self.letters.classes_)

    def matrix(self, told: Sequence[Phrasing]) -> Vectors:
        found = np.zeros((len(told), len(self.runs)), dtype=np.float32)
        for i, one in enumerate(told):
            rows, values = letter_weights(one.text, self.runs, self.rarity)
            found[i, rows] = values
        return found

    def logs(self, told: Sequence[Phrasing], vectors: Vectors, *, use: str = "both") -> Vectors:
        """Logarithms of the shares of each label, as `Choice` has them before its temperature."""
        letters = self.letters.predict_log_proba(self.matrix(told))
        meaning = self.meaning.predict_log_proba(vectors)
        if use != "both":
            return np.asarray(letters if use == "letters" else meaning)
        english = np.array([one.code == "en" for one in told])[:, None]
        return np.asarray(np.where(english, (letters + meaning) / 2, letters))


def _regression(strength: float) -> LogisticRegression:
    return LogisticRegression(C=strength, max_iter=1000, class_weight="balanced")


def _of_papers(name: str) -> list[Phrasing]:
    """Questions on papers, the part in which the answer stands as their section."""
    lines = (_QUESTIONS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [as_asked(one["question"], one["part"]) for one in map(json.loads, lines)]


@app.command()
def papers() -> None:
    """The part of a paper that is asked for: judged, fitted and written as section and kind are."""
    own, other = _of_papers("paper_parts"), _of_papers("paper_parts_other")
    _write(own, other, {PART: lambda one: one.section}, _PAPERS / "asked_part")


@app.callback(invoke_without_command=True)
def main(context: typer.Context) -> None:
    """Judge on the other author's phrasings, then fit to all and write the files."""
    if context.invoked_subcommand is None:
        labels = {SECTION: lambda one: one.section, KIND: lambda one: one.kind}
        _write(list(phrasings()), more(), labels, _FOLDER / "choice")


def _write(
    own: list[Phrasing],
    other: list[Phrasing],
    labels: Mapping[str, Callable[[Phrasing], str]],
    path: Path,
) -> None:
    """Judge choices among labels on the other author's questions, fit to all, and write both files."""
    encode = make_encoder(BUNDLED, _MODELS).encode
    own_vectors = encode([one.text for one in own])
    other_vectors = encode([one.text for one in other])
    lines = ["# Made by python -m bench.fit_choice, which says from what."]
    columns: list[Vectors] = []
    header: list[str] = []
    kept: _Fitted | None = None
    for name, label in labels.items():
        held_out = _Fitted(own, own_vectors, label)
        temperature = _judge(name, held_out, other, other_vectors, label)
        fitted = _Fitted([*own, *other], np.concatenate([own_vectors, other_vectors]), label)
        if kept is None:
            kept = fitted
            columns.append(fitted.rarity[:, None])
        rows = np.zeros((len(kept.runs), len(fitted.labels)), dtype=np.float32)
        for run, i in kept.runs.items():
            if run in fitted.runs:
                rows[i] = fitted.letters.coef_[:, fitted.runs[run]]
        columns.append(rows)
        header += fitted.labels
        lines += _section(name, fitted, temperature)
    path.with_suffix(".toml").write_text("\n".join(lines) + "\n", "utf-8")
    assert kept is not None  # noqa: S101
    numbers = np.rint(np.hstack(columns) * 100).astype(int)
    table = ["# run, rarity, then the weight of each label, all times 100: " + ", ".join(header)]
    table += ["\t".join([run, *map(str, numbers[i])]) for run, i in kept.runs.items()]
    path.with_suffix(".tsv").write_text("\n".join(table) + "\n", "utf-8")


def _section(name: str, fitted: _Fitted, temperature: float) -> list[str]:
    meaning = np.rint(fitted.meaning.coef_ * 100).astype(int)
    return [
        "",
        f"[{name}]",
        f"labels = {[str(one) for one in fitted.labels]}",
        f"temperature = {temperature:.2f}",
        f"letters_base = {[round(float(one), 3) for one in fitted.letters.intercept_]}",
        f"meaning_base = {[round(float(one), 3) for one in fitted.meaning.intercept_]}",
        "# Weights of each label's dimensions, times 100.",
        "meaning = [",
        *(f"    {row.tolist()}," for row in meaning),
        "]",
    ]


def _judge(
    name: str,
    fitted: _Fitted,
    told: Sequence[Phrasing],
    vectors: Vectors,
    label: Callable[[Phrasing], str],
) -> float:
    """Print how many labels of unseen phrasings are right; the temperature that fits them best."""
    gold = np.array([label(one) for one in told])
    order = {one: i for i, one in enumerate(fitted.labels)}
    if name == SECTION:
        first = np.array([(*asked_sections(one.text), "")[0] for one in told])
        console.print(
            f"{name}: keywords alone {_right(first == gold, told)}, silent {np.mean(first == ''):.2f}"
        )
    for use in ("letters", "meaning", "both"):
        logs = fitted.logs(told, vectors, use=use)
        found = np.array(fitted.labels)[logs.argmax(1)]
        console.print(f"{name}: {use} {_right(found == gold, told)}")
    rows = np.array([order[one] for one in gold])
    losses = []
    for temperature in _TEMPERATURES:
        scaled = logs / temperature
        scaled -= np.log(np.exp(scaled).sum(1, keepdims=True))
        losses.append(-scaled[np.arange(len(rows)), rows].mean())
    best = float(_TEMPERATURES[int(np.argmin(losses))])
    shares = np.exp(logs / best)
    shares /= shares.sum(1, keepdims=True)
    for least in (0.3, 0.4, 0.5, 0.6, 0.7):
        sure = shares.max(1) >= least
        console.print(
            f"{name}: from {least} on {sure.mean():.2f} told, {np.mean((found == gold)[sure]):.3f} right"
        )
    if name == SECTION:
        for weight in (2.0, 4.0, 6.0, 10.0, 20.0):
            weighed = shares.copy()
            for i, one in enumerate(told):
                for code in asked_sections(one.text):
                    weighed[i, order[code]] *= weight
            weighed /= weighed.sum(1, keepdims=True)
            both = np.array(fitted.labels)[weighed.argmax(1)] == gold
            sure = weighed.max(1) >= 0.5
            console.print(
                f"{name}: with keywords times {weight} {_right(both, told)}; from .5 on "
                f"{sure.mean():.2f} told, {both[sure].mean():.3f} right"
            )
    return best


def _right(right: Vectors, told: Sequence[Phrasing]) -> str:
    parts = [f"{np.mean(right):.3f}"]
    for code in ("en", "de", "nl"):
        own = [i for i, one in enumerate(told) if one.code == code]
        parts.append(f"{code} {np.mean(right[own]):.3f}")
    return " ".join(parts)


if __name__ == "__main__":
    app()
