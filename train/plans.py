"""Fits the kind of question that one to the graph is most like, see core/questions/closest.

``make train-plans`` fits to the phrasings of bench/plans that may be looked at, with those to leaflets and
those that no graph answers as one kind, and writes core/questions/closest/kinds.toml; and train/vouching.py
to what narrows. With ``ARGS=--held-out`` it writes nothing, and prints for each half of another author how
often the right kind and another would be told by what was fitted without it. Some minutes; no chance is
involved.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple, cast

import numpy as np
import typer
from rich.console import Console
from sklearn.linear_model import LogisticRegression

from core.domain.encoder import TokenEncoder
from core.domain.vectors import Vectors
from core.encoders.factory import make_encoder
from core.encoders.sentence_transformer import BUNDLED
from core.questions.closest.kinds import (
    LEAST,
    NONE,
    SLOT,
    TURNED,
    Kinds,
    kinds,
    masks,
    slots_of,
)
from core.questions.leaflets.phrasings import phrasings
from train.vouching import NARROWED, fit, plain

_ROOT = Path(__file__).parents[1]
_PLANS = _ROOT / "bench" / "plans"
_MADE = _ROOT / "core" / "questions" / "closest" / "kinds.toml"
_TUNING = ("tune", "tune-more")
_LOOKED_AT = ("judge", "judge-first", "judge-varied", "judge-third", "judge-fourth", "judge-fifth")
_OTHERS = "other-kinds"
_NARROWED = "narrowed"  # a section
_OF_GRAPHS_TOO = (
    "",
    "indications",
    "adverse_reactions",
)  # sections whose questions a graph answers
_UNORDERED = ("both", "either", "neither", "compare", "shared")
_C = 180.0
_ROUNDS = 250
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
            found += [_masked(shape % plain(line), kind) for line in lines]
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
        kind += TURNED
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


def main(
    held_out: Annotated[
        bool, typer.Option(help="Print figures of each half by what is fitted without it.")
    ] = False,
) -> None:
    """Fit and write, or print what is told of halves that were left out."""
    encoder = cast(TokenEncoder, make_encoder(BUNDLED, _ROOT / "build" / "models"))
    if held_out:
        for half in _LOOKED_AT:
            rest = [one for one in _LOOKED_AT if one != half]
            asked = examples(half)
            _print(half, asked, encoder.encode([one.text for one in asked]), _fit(encoder, rest)[0])
        return
    console.print(f"{fit(encoder, (*_TUNING, *_LOOKED_AT)):,} words that may narrow")
    found, count = _fit(encoder, _LOOKED_AT)
    lines = [
        "# Made by make train-plans from the English files of bench/plans, without judge-sixth.toml, and from",
        f"# core/questions/leaflets/phrasings.toml: {count:,} English questions, by a logistic regression",
        f"# (C = {_C:.0f}) over embeddings of {Path(BUNDLED).name}. English only.",
        "# Figures and limits: docs/decisions/question_plans.md.",
        "",
        f"labels = {list(found.labels)}",
        f"base = {[round(float(one), 3) for one in found.base]}",
        "# Weights of each label's dimensions, times 100.",
        "weights = [",
        *(f"    {row.tolist()}," for row in np.rint(found.weights.T * 100).astype(int)),
        "]",
    ]
    _MADE.write_text("\n".join(lines) + "\n", "utf-8")
    kinds.cache_clear()


def _fit(encoder: TokenEncoder, halves: Sequence[str]) -> tuple[Kinds, int]:
    """The kinds fitted to halves beside those for tuning, and to how many questions."""
    files = (*_TUNING, *NARROWED, _OTHERS, *halves)
    given = [one for half in files for one in examples(half)] + of_leaflets()
    fitted = LogisticRegression(C=_C, max_iter=_ROUNDS).fit(
        encoder.encode([one.text for one in given]), [one.kind for one in given]
    )
    labels = tuple(str(one) for one in fitted.classes_)
    weights, base = fitted.coef_.T, fitted.intercept_
    return Kinds(labels, tuple(map(slots_of, labels)), weights, base), len(given)


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
