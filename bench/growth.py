"""How search, loading and deletion grow with the library: ``make bench-growth``."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import quantiles
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from bench.children import Ended, run_child
from bench.inputs import ROOT

_COLLECTION = ROOT.parent / "shared/data/retrieval/bioasq7to11b_snippets"
_PYTHON = ROOT / ".venv/bin/python"
_SEARCHES = ("full text", "vectors", "hybrid")
console = Console(width=130)


def main(
    collection: Annotated[Path, typer.Argument(help="A BEIR folder.")] = _COLLECTION,
    sizes: Annotated[str, typer.Option(help="Passages, joined with commas.")] = "13000,130000",
    questions: Annotated[int, typer.Option(min=10, help="That are asked of each size.")] = 200,
    cpu: Annotated[
        bool, typer.Option(help="Count the processor time of the process, where others use it too.")
    ] = False,
    keep: Annotated[
        Path | None, typer.Option(help="Keep the filled libraries here, and use those in it.")
    ] = None,
) -> None:
    """Fill libraries with the collection's sentences, recombined, and print what each size costs."""
    kind = "milliseconds that the process worked" if cpu else "ms"
    table = Table(title=f"Search without the embedding of the question: p50 / p95, {kind}")
    columns = (*_SEARCHES, "delete s (max)", "open s", "passages/s", "disk MB", "peak MB")
    for name in ("passages", *columns):
        table.add_column(name, justify="right")
    with tempfile.TemporaryDirectory(prefix="materia-growth-") as temporary:
        for size in sizes.split(","):
            folder = (keep or Path(temporary)).resolve() / size
            job = {
                "folder": str(folder),
                "passages": int(size),
                "collection": str(collection.resolve()),
                "questions": questions,
            }
            table.add_row(*_row(run_child(_PYTHON, "bench.run_growth", job, folder), int(cpu)))
    console.print(table)


def _row(ended: Ended, kind: int) -> list[str]:
    report: dict[str, Any] = ended.report
    shown = [f"{report['passages']:,}"]
    for name in _SEARCHES:
        times = [one[kind] for one in report["steps"][name]]
        cuts = quantiles(times, n=20, method="inclusive")
        shown.append(f"{cuts[9]:.1f} / {cuts[18]:.1f}")
    deletions = sorted(one[kind] for one in report["steps"]["delete a document"])
    shown.append(f"{deletions[len(deletions) // 2] / 1000:.2f} ({deletions[-1] / 1000:.2f})")
    loaded = f"{report['loaded'][kind]:,.0f}" if report["loaded"][kind] else "kept"
    return [
        *shown,
        f"{report['opening'][0][kind] / 1000:.2f}",
        loaded,
        f"{report['disk_mb']:,.0f}",
        f"{ended.peak_mb:,.0f}",
    ]


if __name__ == "__main__":
    typer.run(main)
