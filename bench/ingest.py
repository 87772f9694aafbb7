"""Ingestion speed and retrieval quality, Materia against the usual pipeline: ``make bench-ingest``.

Each side is a process of its own, in an environment of its own, on the same files and the same model.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import fpdf
import typer
from rich.console import Console
from rich.table import Table

from bench.children import run_child
from bench.inputs import ROOT, find_pdfs
from bench.quality import CHUNKS_PER_QUERY, SCIFACT, load_collection, mean_ndcg

MATERIA = "Materia"
USUAL = "usual pipeline"
SIDES = {
    MATERIA: (ROOT / ".venv/bin/python", "bench.run_materia"),
    USUAL: (ROOT / "bench/.venv/bin/python", "bench.run_usual"),
}
console = Console(width=100)


@dataclass(frozen=True, slots=True)
class Measured:
    """One side of one round; seconds from the first file to the last one's ready, models loaded."""

    pages: int
    chunks: int
    seconds: float
    load_seconds: float
    peak_mb: float
    first_load_seconds: float  # in an empty folder, where Materia makes its copy of the model
    first_peak_mb: float
    problems: dict[str, str]  # file -> why it was not read

    @property
    def pages_per_second(self) -> float:
        return self.pages / self.seconds

    @property
    def chunks_per_second(self) -> float:
        return self.chunks / self.seconds

    @property
    def cold_seconds(self) -> float:
        """From the start of the process."""
        return self.load_seconds + self.seconds


Round = dict[str, Measured]
# Name, attribute, decimals, and whether more is better: the ratio says how many times Materia is
# better (speed) or has more (counts, memory).
_ROWS = (
    ("pages", "pages", 0, True),
    ("chunks", "chunks", 0, True),
    ("seconds, warm", "seconds", 1, False),
    ("pages/s", "pages_per_second", 1, True),
    ("chunks/s", "chunks_per_second", 1, True),
    ("seconds to load and warm", "load_seconds", 1, False),
    ("seconds, cold", "cold_seconds", 1, False),
    ("peak memory, MB", "peak_mb", 0, True),
    ("first start ever: seconds to load", "first_load_seconds", 1, False),
    ("first start ever: peak memory, MB", "first_peak_mb", 0, True),
)


def main(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="PDF files or folders; without any: the real ones, or the sample."),
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="The medians of so many rounds.")] = 1,
    speed: Annotated[bool, typer.Option(help="Compare the ingestion.")] = True,
    quality: Annotated[bool, typer.Option(help="Compare the retrieval.")] = True,
    collection: Annotated[Path, typer.Option(help="BEIR folder for the quality.")] = SCIFACT,
    queries: Annotated[int, typer.Option(min=0, help="So many queries only; 0: all.")] = 0,
    docs: Annotated[int, typer.Option(min=0, help="So many documents only; 0: all.")] = 0,
) -> None:
    """Compare Materia with the usual pipeline, both on this machine and in this run."""
    with tempfile.TemporaryDirectory(prefix="materia-bench-") as folder:
        if speed:
            compare_speed(paths or [], rounds, Path(folder))
        if quality and (collection / "corpus.jsonl").is_file():
            compare_quality(collection, queries, docs, Path(folder))
        elif quality:
            console.print("No retrieval collection here: quality left out (--collection FOLDER).")


def compare_speed(paths: Sequence[Path], rounds: int, folder: Path) -> None:
    """Run the rounds and print the table of their medians."""
    files, notes = find_pdfs(paths)
    for note in notes:
        console.print(note, markup=False)
    warm = (folder / "warm-up-1.pdf", folder / "warm-up-2.pdf")
    for path in warm:
        _write_warm_file(path)
    measured: list[Round] = []
    repeats = 0
    while len(measured) < rounds:
        if not files:
            raise SystemExit("There is no PDF that both sides can read.")
        # Who begins changes with every round: the second finds the files in the system's cache.
        order = list(SIDES) if len(measured) % 2 == 0 else list(reversed(SIDES))
        label = f"{len(measured) + 1}.{repeats}"
        found = {side: _ingest(side, files, warm, folder / f"{label}-{side}") for side in order}
        unread = {file: (side, why) for side in SIDES for file, why in found[side].problems.items()}
        if unread:
            for file, (side, why) in unread.items():
                console.print(f"{Path(file).name} left out: {side}: {why}", markup=False)
            files = [file for file in files if str(file) not in unread]
            repeats += 1
            continue
        measured.append(found)
        speeds = ", ".join(f"{s} {m.pages_per_second:.1f} pages/s" for s, m in found.items())
        console.print(f"Round {len(measured)} of {rounds}: {speeds}")
    console.print(_speed_table(measured, len(files)))


def _write_warm_file(path: Path) -> None:
    pdf = fpdf.FPDF()
    pdf.set_font("Helvetica", size=11)
    pdf.add_page()
    pdf.multi_cell(0, 6, f"This page, {path.stem}, is read before the clock starts.")
    pdf.output(str(path))


def _ingest(side: str, files: Sequence[Path], warm: tuple[Path, Path], folder: Path) -> Measured:
    python, module = SIDES[side]
    job = {
        "task": "ingest",
        "folder": str(folder / "data"),
        "warm": str(warm[0]),
        "files": [],
    }
    first = run_child(python, module, job, folder)
    job |= {"warm": str(warm[1]), "files": [str(file) for file in files]}
    ended = run_child(python, module, job, folder)
    report = ended.report
    return Measured(
        pages=sum(item["pages"] for item in report["files"]),
        chunks=sum(item["chunks"] for item in report["files"]),
        seconds=report["seconds"],
        load_seconds=report["load_seconds"],
        peak_mb=ended.peak_mb,
        first_load_seconds=first.report["load_seconds"],
        first_peak_mb=first.peak_mb,
        problems={item["file"]: item["problem"] for item in report["files"] if item["problem"]},
    )


def _speed_table(measured: Sequence[Round], files: int) -> Table:
    table = Table(title=f"Ingestion of {files} files, median of {len(measured)} round(s)")
    table.add_column("")
    for name in (*SIDES, "ratio"):
        table.add_column(name, justify="right")
    for name, attribute, decimals, more_is_better in _ROWS:
        pairs = [
            (float(getattr(one[MATERIA], attribute)), float(getattr(one[USUAL], attribute)))
            for one in measured
        ]
        # Within a round both sides had the same machine: first the ratio, then the median.
        ratio = median(ours / usual if more_is_better else usual / ours for ours, usual in pairs)
        shown = [f"{median(column):,.{decimals}f}" for column in zip(*pairs, strict=True)]
        table.add_row(name, *shown, f"{ratio:.2f}")
    return table


def compare_quality(source: Path, queries: int, docs: int, folder: Path) -> None:
    """Index the collection on both sides, ask every query, print the table."""
    collection = load_collection(source, queries, docs)
    table = Table(
        title=f"nDCG@10 on {source.name}: {len(collection.queries)} queries, "
        f"{len(collection.corpus)} documents"
    )
    table.add_column("")
    for name in ("nDCG@10", "chunks", "ms per query"):
        table.add_column(name, justify="right")
    job = {
        "task": "retrieve",
        "corpus": collection.corpus,
        "queries": collection.queries,
        "depth": CHUNKS_PER_QUERY,
    }
    for side, (python, module) in SIDES.items():
        place = folder / f"quality-{side}"
        report = run_child(python, module, {**job, "folder": str(place / "data")}, place).report
        runs: dict[str, Any] = report["runs"]
        for name, run in runs.items():
            milliseconds = 1000 * report["seconds"][name] / len(collection.queries)
            score = mean_ndcg(run, collection.relevant)
            table.add_row(name, f"{score:.3f}", f"{report['chunks']:,}", f"{milliseconds:.1f}")
    console.print(table)


if __name__ == "__main__":
    typer.run(main)
