"""Retrieval quality and speed on every collection here: ``make bench-search``."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, quantiles
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from bench.children import run_child
from bench.inputs import ROOT
from bench.quality import (
    NDCG,
    RECALL,
    RECIPROCAL_RANK,
    Collection,
    in_order,
    load_collection,
    mean_of,
)

_COLLECTIONS = ROOT.parent / "shared" / "data" / "retrieval"
_PYTHON = ROOT / ".venv/bin/python"
_BM25, _DENSE, _HYBRID, _RERANKED = "BM25", "dense", "hybrid", "hybrid, reranked"
_MODES = {"lexical": _BM25, "semantic": _DENSE, "hybrid": _HYBRID}
_NO_RERANKER = "no reranker: name one with --reranker or MATERIA_RERANKER"
_FIRST = 10  # documents that count for the reciprocal rank
_GAIN_TARGET = 0.05  # nDCG@10 of hybrid above the better of BM25 and dense, mean of the collections
_SPEED_TARGET = 60.0  # ms at the 95th percentile
_SPEED_PASSAGES = 13_000
console = Console(width=110)

Scores = dict[str, float]
Row = tuple[str, str]  # what ranks, and its encoder


def main(
    folder: Annotated[Path, typer.Argument(help="Folder of BEIR folders.")] = _COLLECTIONS,
    only: Annotated[str, typer.Option(help="Names of collections, joined with commas.")] = "",
    encoders: Annotated[str, typer.Option(help="Of int8, fp32; joined with commas.")] = "int8,fp32",
    reranker: Annotated[
        str, typer.Option(envvar="MATERIA_RERANKER", help="Cross-encoder, name or folder.")
    ] = "",
    queries: Annotated[int, typer.Option(min=0, help="So many of each; 0: all.")] = 0,
    docs: Annotated[int, typer.Option(min=0, help="So many of each; 0: all.")] = 0,
    speed: Annotated[bool, typer.Option(help="Time the steps on the largest collection.")] = True,
    keep: Annotated[
        Path | None, typer.Option(help="Keep the filled libraries here, and use those in it.")
    ] = None,
) -> None:
    """Ask every collection in every mode; print a table of each, and the mean over all."""
    names = only.split(",") if only else []
    sources = [
        path.parent
        for path in sorted(folder.glob("*/corpus.jsonl"))
        if not names or path.parent.name in names
    ]
    if not sources:
        raise SystemExit(f"There is no collection in {folder}.")
    collections = {source.name: load_collection(source, queries, docs) for source in sources}
    with tempfile.TemporaryDirectory(prefix="materia-bench-") as temporary:
        place = (keep or Path(temporary)).resolve()
        measured: list[dict[Row, Scores]] = []
        for name, collection in collections.items():
            scores: dict[Row, Scores] = {}
            for encoder in encoders.split(","):
                scores |= _measure(collection, encoder, reranker, place / f"{name}-{encoder}")
            measured.append(scores)
            title = f"{name}: {len(collection.queries):,} queries, {len(collection.texts):,} texts"
            console.print(_table(title, scores))
        if len(measured) > 1:
            mean = _mean(measured)
            console.print(_table(f"Mean over {len(measured)} collections", mean))
            _judge(mean)
        if speed:
            largest = max(collections, key=lambda name: len(collections[name].texts))
            _print_speed(largest, collections[largest], place / f"{largest}-int8")


def _job(collection: Collection, encoder: str, reranker: str, folder: Path) -> dict[str, Any]:
    return {
        "folder": str(folder / "data"),
        "texts": collection.texts,
        "queries": collection.queries,
        "fp32": encoder == "fp32",
        "reranker": reranker,
    }


def _measure(
    collection: Collection, encoder: str, reranker: str, folder: Path
) -> dict[Row, Scores]:
    """The rows of one encoder; full text and reranker are measured with int8 alone."""
    modes = [mode for mode in _MODES if encoder == "int8" or mode != "lexical"]
    asked = {**_job(collection, encoder, "", folder), "task": "retrieve", "modes": modes}
    report = run_child(_PYTHON, "bench.run_search", asked, folder).report
    rows = {
        (_MODES[mode], "" if mode == "lexical" else encoder): _scores(found, collection.relevant)
        for mode, found in report["modes"].items()
    }
    if reranker and encoder == "int8":
        asked |= {"reranker": reranker, "modes": ["hybrid"]}
        again = run_child(_PYTHON, "bench.run_search", asked, folder).report
        rows[_RERANKED, encoder] = _scores(again["modes"]["hybrid"], collection.relevant)
    return rows


def _scores(found: Mapping[str, Any], relevant: Mapping[str, Mapping[str, int]]) -> Scores:
    first = {query_id: documents[:_FIRST] for query_id, documents in found["found"].items()}
    p50, p95 = _percentiles(found["ms"])
    return {
        "nDCG@10": mean_of(NDCG, in_order(found["found"]), relevant),
        "recall@100": mean_of(RECALL, in_order(found["deep"]), relevant),
        "MRR@10": mean_of(RECIPROCAL_RANK, in_order(first), relevant),
        "p50 ms": p50,
        "p95 ms": p95,
    }


def _percentiles(values: Sequence[float]) -> tuple[float, float]:
    """The 50th and the 95th percentile of at least two values."""
    cuts = quantiles(values, n=20, method="inclusive")
    return cuts[9], cuts[18]


def _mean(measured: Sequence[Mapping[Row, Scores]]) -> dict[Row, Scores]:
    return {
        row: {name: fmean(scores[row][name] for scores in measured) for name in measured[0][row]}
        for row in measured[0]
    }


def _table(title: str, scores: Mapping[Row, Scores]) -> Table:
    table = Table(title=title)
    table.add_column("")
    table.add_column("encoder")
    for name in next(iter(scores.values())):
        table.add_column(name, justify="right")
    for (what, encoder), row in scores.items():
        shown = [
            f"{value:.1f}" if name.endswith("ms") else f"{value:.3f}" for name, value in row.items()
        ]
        table.add_row(what, encoder, *shown)
    if not any(what == _RERANKED for what, _ in scores):
        table.add_row(_RERANKED, "", *["–"] * len(next(iter(scores.values()))))
        table.caption = f"{_RERANKED}: {_NO_RERANKER}"
    return table


def _judge(mean: Mapping[Row, Scores]) -> None:
    """Say for every encoder how far hybrid is above the better of BM25 and dense."""
    for encoder in [encoder for what, encoder in mean if what == _HYBRID]:
        single = [
            scores["nDCG@10"]
            for (what, other), scores in mean.items()
            if what == _BM25 or (what, other) == (_DENSE, encoder)
        ]
        gain = mean[_HYBRID, encoder]["nDCG@10"] - max(single)
        console.print(
            f"{encoder}: hybrid is {gain:+.3f} above the better of BM25 and dense "
            f"(target +{_GAIN_TARGET:.2f}: {'met' if gain >= _GAIN_TARGET else 'missed'})",
            highlight=False,
        )


def _print_speed(name: str, collection: Collection, folder: Path) -> None:
    asked = {**_job(collection, "int8", "", folder), "task": "speed"}
    report = run_child(_PYTHON, "bench.run_search", asked, folder).report
    table = Table(
        title=f"Warm, on {name}: {report['chunks']:,} passages and "
        f"a graph of {report['entities']:,} entities"
    )
    table.add_column("")
    for column in ("calls", "p50 ms", "p95 ms"):
        table.add_column(column, justify="right")
    for step, milliseconds in report["steps"].items():
        p50, p95 = _percentiles(milliseconds)
        table.add_row(step, str(len(milliseconds)), f"{p50:.1f}", f"{p95:.1f}")
    console.print(table)
    _, p95 = _percentiles(report["steps"]["retrieve and expand"])
    small = "" if report["chunks"] >= _SPEED_PASSAGES else f", but over {report['chunks']:,}"
    console.print(
        f"retrieve and expand: {p95:.0f} ms at the 95th percentile (target {_SPEED_TARGET:.0f} over "
        f"{_SPEED_PASSAGES:,} passages: {'met' if p95 < _SPEED_TARGET else 'missed'}{small})",
        highlight=False,
    )


if __name__ == "__main__":
    typer.run(main)
