"""Fits the kind of question that one to the graph is most like, see core/questions/closest.

``make train-plans`` fits to the phrasings of bench/plans that are for tuning, with those to leaflets and those
that no graph answers as one kind, prints its figures on the halves that are for judging, and writes
core/questions/closest/kinds.toml; and train/vouching.py to what narrows. Two minutes; no chance is involved.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
import typer
from rich.console import Console
from sklearn.linear_model import LogisticRegression

from core.domain.encoder import TokenEncoder
from core.domain.vectors import Vectors
from core.encoders.factory import make_encoder
from core.encoders.sentence_transformer import BUNDLED
from core.questions.closest.kinds import LEAST, NONE, SLOT, Kinds, kinds, masks
from core.questions.leaflets.phrasings import phrasings
from train.vouching import fit

_ROOT = Path(__file__).parents[1]
_PLANS = _ROOT / "bench" / "plans"
_MADE = _ROOT / "core" / "questions" / "closest" / "kinds.toml"
_TUNING = ("tune", "tune-more")
_NARROWED = "narrowed"
_JUDGING = ("judge", "judge-first", "judge-varied", "judge-third")
_OF_GRAPHS_TOO = (
    "",
    "indications",
    "adverse_reactions",
)  # sections whose questions a graph answers
_UNORDERED = ("both", "either", "neither", "compare", "shared")
_C = 180.0
console = Console()


class Example(NamedTuple):
    """A question with its names masked, its kind, and the slots of its names, sorted."""

    text: str
    kind: str
    slots: tuple[str, ...]


def examples(half: str) -> list[Example]:
    """The phrasings of one half."""
    found = []
    for section, cells in tomllib.loads((_PLANS / f"{half}.toml").read_text("utf-8")).items():
        if section == _NARROWED:
            continue  # what it narrows may still be offered
        for cell, lines in cells.items():
            kind = NONE if section in ("foreign", "narrower") else cell
            # A narrower name stands alone: drugs that treat it are asked for.
            shape = "Which drugs treat %s?" if section == "narrower" else "%s"
            found += [_masked(shape % line, kind) for line in lines]
    return found


def _masked(line: str, kind: str) -> Example:
    """A phrasing with the first of two names of one type masked as the first, whatever its slot."""
    said = SLOT.findall(line)
    plain = [one.rstrip("0123456789") for one in said]
    place = iter(range(len(said)))

    def mask(_match: re.Match[str]) -> str:
        here = next(place)
        return masks()[plain[here]][plain[here] in plain[:here]]

    turned = any(
        one != of and of not in said[:n]
        for n, (one, of) in enumerate(zip(said, plain, strict=True))
    )
    if turned and not any(word in kind for word in (*_UNORDERED, NONE)):
        kind += "_turned"
    return Example(SLOT.sub(mask, line), kind, tuple(sorted(said)))


def of_leaflets() -> list[Example]:
    """English questions to leaflets that no graph answers."""
    return [
        Example(
            one.text.replace("the medicine", masks()["drug"][0]).replace(
                "another medicine", masks()["drug"][1]
            ),
            NONE,
            (),
        )
        for one in phrasings()
        if one.code == "en" and one.section not in _OF_GRAPHS_TOO
    ]


def main() -> None:
    """Fit, write, and print the figures of what was written."""
    encoder = cast(TokenEncoder, make_encoder(BUNDLED, _ROOT / "build" / "models"))
    encode = encoder.encode
    console.print(f"{fit(encoder, _TUNING):,} words that may narrow")
    given = [one for half in (*_TUNING, _NARROWED) for one in examples(half)] + of_leaflets()
    fitted = LogisticRegression(C=_C, max_iter=600).fit(
        encode([one.text for one in given]), [one.kind for one in given]
    )
    weights = np.rint(fitted.coef_ * 100).astype(int)
    lines = [
        "# Made by make train-plans from bench/plans/tune.toml, tune-more.toml, narrowed.toml and the English",
        f"# core/questions/leaflets/phrasings.toml: {len(given):,} questions, by a logistic regression",
        f"# (C = {_C:.0f}) over embeddings of {Path(BUNDLED).name}. English only. Figures and limits:",
        "# docs/decisions/question_plans.md.",
        "",
        f"labels = {[str(one) for one in fitted.classes_]}",
        f"base = {[round(float(one), 3) for one in fitted.intercept_]}",
        "# Weights of each label's dimensions, times 100.",
        "weights = [",
        *(f"    {row.tolist()}," for row in weights),
        "]",
    ]
    _MADE.write_text("\n".join(lines) + "\n", "utf-8")
    kinds.cache_clear()
    for half in _JUDGING:
        if (_PLANS / f"{half}.toml").exists():
            asked = examples(half)
            _print(half, asked, encode([one.text for one in asked]), kinds())


def _print(half: str, asked: Sequence[Example], vectors: Vectors, model: Kinds) -> None:
    """The shares, of questions that have names, for which the right kind and another would be offered."""
    right = wrong = of_graph = 0
    named = [(one, vector) for one, vector in zip(asked, vectors, strict=True) if one.slots]
    for one, vector in named:
        kind, share = model.likeliest(vector, one.slots)
        of_graph += one.kind != NONE
        if share >= LEAST and kind != NONE:
            right += kind == one.kind
            wrong += kind != one.kind
    console.print(
        f"{half}: right {right / of_graph:.3f} of {of_graph}, wrong {wrong} of {len(named)}"
    )


if __name__ == "__main__":
    typer.run(main)
