"""Peak memory of ingesting one very long file: ``make bench-memory``."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Annotated

import fpdf
import typer
from rich.console import Console
from rich.table import Table

from bench.children import run_child
from bench.inputs import SAMPLE
from core.documents.reading.extract import extract

_TARGET_MB = 2000
_FONT_POINTS = 9
_LINE_MM = 4.2
_MOST_LINES = 60  # a page of A4 holds them at this size
console = Console(width=100)


def main(
    pages: Annotated[int, typer.Option(min=1, help="Pages of the file.")] = 1000,
) -> None:
    """Make a PDF from the sample leaflets' text, ingest it, report the memory that took."""
    with tempfile.TemporaryDirectory(prefix="materia-bench-") as name:
        folder = Path(name)
        long_file, warm = folder / "long.pdf", folder / "warm-up.pdf"
        texts = [page.text for path in sorted(SAMPLE.glob("*.pdf")) for page in extract(path).pages]
        _write_pdf(long_file, texts, pages)
        _write_pdf(warm, texts, 1)
        job = {
            "task": "ingest",
            "folder": str(folder / "data"),
            "warm": str(warm),
            "files": [str(long_file)],
        }
        ended = run_child(Path(sys.executable), "bench.run_materia", job, folder / "run")
        size = long_file.stat().st_size
    (item,) = ended.report["files"]
    if item["problem"]:
        raise SystemExit(f"The file was not taken: {item['problem']}")
    table = Table(title="One long file")
    table.add_column("")
    table.add_column("Materia", justify="right")
    verdict = "met" if ended.peak_mb < _TARGET_MB else "missed"
    for row in (
        ("pages", f"{item['pages']:,}"),
        ("size, MB", f"{size / 1e6:.1f}"),
        ("chunks", f"{item['chunks']:,}"),
        ("seconds, warm", f"{ended.report['seconds']:,.1f}"),
        ("peak memory with child processes, MB", f"{ended.peak_mb:,.0f}"),
        (f"under {_TARGET_MB:,} MB", verdict),
    ):
        table.add_row(*row)
    console.print(table)


def _write_pdf(path: Path, texts: Sequence[str], pages: int) -> None:
    """A PDF with one of the texts on every page, in turn, and the page's number above it."""
    pdf = fpdf.FPDF()
    pdf.set_auto_page_break(False)
    pdf.set_font("Helvetica", size=_FONT_POINTS)
    for number, text in enumerate(islice(cycle(texts), pages), start=1):
        pdf.add_page()
        lines = [f"Page {number} of {pages}", *text.splitlines()][:_MOST_LINES]
        # The core fonts know Latin-1 only.
        shown = "\n".join(lines).encode("latin-1", "replace").decode("latin-1")
        pdf.multi_cell(0, _LINE_MM, shown)
    pdf.output(str(path))


if __name__ == "__main__":
    typer.run(main)
