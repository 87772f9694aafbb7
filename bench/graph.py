"""The graph at its real sizes, in both stores: ``make bench-graph``."""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich import box
from rich.console import Console
from rich.table import Table

from bench.children import run_child
from bench.inputs import ROOT
from bench.neo4j import is_there, neo4j_server
from bench.primekg_like import write_graph

_SHARED = ROOT.parent / "shared" / "data" / "graph"
_REAL = ("hetionet", "primekg_ibd")
_PRIMEKG = "primekg-like"
_PARTS = ("import", "ask", "vectors")
# What the product promises, in milliseconds at the 95th percentile, by how the row begins.
_TARGETS = {"expansion": 50, "paths": 300, "search": 100, "vector search": 50}
_IMPORT_TARGETS = {"hetionet": 30, _PRIMEKG: 600}  # seconds, into SQLite
_LINKER_TARGET = 2.0  # MB of text a second
_MEMORY_TARGET = 2_000  # MB
console = Console(width=120)

Figures = dict[str, Any]


def main(
    parts: Annotated[str, typer.Option(help="Of import, ask, vectors; joined with commas.")] = "",
    graphs: Annotated[str, typer.Option(help="Of hetionet, primekg_ibd, primekg-like.")] = "",
    neo4j: Annotated[bool, typer.Option(help="Also in Neo4j, from ../shared/neo4j.")] = False,
    share: Annotated[float, typer.Option(min=0.01, max=1.0, help="Of PrimeKG's size.")] = 1.0,
    rounds: Annotated[int, typer.Option(min=20, help="Calls of each kind.")] = 200,
    primekg: Annotated[Path | None, typer.Option(help="A folder with PrimeKG's own files.")] = None,
) -> None:
    """Import graphs, then expand, find paths, search and link; compare the stores in one run."""
    if neo4j and not is_there():
        raise SystemExit("There is no Neo4j to start in ../shared/neo4j.")
    asked = parts.split(",") if parts else list(_PARTS)
    chosen = graphs.split(",") if graphs else [*_REAL, _PRIMEKG]
    with tempfile.TemporaryDirectory(prefix="materia-bench-") as name:
        folder = Path(name)
        imports: dict[tuple[str, str], Figures] = {}
        answers: dict[tuple[str, str], Figures] = {}
        for graph in chosen if {"import", "ask"} & set(asked) else ():
            source = _source(graph, folder, share, primekg)
            if source is None:
                console.print(f"{graph} is not here: left out")
                continue
            for store in ("SQLite", "Neo4j") if neo4j else ("SQLite",):
                _measure(graph, source, store, folder, "ask" in asked, rounds, imports, answers)
            console.print(f"{graph}: done", highlight=False)
        if imports:
            _print_imports(imports)
        for graph in dict.fromkeys(graph for graph, _ in answers):
            _print_calls(graph, {s: f for (g, s), f in answers.items() if g == graph})
        if "vectors" in asked:
            _print_calls("entity vectors", _measure_vectors(folder, neo4j, rounds))


def _source(graph: str, folder: Path, share: float, primekg: Path | None) -> Path | None:
    if graph != _PRIMEKG:
        return _SHARED / graph if (_SHARED / graph).is_dir() else None
    if primekg is not None:
        return primekg
    made = folder / "primekg"
    write_graph(made, share=share)
    return made


def _measure(
    graph: str,
    source: Path,
    store: str,
    folder: Path,
    ask: bool,
    rounds: int,
    imports: dict[tuple[str, str], Figures],
    answers: dict[tuple[str, str], Figures],
) -> None:
    """Import a graph into an empty store and ask it, each in a process of its own."""
    data = folder / f"{graph}-{store}"
    with ExitStack() as stack:
        job: Figures = {"data": str(data / "data"), "graph": str(source), "rounds": rounds}
        if store == "Neo4j":
            job["neo4j"] = stack.enter_context(neo4j_server(data / "server"))
        imports[graph, store] = _child({**job, "task": "import"}, data)
        if store == "Neo4j":
            imports[graph, store]["stored_mb"] = _size_mb(data / "server")
        if ask:
            answers[graph, store] = _child({**job, "task": "ask"}, data)
    shutil.rmtree(data)


def _measure_vectors(folder: Path, neo4j: bool, rounds: int) -> dict[str, Figures]:
    found = {}
    graphs = [str(_SHARED / name) for name in _REAL if (_SHARED / name).is_dir()]
    job = {"task": "vectors", "data": str(folder / "vectors"), "rounds": rounds, "graphs": graphs}
    found["Chroma"] = _child(job, folder / "chroma")
    if neo4j:
        with neo4j_server(folder / "server") as server:
            found["Neo4j"] = _child({**job, "neo4j": server}, folder / "neo4j")
    return found


def _child(job: Figures, folder: Path) -> Figures:
    return run_child(Path(sys.executable), "bench.run_graph", job, folder / "run").report


def _size_mb(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def _print_imports(imports: dict[tuple[str, str], Figures]) -> None:
    table = Table(title="Import, seconds and MB", box=box.SIMPLE_HEAD)
    table.add_column("")
    for title in ("entities", "relationships", "seconds", "reading", "ranking", "storing"):
        table.add_column(title, justify="right")
    for title in ("peak memory", "on disk", "target"):
        table.add_column(title, justify="right")
    for (graph, store), figures in imports.items():
        stages = figures["stages"]
        reading = sum(value for words, value in stages.items() if words.startswith("reading"))
        limit = _IMPORT_TARGETS.get(graph) if store == "SQLite" else None
        met = figures["own_peak_mb"] < _MEMORY_TARGET and figures["seconds"] < (limit or np.inf)
        table.add_row(
            f"{graph}, {store}",
            f"{figures['entities']:,}",
            f"{figures['relationships']:,}",
            *(f"{one:,.1f}" for one in (figures["seconds"], reading)),
            *(f"{stages.get(words, 0):,.1f}" for words in ("ranking", "storing")),
            f"{figures['own_peak_mb']:,.0f}",
            f"{figures['stored_mb']:,.0f}",
            f"{limit} s {'met' if met else 'missed'}" if limit else "",
        )
    console.print(table)


def _print_calls(title: str, stores: dict[str, Figures]) -> None:
    """p50 and p95 of each kind of call, a pair of columns for each store, and their ratio."""
    table = Table(title=f"{title}, milliseconds", box=box.SIMPLE_HEAD)
    table.add_column("")
    for store in stores:
        table.add_column(f"{store} p50", justify="right")
        table.add_column("p95", justify="right")
    if len(stores) > 1:
        table.add_column("ratio of p95", justify="right")
    table.add_column("target", justify="right")
    first = next(iter(stores.values()))
    for kind in first["calls"]:
        shown = [np.percentile(figures["calls"][kind], (50, 95)) for figures in stores.values()]
        limit = next(limit for words, limit in _TARGETS.items() if kind.startswith(words))
        met = all(p95 < limit for _, p95 in shown)
        ratio = [f"{shown[1][1] / shown[0][1]:.1f}"] if len(shown) > 1 else []
        cells = [f"{value:,.1f}" for pair in shown for value in pair]
        table.add_row(kind, *cells, *ratio, f"{limit} {'met' if met else 'missed'}")
    console.print(table)
    for store, figures in stores.items():
        console.print(f"{store}: {_in_words(figures)}", highlight=False)


def _in_words(figures: Figures) -> str:
    if "linker" not in figures:
        return (
            f"written in {figures['write_seconds']:.1f} s, recall@10 {figures['recall']:.3f}, "
            f"{figures['own_peak_mb']:,.0f} MB"
        )
    linker = figures["linker"]
    met = "met" if linker["mb_per_second"] >= _LINKER_TARGET else "missed"
    return (
        f"connections loaded in {figures['load_ms']:,.0f} ms; largest hub "
        f"{figures['largest_hub']:,} relationships; linker built in {linker['build_seconds']:.1f} s, "
        f"{linker['mb_per_second']:.1f} MB/s ({_LINKER_TARGET:.0f} {met}), "
        f"{linker['mentions']:,} mentions; {figures['own_peak_mb']:,.0f} MB"
    )


if __name__ == "__main__":
    typer.run(main)
