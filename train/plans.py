"""Fits what tells the kind of a question to the graph, and which words narrow it: core/questions/closest.

``make train-plans`` fine-tunes the bundled model to the phrasings of bench/plans that may be looked at, in
English, German and Dutch, with questions to leaflets as what no graph answers, and writes
core/encoders/int8/questions-1.onnx, whose hash is then pinned in core/encoders/fine_tuned.py, and
kinds.toml and vouching.toml beside core/questions/closest/kinds.py. With
``ARGS="--held-out judge-fifth,judge_de --to FOLDER"`` these files are left out; what was fitted is asked of
them, and written to that folder alone.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console

from core.domain.vectors import TokenVectors
from core.encoders.factory import make_encoder
from core.encoders.fine_tuned import QUESTIONS, FineTuned
from core.encoders.sentence_transformer import BUNDLED
from core.graph.importing.importer import import_graph
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.questions.closest.kinds import LEAST, NONE, Kinds, masks, slots_of
from core.questions.closest.kinds import masked as masked_question
from core.questions.closest.vouching import MOST, SCALE, Vouching
from core.questions.leaflets.reader import LeafletReader
from core.questions.planning import Planner
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from train.phrasings import (
    LOOKED_AT,
    ROOT,
    Example,
    example,
    label_questions,
    leaflet_examples,
    read_phrasings,
    with_spans,
)
from train.question_model import Fitting, Heads

_MADE = ROOT / "core" / "questions" / "closest"
_GRAPH = ROOT.parent / "shared" / "data" / "graph" / "hetionet"
_ROUNDS = 3
_OF_GRAPHS_TOO = ("indications", "adverse_reactions")  # sections
_ASKED = 0.3  # probability that a section is asked for
console = Console(width=120)


def main(
    held_out: Annotated[
        str, typer.Option(help="Files of bench/plans that are left out and asked.")
    ] = "",
    to: Annotated[
        Path | None, typer.Option(help="Folder for what was fitted; without it the product's own.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Over all examples.")] = _ROUNDS,
) -> None:
    """Fit and write; print what is told of files that were left out."""
    left = [one for one in held_out.split(",") if one]
    if left and to is None:
        raise typer.BadParameter(
            "what is fitted without some files goes to a folder of its own: --to"
        )
    read = [one for half in LOOKED_AT if half not in left for one in read_phrasings(half)]
    given = [example(one) for one in read] + leaflet_examples() + of_labels()
    more = [example(one) for one in with_spans(read)]
    console.print(f"{len(given):,} questions, {len(more):,} with something put into them")
    fitting = Fitting(given, more)
    heads = fitting.fit(rounds)
    model = (to or QUESTIONS.parent) / QUESTIONS.name
    fitting.write(model)
    folder = to or _MADE
    (folder / "kinds.toml").write_text(_kinds_table(heads, len(given)), "utf-8")
    (folder / "vouching.toml").write_text(_narrowing_table(heads, len(given) + len(more)), "utf-8")
    console.print(f"sha256 {hashlib.sha256(model.read_bytes()).hexdigest()}  {model.name}")
    for half in left:
        _print(half, model, heads)


def of_labels() -> list[Example]:
    """Questions to labels and leaflets that no graph answers, with the names that a graph of real medicines
    knows masked; those that the lexicon reads as questions to it are left out."""
    if not _GRAPH.is_dir():
        raise SystemExit(f"{_GRAPH} is not there: it knows the names in train/questions")
    found = []
    with (
        tempfile.TemporaryDirectory(prefix="materia-train-") as folder,
        closing(Database(Path(folder) / "materia.db")) as database,
    ):
        store = SqliteGraph(database, Path(folder) / "graph")
        import_graph(_GRAPH, store)
        graph = KnowledgeGraph(store)
        names = EntityNames(graph)
        planner = Planner(graph, names)
        encoder = make_encoder(BUNDLED, ROOT / "build" / "models")
        leaflets = LeafletReader(names.named_in, encoder.encode)
        for question in label_questions():
            read = planner.read(question)
            told = read is not None and (read.plan.complete or read.offer is not None)
            sections = leaflets.wanted(question).sections
            if told or any(sections.get(one, 0.0) >= _ASKED for one in _OF_GRAPHS_TOO):
                continue
            for text, slots in masked_question(question, planner.items(question)):
                found.append(Example(text, NONE, slots, None))
    return found


def _kinds_table(heads: Heads, count: int) -> str:
    lines = [
        f"# Made by make train-plans from {count:,} questions of bench/plans and train/questions (English,",
        "# German, Dutch): a multinomial logistic regression over the vectors of",
        "# core/encoders/int8/questions-1.onnx, fine-tuned with it.",
        "# Figures and limits: docs/decisions/question_plans.md.",
        "",
        f"labels = {list(heads.labels)}",
        f"base = {[round(float(one), 3) for one in heads.kind_base]}",
        f"# Weights of each label's dimensions, times {SCALE}.",
        "weights = [",
        *(f"    {row.tolist()}," for row in np.rint(heads.kinds.T * SCALE).astype(int)),
        "]",
    ]
    return "\n".join(lines) + "\n"


def _narrowing_table(heads: Heads, count: int) -> str:
    lines = [
        f"# Made by make train-plans from {count:,} questions: a logistic regression over each token's",
        "# vector and the question's, by core/encoders/int8/questions-1.onnx, fine-tuned with it.",
        "# Figures and limits: docs/decisions/question_plans.md.",
        "",
        f"base = {heads.narrow_base:.3f}",
        f"# Of the token's dimensions, then of the question's, times {SCALE}.",
        f"weights = {np.rint(heads.narrows * SCALE).astype(int).tolist()}",
    ]
    return "\n".join(lines) + "\n"


def _print(half: str, model: Path, heads: Heads) -> None:
    """Of the questions of a file by what was fitted without it: the share for which the right kind is told, and
    how often another kind, or one that something narrows, would be answered."""
    asked = [(example(one), one) for one in read_phrasings(half)]
    read = FineTuned(model).read([one.text for one, _ in asked])
    kinds = Kinds(heads.labels, tuple(map(slots_of, heads.labels)), heads.kinds, heads.kind_base)
    vouching = Vouching(heads.narrows, heads.narrow_base)
    right = wrong = narrowed = plain = 0
    for (one, _), vectors in zip(asked, read, strict=True):
        kind, share = kinds.likeliest(vectors.vector, one.slots)
        told = share >= LEAST and kind != NONE and _narrowing(vouching, vectors, one.text) <= MOST
        if one.spans or one.spans is None:
            narrowed += told
        else:
            plain += 1
            right += told and kind == one.kind
            wrong += told and kind != one.kind
    console.print(
        f"{half}: right {right / plain:.3f} of {plain}, another kind {wrong}, "
        f"not to be answered and answered {narrowed} of {len(asked) - plain}"
    )


def _narrowing(vouching: Vouching, read: TokenVectors, text: str) -> float:
    """The highest probability of a token outside of names; names are masked."""
    chances = vouching.narrows(read)
    names = [place for words in masks().values() for word in words for place in _places(text, word)]
    outside = [
        float(chance)
        for chance, (start, end) in zip(chances, read.spans, strict=True)
        if not any(start < last and end > first for first, last in names)
    ]
    return max(outside, default=0.0)


def _places(text: str, word: str) -> Sequence[tuple[int, int]]:
    start = text.find(word)
    return [(start, start + len(word))] if start >= 0 else []


if __name__ == "__main__":
    typer.run(main)
