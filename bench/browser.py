"""What the analyst waits for, in a real browser: ``make bench-browser``."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Annotated

import typer
from playwright.sync_api import Error as BrowserError
from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.table import Table

from bench.canvas import canvas_times, prepare
from bench.inputs import find_pdfs
from bench.server import serving

_CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
_FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
_QUESTIONS = (
    "Which drugs treat type 2 diabetes, and when must metformin not be taken?",
    "Does ibuprofen interact with warfarin?",
    "How should levothyroxine be taken?",
)
_TOUR = ("Explorer", "Literature", "History", "System", "Library")
_TARGET_SECONDS = 1.0  # of a page change
_CANVAS_SECONDS, _SELECTION_SECONDS = 3.0, 0.5
_SAMPLE_SECONDS = 600
_LONGEST_WAIT_MS = 120_000
_LOOK_MS = 500  # between two page changes
_PROGRESS = "[data-testid='stProgress']"
_FINISHED = "[data-testid='stApp'][data-test-script-state='notRunning']"
console = Console(width=100)


def main(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="PDF files or folders to upload; without any: the real ones."),
    ] = None,
    tours: Annotated[int, typer.Option(min=1, help="Tours of all pages during ingestion.")] = 3,
) -> None:
    """Time start, sample, questions, and page changes while an ingestion is running."""
    files, notes = find_pdfs(paths or [])
    for note in notes:
        console.print(note, markup=False)
    table = Table(title="In the browser, seconds")
    table.add_column("")
    for name in ("first", "median", "longest", "times"):
        table.add_column(name, justify="right")
    with tempfile.TemporaryDirectory(prefix="materia-bench-") as folder, _chromium() as page:
        started = time.perf_counter()
        with serving(Path(folder) / "data") as server:
            address = server.address
            _open(page, address)
            _add_row(table, "start to the first usable page", [time.perf_counter() - started])
            _wait_for_sample(page, address)
            _add_row(table, "start to the complete sample", [time.perf_counter() - started])
            _add_row(table, "a question's answer", [_ask(page, text) for text in _QUESTIONS])
            _upload(page, files)
            busy, left_out = _page_changes(page, tours)
        graph = Path(folder) / "graph"
        hub = prepare(graph)
        with serving(graph, MATERIA_SAMPLE="false") as server:
            address = server.address
            canvas = canvas_times(page, address, hub)
    _add_row(table, "a page change during ingestion", busy)
    entities, relationships = canvas.size
    drawn = f"{entities:,} entities, {relationships:,} lines on the canvas"
    _add_row(table, drawn, [canvas.drawn])
    _add_row(table, "a selection on it is seen", canvas.selected)
    _add_row(table, "its details stand beside it", canvas.told)
    console.print(table)
    if busy:
        verdict = "met" if max(busy) < _TARGET_SECONDS else "missed"
        console.print(f"Every page change under {_TARGET_SECONDS:.0f} s: {verdict}")
    seen, drew = max(canvas.selected) < _SELECTION_SECONDS, canvas.drawn < _CANVAS_SECONDS
    console.print(
        f"The canvas within {_CANVAS_SECONDS:.0f} s: {'met' if drew else 'missed'}; "
        f"every selection within {_SELECTION_SECONDS} s: {'met' if seen else 'missed'}"
    )
    if left_out:
        console.print(
            f"The ingestion ended during tour {tours - left_out + 1} of {tours}; from there on nothing "
            "is counted. Give more or longer PDFs."
        )


def _add_row(table: Table, name: str, seconds: Sequence[float]) -> None:
    if not seconds:
        table.add_row(name, "-", "-", "-", "0")
        return
    shown = (seconds[0], median(seconds), max(seconds))
    table.add_row(name, *(f"{value:.2f}" for value in shown), str(len(seconds)))


@contextmanager
def _chromium() -> Iterator[Page]:
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=_CHROMIUM, args=_FLAGS)
        except BrowserError as error:
            raise SystemExit(f"Chromium does not start ({_CHROMIUM}): install it.") from error
        try:
            page = browser.new_page(viewport={"width": 1500, "height": 900})
            page.set_default_timeout(_LONGEST_WAIT_MS)
            yield page
        finally:
            browser.close()


def _open(page: Page, address: str) -> None:
    """The start page, up to the point where files and questions are taken."""
    page.goto(address)
    page.get_by_role("heading", name="Library", exact=True).wait_for()
    page.get_by_test_id("stChatInputTextArea").wait_for()
    page.locator('input[type="file"]').first.wait_for(state="attached")


def _documents(address: str) -> int:
    """Documents that are ready, abstracts too."""
    with urllib.request.urlopen(f"{address}/api/documents", timeout=30) as response:
        return len(json.load(response)["documents"])


def _wait_for_sample(page: Page, address: str) -> None:
    """Until documents are there and their number and the page say that loading is over."""
    deadline = time.monotonic() + _SAMPLE_SECONDS
    while time.monotonic() < deadline:
        if _documents(address) and not page.get_by_text("First start").count():
            return
        page.wait_for_timeout(100)
    raise SystemExit(f"The sample was not complete after {_SAMPLE_SECONDS} s.")


def _ask(page: Page, question: str) -> float:
    """Seconds from Enter to the complete answer."""
    before = page.locator(".answer").count()
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    started = time.perf_counter()
    box.press("Enter")
    page.locator(".answer").nth(before).wait_for()
    return time.perf_counter() - started


def _upload(page: Page, files: Sequence[Path]) -> None:
    page.locator(_FINISHED).wait_for()
    page.locator('input[type="file"]').first.set_input_files([str(file) for file in files])
    page.locator(_PROGRESS).first.wait_for()


def _page_changes(page: Page, tours: int) -> tuple[list[float], int]:
    """Seconds of every page change while files were coming in; and how many tours came too late.

    A change is over when the new page's heading stands and its script has run to its end. A tour
    counts when the Library, its last page, still shows a running job.
    """
    busy: list[float] = []
    for done in range(tours):
        seconds = [_change(page, name) for name in _TOUR]
        if not page.locator(_PROGRESS).count():
            return busy, tours - done
        busy += seconds
    return busy, 0


def _change(page: Page, name: str) -> float:
    page.wait_for_timeout(_LOOK_MS)
    started = time.perf_counter()
    page.get_by_role("link", name=name, exact=True).first.click()
    page.get_by_role("heading", name=name, exact=True).wait_for()
    page.locator(_FINISHED).wait_for()
    return time.perf_counter() - started


if __name__ == "__main__":
    typer.run(main)
