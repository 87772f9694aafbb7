"""Bulk ingestion on Ray: ``make bench-ray``, in the environment that `make ray` makes.

A cluster of this machine alone, with one and with two workers, and the same files without Ray.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bench.children import memory_mb
from bench.inputs import ROOT, environment, find_pdfs
from tests.support.scale.ray_cluster import RayCluster, ray_cluster

console = Console(width=110)


@dataclass(frozen=True, slots=True)
class _Run:
    """What one ingestion took.

    Attributes:
        seconds: from the first file that was ready to the last one.
        start: from the start of the command to the first file that was ready.
        pages: of all files but the first.
        work: seconds of processor time of the command, without the workers'.
        worked: the workers' in `seconds`, without their start.
    """

    seconds: float
    start: float
    pages: int
    work: float
    worked: float


def main(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="PDFs or folders; else the real ones, or the sample."),
    ] = None,
    most: Annotated[int, typer.Option(min=2, help="Files that are taken.")] = 40,
) -> None:
    """Print pages a second without Ray and with one and two workers."""
    found, notes = find_pdfs(files or ())
    for note in notes:
        console.print(note, markup=False)
    table = Table(title=f"{len(found[:most])} files; between the first file ready and the last")
    for name in ("", "pages/s", "pages a processor s", "until the first", "of the command", "MB"):
        table.add_column(name, justify="right" if name else "left")
    with tempfile.TemporaryDirectory(prefix="ray-") as temporary:
        for workers in (0, 1, 2):
            folder = Path(temporary) / str(workers)
            folder.mkdir()
            with _cluster(folder, workers) as cluster:
                run = _ingest(folder, cluster, list(map(str, found[:most])))
                memory = f"{memory_mb(cluster.pid):,.0f}" if cluster else ""
            table.add_row(
                f"{workers} worker{'s' * (workers > 1)}" if workers else "without Ray",
                f"{run.pages / run.seconds:.1f}",
                f"{run.pages / run.worked:.1f}" if run.worked else "",
                f"{run.start:.0f} s",
                f"{run.work:.0f} s",
                memory,
            )
    console.print(table)


@contextmanager
def _cluster(folder: Path, workers: int) -> Iterator[RayCluster | None]:
    if not workers:
        yield None
        return
    with ray_cluster(Path(sys.executable), folder, workers) as running:
        yield running


def _ingest(folder: Path, cluster: RayCluster | None, files: Sequence[str]) -> _Run:
    settings = environment(
        MATERIA_DATA_DIR=str(folder / "data"), MATERIA_SAMPLE="false", PYTHONPATH=str(ROOT)
    )
    command = [sys.executable, "-m", "core", "ingest", "--json", "--on-conflict", "keep-both"]
    command += ["--ray", cluster.address] if cluster else []
    before, began = _children_seconds(), time.perf_counter()
    process = subprocess.Popen(
        [*command, *files], cwd=ROOT, env=settings, stdout=subprocess.PIPE, text=True
    )
    ready: list[tuple[float, int, float]] = []
    for line in process.stdout or ():
        told = json.loads(line)
        if told["state"] == "ready":
            worked = cluster.worked() if cluster else 0.0
            ready.append((time.perf_counter(), told["pages"], worked))
    process.wait()
    if len(ready) < 2:
        raise typer.Exit(1)
    (first, _, worked_before), (last, _, worked) = ready[0], ready[-1]
    return _Run(
        seconds=last - first,
        start=first - began,
        pages=sum(pages for _, pages, _ in ready[1:]),
        work=_children_seconds() - before,
        worked=worked - worked_before,
    )


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    typer.run(main)
